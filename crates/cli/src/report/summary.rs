//! The run at a glance: its subject, its end, its cost.

use maud::{Markup, html};
use proctor_core::workflow::{GateResult, LintResult, Run, Stage, State};

use super::Report;
use crate::run_view::cost_words;
use crate::terminal::grouped;

pub(super) fn header(report: &Report<'_>, subject: &str) -> Markup {
    let (row, run) = (report.row, &report.row.run);
    let started = run.started();
    let (class, waiting) = match run.state() {
        State::Merged(_) => ("good", None),
        State::Aborted => ("bad", None),
        State::Running => ("fact", None),
        State::Parked(waiting) => ("alarm", Some(waiting.to_string())),
    };
    let ended = report.records.last().map(|record| record.at.as_str());
    html! {
        header {
            h1 { @if subject.is_empty() { "Issue " (&started.issue) } @else { (subject) } " " span class={ "badge " (class) } { (run.state().key()) } }
            @if let Some(waiting) = waiting { p.alarm { "Waits for " (&waiting) } }
            dl {
                (fact("issue", &html! { (&started.issue) }))
                (fact("run", &html! { code { (row.id) } }))
                (fact("stage", &html! { (run.stage().node()) " " (run.stage().title()) }))
                (fact("base", &html! { (&started.base_branch) " at " code { (run.base().short()) } }))
                @if let Some(tree) = run.tree() { (fact("tree", &html! { code { (tree.as_str()) } })) }
                @if let State::Merged(commit) = run.state() { (fact("commit", &html! { code { (commit.as_str()) } })) }
                @if let Some(inputs) = report.inputs {
                    (fact("document", &html! { (&inputs.document_path.display().to_string()) }))
                    (fact("model", &html! { (&inputs.model) }))
                }
                @if let Some(decision) = run.approval() {
                    (fact("approved by", &html! { (&decision.by) }))
                }
                (fact("began", &html! { (row.created_at) }))
                @if let Some(ended) = ended { (fact("last record", &html! { (ended) })) }
            }
        }
    }
}

/// A name and its value.
pub(crate) fn fact(name: &str, value: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// A name; its style, and its word.
type Tile = (&'static str, (&'static str, &'static str));

/// The requirements of a merge, and whether each is met.
pub(crate) fn verdicts(
    red: Option<&GateResult>,
    green: Option<&GateResult>,
    lint: Option<&LintResult>,
) -> Vec<Tile> {
    let gate = |result: Option<&GateResult>| match result {
        None => ("fact", "not judged"),
        Some(result) if result.verdict.is_accepted() => ("good", "valid"),
        Some(_) => ("bad", "not valid"),
    };
    let lint = match lint {
        None => ("fact", "not run"),
        Some(LintResult::Absent) => ("fact", "no linter"),
        Some(LintResult::Clean { .. }) => ("good", "clean"),
        Some(LintResult::Complaints { .. }) => ("bad", "complaints"),
        Some(LintResult::Unusable { .. }) => ("alarm", "could not run"),
    };
    vec![("red", gate(red)), ("green", gate(green)), ("linter", lint)]
}

/// The same for a run, with whether it is approved.
pub(super) fn run_verdicts(run: &Run) -> Markup {
    let mut all = verdicts(run.red(), run.green(), run.lint());
    all.push(match run.approval() {
        Some(_) => ("approval", ("good", "given")),
        None => ("approval", ("fact", "not given")),
    });
    tiles(&all)
}

/// Each with its word, side by side.
pub(crate) fn tiles(all: &[Tile]) -> Markup {
    html! {
        ul.verdicts {
            @for (name, (class, word)) in all {
                li class=(class) { span { (name) } strong { (word) } }
            }
        }
    }
}

/// Replies, tokens and cost by stage.
pub(super) fn usage(run: &Run) -> Markup {
    let name = |stage: Stage| format!("{} {}", stage.node(), stage.title());
    let (scaffold, implement) = (run.scaffold().asked(), run.implement().asked());
    let rows = [
        (name(Stage::Scaffold), scaffold, run.scaffold_usage()),
        (name(Stage::Implement), implement, run.implement_usage()),
        ("all".to_owned(), scaffold + implement, run.usage()),
    ];
    html! {
        div.wide {
            table {
                thead { tr { th { "stage" } th { "replies" } th { "tokens in" } th { "of them cached" } th { "tokens out" } th { "cost" } } }
                tbody {
                    @for (name, replies, usage) in rows {
                        tr {
                            td { (name) }
                            td.number { (replies) }
                            td.number { (grouped(usage.input_tokens)) }
                            td.number { (grouped(usage.cached_tokens)) }
                            td.number { (grouped(usage.output_tokens)) }
                            td.number { (cost_words(&usage)) }
                        }
                    }
                }
            }
        }
    }
}

/// `12.3 s`.
pub(super) fn seconds(milliseconds: u64) -> String {
    let tenths = (milliseconds + 50) / 100;
    format!("{}.{} s", tenths / 10, tenths % 10)
}

/// The time of day of a record, which has the date before it.
pub(super) fn clock(at: &str) -> &str {
    at.split_once('T')
        .map_or(at, |(_, time)| time.get(..8).unwrap_or(time))
}
