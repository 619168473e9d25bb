//! The helper: Proctor starting itself to prepare and to look after a job's process.
//!
//! Some things can only be done by a process to itself, between its start and the job's program:
//! leaving the terminal's session, giving up rights, becoming the heir of orphans. The usual way is
//! a hook between fork and exec, which needs unsafe code. Instead the binary is started again with
//! [`HELPER_WORD`] as its first argument and does these things in ordinary code. The word after it
//! says which part it plays:
//!
//! - `supervise`: the job's parent. Outside the sandbox, it ends every process that the job leaves behind.
//! - `report`: inside bubblewrap, which itself cannot tell a signal from an exit code.
//! - `confine`: gives up rights with Landlock and seccomp, then becomes the program.
//! - `probe`: tries forbidden actions, so that a sandbox is trusted only when it was seen to hold.
//!
//! Leaving the session is not cosmetic: a process that shares the terminal can type the word
//! APPROVE into it.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};

#[cfg(target_os = "linux")]
mod descendants;
mod report;
mod supervise;

pub(super) use report::REPORT_STAGE;
pub(super) use supervise::{REPORT_OPTION, SUPERVISE_STAGE};

/// The first argument that tells the binary to be the helper.
pub const HELPER_WORD: &str = "__exec";

/// The binary's behaviour when its first argument is [`HELPER_WORD`]; `arguments` are the ones after it: `STAGE
/// [--OPTION VALUE]… -- PROGRAM ARGUMENT…`.
///
/// Returns the code to exit with, unless this process became another program or ended itself with
/// the signal that ended the job. The binary prints an error and exits with 127.
pub fn helper_main(arguments: impl IntoIterator<Item = OsString>) -> Result<u8, Error> {
    let mut arguments = arguments.into_iter();
    let stage = arguments.next().unwrap_or_default();
    let words = Words::read(arguments)?;
    match stage.to_str() {
        Some(SUPERVISE_STAGE) => supervise::supervise(&words),
        Some(REPORT_STAGE) => report::report(&words),
        #[cfg(target_os = "linux")]
        Some(super::sandbox::CONFINE_STAGE) => Err(super::sandbox::confine(&words)),
        #[cfg(target_os = "linux")]
        Some(super::sandbox::PROBE_STAGE) => super::sandbox::probe(&words),
        _ => Err(invalid("expected a stage of the helper")),
    }
}

/// The arguments of a stage.
pub(super) struct Words {
    options: Vec<(String, OsString)>,
    command: Vec<OsString>,
}

impl Words {
    fn read(mut arguments: impl Iterator<Item = OsString>) -> Result<Self, Error> {
        let mut options = Vec::new();
        loop {
            match arguments.next().map(OsString::into_string) {
                Some(Ok(word)) if word == "--" => break,
                Some(Ok(name)) => options.push((name, arguments.next().unwrap_or_default())),
                Some(Err(_)) => return Err(invalid("an option that is not text")),
                None => break,
            }
        }
        Ok(Self {
            options,
            command: arguments.collect(),
        })
    }

    /// The options, in order.
    pub(super) fn options(&self) -> impl Iterator<Item = (&str, &OsString)> {
        self.options
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// One option's value.
    pub(super) fn option(&self, name: &str) -> Option<&OsString> {
        self.options()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// One option's value as a number.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.option(name)?.to_str()?.parse().ok()
    }

    /// The program to start and its arguments.
    pub(super) fn command(&self) -> Result<(&OsString, &[OsString]), Error> {
        self.command
            .split_first()
            .ok_or_else(|| invalid("no program to start"))
    }
}

/// An error for callers other than Proctor.
pub(super) fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}
