//! The command line, parsed into plain values; nothing happens here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::{
    abort, apply, check, clean, completions, demo, doctor, gate, graph, init, log, man, report,
    resume, review, run, status, write,
};

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

const EXIT_CODES: &str = "\
Exit codes:
    0  done (merged, committed, written, valid)
    1  refused on its merits: rejected, aborted, gate not passed, changes do not apply
    2  wrong usage
    3  waits for a person; the message names the command that goes on
    4  refused for safety: path, secret, size, overwrite
    5  the environment: git, test runner, model, disk
   70  a bug in proctor
  130  interrupted; resumable";

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) directory: Option<PathBuf>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub(crate) format: Format,
    /// When to use colour; NO_COLOR counts too
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// Print what is too long for the screen instead of opening the pager; PAGER=cat counts too
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    /// Say nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Show everything that the tests print; with PROCTOR_LOG set to debug, every process is shown with its time
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

/// Text for people, JSON for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON document on standard output
    Json,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// At a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(init::InitArguments),
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
    Doctor(doctor::DoctorArguments),
    Demo(demo::DemoArguments),
    Graph(graph::GraphArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}
