//! What goes wrong when a file is merged and written.

use proctor_core::merge::MergeError;
use proctor_core::safe_write::Concern;
use proctor_host::files::FileError;
use proctor_host::run_data::REPLACED_FILES;
use proctor_host::safe_write::WriteError;

use super::{Failure, Kind};

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        let kind = match error {
            MergeError::Line { .. } => Kind::Usage,
            _ => Kind::Refused,
        };
        Self::new(kind, error.to_string()).hint(error.hint())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let text = error.to_string();
        match error {
            FileError::Io { .. } => Self::new(Kind::Environment, text)
                .hint("free some disk space or mend the permissions; the file is as it was"),
            FileError::Missing { .. } => {
                Self::new(Kind::Environment, text).hint("put it back, or name a file that is there")
            }
            FileError::Indeterminate { .. } => Self::new(Kind::Environment, text)
                .hint(format!("look at the file before you go on; what `proctor write` replaces is kept under {REPLACED_FILES}")),
            FileError::ChangedMeanwhile { .. } => Self::new(Kind::Refused, text)
                .hint("nothing was written; look at the file as it is now and run the command again"),
            FileError::Exists { .. } => Self::new(Kind::Safety, text)
                .hint("edit it, or move it away and run the command again"),
            FileError::Symlink { .. }
            | FileError::NotRegular { .. }
            | FileError::HardLinked { .. }
            | FileError::OtherFilesystem { .. } => Self::new(Kind::Safety, text)
                .hint("nothing was written; name a regular file inside the repository"),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        let text = error.to_string();
        match error {
            WriteError::Unattended(_) => Self::new(Kind::Safety, text)
                .hint("leave --auto out and decide at the terminal, or add --force"),
            WriteError::Protected(_) => Self::new(Kind::Safety, text)
                .hint("a person at a terminal can allow it, with the content in --from FILE"),
            WriteError::NeedsPerson { concern, command } => {
                let (Concern::Protected { path } | Concern::Large { path, .. }) = concern;
                let mut hint =
                    format!("decide at a terminal with `proctor {command} {path} --from FILE`");
                if command == "write" {
                    hint += ", or replace it with --auto --force";
                }
                Self::new(Kind::NeedsPerson, text).hint(hint)
            }
            WriteError::Declined { .. } => Self::new(Kind::Refused, text)
                .hint("the trail in `proctor log` says what was proposed"),
            WriteError::Interrupted(_) => {
                Self::new(Kind::Interrupted, text).hint("run the command again")
            }
            WriteError::Rescue(error) => error.into(),
            WriteError::Journal(error) => error.into(),
            WriteError::File(error) => error.into(),
            WriteError::Unrecorded { .. } => Self::new(Kind::Environment, text)
                .hint("the content is in place; mend the journal's disk"),
        }
    }
}
