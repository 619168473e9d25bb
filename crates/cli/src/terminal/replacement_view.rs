//! The effect of a write on a file, in short.
//!
//! Unlike the review this is a preview; a pager shows the whole difference when asked for, and in a run the
//! review does before anything is merged.

use proctor_core::diff::{Excerpt, LineDiff};
use proctor_core::safe_write::Proposal;

use super::file_diff::difference_lines;
use super::style::{Ink, Line, blank};
use super::text::counted;

/// How much of the difference is shown, in bytes.
const LONGEST_PREVIEW: usize = 10 * 1024;

/// The numbers, and the beginning of the difference; `rest` says how to see the hidden part.
pub(super) fn change_lines(proposal: &Proposal, rest: &str) -> Vec<Line> {
    let mut lines = about(proposal);
    let before = proposal.before.as_deref().map_or(&[][..], Vec::as_slice);
    lines.extend(preview(before, &proposal.after, rest));
    lines
}

/// The numbers alone.
pub(super) fn numbers(proposal: &Proposal) -> Vec<Line> {
    let mut lines = about(proposal);
    let before = proposal.before.as_deref().map_or(&[][..], Vec::as_slice);
    let difference = Excerpt::between(before, &proposal.after, 0).difference;
    lines.push(sum(difference.added, difference.deleted));
    lines
}

fn sum(added: usize, deleted: usize) -> Line {
    Line::of(Ink::Plain, format!("{added} added, {deleted} deleted"))
}

/// The file, and the requested change.
fn about(proposal: &Proposal) -> Vec<Line> {
    let (old, new) = (proposal.existing_lines(), proposal.new_lines());
    let strategy = proposal.way.key();
    let mut lines = vec![blank(), heading(old, new, proposal.path.as_str())];
    if proposal.path.is_protected() {
        let words = "This is a protected file: tools execute it automatically.";
        lines.push(Line::of(Ink::Alarm, words));
    }
    lines.push(Line::of(Ink::Strong, format!("strategy: {strategy}")));
    lines
}

/// Every line of the difference.
pub(super) fn whole_change(proposal: &Proposal) -> Vec<Line> {
    let before = proposal.before.as_deref().map_or(&[][..], Vec::as_slice);
    difference_lines(&LineDiff::between(before, &proposal.after))
}

fn heading(old: usize, new: usize, path: &str) -> Line {
    let heading = format!(
        "About to replace {} with {} of {}",
        counted(old, "line"),
        counted(new, "line"),
        path
    );
    Line::of(Ink::Alarm, heading)
}

/// The beginning of the difference, in bounded memory, and how much is not shown.
fn preview(before: &[u8], after: &[u8], rest: &str) -> Vec<Line> {
    let excerpt = Excerpt::between(before, after, LONGEST_PREVIEW);
    let difference = &excerpt.difference;
    let difference_shown = difference_lines(difference);
    let mut lines = vec![sum(difference.added, difference.deleted)];
    let sizes: Vec<usize> = difference_shown
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
    lines.extend(difference_shown.into_iter().take(shown));
    let hidden = sizes.len() - shown + excerpt.left_out_lines;
    if hidden > 0 {
        let bytes = sizes[shown..].iter().sum::<usize>() + excerpt.left_out_bytes;
        lines.push(Line::of(
            Ink::Alarm,
            format!(
                "{} of the difference ({}) are hidden here; {rest}",
                counted(hidden, "line"),
                counted(bytes, "byte")
            ),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use proctor_core::merge::Merge;
    use proctor_core::path::ProjectPath;

    use super::*;

    fn lines(before: &str, after: &str) -> Vec<String> {
        let path = ProjectPath::parse("src/x.py").expect("a plain path");
        let (before, after) = (before.as_bytes().to_vec(), after.as_bytes().to_vec());
        let proposal = Proposal::new(path, Some(before), after, Merge::Replace);
        let proposal = proposal.expect("replacing always works");
        let lines = change_lines(&proposal, "ask for the rest");
        lines.iter().map(Line::plain).collect()
    }

    #[test]
    fn a_small_replacement_is_shown_whole() {
        assert_eq!(
            lines("a\nb\nc", "a\n"),
            [
                "",
                "About to replace 3 lines with 1 line of src/x.py",
                "strategy: replace",
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
        let preview: usize = lines[4..lines.len() - 1]
            .iter()
            .map(|it| it.len() + 1)
            .sum();
        assert!((9 * 1024..=LONGEST_PREVIEW).contains(&preview), "{preview}");
        let hidden = 2000 - (lines.len() - 6);
        assert_eq!(
            lines[lines.len() - 1].replace(',', ""),
            format!(
                "{hidden} lines of the difference ({} bytes) are hidden here; ask for the rest",
                hidden * 11
            )
        );
    }
}
