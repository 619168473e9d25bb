//! `docs/commands.md`: commands, exit codes and keys, from the definitions that the program itself uses.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};

use crate::commands::{Arguments, EXIT_CODES};
use crate::terminal::PAGER_KEYS;

const HEAD: &str = "\
# Commands

Every command with its arguments, then the options of every command, the exit codes and the keys of the review. This page is generated from the
definitions that the program uses; `proctor COMMAND --help` and `proctor man COMMAND` say the same.

`--auto` asks no questions and parks at the review, which nothing bypasses; a person continues with `proctor review RUN`. With `--force` it may also
replace large files in the worktree. RUN is a run's id, a unique prefix of it, or its issue if only one run of it is open.
";

const REVIEW: &str = "
## Keys

A review that is longer than the screen opens in Proctor's own pager. Type the answer there, below the diff, or press `q` and answer at the prompt;
DIFF opens the pager again. At a run's review COMMENT opens your editor (`VISUAL`, else `EDITOR`) beside the diff. Write comments as
`path:line: comment` or in free text; they go back to the model. COMMENT followed by text sends that text. If a comment names a test file, the tests
are rewritten ([when the tests are wrong](concepts.md#when-the-tests-are-wrong)).

`--no-pager` or `PAGER=cat` prints everything instead, and so does a terminal without the capabilities (`TERM=dumb`). Other values of `PAGER` are
ignored.
";

fn page() -> String {
    let mut program = Arguments::command();
    program.build();
    let mut text = HEAD.to_owned();
    for command in program.get_subcommands() {
        if command.get_name() != "help" && !command.is_hide_set() {
            describe(&mut text, command, 2);
        }
    }
    text.push_str("\n## Options of every command\n\n| option | meaning |\n|---|---|\n");
    for argument in program.get_arguments() {
        row(&mut text, argument);
    }
    text.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for line in EXIT_CODES.lines().skip(1) {
        let (code, meaning) = line.trim().split_once("  ").expect("a code, its meaning");
        let _ = writeln!(text, "| {code} | {meaning} |");
    }
    text.push_str("\n[Which bad input has which code](decisions/0010-exit-codes-for-bad-input.md). [Every message and what to do](troubleshooting.md).\n");
    text.push_str(REVIEW);
    text.push_str("\n| key | meaning |\n|---|---|\n");
    for (keys, meaning) in PAGER_KEYS {
        let keys: Vec<String> = keys.split("  ").map(|key| format!("`{key}`")).collect();
        let _ = writeln!(text, "| {} | {meaning} |", keys.join(" "));
    }
    text
}

fn describe(text: &mut String, command: &Command, depth: usize) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "\n{} {name}\n", "#".repeat(depth));
    for paragraph in about.split("\n\n") {
        let paragraph = paragraph.replace('\n', " ");
        let shown = match paragraph.strip_prefix("Example: ") {
            Some(example) => format!("```console\n$ {example}\n```"),
            // The first line of a help has no full stop; a page has sentences.
            None if paragraph.ends_with(['.', ':']) => in_markdown(&paragraph),
            None => format!("{}.", in_markdown(&paragraph)),
        };
        let _ = writeln!(text, "{shown}\n");
    }
    let own: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| !argument.is_global_set() && !argument.is_hide_set())
        .filter(|argument| !matches!(argument.get_id().as_str(), "help" | "version"))
        .collect();
    if own.is_empty() {
        text.truncate(text.trim_end().len());
        text.push('\n');
    } else {
        text.push_str("| argument | meaning |\n|---|---|\n");
        for argument in own {
            row(text, argument);
        }
    }
    for below in command.get_subcommands() {
        if below.get_name() != "help" && !below.is_hide_set() {
            describe(text, below, depth + 1);
        }
    }
}

fn row(text: &mut String, argument: &Arg) {
    let help = argument.get_help().map(ToString::to_string);
    let mut meaning = in_markdown(&help.unwrap_or_default()).replace('|', "\\|");
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if argument.get_action().takes_values() && !values.is_empty() {
        let _ = write!(meaning, " ({})", values.join(", "));
    }
    let shown = argument.to_string().replace('|', "\\|");
    let shown = shown.trim_end_matches("...");
    let short = argument
        .get_short()
        .filter(|_| argument.get_long().is_some());
    let short = short
        .map(|short| format!("`-{short}`, "))
        .unwrap_or_default();
    let _ = writeln!(text, "| {short}`{shown}` | {meaning} |");
}

/// Angle brackets would be tags, stars emphasis.
fn in_markdown(text: &str) -> String {
    text.replace('<', "&lt;").replace('*', "\\*")
}

#[test]
fn the_page_of_commands_is_what_the_program_says() {
    proctor_testkit::expect_page("commands.md", &page());
}
