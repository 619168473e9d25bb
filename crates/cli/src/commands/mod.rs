//! The command line: one file per command; its arguments' documentation is its help.

pub(crate) mod abort;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod clean;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod gate;
pub(crate) mod graph;
pub(crate) mod guard;
pub(crate) mod init;
pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod status;
pub(crate) mod trust;
pub(crate) mod verify;
pub(crate) mod write;

use clap::{Parser, Subcommand};

use crate::arguments::Global;
use crate::failure::{Failure, Interruption, Kind};
use crate::output::Output;
use crate::session::Session;

/// An arbiter for code that a language model writes.
///
/// Proctor has a model write failing tests for a design document, runs the real test runner itself, has
/// the model implement, tests again, lints, shows you the whole diff and merges only after you type
/// APPROVE. All of it happens in an isolated git worktree.
#[derive(Debug, Parser)]
#[command(name = "proctor", version = env!("PROCTOR_VERSION"), propagate_version = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The meaning of the exit codes, a line each below a heading.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  done (merged, committed, written, valid)
    1  refused on its merits: rejected, aborted, gate not passed, changes do not apply
    2  wrong usage
    3  waits for a person; the message names the command that goes on
    4  refused for safety: path, secret, size, overwrite
    5  the environment: git, test runner, model, disk
   70  a bug in proctor
  130  interrupted; resumable";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::InitArguments),
    New(new::NewArguments),
    Run(run::RunArguments),
    Resume(resume::ResumeArguments),
    Check(check::CheckArguments),
    Status(status::StatusArguments),
    Review(review::ReviewArguments),
    Write(write::WriteArguments),
    Log(log::LogArguments),
    Report(report::ReportArguments),
    Abort(abort::AbortArguments),
    Clean(clean::CleanArguments),
    Apply(apply::ApplyArguments),
    Gate(gate::GateArguments),
    Guard(guard::GuardArguments),
    Mcp(mcp::McpArguments),
    Verify(verify::VerifyArguments),
    Keys(keys::KeysArguments),
    Trust(trust::TrustArguments),
    Doctor(doctor::DoctorArguments),
    Demo(demo::DemoArguments),
    Graph(graph::GraphArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    // These need nothing but the program itself.
    match &arguments.command {
        Command::Graph(_) => {
            graph::graph(output);
            return Ok(());
        }
        Command::Completions(wanted) => {
            completions::completions(output, wanted);
            return Ok(());
        }
        Command::Man(wanted) => return man::man(output, wanted),
        _ => {}
    }
    let session = Session::new(&arguments.global, output)?;
    let ended = with_session(&session, &arguments.command);
    ended.map_err(|failure| match failure.kind {
        // Before a run exists, too: a process that Ctrl-C killed did not fail on its own.
        Kind::Environment if session.interrupt.is_set() => {
            Failure::from(Interruption).details(failure.details)
        }
        _ => failure,
    })
}

fn with_session(session: &Session<'_>, command: &Command) -> Result<(), Failure> {
    match command {
        Command::New(wanted) => new::new(session, wanted),
        Command::Run(wanted) => run::run(session, wanted),
        Command::Resume(wanted) => resume::resume(session, wanted),
        Command::Check(wanted) => check::check(session, wanted),
        Command::Status(wanted) => status::status(session, wanted),
        Command::Review(wanted) => review::review(session, wanted),
        Command::Report(wanted) => report::report(session, wanted),
        Command::Log(wanted) => log::log(session, wanted),
        Command::Abort(wanted) => abort::abort(session, wanted),
        Command::Clean(_) => clean::clean(session),
        Command::Init(_) => init::init(session),
        Command::Trust(wanted) => trust::trust(session, wanted),
        Command::Doctor(wanted) => doctor::doctor(session, wanted),
        Command::Apply(wanted) => apply::apply(session, wanted),
        Command::Gate(wanted) => gate::gate(session, wanted),
        Command::Guard(wanted) => guard::guard(session, wanted),
        Command::Mcp(_) => mcp::mcp(session),
        Command::Verify(wanted) => verify::verify(session, wanted),
        Command::Keys(wanted) => keys::keys(session, wanted),
        Command::Write(wanted) => write::write(session, wanted),
        Command::Demo(arguments) => demo::demo(session, arguments),
        Command::Graph(_) | Command::Completions(_) | Command::Man(_) => Ok(()),
    }
}
