//! Which files changed and how much, in the manner of `git diff --stat`.

use super::file_diff::FileDiff;
use super::style::{Ink, Line};
use super::text::{counted, padded, width};

/// Paths wider than this do not push the other columns away.
const WIDEST_PATH: usize = 50;

/// The bars are never longer than this.
const LONGEST_BAR: usize = 40;

/// Columns kept for counts and labels beside the bar.
const BESIDE_THE_BAR: usize = 30;

/// One row a file, and the sum below.
pub(super) fn rows(files: &[FileDiff], columns: usize) -> Vec<Line> {
    let path_columns = files
        .iter()
        .map(|file| width(&file.report.path))
        .max()
        .unwrap_or(0)
        .min(WIDEST_PATH);
    let bar_columns = columns
        .saturating_sub(path_columns + BESIDE_THE_BAR)
        .clamp(5, LONGEST_BAR);
    let most = files
        .iter()
        .map(|file| file.report.added + file.report.deleted)
        .max()
        .unwrap_or(0);
    let counts: Vec<String> = files.iter().map(count).collect();
    let count_columns = counts.iter().map(|count| width(count)).max().unwrap_or(0);
    let mut lines: Vec<Line> = files
        .iter()
        .zip(&counts)
        .map(|(file, count)| {
            let share = |lines: usize| scaled(lines, most, bar_columns);
            let (plus, minus) = (share(file.report.added), share(file.report.deleted));
            let path = padded(&file.report.path, path_columns);
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
pub(super) fn sum(files: &[FileDiff]) -> String {
    let added: usize = files.iter().map(|file| file.report.added).sum();
    let deleted: usize = files.iter().map(|file| file.report.deleted).sum();
    format!(
        "{} changed, {}(+), {}(-)",
        counted(files.len(), "file"),
        counted(added, "insertion"),
        counted(deleted, "deletion")
    )
}

/// The line with the file's labels behind it; the ones that warn are in alarm ink.
pub(super) fn with_labels(line: Line, file: &FileDiff) -> Line {
    file.report.flags.iter().fold(line, |line, label| {
        let ink = if label.warns() {
            Ink::Alarm
        } else {
            Ink::Place
        };
        line.and(Ink::Plain, "  ").and(ink, label.name())
    })
}

fn count(file: &FileDiff) -> String {
    match file.binary {
        Some((before, after)) => format!("{before} -> {after} bytes"),
        None => format!("+{} -{}", file.report.added, file.report.deleted),
    }
}

/// As long as there is room; whatever changed has at least one sign.
fn scaled(lines: usize, most: usize, columns: usize) -> usize {
    if most <= columns || lines == 0 {
        return lines;
    }
    (lines * columns / most).max(1)
}
