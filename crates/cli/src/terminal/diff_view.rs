//! The review sheet, which a person sees before typing APPROVE.
//!
//! Nothing is shortened here. Facts that a person has to notice are at the top and again at the end, because the top
//! has scrolled away by the time the question is asked.

use std::collections::BTreeSet;
use std::rc::Rc;

use proctor_core::gate::Disposition;
use proctor_core::object_id::TreeId;
use proctor_core::review_gate::{FileReport, Label, ReportedFile, is_lock_file};
use proctor_core::test_outcome::SandboxLevel;
use proctor_core::visible::escape;
use proctor_core::workflow::{GateResult, LintResult};
use proctor_host::driver::{ReviewSheet, Subject};

use super::document::{Document, Look, Part, Topic};
use super::few_names::{in_short, installed_words};
use super::file_diff::FileDiff;
use super::gate_words::{Gate, counts, mutant_lines, reason};
use super::moves::Moves;
use super::stat_table;
use super::style::{Appearance, Ink, Line, blank};
use super::text::{counted, padded, phrase};
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
) -> impl Iterator<Item = Line> {
    let parts: Vec<Vec<Line>> = review_document(sheet, appearance).whole(columns).collect();
    parts.into_iter().flatten()
}

/// The sheet in parts: an overview, each file, and the end.
pub(super) fn review_document<'a>(
    sheet: &'a ReviewSheet<'_>,
    appearance: Appearance,
) -> Document<'a> {
    let overview = move |look: Look| overview(sheet, appearance, look.columns);
    let end = move |look: Look| {
        let mut lines = vec![blank(), rule(appearance, look.columns)];
        lines.extend(recap(sheet));
        lines
    };
    let moves = Rc::new(Moves::default());
    let mut parts = vec![Part::new(Topic::Overview, "overview", overview)];
    let files = sheet.files.iter().enumerate();
    parts.extend(files.map(|(number, file)| file_part(number, file, appearance, &moves)));
    let opened = sheet.opened.iter();
    parts.extend(opened.map(|file| opened_part(file, appearance)));
    parts.push(Part::new(Topic::End, "end", end));
    let document = Document::new(parts);
    if appearance.colour {
        document.and_later(move || moves.look(&sheet.files))
    } else {
        // They are only dimmed, which would not be seen.
        document
    }
}

fn file_part<'a>(
    number: usize,
    file: &'a ReportedFile,
    appearance: Appearance,
    moves: &Rc<Moves>,
) -> Part<'a> {
    let report = &file.report;
    let folded = is_lock_file(&file.file.path) && !report.requires_review;
    let topic = Topic::File {
        flagged: report.requires_review,
        folded,
    };
    let moves = Rc::clone(moves);
    let make = move |look: Look| {
        let mut lines = vec![blank(), rule(appearance, look.columns)];
        if folded && !look.unfolded {
            lines.extend(folded_lines(report));
            return lines;
        }
        let diff = FileDiff::of(file, &|tag, line| moves.contains(number, tag, line));
        lines.push(file_heading(report, &diff));
        lines.extend(diff.lines);
        lines
    };
    let sides = [&file.file.before, &file.file.after].into_iter().flatten();
    let contents = sides.filter_map(|version| version.content.as_ref());
    let labels: Vec<&str> = report.flags.iter().map(|label| label.name()).collect();
    let mut part = Part::new(topic, &report.path, make);
    part.notice = labels.join(" ");
    part.bytes = contents.map(|content| content.len() as u64).sum();
    part.least_lines = report.added + report.deleted;
    part
}

/// A file that no one reads line by line, and how to read it all the same.
fn folded_lines(report: &FileReport) -> [Line; 2] {
    let name = Line::of(Ink::Strong, report.path.clone());
    let words = format!(
        "lock file, folded: {} added, {} deleted; x shows them",
        counted(report.added, "line"),
        counted(report.deleted, "line")
    );
    [
        stat_table::with_labels(name, report),
        Line::of(Ink::Faint, words),
    ]
}

fn rule(appearance: Appearance, columns: usize) -> Line {
    Line::of(Ink::Faint, appearance.rule().repeat(columns.min(100)))
}

fn overview(sheet: &ReviewSheet<'_>, appearance: Appearance, columns: usize) -> Vec<Line> {
    let mut lines = vec![rule(appearance, columns)];
    lines.extend(installed(sheet).map(|words| Line::of(Ink::Alarm, words)));
    lines.extend(heading(&sheet.subject, &sheet.about, Some(sheet.tree)));
    let broken = |line: Line| {
        if appearance.live {
            wrapped(&line, columns)
        } else {
            vec![line]
        }
    };
    let evidence = match sheet.subject {
        Subject::Run { .. } => vec![
            gate_lines("Red", Gate::Red, sheet.red, appearance),
            gate_lines("Green", Gate::Green, sheet.green, appearance),
            lint_lines(sheet.lint),
        ],
        Subject::Own { .. } => Vec::new(),
    };
    // The facts for the decision come first; how they were found is below.
    let (mut verdicts, mut details) = (Vec::new(), Vec::new());
    for (verdict, below) in evidence {
        verdicts.push(verdict);
        details.extend(below);
    }
    if !verdicts.is_empty() {
        lines.push(blank());
        lines.extend(verdicts.into_iter().flat_map(broken));
        lines.extend(reopening_lines(sheet).into_iter().flat_map(broken));
    }
    lines.extend(banner(sheet));
    lines.push(blank());
    lines.extend(stat_table::rows(&reports(sheet), columns));
    lines.extend(left_out(sheet));
    if !details.is_empty() {
        lines.extend([blank(), Line::of(Ink::Strong, "How it was judged")]);
        lines.extend(details.into_iter().flat_map(broken));
    }
    lines
}

/// The notices besides verdicts and the difference, for a page.
pub(crate) fn notices(sheet: &ReviewSheet<'_>) -> Vec<Line> {
    let mut lines: Vec<Line> = installed(sheet)
        .map(|words| Line::of(Ink::Alarm, words))
        .into_iter()
        .collect();
    // A page has a word for the rest.
    let is_told = matches!(
        sheet.lint,
        None | Some(LintResult::Absent | LintResult::Clean { known: 0, .. })
    );
    if !is_told {
        let (head, below) = lint_lines(sheet.lint);
        lines.push(head);
        lines.extend(below);
    }
    lines.extend(reopening_lines(sheet));
    lines.extend(banner(sheet));
    lines.extend(left_out(sheet));
    // A blank line separates; at the top there is nothing to separate.
    let first = lines.iter().position(|line| !line.plain().is_empty());
    lines.split_off(first.unwrap_or(lines.len()))
}

/// Files that exist but are not part of it.
fn left_out(sheet: &ReviewSheet<'_>) -> Vec<Line> {
    let Subject::Own { left_out, .. } = sheet.subject else {
        return Vec::new();
    };
    let mut lines: Vec<Line> = left_out
        .iter()
        .map(|(directory, files)| {
            let files = counted(*files, "file");
            Line::of(Ink::Plain, format!("  {directory}  {files}"))
        })
        .collect();
    if !lines.is_empty() {
        let words = "Not part of it, because lists inside the git directory hide these directories";
        lines.splice(0..0, [blank(), Line::of(Ink::Alarm, words)]);
    }
    lines
}

/// The first lines before anything is read: the subject, and the names, each with git's letter.
pub(crate) fn first_lines<'a>(
    subject: &Subject<'_>,
    tree: Option<&TreeId>,
    names: impl IntoIterator<Item = (char, &'a [u8])>,
    appearance: Appearance,
    columns: usize,
) -> Vec<Line> {
    let names: Vec<(char, &[u8])> = names.into_iter().collect();
    let new = names.iter().filter(|(letter, _)| *letter == 'A');
    let installed = installed_words(new.map(|(_, name)| *name));
    let mut lines = vec![rule(appearance, columns)];
    lines.extend(installed.map(|words| Line::of(Ink::Alarm, words)));
    lines.extend(heading(subject, "", tree));
    lines.push(blank());
    let name = |(letter, path): (char, &[u8])| {
        let name = escape(path).text;
        Line::of(Ink::Faint, format!(" {letter} ")).and(Ink::Plain, name)
    };
    lines.extend(names.into_iter().map(name));
    lines
}

fn heading(subject: &Subject<'_>, about: &str, tree: Option<&TreeId>) -> Vec<Line> {
    let field = |name: &str, value: &str| {
        Line::of(Ink::Faint, format!("  {name:<7}")).and(Ink::Plain, value)
    };
    let title = |words: String| Line::of(Ink::Strong, words);
    let mut lines = match subject {
        Subject::Run { run, issue, .. } => vec![
            title(match about {
                "" => format!("Review of run {}", run.as_str()),
                about => format!("Review of run {}: {about}", run.as_str()),
            }),
            field("issue", issue),
        ],
        Subject::Own { what, .. } => vec![title(format!("Review of {what}"))],
    };
    lines.push(field("into", subject.branch()));
    lines.extend(tree.map(|tree| field("tree", tree.as_str())));
    lines
}

/// A gate's verdict in a line, and its grounds.
fn gate_lines(
    name: &str,
    gate: Gate,
    result: Option<&GateResult>,
    appearance: Appearance,
) -> (Line, Vec<Line>) {
    let title =
        |ink, words: &str| Line::of(Ink::Strong, format!("{name:<7}")).and(ink, words.to_owned());
    let Some(result) = result else {
        return (title(Ink::Alarm, "has not been judged"), Vec::new());
    };
    let verdict = &result.verdict;
    let (ink, word) = match verdict.disposition() {
        Disposition::Accepted => (Ink::Good, "accepted"),
        Disposition::Revise | Disposition::Reopen => (Ink::Bad, "refused"),
        Disposition::Escalate => (Ink::Bad, "cannot be judged"),
    };
    let numbers = counts(gate, verdict, None);
    let separator = if numbers.is_empty() { "" } else { ": " };
    let exit = verdict.exit_code.map_or_else(
        || "no exit code".to_owned(),
        |code| format!("exit code {code}"),
    );
    let head = title(ink, word).and(Ink::Plain, format!("{separator}{numbers}"));
    let sandbox = result.sandbox.map_or("unknown", SandboxLevel::as_str);
    let mut lines = vec![title(Ink::Faint, &format!("{exit}, sandbox {sandbox}"))];
    let below = |ink, words: String| Line::of(ink, format!("       {words}"));
    for test in verdict.tests.iter().take(TESTS_NAMED) {
        let why = if test.reason.is_empty() {
            String::new()
        } else {
            format!("  ({})", phrase(&test.reason))
        };
        let words = format!("{:<7} {}", test.outcome, test.id);
        lines.push(below(Ink::Plain, words).and(Ink::Faint, why));
    }
    if verdict.tests.len() > TESTS_NAMED {
        let more = verdict.tests.len() - TESTS_NAMED;
        let ellipsis = appearance.ellipsis();
        lines.push(below(Ink::Faint, format!("{ellipsis} and {more} more")));
    }
    let reasons = verdict.reasons.iter();
    lines.extend(reasons.map(|it| below(Ink::Bad, format!("reason: {}", reason(it)))));
    let checks = verdict.checks_made().map(ToString::to_string);
    lines.extend(checks.map(|fact| below(Ink::Faint, fact)));
    let mutants = mutant_lines(verdict.mutants.as_ref()).into_iter();
    lines.extend(mutants.enumerate().map(|(index, words)| match index {
        0 => below(Ink::Plain, words),
        _ => below(Ink::Alarm, words),
    }));
    let flags = result.flags.iter().take(FLAGS_NAMED);
    lines.extend(flags.map(|flag| below(Ink::Alarm, format!("look at {flag}"))));
    let notes = verdict.notes.iter();
    lines.extend(notes.map(|note| below(Ink::Alarm, format!("note: {note}"))));
    (head, lines)
}

/// The linter's verdict in a line, and its whole output.
fn lint_lines(lint: Option<&LintResult>) -> (Line, Vec<Line>) {
    let title = |ink, words: &str| Line::of(Ink::Strong, format!("{:<7}", "Lint")).and(ink, words);
    let at_base = |known: usize| match known {
        0 => String::new(),
        _ => format!("; {} that the base has too", counted(known, "complaint")),
    };
    let (head, command, below) = match lint {
        None => return (title(Ink::Plain, "has not been run"), Vec::new()),
        Some(LintResult::Absent) => {
            let head = title(Ink::Plain, "no linter is configured or found");
            return (head, Vec::new());
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
    let mut lines = vec![title(Ink::Faint, &phrase(command))];
    let words = below.lines().filter(|line| !line.trim().is_empty());
    lines.extend(words.map(|line| Line::of(Ink::Plain, format!("       {line}"))));
    (head, lines)
}

/// The requesters of changes to sealed tests.
fn reopening_lines(sheet: &ReviewSheet<'_>) -> Vec<Line> {
    if sheet.opened.is_empty() {
        return Vec::new();
    }
    let head = Line::of(Ink::Strong, format!("{:<7}", "Tests")).and(
        Ink::Alarm,
        "were changed after they had been sealed; the difference is below",
    );
    let asked = sheet.reopenings.iter().map(|opened| {
        let after = if opened.after_green {
            ", after a green"
        } else {
            ""
        };
        let words = format!(
            "       asked for by {}{after}: {}",
            opened.by,
            phrase(&opened.reason)
        );
        Line::of(Ink::Plain, words)
    });
    std::iter::once(head).chain(asked).collect()
}

/// A test as it was when it was first sealed, and as it is.
fn opened_part(file: &ReportedFile, appearance: Appearance) -> Part<'_> {
    let make = move |look: Look| {
        let words = "  since it was first sealed";
        let heading = Line::of(Ink::Strong, file.report.path.clone()).and(Ink::Alarm, words);
        let mut lines = vec![blank(), rule(appearance, look.columns), heading];
        lines.extend(FileDiff::of(file, &|_, _| false).lines);
        lines
    };
    let topic = Topic::File {
        flagged: true,
        folded: false,
    };
    let mut part = Part::new(topic, &file.report.path, make);
    part.least_lines = file.report.added + file.report.deleted;
    part
}

fn reports<'a>(sheet: &'a ReviewSheet<'_>) -> Vec<&'a FileReport> {
    sheet.files.iter().map(|file| &file.report).collect()
}

fn warned<'a>(sheet: &'a ReviewSheet<'_>) -> impl Iterator<Item = &'a FileReport> {
    let reports = sheet.files.iter().map(|file| &file.report);
    reports.filter(|report| report.requires_review)
}

fn banner(sheet: &ReviewSheet<'_>) -> Vec<Line> {
    let mut lines: Vec<Line> = warned(sheet)
        .flat_map(|report| {
            let name = Line::of(Ink::Plain, format!("  {}", report.path));
            let secrets = report.secrets.iter();
            let secrets = secrets.map(|words| Line::of(Ink::Alarm, format!("    {words}")));
            std::iter::once(stat_table::with_labels(name, report)).chain(secrets)
        })
        .collect();
    if lines.is_empty() {
        return lines;
    }
    let head = Line::of(Ink::Alarm, "WARNING: look closely at these files");
    lines.splice(0..0, [blank(), head]);
    lines.push(blank());
    lines.extend(legend(sheet));
    lines
}

/// The meaning of the words beside the file names.
fn legend(sheet: &ReviewSheet<'_>) -> impl Iterator<Item = Line> {
    let mut labels = BTreeSet::new();
    for report in warned(sheet) {
        // A long new file may have no warning at all.
        let alone = !report.flags.iter().any(|label| label.warns());
        let counts = |label: &Label| label.warns() || (alone && *label == Label::New);
        labels.extend(report.flags.iter().copied().filter(counts));
    }
    let names = labels.iter().map(|label| label.name().len());
    let columns = names.max().unwrap_or(0);
    labels.into_iter().map(move |label| {
        let name = padded(label.name(), columns);
        Line::of(Ink::Faint, format!("  {name}  {}", label.meaning()))
    })
}

fn file_heading(report: &FileReport, diff: &FileDiff) -> Line {
    let line = Line::of(Ink::Strong, report.path.clone());
    let line = diff.descriptions.iter().fold(line, |line, words| {
        line.and(Ink::Plain, format!("  {words}"))
    });
    stat_table::with_labels(line, report)
}

/// The facts to know when the question is asked.
pub(super) fn recap(sheet: &ReviewSheet<'_>) -> Vec<Line> {
    let mut lines = vec![Line::of(
        Ink::Plain,
        format!(
            "{}; tree {} into {}",
            stat_table::sum(&reports(sheet)),
            sheet.tree.short(),
            sheet.subject.branch()
        ),
    )];
    let names: Vec<&str> = warned(sheet).map(|report| report.path.as_str()).collect();
    if !names.is_empty() {
        let words = format!("WARNING: look closely at {}", in_short(&names));
        lines.push(Line::of(Ink::Alarm, words));
    }
    let installed = installed(sheet).map(|words| Line::of(Ink::Alarm, words));
    installed.into_iter().chain(lines).collect()
}

fn installed(sheet: &ReviewSheet<'_>) -> Option<String> {
    let new = sheet.files.iter().filter(|file| file.file.before.is_none());
    installed_words(new.map(|file| file.file.path.as_slice()))
}

#[cfg(test)]
#[path = "diff_view_tests.rs"]
mod tests;
