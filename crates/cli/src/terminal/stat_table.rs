//! Which files changed and how much, in the manner of `git diff --stat`.

use proctor_core::review_gate::FileReport;

use super::style::{Ink, Line};
use super::text::{counted, padded, width};

/// Paths wider than this, and than half of the screen, do not push the other columns away.
const WIDEST_PATH: usize = 50;

/// The bars are never longer than this.
const LONGEST_BAR: usize = 40;

/// The bars are never shorter than this, if there is anything to show.
const SHORTEST_BAR: usize = 5;

/// Columns between path, count and bar.
const GAPS: usize = 5;

/// Columns of the text for scripts.
const TEXT_COLUMNS: usize = 120;

/// The table as plain text, as wide as it likes.
pub(crate) fn stat_text(files: &[&FileReport]) -> String {
    let lines = rows(files, TEXT_COLUMNS);
    lines.iter().map(|line| line.plain() + "\n").collect()
}

/// One row a file, and the sum below.
pub(super) fn rows(files: &[&FileReport], columns: usize) -> Vec<Line> {
    let path_columns = files
        .iter()
        .map(|file| width(&file.path))
        .max()
        .unwrap_or(0)
        .min(WIDEST_PATH.max(columns / 2));
    let most = files
        .iter()
        .map(|file| file.added + file.deleted)
        .max()
        .unwrap_or(0);
    let counts: Vec<String> = files.iter().copied().map(count).collect();
    let count_columns = counts.iter().map(|count| width(count)).max().unwrap_or(0);
    let labels = files.iter().copied().map(label_columns);
    let beside = path_columns + count_columns + labels.max().unwrap_or(0) + GAPS;
    let bar_columns = columns
        .saturating_sub(beside)
        .clamp(SHORTEST_BAR, LONGEST_BAR);
    let mut lines: Vec<Line> = files
        .iter()
        .zip(&counts)
        .map(|(file, count)| {
            let share = |lines: usize| scaled(lines, most, bar_columns);
            let (plus, minus) = (share(file.added), share(file.deleted));
            let path = padded(&file.path, path_columns);
            let line = Line::of(
                Ink::Plain,
                format!(" {path} | {}", padded(count, count_columns)),
            )
            .and(Ink::Plain, " ")
            .and(Ink::Good, "+".repeat(plus))
            .and(Ink::Bad, "-".repeat(minus));
            with_labels(line, file)
        })
        .collect();
    lines.push(Line::of(Ink::Plain, format!(" {}", sum(files))));
    lines
}

/// `2 files changed, 14 insertions(+), 3 deletions(-)`.
pub(super) fn sum(files: &[&FileReport]) -> String {
    let added: usize = files.iter().map(|file| file.added).sum();
    let deleted: usize = files.iter().map(|file| file.deleted).sum();
    format!(
        "{} changed, {}(+), {}(-)",
        counted(files.len(), "file"),
        counted(added, "insertion"),
        counted(deleted, "deletion")
    )
}

/// The line with the file's labels after it; the ones that warn are in alarm ink.
pub(super) fn with_labels(line: Line, file: &FileReport) -> Line {
    file.flags.iter().fold(line, |line, label| {
        let ink = if label.warns() {
            Ink::Alarm
        } else {
            Ink::Place
        };
        line.and(Ink::Plain, "  ").and(ink, label.name())
    })
}

/// The width that [`with_labels`] adds.
fn label_columns(file: &FileReport) -> usize {
    file.flags.iter().map(|label| label.name().len() + 2).sum()
}

fn count(file: &FileReport) -> String {
    match file.binary {
        Some((before, after)) => format!("{before} -> {after} bytes"),
        None => format!("+{} -{}", file.added, file.deleted),
    }
}

/// As long as there is room; any change has at least one sign.
fn scaled(lines: usize, most: usize, columns: usize) -> usize {
    if most <= columns || lines == 0 {
        return lines;
    }
    (lines * columns / most).max(1)
}
