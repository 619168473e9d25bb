//! `proctor man`

use clap::{Args, Command, CommandFactory};
use serde_json::json;

use super::Arguments;
use crate::failure::{Failure, Misuse};
use crate::output::Output;
use crate::wire::ok;

/// Print a page for man
///
/// Without COMMAND: the program's own.
///
/// Example: proctor man | man -l -
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// One command's page
    command: Option<String>,
}

/// Pages refer to `proctor-guard-install(1)`, so `guard-install` is what a reader of one types next.
fn named<'a>(command: &'a Command, name: &str) -> Option<&'a Command> {
    command.find_subcommand(name).or_else(|| {
        let (first, rest) = name.split_once('-')?;
        named(command.find_subcommand(first)?, rest)
    })
}

pub(crate) fn man(output: &Output, arguments: &ManArguments) -> Result<(), Failure> {
    let mut program = Arguments::command();
    program.build();
    let described = match &arguments.command {
        None => program,
        Some(name) => named(&program, name)
            .cloned()
            .ok_or_else(|| Misuse::NoCommand(name.clone()))?,
    };
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(described).render(&mut page);
    let page = String::from_utf8_lossy(&page).into_owned();
    output.page(&page, &ok(json!({ "page": page })));
    Ok(())
}
