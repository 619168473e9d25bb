//! One file of a review as lines for the screen, whole.
//!
//! The difference is made from the two versions' bytes, never from a tool's output: what is shown is
//! what the tree holds.

use proctor_core::diff::{Hunk, LineDiff, Tag, escape, line_count};
use proctor_core::review_gate::{FileMode, ReportedFile, ReviewedFile, Version};

use super::emphasis::Emphasis;
use super::style::{Ink, Line};
use super::text::counted;

/// A file's difference, ready to be shown.
#[derive(Debug)]
pub(crate) struct FileDiff {
    /// What happened to the file as a whole: `new file`, `deleted file` …
    pub(crate) descriptions: Vec<String>,
    /// Every changed line with its surroundings.
    pub(crate) lines: Vec<Line>,
}

impl FileDiff {
    /// Compares the two versions.
    pub(crate) fn of(reported: &ReportedFile) -> Self {
        let file = &reported.file;
        let mut diff = Self {
            descriptions: descriptions(file),
            lines: Vec::new(),
        };
        if escape(&file.path).has_hidden_characters {
            diff.lines.push(hidden_characters());
        }
        let (before, after) = (file.before.as_ref(), file.after.as_ref());
        if let Some((before, after)) = reported.report.binary {
            let (before, after) = (counted_bytes(before), counted_bytes(after));
            let words = format!("binary, not shown: {before} before, {after} after");
            diff.lines.push(Line::of(Ink::Alarm, words));
            return diff;
        }
        let is_file = |side: Option<&Version>| side.is_none_or(|version| version.mode.is_file());
        if is_file(before) && is_file(after) {
            diff.compare(bytes(before), bytes(after));
        } else {
            // One side is not a file: each side is shown for what it is.
            if let Some(version) = before {
                diff.whole_side(Tag::Removed, version.mode, bytes(before));
            }
            if let Some(version) = after {
                diff.whole_side(Tag::Added, version.mode, bytes(after));
            }
        }
        diff
    }

    fn compare(&mut self, before: &[u8], after: &[u8]) {
        let difference = LineDiff::between(before, after);
        if difference.hunks.is_empty() {
            let words = if line_count(after) == 0 {
                "(no content)"
            } else {
                "(the content is the same)"
            };
            self.lines.push(Line::of(Ink::Faint, words));
        }
        self.lines.extend(difference_lines(&difference));
    }

    fn whole_side(&mut self, tag: Tag, mode: FileMode, bytes: &[u8]) {
        let before = match (mode, tag) {
            (FileMode::Symlink, _) => "symbolic link to ",
            (FileMode::Submodule, _) => "submodule at commit ",
            (_, Tag::Removed) => return self.compare(bytes, b""),
            (_, _) => return self.compare(b"", bytes),
        };
        self.lines.extend(content_line(tag, before, bytes));
    }
}

/// A difference as lines for the screen.
pub(super) fn difference_lines(difference: &LineDiff) -> Vec<Line> {
    let mut lines = Vec::new();
    if difference.is_binary {
        lines.push(Line::of(Ink::Alarm, "binary, not shown"));
    }
    for hunk in &difference.hunks {
        lines.extend(hunk_lines(hunk));
    }
    lines
}

fn hunk_lines(hunk: &Hunk) -> Vec<Line> {
    let mut lines = vec![Line::of(
        Ink::Place,
        format!(
            "@@ -{},{} +{},{} @@",
            hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
        ),
    )];
    let emphasis = Emphasis::of(hunk);
    for (position, line) in hunk.lines.iter().enumerate() {
        match emphasis.line(position) {
            Some(line) => lines.push(line.clone()),
            None => lines.extend(content_line(line.tag, "", line.content())),
        }
        if line.lacks_newline() {
            let words = "\\ No newline at end of file";
            lines.push(Line::of(Ink::Faint, words));
        }
    }
    lines
}

/// One line of content, and below it whether a reader would have missed something in it.
fn content_line(tag: Tag, before: &str, content: &[u8]) -> Vec<Line> {
    let (ink, sign) = match tag {
        Tag::Context => (Ink::Plain, ' '),
        Tag::Added => (Ink::Good, '+'),
        Tag::Removed => (Ink::Bad, '-'),
    };
    let visible = escape(content);
    let text = format!("{sign}{before}{}", visible.text);
    let mut lines = vec![Line::of(ink, text)];
    lines.extend(visible.has_hidden_characters.then(hidden_characters));
    lines
}

fn hidden_characters() -> Line {
    Line::of(Ink::Alarm, "^ contains hidden characters")
}

fn bytes(side: Option<&Version>) -> &[u8] {
    side.and_then(|version| version.content.as_deref())
        .unwrap_or_default()
}

fn counted_bytes(count: u64) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), "byte")
}

fn descriptions(file: &ReviewedFile) -> Vec<String> {
    let mode = |side: &Option<Version>| side.as_ref().map(|version| version.mode);
    match (mode(&file.before), mode(&file.after)) {
        (None, Some(FileMode::Regular)) => vec!["new file".to_owned()],
        (None, Some(mode)) => vec![format!("new {}", kind(mode))],
        (Some(mode), None) => vec![format!("deleted {}", kind(mode))],
        (Some(before), Some(after)) if before != after => {
            vec![format!(
                "was {}, is now {}",
                article(before),
                article(after)
            )]
        }
        _ => Vec::new(),
    }
}

fn kind(mode: FileMode) -> &'static str {
    match mode {
        FileMode::Regular => "file",
        FileMode::Executable => "executable file",
        FileMode::Symlink => "symbolic link",
        FileMode::Submodule => "submodule",
    }
}

fn article(mode: FileMode) -> &'static str {
    match mode {
        FileMode::Regular => "a file (100644)",
        FileMode::Executable => "an executable file (100755)",
        FileMode::Symlink => "a symbolic link (120000)",
        FileMode::Submodule => "a submodule (160000)",
    }
}
