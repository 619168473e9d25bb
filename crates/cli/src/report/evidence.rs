//! A gate's evidence: every test, every run of the runner, every uncertainty.

use maud::{Markup, html};
use proctor_core::test_outcome::{Ending, SandboxLevel};
use proctor_core::workflow::GateResult;

use super::summary::seconds;
use crate::terminal::mutant_lines;

pub(crate) fn gate(result: Option<&GateResult>, colour: &str) -> Markup {
    let Some(result) = result else {
        return html! { p.faint { "This gate has not run." } };
    };
    let verdict = &result.verdict;
    let accepted = verdict.is_accepted();
    html! {
        p {
            span class=(if accepted { "badge good" } else { "badge bad" }) {
                (if accepted { "valid " } else { "not valid " }) (colour)
            }
            " tree " code { (result.tree.as_str()) }
            ", sandbox " (result.sandbox.map_or("unknown", SandboxLevel::as_str))
            ", " (seconds(result.elapsed_ms))
        }
        (list("Why it was refused", "bad", verdict.reasons.iter().map(|reason| match &reason.test {
            Some(test) => format!("{test}: {} ({})", reason.message, reason.rule),
            None => format!("{} ({})", reason.message, reason.rule),
        })))
        (list("Checked", "good", verdict.checks_made().map(ToString::to_string)))
        (list("What the tests notice", "fact", mutant_lines(verdict.mutants.as_ref()).into_iter()))
        (list("Noted", "fact", verdict.notes.iter().cloned()))
        (list("To be looked at", "bad", result.flags.iter().map(ToString::to_string)))
        @if !verdict.tests.is_empty() {
            div.wide {
                table {
                    thead { tr { th { "test" } th { "outcome" } th { "reason" } } }
                    tbody {
                        @for test in &verdict.tests {
                            tr {
                                td { code { (&test.id) } }
                                td class=(class_of(test.outcome)) { (test.outcome) }
                                td { (&test.reason) }
                            }
                        }
                    }
                }
            }
        }
        @if !result.runs.is_empty() {
            details {
                summary { "Every run of the test runner" }
                div.wide {
                    table {
                        thead { tr { th { "what" } th { "exit code" } th { "tests" } th { "time" } th { "command" } } }
                        tbody {
                            @for run in &result.runs {
                                tr {
                                    td { (run.what) }
                                    td.number { (run.exit_code.map_or_else(|| "none".to_owned(), |code| code.to_string())) }
                                    td.number { (run.tests) }
                                    td.number { (seconds(run.elapsed_ms)) }
                                    td { code { (&run.command) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn list(heading: &str, class: &str, lines: impl Iterator<Item = String>) -> Markup {
    let lines: Vec<String> = lines.collect();
    html! {
        @if !lines.is_empty() {
            h3 { (heading) }
            ul class=(class) {
                @for line in &lines { li { (line) } }
            }
        }
    }
}

fn class_of(outcome: Ending) -> &'static str {
    match outcome {
        Ending::Passed => "good",
        Ending::Failed | Ending::Error => "bad",
        _ => "fact",
    }
}
