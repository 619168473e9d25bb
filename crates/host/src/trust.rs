//! Which settings of a repository a person has trusted.
//!
//! A repository may come from a stranger, and its `proctor.toml` with it. Settings in it that lower the guard count
//! only if a person has seen exactly this content and trusted it for this repository: `proctor trust` records that in
//! the state directory, which judged code does not see. `PROCTOR_TRUST` does so where there is no person.

use std::path::PathBuf;

use proctor_core::failure::{Explained, Kind};
use proctor_core::safe_write::sha256;
use thiserror::Error;

use crate::files::{OwnFileError, remove_own_directory, write_own};
use crate::git::Repository;
use crate::settings::{FILE_NAME, Lowering, Settings, SettingsFile};
use crate::surroundings::Surroundings;

/// The digests that are trusted without a person, separated by commas.
const VARIABLE: &str = "PROCTOR_TRUST";

/// The purpose that settings are needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Everything that they say.
    Run,
    /// Judging a tree: no linter runs, no model is asked, no one is notified.
    Judging,
}

impl Purpose {
    fn uses(self, lowering: &Lowering) -> bool {
        match self {
            Self::Run => true,
            Self::Judging => ["test", "worktree", "sandbox"].contains(&lowering.table),
        }
    }
}

/// The trusted contents in one repository.
#[derive(Debug)]
pub struct Trust {
    /// Where its digests are remembered, a file each; nowhere without a state directory.
    directory: Option<PathBuf>,
    /// The repository, for people who look at the file.
    name: String,
    /// The digests that the environment names.
    named: Vec<String>,
}

/// Why settings are not used, or trust is not remembered.
#[derive(Debug, Error)]
pub enum TrustError {
    /// They are not trusted.
    #[error("{FILE_NAME} lowers the guard and is not trusted: {}", names(.lowering))]
    Untrusted {
        /// The permissions that it would give.
        lowering: Vec<Lowering>,
        /// The content's digest.
        digest: String,
    },
    /// There is nowhere to remember it.
    #[error("there is no directory to remember trust in: HOME is not set")]
    NoStateDirectory,
    /// It could not be remembered.
    #[error(transparent)]
    Own(#[from] OwnFileError),
}

fn names(lowering: &[Lowering]) -> String {
    let keys: Vec<&str> = lowering.iter().map(|it| it.key.as_str()).collect();
    keys.join(", ")
}

impl Explained for TrustError {
    fn kind(&self) -> Kind {
        match self {
            Self::Untrusted { .. } => Kind::Safety,
            Self::NoStateDirectory => Kind::Environment,
            Self::Own(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Untrusted { digest, .. } => vec![format!(
                "`proctor trust` shows what it would allow and asks you; without a person, {}",
                by_variable(digest)
            )],
            Self::NoStateDirectory => {
                vec!["set PROCTOR_STATE_DIR to a directory of your own".to_owned()]
            }
            Self::Own(error) => error.hints(),
        }
    }
}

/// The variable that trusts them where there is no person.
pub fn by_variable(digest: &str) -> String {
    format!("set {VARIABLE}={digest}")
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for TrustError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(TrustError {
            TrustError::Untrusted { .. } => TrustError::Untrusted {
                lowering: vec![Lowering {
                    table: "sandbox",
                    key: "KEY".to_owned(),
                    value: "VALUE".to_owned(),
                    allows: "WHAT",
                }],
                digest: "DIGEST".to_owned(),
            },
            TrustError::NoStateDirectory => TrustError::NoStateDirectory,
            TrustError::Own(_) => TrustError::Own(OwnFileError::sample()),
        })
    }
}

impl Trust {
    /// The trust that a person or the environment has given a repository. All of its worktrees are one repository; two
    /// clones are not.
    pub fn of(repository: &Repository, surroundings: &Surroundings) -> Self {
        let name = repository.common_directory();
        let name = std::fs::canonicalize(name).unwrap_or_else(|_| name.to_owned());
        let key = sha256(name.as_os_str().as_encoded_bytes());
        let named = surroundings.text(VARIABLE).unwrap_or_default().split(',');
        Self {
            directory: surroundings
                .state_directory()
                .map(|directory| directory.join("trust").join(key)),
            name: name.to_string_lossy().into_owned(),
            named: named.map(|digest| digest.trim().to_owned()).collect(),
        }
    }

    /// Whether exactly this content is trusted; a file that lowers nothing needs no trust.
    pub fn has(&self, file: &SettingsFile) -> bool {
        let digest = file.digest();
        file.lowering().is_empty()
            || self
                .named
                .iter()
                .any(|named| named.eq_ignore_ascii_case(digest))
            || self.place(digest).is_some_and(|place| place.is_file())
    }

    /// The settings that count; refused if something that is not trusted would be used for the purpose.
    pub fn settings(&self, file: &SettingsFile, purpose: Purpose) -> Result<Settings, TrustError> {
        if self.has(file) {
            return Ok(file.whole().clone());
        }
        let used = file.lowering().iter().filter(|it| purpose.uses(it));
        let lowering: Vec<Lowering> = used.cloned().collect();
        if lowering.is_empty() {
            return Ok(file.protective().clone());
        }
        let digest = file.digest().to_owned();
        Err(TrustError::Untrusted { lowering, digest })
    }

    /// From now on this content is trusted in this repository.
    pub fn remember(&self, file: &SettingsFile) -> Result<(), TrustError> {
        if file.lowering().is_empty() {
            return Ok(());
        }
        let place = self.place(file.digest());
        let place = place.ok_or(TrustError::NoStateDirectory)?;
        let text = format!("{}\n", self.name);
        Ok(write_own(&place, text.as_bytes()).map_err(OwnFileError::at(&place))?)
    }

    /// Forgets all that was trusted in this repository.
    pub fn revoke(&self) -> Result<(), TrustError> {
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        Ok(remove_own_directory(directory).map_err(OwnFileError::at(directory))?)
    }

    fn place(&self, digest: &str) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(digest))
    }
}
