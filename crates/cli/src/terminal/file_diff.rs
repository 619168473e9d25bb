//! One file of a review as lines for the screen, whole.
//!
//! The difference is made from the two versions' bytes, never from a tool's output: what is shown is
//! what the tree holds.

use proctor_core::diff::{Hunk, LineDiff, Tag, escape, line_count};
use proctor_host::driver::ReviewedFile;
use proctor_host::git::FileMode;

use super::emphasis::Emphasis;
use super::style::{Ink, Line};
use super::text::counted;

/// A file's difference, ready to be shown.
#[derive(Debug)]
pub(super) struct FileDiff {
    /// The name, visible.
    pub(super) path: String,
    /// What happened to the file as a whole: `new file`, `deleted file` …
    pub(super) descriptions: Vec<String>,
    /// What a person should notice: the labels that came with the file, then our own.
    pub(super) labels: Vec<&'static str>,
    /// Added lines.
    pub(super) added: usize,
    /// Deleted lines.
    pub(super) deleted: usize,
    /// Bytes before and after, where lines mean nothing.
    pub(super) binary: Option<(usize, usize)>,
    /// Every changed line with its surroundings.
    pub(super) lines: Vec<Line>,
}

impl FileDiff {
    /// Compares the two versions.
    pub(super) fn of(file: &ReviewedFile) -> Self {
        let name = escape(&file.path);
        let mut diff = Self {
            path: name.text,
            descriptions: descriptions(file),
            labels: file.labels.clone(),
            added: 0,
            deleted: 0,
            binary: None,
            lines: Vec::new(),
        };
        if name.has_hidden_characters {
            diff.flag_hidden_characters();
        }
        let (before, after) = (file.before.as_ref(), file.after.as_ref());
        let is_text =
            |side: Option<&(FileMode, Vec<u8>)>| side.is_none_or(|(mode, _)| is_file(*mode));
        if is_text(before) && is_text(after) {
            let content = |side: Option<&'_ (FileMode, Vec<u8>)>| {
                side.map_or_else(Vec::new, |(_, bytes)| bytes.clone())
            };
            diff.compare(&content(before), &content(after));
        } else {
            // One side is not a file: each side is shown for what it is.
            if let Some((mode, bytes)) = before {
                diff.whole_side(Tag::Removed, *mode, bytes);
            }
            if let Some((mode, bytes)) = after {
                diff.whole_side(Tag::Added, *mode, bytes);
            }
        }
        diff.notice(before.map(|side| side.0), after.map(|side| side.0));
        diff
    }

    /// A difference that was made already, of a file without further labels.
    pub(super) fn of_difference(difference: &LineDiff) -> Self {
        let mut diff = Self {
            path: String::new(),
            descriptions: Vec::new(),
            labels: Vec::new(),
            added: difference.added,
            deleted: difference.deleted,
            binary: None,
            lines: Vec::new(),
        };
        if difference.is_binary {
            diff.lines.push(Line::of(Ink::Alarm, "binary, not shown"));
        }
        for hunk in &difference.hunks {
            diff.hunk(hunk);
        }
        diff
    }

    /// The labels that ask for a closer look.
    pub(super) fn warnings(&self) -> impl Iterator<Item = &'static str> {
        self.labels.iter().copied().filter(|label| *label != "TEST")
    }

    fn compare(&mut self, before: &[u8], after: &[u8]) {
        let difference = LineDiff::between(before, after);
        if difference.is_binary {
            self.binary = Some((before.len(), after.len()));
            self.lines.push(Line::of(
                Ink::Alarm,
                format!(
                    "binary, not shown: {} before, {} after",
                    counted(before.len(), "byte"),
                    counted(after.len(), "byte")
                ),
            ));
            return;
        }
        self.added += difference.added;
        self.deleted += difference.deleted;
        if difference.hunks.is_empty() {
            let words = if line_count(after) == 0 {
                "(no content)"
            } else {
                "(the content is the same)"
            };
            self.lines.push(Line::of(Ink::Faint, words));
        }
        for hunk in &difference.hunks {
            self.hunk(hunk);
        }
    }

    fn hunk(&mut self, hunk: &Hunk) {
        self.lines.push(Line::of(
            Ink::Place,
            format!(
                "@@ -{},{} +{},{} @@",
                hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
            ),
        ));
        let emphasis = Emphasis::of(hunk);
        for (position, line) in hunk.lines.iter().enumerate() {
            match emphasis.line(position) {
                Some(line) => self.lines.push(line.clone()),
                None => self.content_line(line.tag, "", line.content()),
            }
            if line.lacks_newline() {
                let words = "\\ No newline at end of file";
                self.lines.push(Line::of(Ink::Faint, words));
            }
        }
    }

    fn content_line(&mut self, tag: Tag, before: &str, content: &[u8]) {
        let (ink, sign) = match tag {
            Tag::Context => (Ink::Plain, ' '),
            Tag::Added => (Ink::Good, '+'),
            Tag::Removed => (Ink::Bad, '-'),
        };
        let visible = escape(content);
        let text = format!("{sign}{before}{}", visible.text);
        self.lines.push(Line::of(ink, text));
        if visible.has_hidden_characters {
            self.flag_hidden_characters();
        }
    }

    /// Says it below the line and, once, in the labels.
    fn flag_hidden_characters(&mut self) {
        let words = "^ contains hidden characters";
        self.lines.push(Line::of(Ink::Alarm, words));
        self.label("HIDDEN-CHARACTERS");
    }

    fn whole_side(&mut self, tag: Tag, mode: FileMode, bytes: &[u8]) {
        match (mode, tag) {
            (FileMode::Symlink, _) => self.content_line(tag, "symbolic link to ", bytes),
            (FileMode::Submodule, _) => self.content_line(tag, "submodule at commit ", bytes),
            (_, Tag::Removed) => return self.compare(bytes, b""),
            (_, _) => return self.compare(b"", bytes),
        }
        match tag {
            Tag::Removed => self.deleted += 1,
            Tag::Added | Tag::Context => self.added += 1,
        }
    }

    /// Labels for what is not an ordinary text file, whether or not somebody set them before.
    fn notice(&mut self, before: Option<FileMode>, after: Option<FileMode>) {
        let either = |mode| before == Some(mode) || after == Some(mode);
        if self.binary.is_some() {
            self.label("BINARY");
        }
        if either(FileMode::Symlink) {
            self.label("SYMLINK");
        }
        if either(FileMode::Submodule) {
            self.label("SUBMODULE");
        }
        let became_executable = after == Some(FileMode::Executable) && before != after;
        let changed = before.is_some() && after.is_some() && before != after;
        if became_executable || changed {
            self.label("MODE");
        }
    }

    fn label(&mut self, label: &'static str) {
        if !self.labels.iter().any(|other| other.contains(label)) {
            self.labels.push(label);
        }
    }
}

fn is_file(mode: FileMode) -> bool {
    matches!(mode, FileMode::Regular | FileMode::Executable)
}

fn descriptions(file: &ReviewedFile) -> Vec<String> {
    match (&file.before, &file.after) {
        (None, Some((FileMode::Regular, _))) => vec!["new file".to_owned()],
        (None, Some((mode, _))) => vec![format!("new {}", kind(*mode))],
        (Some((mode, _)), None) => vec![format!("deleted {}", kind(*mode))],
        (Some((before, _)), Some((after, _))) if before != after => {
            vec![format!(
                "was {}, is now {}",
                article(*before),
                article(*after)
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
