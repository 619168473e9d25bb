//! `proctor guard`

mod doctor;
mod hook;
mod installing;
mod persons;
mod status;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use proctor_core::guard::Client;
use proctor_host::guard::Guard;
use proctor_host::workspace::Workspace;

use crate::failure::Failure;
use crate::session::Session;

pub(crate) use hook::HookArguments;

/// Guard a coding agent that works in this checkout
///
/// Puts Proctor's gates into the hooks of Claude Code, Codex, Gemini CLI, Copilot, OpenCode or Cursor: no source before a
/// failing test, no change of tests that were judged, no end and no commit without a verdict. Git's own hooks (--git) hold
/// for everybody who asks git. What goes around all of it is named in the documentation; `proctor verify --rejudge` on a
/// server finds it.
///
/// Example: proctor guard install claude-code --git
#[derive(Debug, Args)]
pub(crate) struct GuardArguments {
    #[command(subcommand)]
    act: Act,
}

/// What to do about the guard.
#[derive(Debug, Subcommand)]
enum Act {
    /// Put the hooks into a client's settings in this repository
    Install(installing::InstallArguments),
    /// Take them out again, to the byte if the file was not edited since
    Uninstall(installing::UninstallArguments),
    /// Say how far the change in this checkout is
    Status,
    /// Have every installed hook answer, and say what does not work
    Doctor,
    /// Say that only source is going to change, and no behaviour: existing tests have to execute every changed line
    Refactor,
    /// Let sealed tests be written again, or switch the guard on again; asks you
    Reopen,
    /// Switch the guard off in this checkout; asks you
    Off,
    /// Answer a hook, from standard input to standard output; clients call this
    Hook(HookArguments),
}

/// Reads the name of a client.
fn client_name() -> impl TypedValueParser<Value = Client> {
    PossibleValuesParser::new(Client::ALL.map(Client::name))
        .map(|name| Client::named(&name).expect("one of those"))
}

pub(crate) fn guard(session: &Session<'_>, arguments: &GuardArguments) -> Result<(), Failure> {
    match &arguments.act {
        Act::Install(wanted) => installing::install(session, wanted),
        Act::Uninstall(wanted) => installing::uninstall(session, wanted),
        Act::Status => status::status(session),
        Act::Doctor => doctor::doctor(session),
        Act::Refactor => status::refactor(session),
        Act::Reopen => persons::reopen(session),
        Act::Off => persons::off(session),
        Act::Hook(wanted) => hook::hook(session, wanted),
    }
}

/// The guard of the checkout that this is about.
fn guard_of<'a>(session: &'a Session<'_>, workspace: &'a Workspace) -> Guard<'a> {
    Guard {
        place: session.place(workspace),
        clock: session.clock,
    }
}
