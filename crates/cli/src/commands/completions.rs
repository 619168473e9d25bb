//! `proctor completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use super::Arguments;
use crate::output::Output;
use crate::wire::ok;

/// Print a completion script for a shell
///
/// Example: proctor completions bash > ~/.local/share/bash-completion/completions/proctor
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(output: &Output, arguments: &CompletionsArguments) {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "proctor",
        &mut script,
    );
    let script = String::from_utf8_lossy(&script).into_owned();
    output.page(&script, &ok(json!({ "script": script })));
}
