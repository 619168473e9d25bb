//! One file of a review as lines for the screen, whole.
//!
//! The difference is made from the two versions' bytes, never from a tool's output: the shown text is the tree's.

use std::ops::Range;

use proctor_core::diff::{Hunk, LineDiff, Tag, line_count};
use proctor_core::file_mode::FileMode;
use proctor_core::review_gate::{ReportedFile, ReviewedFile, Version};
use proctor_core::syntax::{Syntax, SyntaxKind};
use proctor_core::visible::escape;

use super::emphasis::Emphasis;
use super::style::{Ink, Line, side};
use super::text::counted;

/// Columns of a line's number, so that files do not jump about.
const LEAST_GUTTER: usize = 4;

/// A file's difference, ready to be shown.
#[derive(Debug)]
pub(crate) struct FileDiff {
    /// The change of the file as a whole: `new file`, `deleted file` …
    pub(crate) descriptions: Vec<String>,
    /// Every changed line with its surroundings.
    pub(crate) lines: Vec<Line>,
}

impl FileDiff {
    /// Compares the two versions.
    pub(crate) fn of(reported: &ReportedFile, moved: &dyn Fn(Tag, usize) -> bool) -> Self {
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
            let (before, after) = (bytes(before), bytes(after));
            let name = &reported.report.path;
            let ink = CodeInk {
                before: Syntax::of(name, before),
                after: Syntax::of(name, after),
                moved,
                numbered: true,
            };
            diff.compare(before, after, &ink);
        } else {
            // One side is not a file: each side is shown as its own kind.
            if let Some(version) = before {
                diff.whole_side(Tag::Removed, version.mode, bytes(before));
            }
            if let Some(version) = after {
                diff.whole_side(Tag::Added, version.mode, bytes(after));
            }
        }
        diff
    }

    fn compare(&mut self, before: &[u8], after: &[u8], ink: &CodeInk<'_>) {
        let difference = LineDiff::between(before, after);
        if difference.hunks.is_empty() {
            let words = if line_count(after) == 0 {
                "(no content)"
            } else {
                "(the content is the same)"
            };
            self.lines.push(Line::of(Ink::Faint, words));
        }
        let hunks = difference.hunks.iter();
        self.lines
            .extend(hunks.flat_map(|hunk| hunk_lines(hunk, ink)));
    }

    fn whole_side(&mut self, tag: Tag, mode: FileMode, bytes: &[u8]) {
        let before = match (mode, tag) {
            (FileMode::Symlink, _) => "symbolic link to ",
            (FileMode::Submodule, _) => "submodule at commit ",
            (_, Tag::Removed) => return self.compare(bytes, b"", &CodeInk::plain()),
            (_, _) => return self.compare(b"", bytes, &CodeInk::plain()),
        };
        self.lines.extend(content_line(tag, before, bytes));
    }
}

/// The facts about the lines of two versions beyond their difference.
struct CodeInk<'a> {
    before: Syntax,
    after: Syntax,
    /// Whether a line of a side, counted from 1, moved.
    moved: &'a dyn Fn(Tag, usize) -> bool,
    /// Whether each line begins with its number.
    numbered: bool,
}

impl CodeInk<'static> {
    fn plain() -> Self {
        Self {
            before: Syntax::default(),
            after: Syntax::default(),
            moved: &|_, _| false,
            numbered: true,
        }
    }
}

/// A difference as lines for the screen, without line numbers: truncation counts the text's own bytes.
pub(super) fn difference_lines(difference: &LineDiff) -> Vec<Line> {
    let mut lines = Vec::new();
    if difference.is_binary {
        lines.push(Line::of(Ink::Alarm, "binary, not shown"));
    }
    let ink = CodeInk {
        numbered: false,
        ..CodeInk::plain()
    };
    for hunk in &difference.hunks {
        lines.extend(hunk_lines(hunk, &ink));
    }
    lines
}

fn hunk_lines(hunk: &Hunk, ink: &CodeInk<'_>) -> Vec<Line> {
    let mut lines = vec![Line::of(
        Ink::Place,
        format!(
            "@@ -{},{} +{},{} @@",
            hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
        ),
    )];
    let emphasis = Emphasis::of(hunk);
    let last = (hunk.old_start + hunk.old_lines).max(hunk.new_start + hunk.new_lines);
    let gutter = last.to_string().len().max(LEAST_GUTTER);
    let (mut old, mut new) = (hunk.old_start.max(1), hunk.new_start.max(1));
    for (position, line) in hunk.lines.iter().enumerate() {
        let (number, syntax) = match line.tag {
            Tag::Removed => (old, &ink.before),
            Tag::Added | Tag::Context => (new, &ink.after),
        };
        let visible = escape(line.content());
        let start = if ink.numbered {
            numbered(number, gutter)
        } else {
            Line::default()
        };
        if (ink.moved)(line.tag, number) {
            let text = format!("{}{}", sign(line.tag), visible.text);
            lines.push(start.and(Ink::Moved(line.tag), text));
        } else {
            // Spelled-out text has other offsets than the file.
            let same = visible.text.as_bytes() == line.content();
            let syntax = if same { syntax.line(number - 1) } else { &[] };
            let words = emphasis.line(position);
            lines.push(code_line(start, line.tag, &visible.text, words, syntax));
        }
        lines.extend(visible.has_hidden_characters.then(hidden_characters));
        if line.lacks_newline() {
            let words = "\\ No newline at end of file";
            lines.push(Line::of(Ink::Faint, words));
        }
        match line.tag {
            Tag::Removed => old += 1,
            Tag::Added => new += 1,
            Tag::Context => (old, new) = (old + 1, new + 1),
        }
    }
    lines
}

/// A line of a program: changed words before the kinds of words.
fn code_line(
    gutter: Line,
    tag: Tag,
    text: &str,
    words: &[Range<usize>],
    syntax: &[(Range<usize>, SyntaxKind)],
) -> Line {
    let base = side(tag);
    let marked = words.iter().chain(syntax.iter().map(|(range, _)| range));
    let mut edges: Vec<usize> = marked
        .flat_map(|range| [range.start, range.end])
        .filter(|edge| (1..text.len()).contains(edge))
        .collect();
    edges.push(text.len());
    edges.sort_unstable();
    let mut pieces = vec![(base, sign(tag).to_string())];
    let mut start = 0;
    for end in edges {
        let kind = syntax.iter().find(|(range, _)| range.contains(&start));
        let is_word = words.iter().any(|range| range.contains(&start));
        let ink = match (tag, kind) {
            (Tag::Removed, _) if is_word => Ink::BadWord,
            (Tag::Added, _) if is_word => Ink::GoodWord,
            (_, Some((_, kind))) => Ink::Code(tag, *kind),
            (_, None) => base,
        };
        let piece = &text[start..end];
        match pieces.last_mut() {
            Some((last, text)) if *last == ink || piece.is_empty() => text.push_str(piece),
            _ => pieces.push((ink, piece.to_owned())),
        }
        start = end;
    }
    let pieces = pieces.into_iter();
    pieces.fold(gutter, |line, (ink, text)| line.and(ink, text))
}

/// A line of a difference begins with its number: in the old version if it is gone, otherwise in the new one.
fn numbered(number: usize, columns: usize) -> Line {
    Line::of(Ink::Faint, format!("{number:>columns$} "))
}

/// The side and number that a line of a difference begins with; none for lines between hunks.
pub(crate) fn place_in_file(line: &Line) -> Option<(Tag, usize)> {
    let [(Ink::Faint, gutter), (_, text), ..] = line.pieces() else {
        return None;
    };
    let number = gutter.trim_start().strip_suffix(' ')?.parse().ok()?;
    let tags = [Tag::Context, Tag::Added, Tag::Removed].into_iter();
    let tag = tags.into_iter().find(|tag| text.starts_with(sign(*tag)))?;
    Some((tag, number))
}

fn sign(tag: Tag) -> char {
    match tag {
        Tag::Context => ' ',
        Tag::Added => '+',
        Tag::Removed => '-',
    }
}

/// One line of content, and below it whether a reader would have missed something in it.
fn content_line(tag: Tag, before: &str, content: &[u8]) -> Vec<Line> {
    let visible = escape(content);
    let text = format!("{}{before}{}", sign(tag), visible.text);
    let mut lines = vec![Line::of(side(tag), text)];
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
