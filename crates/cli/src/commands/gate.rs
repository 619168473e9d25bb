//! `proctor gate`

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use proctor_host::driver::Watcher;
use proctor_host::gate::{ChangeJudged, ChangeRequest, Place, WhichGate, judge_change};

use crate::failure::{Failure, Refused};
use crate::session::Session;
use crate::wire::{GateDocument, ok};

/// Judge the changes in your checkout with the red or the green gate alone
///
/// For code that people or other agents write. `red` takes the changed test files alone, without any other
/// change, and wants them to fail for a good reason; `green` wants that red first and then everything to
/// pass. Nothing is written to your checkout.
///
/// Example: proctor gate green --base main
#[derive(Debug, Args)]
pub(crate) struct GateArguments {
    /// Which gate
    #[arg(value_enum)]
    colour: Colour,
    /// What the changes are measured against
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    base: String,
    /// A file or directory of tests, where their names do not tell; may be given several times
    #[arg(long, value_name = "PATH")]
    test: Vec<String>,
}

/// The two gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// The new tests fail, for a reason that an implementation removes
    Red,
    /// The new tests pass, and everything that passed before
    Green,
}

pub(crate) fn gate(session: &Session<'_>, arguments: &GateArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let place = Place {
        repository: workspace.repository(),
        surroundings: &session.surroundings,
        launcher: &session.launcher,
        interrupt: &session.interrupt,
    };
    let request = ChangeRequest {
        gate: match arguments.colour {
            Colour::Red => WhichGate::Red,
            Colour::Green => WhichGate::Green,
        },
        base: &arguments.base,
        tests: &arguments.test,
    };
    let mut progress = session.progress();
    let judged = judge_change(place, &request, &mut |line| progress.line(line))?;
    drop(progress);
    report(session, request.gate, &judged)
}

fn report(session: &Session<'_>, gate: WhichGate, judged: &ChangeJudged) -> Result<(), Failure> {
    let verdict = &judged.verdict;
    let valid = verdict.is_accepted();
    let colour = match gate {
        WhichGate::Red => "red",
        WhichGate::Green => "green",
    };
    let word = if valid { "valid" } else { "invalid" };
    let document = GateDocument::of(gate, judged);
    let mut text = format!("{word} {colour}\n");
    for test in &verdict.tests {
        let _ = write!(text, "  {:<8} {}", test.outcome, test.id);
        if !test.reason.is_empty() {
            let _ = write!(text, ": {}", test.reason);
        }
        text.push('\n');
    }
    for fact in verdict.checks_made() {
        let _ = writeln!(text, "checked: {fact}");
    }
    for note in &verdict.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for flag in &judged.flags {
        let _ = writeln!(text, "look at {flag}");
    }
    if valid {
        session.output.result(&text, &ok(document));
        return Ok(());
    }
    let reasons = verdict.reasons.clone();
    Err(Failure::from(Refused::Gate { colour, reasons }).details(document))
}
