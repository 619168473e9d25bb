//! The options of every command, as plain values.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
