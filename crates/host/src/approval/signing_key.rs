//! The key that a person signs with.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::approval::NAMESPACE;
use proctor_core::approval::ssh::PublicKey;

use super::SignError;
use crate::git::Repository;
use crate::process::{Attended, AttendedEnd};
use crate::settings::ApprovalSettings;
use crate::surroundings::Surroundings;

/// The key of one person on one machine, which is not the repository's business.
const VARIABLE: &str = "PROCTOR_APPROVAL_KEY";

/// How long a person may take to type a passphrase and touch a key.
pub(super) const LONGEST: Duration = Duration::from_mins(2);

/// Where a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SigningKey {
    /// In this file, or in an agent, for this `.pub` file.
    File(PathBuf),
    /// In an agent; this is the public half.
    InAgent(String),
}

impl SigningKey {
    /// The key that is named: by the environment, by the settings, or to git for its own signatures.
    pub fn find(
        repository: &Repository,
        settings: &ApprovalSettings,
        surroundings: &Surroundings,
    ) -> Result<Self, SignError> {
        let named = surroundings.text(VARIABLE).map(str::to_owned);
        let named = named.or_else(|| settings.key.clone());
        let named = match named {
            Some(named) => named,
            None => repository.signing_key()?.ok_or(SignError::NoKey)?,
        };
        Ok(Self::named(&named, surroundings))
    }

    fn named(named: &str, surroundings: &Surroundings) -> Self {
        if let Some(key) = named.strip_prefix("key::") {
            return Self::InAgent(key.to_owned());
        }
        if PublicKey::parse_text(named).is_ok() {
            return Self::InAgent(named.to_owned());
        }
        match (named.strip_prefix("~/"), surroundings.get("HOME")) {
            (Some(rest), Some(home)) => Self::File(Path::new(home).join(rest)),
            _ => Self::File(PathBuf::from(named)),
        }
    }

    /// The public half, where it can be read without a passphrase.
    pub fn public(&self) -> Result<PublicKey, SignError> {
        let unreadable = |path: &Path, reason: String| SignError::KeyUnreadable {
            path: path.to_owned(),
            reason,
        };
        match self {
            Self::InAgent(text) => PublicKey::parse_text(text)
                .map_err(|error| unreadable(Path::new("user.signingKey"), error.to_string())),
            Self::File(path) => {
                let public = if path.extension().is_some_and(|it| it == "pub") {
                    path.clone()
                } else {
                    let mut name = path.as_os_str().to_owned();
                    name.push(".pub");
                    PathBuf::from(name)
                };
                let text = std::fs::read_to_string(&public)
                    .map_err(|error| unreadable(&public, error.to_string()))?;
                PublicKey::parse_text(text.trim())
                    .map_err(|error| unreadable(&public, error.to_string()))
            }
        }
    }

    /// Has the person sign a text; the armoured signature.
    pub fn sign(&self, text: &str, surroundings: &Surroundings) -> Result<String, SignError> {
        let program = surroundings.find_program("ssh-keygen");
        let program = program.ok_or(SignError::NoSshKeygen)?;
        let directory = tempfile::tempdir().map_err(SignError::Scratch)?;
        let put = |name: &str, content: &str| {
            let path = directory.path().join(name);
            let mut file = tempfile::NamedTempFile::new_in(directory.path())?;
            file.write_all(content.as_bytes())?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok::<_, std::io::Error>(path)
        };
        let statement = put("statement", text).map_err(SignError::Scratch)?;
        let key = match self {
            Self::File(path) => path.clone(),
            Self::InAgent(key) => {
                put("key.pub", &format!("{key}\n")).map_err(SignError::Scratch)?
            }
        };
        let words = ["-Y", "sign", "-n", NAMESPACE, "-f"].map(Into::into);
        let files = [key.into_os_string(), statement.clone().into_os_string()];
        let call = Attended {
            program,
            arguments: words.into_iter().chain(files).collect(),
            environment: surroundings.all().clone(),
            directory: directory.path().to_owned(),
        };
        match call.run(LONGEST)? {
            AttendedEnd::Well => {}
            AttendedEnd::TimedOut => return Err(SignError::TimedOut(LONGEST.as_secs())),
            AttendedEnd::Badly(code) => {
                let code =
                    code.map_or_else(|| "a signal".to_owned(), |it| format!("exit code {it}"));
                return Err(SignError::Refused(code));
            }
        }
        let signature = directory.path().join("statement.sig");
        std::fs::read_to_string(signature).map_err(SignError::Scratch)
    }
}
