//! The review sheet: what a person sees before typing APPROVE.
//!
//! Nothing is shortened here. What a person has to notice stands at the top and again at the end,
//! because the top has scrolled away by the time the question is asked.

use proctor_core::review_gate::FileReport;
use proctor_core::test_outcome::Disposition;
use proctor_core::workflow::{GateResult, LintResult};
use proctor_host::driver::{ReviewSheet, Subject};

use super::file_diff::FileDiff;
use super::gate_words::{Gate, counts, reason};
use super::stat_table;
use super::style::{Appearance, Ink, Line, blank};
use super::text::{counted, phrase, visible};
use super::wrap::wrapped;

/// How many tests of a gate are named; their outcomes are all in the evidence.
const TESTS_NAMED: usize = 10;
/// How many places to look at are named; the files have labels for all of them.
const FLAGS_NAMED: usize = 20;

/// The whole sheet, for a screen of this width.
pub(crate) fn review_lines(
    sheet: &ReviewSheet<'_>,
    appearance: Appearance,
    columns: usize,
) -> Vec<Line> {
    let rule = || Line::of(Ink::Faint, appearance.rule().repeat(columns.min(100)));
    let files: Vec<FileDiff> = sheet.files.iter().map(FileDiff::of).collect();
    let mut lines = vec![rule()];
    lines.extend(heading(sheet));
    lines.push(blank());
    if let Subject::Run { .. } = sheet.subject {
        let mut evidence = gate_lines("Red", Gate::Red, sheet.red, appearance);
        evidence.extend(gate_lines("Green", Gate::Green, sheet.green, appearance));
        evidence.extend(lint_lines(sheet.lint));
        if appearance.live {
            lines.extend(evidence.iter().flat_map(|line| wrapped(line, columns)));
        } else {
            lines.extend(evidence);
        }
        lines.push(blank());
    }
    lines.extend(stat_table::rows(&reports(&files), columns));
    lines.extend(banner(&files));
    for file in &files {
        lines.push(blank());
        lines.push(rule());
        lines.push(file_heading(file));
        lines.extend(file.lines.iter().cloned());
    }
    lines.push(blank());
    lines.push(rule());
    lines.extend(recap(&files, sheet));
    lines
}

fn heading(sheet: &ReviewSheet<'_>) -> Vec<Line> {
    let field = |name: &str, value: &str| {
        Line::of(Ink::Faint, format!("  {name:<7}")).and(Ink::Plain, visible(value))
    };
    let title = |words: String| Line::of(Ink::Strong, words);
    let mut lines = match sheet.subject {
        Subject::Run { run, issue, .. } => vec![
            title(format!("Review of run {}", visible(run.as_str()))),
            field("issue", issue),
        ],
        Subject::Own { what, .. } => vec![title(format!("Review of {what}"))],
    };
    lines.push(field("into", sheet.subject.branch()));
    lines.push(field("tree", sheet.tree.as_str()));
    lines
}

fn gate_lines(
    name: &str,
    gate: Gate,
    result: Option<&GateResult>,
    appearance: Appearance,
) -> Vec<Line> {
    let title =
        |ink, words: &str| Line::of(Ink::Strong, format!("{name:<7}")).and(ink, words.to_owned());
    let Some(result) = result else {
        return vec![title(Ink::Alarm, "has not been judged")];
    };
    let verdict = &result.verdict;
    let (ink, word) = match verdict.disposition {
        Disposition::Accepted => (Ink::Good, "accepted"),
        Disposition::Revise => (Ink::Bad, "refused"),
        Disposition::Escalate => (Ink::Bad, "cannot be judged"),
    };
    let numbers = counts(gate, verdict, None);
    let separator = if numbers.is_empty() { "" } else { ": " };
    let exit = verdict.exit_code.map_or_else(
        || "no exit code".to_owned(),
        |code| format!("exit code {code}"),
    );
    let mut lines = vec![
        title(ink, word)
            .and(Ink::Plain, format!("{separator}{numbers}"))
            .and(
                Ink::Faint,
                format!("  ({exit}, sandbox {})", visible(&result.sandbox)),
            ),
    ];
    let below = |ink, words: String| Line::of(ink, format!("       {words}"));
    for test in verdict.tests.iter().take(TESTS_NAMED) {
        let why = if test.reason.is_empty() {
            String::new()
        } else {
            format!("  ({})", phrase(&test.reason))
        };
        let words = format!("{:<7} {}", visible(&test.outcome), visible(&test.id));
        lines.push(below(Ink::Plain, words).and(Ink::Faint, why));
    }
    if verdict.tests.len() > TESTS_NAMED {
        let more = verdict.tests.len() - TESTS_NAMED;
        let ellipsis = appearance.ellipsis();
        lines.push(below(Ink::Faint, format!("{ellipsis} and {more} more")));
    }
    let reasons = verdict.reasons.iter();
    lines.extend(reasons.map(|it| below(Ink::Bad, format!("reason: {}", reason(it)))));
    let checks = verdict.checks.iter();
    lines.extend(checks.map(|fact| below(Ink::Faint, visible(fact))));
    let flags = result.flags.iter().take(FLAGS_NAMED);
    lines.extend(flags.map(|flag| {
        let words = format!("look at {}", visible(&flag.to_string()));
        below(Ink::Alarm, words)
    }));
    let notes = verdict.notes.iter();
    lines.extend(notes.map(|note| below(Ink::Alarm, format!("note: {}", visible(note)))));
    lines
}

fn lint_lines(lint: Option<&LintResult>) -> Vec<Line> {
    let title = |ink, words: &str| Line::of(Ink::Strong, format!("{:<7}", "Lint")).and(ink, words);
    let at_base = |known: usize| match known {
        0 => String::new(),
        _ => format!("; {} that the base has too", counted(known, "complaint")),
    };
    let (head, command, below) = match lint {
        None => return vec![title(Ink::Plain, "has not been run")],
        Some(LintResult::Absent) => {
            return vec![title(Ink::Plain, "no linter is configured or found")];
        }
        Some(LintResult::Clean { command, known }) => {
            let words = format!("no complaint{}", at_base(*known));
            (title(Ink::Good, &words), command, "")
        }
        Some(LintResult::Complaints {
            command,
            output,
            known,
        }) => {
            let words = format!("complaints{}", at_base(*known));
            (title(Ink::Bad, &words), command, output.as_str())
        }
        Some(LintResult::Unusable { command, reason }) => {
            let head = title(Ink::Alarm, "could not be run");
            (head, command, reason.as_str())
        }
    };
    let mut lines = vec![head.and(Ink::Faint, format!("  ({})", phrase(command)))];
    let words = below.lines().filter(|line| !line.trim().is_empty());
    lines.extend(words.map(|line| Line::of(Ink::Plain, format!("       {}", visible(line)))));
    lines
}

fn reports(files: &[FileDiff]) -> Vec<&FileReport> {
    files.iter().map(|file| &file.report).collect()
}

fn warned(files: &[FileDiff]) -> impl Iterator<Item = &FileDiff> {
    files.iter().filter(|file| file.report.requires_review)
}

fn banner(files: &[FileDiff]) -> Vec<Line> {
    let mut lines: Vec<Line> = warned(files)
        .map(|file| {
            let name = Line::of(Ink::Plain, format!("  {}", file.report.path));
            stat_table::with_labels(name, &file.report)
        })
        .collect();
    if !lines.is_empty() {
        lines.insert(
            0,
            Line::of(Ink::Alarm, "WARNING: look closely at these files"),
        );
        lines.insert(0, blank());
    }
    lines
}

fn file_heading(file: &FileDiff) -> Line {
    let line = Line::of(Ink::Strong, file.report.path.clone());
    let line = file.descriptions.iter().fold(line, |line, words| {
        line.and(Ink::Plain, format!("  {words}"))
    });
    stat_table::with_labels(line, &file.report)
}

fn recap(files: &[FileDiff], sheet: &ReviewSheet<'_>) -> Vec<Line> {
    let mut lines = vec![Line::of(
        Ink::Plain,
        format!(
            "{}; tree {} into {}",
            stat_table::sum(&reports(files)),
            sheet.tree.short(),
            visible(sheet.subject.branch())
        ),
    )];
    let names: Vec<&str> = warned(files)
        .map(|file| file.report.path.as_str())
        .collect();
    if !names.is_empty() {
        let words = format!("WARNING: look closely at {}", names.join(", "));
        lines.push(Line::of(Ink::Alarm, words));
    }
    lines
}

#[cfg(test)]
#[path = "diff_view_tests.rs"]
mod tests;
