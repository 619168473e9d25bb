//! What a write would do to a file, in short.
//!
//! Unlike the review this is a preview: the file is only in the run's own worktree, and the whole
//! difference is shown at review before anything is merged.

use proctor_core::diff::line_count;
use proctor_host::driver::{Replacement, ReviewedFile};
use proctor_host::git::FileMode;

use super::file_diff::FileDiff;
use super::style::{Ink, Line, blank};
use super::text::{counted, visible};

/// How much of the difference is shown, in bytes.
const LONGEST_PREVIEW: usize = 10 * 1024;

/// The numbers, and the beginning of the difference.
pub(super) fn replacement_lines(replacement: &Replacement<'_>) -> Vec<Line> {
    let side = |bytes: &[u8]| Some((FileMode::Regular, bytes.to_vec()));
    let diff = FileDiff::of(&ReviewedFile {
        path: replacement.path.as_bytes().to_vec(),
        before: side(replacement.before),
        after: side(replacement.after),
        labels: Vec::new(),
    });
    let heading = format!(
        "About to replace {} with {} of {}",
        counted(line_count(replacement.before), "line"),
        counted(line_count(replacement.after), "line"),
        visible(replacement.path)
    );
    let mut lines = vec![
        blank(),
        Line::of(Ink::Alarm, heading),
        Line::of(
            Ink::Plain,
            format!("{} added, {} deleted", diff.added, diff.deleted),
        ),
    ];
    let sizes: Vec<usize> = diff
        .lines
        .iter()
        .map(|line| line.plain().len() + 1)
        .collect();
    let mut shown_bytes = 0;
    let shown = sizes
        .iter()
        .take_while(|size| {
            shown_bytes += **size;
            shown_bytes <= LONGEST_PREVIEW
        })
        .count();
    lines.extend(diff.lines.iter().take(shown).cloned());
    if shown < sizes.len() {
        let hidden: usize = sizes[shown..].iter().sum();
        lines.push(Line::of(
            Ink::Alarm,
            format!(
                "{} of the difference ({}) are hidden here; the review shows everything",
                counted(sizes.len() - shown, "line"),
                counted(hidden, "byte")
            ),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(before: &str, after: &str) -> Vec<String> {
        replacement_lines(&Replacement {
            path: "src/x.py",
            before: before.as_bytes(),
            after: after.as_bytes(),
        })
        .iter()
        .map(Line::plain)
        .collect()
    }

    #[test]
    fn a_small_replacement_is_shown_whole() {
        assert_eq!(
            lines("a\nb\nc", "a\n"),
            [
                "",
                "About to replace 3 lines with 1 line of src/x.py",
                "0 added, 2 deleted",
                "@@ -1,3 +1,1 @@",
                " a",
                "-b",
                "-c",
                "\\ No newline at end of file",
            ]
        );
    }

    #[test]
    fn a_large_one_is_cut_at_a_line_and_says_how_much_it_hides() {
        let numbered: Vec<String> = (0..2000)
            .map(|number| format!("line {number:04}"))
            .collect();
        let before = numbered.join("\n") + "\n";
        let lines = lines(&before, "");
        let preview: usize = lines[3..lines.len() - 1]
            .iter()
            .map(|it| it.len() + 1)
            .sum();
        assert!((9 * 1024..=LONGEST_PREVIEW).contains(&preview), "{preview}");
        let hidden = 2000 - (lines.len() - 5);
        assert_eq!(
            lines[lines.len() - 1].replace(',', ""),
            format!(
                "{hidden} lines of the difference ({} bytes) are hidden here; the review shows everything",
                hidden * 11
            )
        );
    }
}
