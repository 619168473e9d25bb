//! Why an approval was not signed. Then nothing is approved.

use std::path::PathBuf;

use proctor_core::approval::Reason;
use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::CommitId;
use thiserror::Error;

use crate::git::GitError;
use crate::journal::JournalError;
use crate::process::ProcessError;
use crate::workspace::CommittedSettingsError;

/// Why an approval was not signed.
#[derive(Debug, Error)]
pub enum SignError {
    /// The settings require a signature, and no key is configured.
    #[error("approvals are signed here, and there is no key to sign with")]
    NoKey,
    /// The key does not exist.
    #[error("the key to sign with, {}, cannot be read: {reason}", path.display())]
    KeyUnreadable {
        /// The key's path.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// OpenSSH is not installed.
    #[error("approvals are signed with ssh-keygen, which is not on the search path")]
    NoSshKeygen,
    /// `ssh-keygen` did not sign: a wrong passphrase, no touch, no hardware key.
    #[error("ssh-keygen did not sign ({0}), so nothing is approved")]
    Refused(String),
    /// The key was not touched in time.
    #[error("no signature within {0} seconds, so nothing is approved")]
    TimedOut(u64),
    /// No passkey of the person is listed.
    #[error("approvals are signed with a passkey here, and none of {by} is listed")]
    NoPasskey {
        /// The person's address.
        by: String,
    },
    /// The page for the passkey cannot be shown.
    #[error("the page for the passkey cannot be opened: {0}")]
    NoPage(std::io::Error),
    /// The person, or their browser, said no.
    #[error("the passkey was not used ({0}), so nothing is approved")]
    Declined(String),
    /// No passkey was made.
    #[error("the browser made no passkey ({0})")]
    NotMade(String),
    /// It was signed, but the signature does not count.
    #[error("this approval would not count, so nothing is approved: {reason}")]
    WouldNotCount {
        /// The reason.
        reason: Box<Reason>,
        /// The commit that it is based on.
        base: Option<CommitId>,
    },
    /// `ssh-keygen` could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A private file could not be written or read.
    #[error("a private file for signing cannot be used: {0}")]
    Scratch(std::io::Error),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The committed settings cannot be used.
    #[error(transparent)]
    Settings(#[from] CommittedSettingsError),
    /// The audit trail cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Explained for SignError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoKey
            | Self::KeyUnreadable { .. }
            | Self::NoSshKeygen
            | Self::NoPasskey { .. }
            | Self::NoPage(_)
            | Self::Scratch(_)
            | Self::Process(_) => Kind::Environment,
            Self::Refused(_) | Self::TimedOut(_) | Self::Declined(_) | Self::NotMade(_) => {
                Kind::NeedsPerson
            }
            Self::WouldNotCount { .. } => Kind::Refused,
            Self::Git(error) => error.kind(),
            Self::Settings(error) => error.kind(),
            Self::Journal(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::NoKey => {
                "name one: PROCTOR_APPROVAL_KEY=FILE, `[approval] key` in proctor.toml, or git's user.signingKey with gpg.format ssh".to_owned()
            }
            Self::KeyUnreadable { .. } => {
                "name a key that is there, or its .pub file if an agent has it: PROCTOR_APPROVAL_KEY=FILE".to_owned()
            }
            Self::NoSshKeygen => "install OpenSSH 8.2 or newer".to_owned(),
            Self::Refused(_) => {
                "see what it says above; unlock the key or plug it in, then approve again".to_owned()
            }
            Self::TimedOut(_) => "approve again, and touch the key when it asks".to_owned(),
            Self::NoPasskey { .. } => {
                "make one with `proctor keys add --passkey`; it counts once an approved commit lists it".to_owned()
            }
            Self::NoPage(_) => {
                "see whether programs may listen on 127.0.0.1 here, or sign with an SSH key".to_owned()
            }
            Self::Declined(_) => "approve again, and let the browser use the passkey".to_owned(),
            Self::NotMade(_) => "start again, and let the browser make it".to_owned(),
            Self::WouldNotCount { reason, .. } => signer_hint(reason),
            Self::Process(_) => "check that ssh-keygen is installed and can be started".to_owned(),
            Self::Scratch(_) => {
                "free some disk space or fix the permissions of TMPDIR; nothing was lost".to_owned()
            }
            Self::Git(error) => return error.hints(),
            Self::Settings(error) => return error.hints(),
            Self::Journal(error) => return error.hints(),
        }]
    }
}

/// The remedy for a person who is about to sign, where nothing is committed yet.
fn signer_hint(reason: &Reason) -> String {
    match reason {
        Reason::NotInHardware { .. } => {
            "sign with a hardware key (`ssh-keygen -t ed25519-sk`); `[approval] presence` in proctor.toml says what is asked for".to_owned()
        }
        Reason::NotTouched { .. } | Reason::NotVerified { .. } => {
            "sign with a key that asks for it; `[approval] presence` in proctor.toml says what is asked for".to_owned()
        }
        Reason::ByAuthor { .. } => "have another person approve it".to_owned(),
        _ => "sign with a key that `proctor keys list` shows under your address, or have yours added with `proctor keys add`".to_owned(),
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for SignError {
    fn samples() -> Vec<Self> {
        use crate::settings::SettingsError;
        let stranger = || {
            Box::new(Reason::Stranger {
                by: "ADDRESS".to_owned(),
                key: "FINGERPRINT".to_owned(),
            })
        };
        proctor_core::samples!(SignError {
            SignError::NoKey => SignError::NoKey,
            SignError::KeyUnreadable { .. } => SignError::KeyUnreadable { path: "PATH".into(), reason: "REASON".to_owned() },
            SignError::NoSshKeygen => SignError::NoSshKeygen,
            SignError::Refused(_) => SignError::Refused("exit code 255".to_owned()),
            SignError::TimedOut(_) => SignError::TimedOut(120),
            SignError::NoPasskey { .. } => SignError::NoPasskey { by: "ADDRESS".to_owned() },
            SignError::NoPage(_) => SignError::NoPage(std::io::Error::other("REASON")),
            SignError::Declined(_) => SignError::Declined("REASON".to_owned()),
            SignError::NotMade(_) => SignError::NotMade("REASON".to_owned()),
            SignError::WouldNotCount { .. } => SignError::WouldNotCount { reason: stranger(), base: None },
            SignError::Process(_) => SignError::Process(ProcessError::System {
                action: "start",
                program: "PROGRAM".into(),
                source: std::io::Error::other("REASON"),
            }),
            SignError::Scratch(_) => SignError::Scratch(std::io::Error::other("REASON")),
            SignError::Git(_) => SignError::Git(GitError::sample()),
            SignError::Settings(_) => SignError::Settings(SettingsError::Invalid("REASON".to_owned()).into()),
            SignError::Journal(_) => SignError::Journal(JournalError::NoSuchRun("RUN".to_owned())),
        })
    }
}
