//! Wrong usage: the command line asks for something impossible.

use std::io;
use std::path::PathBuf;

#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};
use thiserror::Error;

/// The problem with the command line.
#[derive(Debug, Error)]
pub(crate) enum Misuse {
    /// The parser of arguments, in its own words.
    #[error("{message}")]
    Arguments {
        /// The problem.
        message: String,
        /// The probable intention.
        tip: Option<String>,
    },
    /// `-C` names no directory.
    #[error("there is no directory {}", .0.display())]
    NoDirectory(PathBuf),
    /// The newest run is asked for where none was ever started.
    #[error("there is no run yet")]
    NoRunYet,
    /// There may have been runs, but all of them ended.
    #[error("there is no run to go on with")]
    NothingToGoOnWith,
    /// `man` of something else.
    #[error("there is no command {0:?}")]
    NoCommand(String),
    /// `write --strategy insert` alone.
    #[error("insert needs a line")]
    InsertWithoutLine,
    /// `write --line` with another strategy.
    #[error("--line is for --strategy insert")]
    LineWithoutInsert,
    /// `write` at a terminal, without a file.
    #[error("there is no content to write")]
    NoContent,
    /// `--from` names a file that cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// As it was given.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// `keys add` without an address, where git knows none.
    #[error("the owner of the key is unknown")]
    NoAddress,
    /// An agent's hook has no answer. Every client reads the exit code as a no.
    #[error("the guard's hook says no: {0}")]
    Hook(String),
    /// `new` without words.
    #[error("a design document needs a title")]
    NoTitle,
    /// `check` of nothing.
    #[error("there is nothing to check")]
    NothingToCheck,
    /// `--issue` cannot be in a branch's name.
    #[error("{0:?} cannot be an issue: it becomes part of a branch name")]
    Issue(String),
}

impl Explained for Misuse {
    fn kind(&self) -> Kind {
        Kind::Usage
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Misuse::Arguments { tip: Some(tip), .. } => tip.clone(),
            Misuse::Arguments { tip: None, .. } | Misuse::NoCommand(_) => {
                "`proctor --help` lists the commands, `proctor COMMAND --help` their options"
                    .to_owned()
            }
            Misuse::NoDirectory(_) => "name an existing directory with -C".to_owned(),
            Misuse::NoRunYet | Misuse::NothingToGoOnWith => {
                "start one with `proctor run --issue ID`; `proctor new ID \"TITLE\"` writes its design document".to_owned()
            }
            Misuse::InsertWithoutLine => "add --line N, counted from 1".to_owned(),
            Misuse::LineWithoutInsert => "add --strategy insert, or leave --line out".to_owned(),
            Misuse::NoContent => "name a file with --from, or pipe the content in".to_owned(),
            Misuse::Unreadable { .. } => "name an existing file with --from".to_owned(),
            Misuse::Hook(_) => "`proctor guard doctor` says what does not work".to_owned(),
            Misuse::NoAddress => "give an address with --as ADDRESS".to_owned(),
            Misuse::NoTitle => "say in a few words what it is about: `proctor new ID \"TITLE\"`".to_owned(),
            Misuse::NothingToCheck => {
                "name a design document, or files for the model with --context PATH, or both".to_owned()
            }
            Misuse::Issue(_) => {
                "use letters, digits, `-`, `_` and `.`, at most 64, letters or digits at both ends"
                    .to_owned()
            }
        }]
    }
}

#[cfg(test)]
impl Sampled for Misuse {
    fn samples() -> Vec<Self> {
        let text = str::to_owned;
        proctor_core::samples!(Misuse {
            Misuse::Arguments { .. } => Misuse::Arguments {
                message: text("the following required arguments were not provided: ARGUMENTS"),
                tip: None,
            },
            Misuse::NoDirectory(_) => Misuse::NoDirectory("PATH".into()),
            Misuse::NoRunYet => Misuse::NoRunYet,
            Misuse::NothingToGoOnWith => Misuse::NothingToGoOnWith,
            Misuse::NoCommand(_) => Misuse::NoCommand(text("COMMAND")),
            Misuse::InsertWithoutLine => Misuse::InsertWithoutLine,
            Misuse::LineWithoutInsert => Misuse::LineWithoutInsert,
            Misuse::NoContent => Misuse::NoContent,
            Misuse::Unreadable { .. } => Misuse::Unreadable {
                path: "PATH".into(),
                source: io::Error::other("REASON"),
            },
            Misuse::Issue(_) => Misuse::Issue(text("ISSUE")),
            Misuse::Hook(_) => Misuse::Hook(text("REASON")),
            Misuse::NoAddress => Misuse::NoAddress,
            Misuse::NoTitle => Misuse::NoTitle,
            Misuse::NothingToCheck => Misuse::NothingToCheck,
        })
    }
}
