//! The lines of `.proctor/allowed_signers` in a checkout. They count once an approved commit has them.

use std::path::Path;

use proctor_core::approval::ssh::PublicKey;
use proctor_core::approval::{NAMESPACE, SIGNERS_FILE, SignerLine, Signers};
use proctor_core::failure::{Explained, Kind};
use proctor_core::path::ProjectPath;
use thiserror::Error;

use super::SignError;
use crate::files::{FileError, Root};

/// More than any file of signers has.
const LARGEST: u64 = 1 << 20;

/// Why the file was not changed.
#[derive(Debug, Error)]
pub enum RosterError {
    /// The key cannot be used.
    #[error(transparent)]
    Key(#[from] SignError),
    /// Not a person's address.
    #[error("{0:?} cannot be an approver: one address without patterns is needed")]
    Principal(String),
    /// No signer of that name.
    #[error("{SIGNERS_FILE} has no line for {0:?}")]
    NotListed(String),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Explained for RosterError {
    fn kind(&self) -> Kind {
        match self {
            Self::Key(error) => error.kind(),
            Self::Principal(_) | Self::NotListed(_) => Kind::Usage,
            Self::File(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Key(error) => error.hints(),
            Self::Principal(_) => vec!["give an address with --as ADDRESS".to_owned()],
            Self::NotListed(_) => {
                vec!["`proctor keys list` shows addresses and fingerprints".to_owned()]
            }
            Self::File(error) => error.hints(),
        }
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for RosterError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(RosterError {
            RosterError::Key(_) => RosterError::Key(SignError::NoKey),
            RosterError::Principal(_) => RosterError::Principal("ADDRESS".to_owned()),
            RosterError::NotListed(_) => RosterError::NotListed("NAME".to_owned()),
            RosterError::File(_) => RosterError::File(FileError::Missing { path: "PATH".to_owned() }),
        })
    }
}

/// The file of a checkout.
#[derive(Debug)]
pub struct Roster {
    root: Root,
    path: ProjectPath,
    text: String,
}

impl Roster {
    /// Reads the file; none is an empty one.
    pub fn read(top: &Path) -> Result<Self, RosterError> {
        let path = ProjectPath::parse(SIGNERS_FILE).expect("a plain path");
        let root = Root::open(top).map_err(|source| FileError::Io {
            path: SIGNERS_FILE.to_owned(),
            source,
        })?;
        let text = match root.read(&path, LARGEST) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(FileError::Missing { .. }) => String::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { root, path, text })
    }

    /// The signers in it.
    pub fn signers(&self) -> Signers {
        Signers::parse(&self.text)
    }

    /// Whether a line can be about this one person.
    pub fn check_principal(principal: &str) -> Result<(), RosterError> {
        let plain = |byte: u8| byte.is_ascii_graphic() && !b",\"!*?#".contains(&byte);
        if principal.is_empty() || !principal.bytes().all(plain) {
            return Err(RosterError::Principal(principal.to_owned()));
        }
        Ok(())
    }

    /// Adds a line for a person's key, unless it exists. The line, and whether it is new.
    pub fn add(
        &mut self,
        principal: &str,
        key: &PublicKey,
        comment: &str,
    ) -> Result<(String, bool), RosterError> {
        Self::check_principal(principal)?;
        let comment: String = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!(
            "{principal} namespaces=\"{NAMESPACE}\" {} {comment}",
            key.text()
        );
        let line = line.trim_end().to_owned();
        let there =
            |it: &SignerLine| it.key == *key && it.names(principal) && it.may_sign(NAMESPACE);
        if self.signers().lines.iter().any(there) {
            return Ok((line, false));
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&line);
        self.text.push('\n');
        self.write()?;
        Ok((line, true))
    }

    /// Takes out every line for an address or a fingerprint; how many.
    pub fn remove(&mut self, name: &str) -> Result<usize, RosterError> {
        let signers = self.signers();
        let is_meant = |line: &&SignerLine| {
            line.key.fingerprint() == name || line.principals.iter().any(|it| it == name)
        };
        let gone: Vec<usize> = signers
            .lines
            .iter()
            .filter(is_meant)
            .map(|line| line.number)
            .collect();
        if gone.is_empty() {
            return Err(RosterError::NotListed(name.to_owned()));
        }
        let kept = self.text.split_inclusive('\n').enumerate();
        let kept = kept.filter(|(index, _)| !gone.contains(&(index + 1)));
        self.text = kept.map(|(_, line)| line).collect();
        self.write()?;
        Ok(gone.len())
    }

    fn write(&self) -> Result<(), RosterError> {
        Ok(self.root.write(&self.path, self.text.as_bytes(), false)?)
    }
}
