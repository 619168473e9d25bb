//! Lines of a review that only moved, determined one file at a time.
//!
//! To know that, every file has to have been compared; the first screen does not wait for it.

use std::cell::RefCell;

use proctor_core::diff::{LineDiff, MovedLines, Tag};
use proctor_core::review_gate::{ReportedFile, Version};

use super::document::Later;

/// Files with more bytes are left out, because comparing them would hold up the keys.
const LARGEST_FILE: usize = 1 << 20;

/// The moves known so far.
#[derive(Debug, Default)]
pub(super) struct Moves {
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    lines: MovedLines,
    next: usize,
    known: bool,
}

impl Moves {
    /// Takes one more file into account.
    pub(super) fn look(&self, files: &[ReportedFile]) -> Later {
        let state = &mut *self.state.borrow_mut();
        if state.known {
            return Later::Nothing;
        }
        if let Some(file) = files.get(state.next) {
            if let Some((before, after)) = contents(file) {
                let difference = LineDiff::between(before, after);
                state.lines.add(state.next, &difference);
            }
            state.next += 1;
            return Later::More;
        }
        state.known = true;
        if state.lines.compare() {
            Later::Changed
        } else {
            Later::Nothing
        }
    }

    /// Whether a line of a file's side is known to have moved.
    pub(super) fn contains(&self, file: usize, tag: Tag, line: usize) -> bool {
        let state = self.state.borrow();
        state.known && state.lines.contains(file, tag, line)
    }
}

/// Both sides, if they are text of bearable size.
fn contents(file: &ReportedFile) -> Option<(&[u8], &[u8])> {
    if file.report.binary.is_some() {
        return None;
    }
    let before = content(file.file.before.as_ref())?;
    let after = content(file.file.after.as_ref())?;
    (before.len() + after.len() <= LARGEST_FILE).then_some((before, after))
}

fn content(version: Option<&Version>) -> Option<&[u8]> {
    match version {
        None => Some(&[]),
        Some(version) if version.mode.is_file() => version.content.as_deref(),
        Some(_) => None,
    }
}
