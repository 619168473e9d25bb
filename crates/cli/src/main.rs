//! `proctor`: an arbiter for code that a language model writes.
//!
//! This crate parses arguments, opens the repository and the journal, hands the work to the driver of `proctor-host`
//! and prints the result. It decides nothing and never touches git.

mod arguments;
mod browser;
mod caller;
mod clients;
mod commands;
mod diagnostics;
mod failure;
mod intake;
mod output;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod reference;
mod report;
mod run_view;
mod session;
mod terminal;
mod wire;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use proctor_host::process::{HELPER_WORD, helper_main};
use serde_json::json;

use arguments::Format;
use commands::Arguments;
use failure::{Bug, Kind, Misuse};
use output::Output;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    // The re-executed helper that confines a child; not a command for people.
    if words.nth(1).is_some_and(|word| word == HELPER_WORD) {
        return match helper_main(words) {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                output::complain(&error);
                ExitCode::from(127)
            }
        };
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let output = Output::new(&arguments.global);
    let report = output.clone();
    std::panic::set_hook(Box::new(move |panic| {
        // The message belongs on the screen that stays.
        terminal::give_terminal_back();
        let words = panic.to_string().replace('\n', " ");
        report.failure(&Bug::Panic(words).into());
    }));
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        commands::run(&arguments, &output)
    }));
    match ended {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            output.failure(&failure);
            ExitCode::from(failure.kind.exit_code())
        }
        Err(_) => ExitCode::from(Kind::Bug.exit_code()),
    }
}

/// Help and version are not failures; every other problem with the arguments is, in JSON too if that was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    let json = words.iter().any(|word| word == "--format=json")
        || words
            .windows(2)
            .any(|pair| pair[0] == "--format" && pair[1] == "json");
    let format = if json { Format::Json } else { Format::Text };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion if json => {
            let text = error.to_string();
            let name = match error.kind() {
                ErrorKind::DisplayHelp => "help",
                _ => "version",
            };
            Output::plain(format).result("", &wire::ok(json!({ name: text.trim_end() })));
            return ExitCode::SUCCESS;
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nothing more can be done if the terminal is gone.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        // No words at all: the list of commands says more than a sentence.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            let _ = error.print();
        }
        _ => {
            let mut misuse = misuse(&error.to_string());
            if let Misuse::Arguments { tip, .. } = &mut misuse
                && let Some(way) = refused_word(error).and_then(|word| habit(&word))
            {
                *tip = Some(way.to_owned());
            }
            Output::plain(format).failure(&misuse.into());
        }
    }
    ExitCode::from(Kind::Usage.exit_code())
}

/// The word that the parser did not know.
fn refused_word(error: &clap::Error) -> Option<String> {
    let known = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    known.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    })
}

/// Where a word leads that other programs have, or that one would expect.
fn habit(word: &str) -> Option<&'static str> {
    Some(match word {
        "--json" | "-j" => "write `--format json`",
        "version" => "write `proctor --version`",
        "approve" | "reject" | "merge" => {
            "a person decides about a run at its review: `proctor review RUN`"
        }
        "list" | "ls" | "runs" | "ps" => "`proctor status` lists the runs",
        "continue" => "write `proctor resume RUN`",
        "start" => "write `proctor run --issue ID`",
        "show" | "diff" => "`proctor review RUN --dry-run` shows what a run would merge",
        "history" => "write `proctor log`",
        "rm" | "delete" | "cancel" | "stop" => "write `proctor abort RUN`",
        "create" => "`proctor new ID \"TITLE\"` writes a design document",
        "config" => "`proctor init` writes a commented proctor.toml",
        _ => return None,
    })
}

/// The parser's text for people: a sentence, perhaps with a list below it; then perhaps a tip, and the usage.
fn misuse(text: &str) -> Misuse {
    let mut paragraphs = text.trim_start_matches("error: ").split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let (sentence, list) = first.split_once('\n').unwrap_or((first, ""));
    let list: Vec<&str> = list.lines().map(str::trim).collect();
    let tip = paragraphs.find_map(|text| text.trim().strip_prefix("tip: "));
    Misuse::Arguments {
        message: format!("{sentence} {}", list.join(", ")).trim().to_owned(),
        tip: tip.map(str::to_owned),
    }
}
