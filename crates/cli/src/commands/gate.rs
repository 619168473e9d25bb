//! `proctor gate`

use clap::{Args, ValueEnum};
use proctor_core::gate::VerdictWord;
use proctor_core::test_outcome::SandboxLevel;
use proctor_host::driver::Watcher;
use proctor_host::gate::{
    ChangeJudged, ChangeRequest, Judged, Pace, Told, WhichGate, judge_change,
};
use serde_json::Value;

use crate::failure::{Failure, Refused, Unanswered};
use crate::output::Text;
use crate::session::Session;
use crate::wire::{GateDocument, ok};

/// Judge the changes in your checkout with a gate alone
///
/// For code that people or other agents write. `red` takes the changed test files alone, without any other
/// change, and wants them to fail for a good reason; `green` wants that red first and then everything to
/// pass. `change` finds out what kind of change it is and asks for what that kind needs: a change of source
/// alone has to be executed by tests, tests alone have to notice mistakes, and where tests are gone a person
/// decides. Nothing is written to your checkout.
///
/// Example: proctor gate change --base main
#[derive(Debug, Args)]
pub(crate) struct GateArguments {
    /// Which gate
    #[arg(value_enum)]
    gate: Gate,
    /// What the changes are measured against [default: HEAD; with --commit, its first parent]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Judge what is staged instead of everything in the checkout
    #[arg(long, conflicts_with = "commit")]
    staged: bool,
    /// Judge a commit instead of the checkout
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// A file or directory of tests, where their names do not tell; may be given several times
    #[arg(long, value_name = "PATH")]
    test: Vec<String>,
}

/// The gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gate {
    /// The new tests fail, for a reason that an implementation removes
    Red,
    /// The new tests pass, and everything that passed before
    Green,
    /// Whatever the kind of change asks for
    Change,
}

pub(crate) fn gate(session: &Session<'_>, arguments: &GateArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let place = session.place(&workspace);
    let request = ChangeRequest {
        gate: match arguments.gate {
            Gate::Red => WhichGate::Red,
            Gate::Green => WhichGate::Green,
            Gate::Change => WhichGate::Change,
        },
        judged: match &arguments.commit {
            Some(revision) => Judged::Commit(revision),
            None if arguments.staged => Judged::Staged,
            None => Judged::Checkout,
        },
        base: arguments.base.as_deref(),
        tests: &arguments.test,
        fresh: false,
        pace: Pace::Thorough,
    };
    let mut progress = session.progress();
    progress.check("reading the change");
    let judged = judge_change(place, &request, &mut |told| match told {
        Told::Check(what) => progress.check(what),
        Told::Line(line) => progress.line(line),
    })?;
    drop(progress);
    report(session, &judged)
}

fn report(session: &Session<'_>, judged: &ChangeJudged) -> Result<(), Failure> {
    let (verdict, word) = (&judged.verdict, judged.word);
    let next = word.next(verdict);
    let document = GateDocument::of(judged, next);
    let text = text_of(judged, next);
    if word.is_good() {
        session.output.result(text, &ok(document));
        return Ok(());
    }
    // The observations are worth reading with any verdict; the document comes with the failure.
    if !session.output.is_json() {
        session.output.result(text, &Value::Null);
    }
    let reasons = verdict.reasons.clone();
    let failure = if word == VerdictWord::NeedsPerson {
        Failure::from(Unanswered::Gate { reasons, next })
    } else {
        let words = word.sentence();
        Failure::from(Refused::Gate {
            words,
            reasons,
            next,
        })
    };
    Err(failure.details(document))
}

/// The tests' sandbox, in words.
fn sandbox_words(level: Option<SandboxLevel>) -> &'static str {
    match level {
        Some(SandboxLevel::Off) => "off, the tests could do whatever you can",
        Some(level) => level.as_str(),
        None => "not needed, nothing was run",
    }
}

/// The text for a person.
fn text_of(judged: &ChangeJudged, next: &str) -> Text {
    let verdict = &judged.verdict;
    let mut text = Text::from(format!(
        "{} ({})",
        judged.word.words(),
        judged.kind.as_str()
    ));
    for test in &verdict.tests {
        let (outcome, id, reason) = (test.outcome, &test.id, &test.reason);
        if reason.is_empty() {
            text.line(format_args!("  {outcome:<8} {id}"));
        } else {
            text.lines(11, format_args!("  {outcome:<8} {id}: {reason}"));
        }
    }
    for fact in verdict.checks_made() {
        text.line(format_args!("checked: {fact}"));
    }
    for line in crate::terminal::mutant_lines(verdict.mutants.as_ref()) {
        text.line(line);
    }
    for note in &verdict.notes {
        text.lines(2, format_args!("note: {note}"));
    }
    for flag in &judged.flags {
        text.lines(2, format_args!("look at {flag}"));
    }
    text.line(format_args!("sandbox: {}", sandbox_words(judged.sandbox)));
    text.line(format_args!("next: {next}"));
    text
}
