//! Reading one change of a reply, in either of the two ways to write one.

use super::Change;
use crate::remark::Remark;
use crate::sections::{Fence, Label, Line, Malformed, Marker, label_of, marker_of, read_block};

/// Whether a change begins at this line: its label, the text to be found, a marker, or the fence that many
/// models put around markers.
pub(crate) fn begins_change(lines: &[Line<'_>], index: usize) -> bool {
    let Some(line) = lines.get(index) else {
        return false;
    };
    match label_of(line.text) {
        Some(Label::Change(..) | Label::Find | Label::ReplaceWith) => true,
        Some(_) => false,
        None => {
            marker_of(line.text).is_some_and(|marker| marker != Marker::Divider)
                || is_wrapper(lines, index)
        }
    }
}

/// A fence directly before a marker.
fn is_wrapper(lines: &[Line<'_>], index: usize) -> bool {
    let is_search = |line: &Line<'_>| marker_of(line.text) == Some(Marker::Search);
    Fence::of(lines[index].text).is_some() && lines.get(index + 1).is_some_and(is_search)
}

/// Reads the change that begins at `index`; returns its number, the change and where to continue reading.
pub(crate) fn read_change(
    text: &str,
    lines: &[Line<'_>],
    index: usize,
) -> Result<(Option<u32>, Change, usize), Malformed> {
    let reader = Reader { text, lines };
    let (number, description, body) = match label_of(lines[index].text) {
        Some(Label::Change(number, description)) => {
            (number, description, reader.body(index, description)?)
        }
        _ => (None, "", index),
    };
    let (find, replace, next) = match label_of(lines[body].text) {
        Some(Label::Find) => reader.labelled(body)?,
        Some(Label::ReplaceWith) => {
            return Err(reader.at(
                body,
                "`REPLACE WITH:` stands here without a `FIND:` block before it",
            ));
        }
        _ => reader.marked(body)?,
    };
    let change = Change {
        description: description.to_owned(),
        find,
        replace,
    };
    Ok((number, change, next))
}

struct Reader<'a> {
    text: &'a str,
    lines: &'a [Line<'a>],
}

impl Reader<'_> {
    /// Where the text to be found is announced, after the label of a change.
    fn body(&self, label: usize, description: &str) -> Result<usize, Malformed> {
        let mut index = label + 1;
        while let Some(line) = self.lines.get(index) {
            match label_of(line.text) {
                Some(Label::Find) => return Ok(index),
                Some(_) => break,
                None if begins_change(self.lines, index) => return Ok(index),
                None if Fence::of(line.text).is_some() => break,
                None => index += 1,
            }
        }
        let message = Remark::from(format!(
            "no `FIND:` block follows the label of the change {description:?}"
        ))
        .so("write `FIND:` and a fenced block, then `REPLACE WITH:` and a fenced block");
        Err(self.missing(label, index, message))
    }

    /// `FIND:` and `REPLACE WITH:`, each with a fenced block.
    fn labelled(&self, find: usize) -> Result<(String, String, usize), Malformed> {
        let (found, next) = self.block(find, "FIND:")?;
        if !self.has_label(next, Label::ReplaceWith) {
            return Err(self.at(
                next.min(self.lines.len() - 1),
                Remark::from(
                    "the `FIND:` block is not followed by `REPLACE WITH:` and a fenced block",
                )
                .so("to delete text send an empty block"),
            ));
        }
        let (replacement, next) = self.block(next, "REPLACE WITH:")?;
        Ok((found, replacement, next))
    }

    fn has_label(&self, index: usize, label: Label<'_>) -> bool {
        let line = self.lines.get(index);
        line.is_some_and(|line| label_of(line.text) == Some(label))
    }

    /// The fenced block after a label.
    fn block(&self, label: usize, name: &str) -> Result<(String, usize), Malformed> {
        let mut index = label + 1;
        while let Some(line) = self.lines.get(index) {
            if let Some(fence) = Fence::of(line.text) {
                let block = read_block(self.lines, index, fence).map_err(|problem| {
                    problem.explained(self.lines, index, &format!("`{name}`"), "text")
                })?;
                return Ok((self.text[block.content].to_owned(), block.next));
            }
            if !self.is_blank(index) {
                break;
            }
            index += 1;
        }
        let message = Remark::from(format!("no fenced block follows `{name}`"))
            .so("put the text between two fences");
        Err(self.missing(label, index, message))
    }

    /// `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`.
    fn marked(&self, first: usize) -> Result<(String, String, usize), Malformed> {
        let is_wrapped = is_wrapper(self.lines, first);
        let search = if is_wrapped { first + 1 } else { first };
        if marker_of(self.lines[search].text) != Some(Marker::Search) {
            return Err(self.at(
                search,
                "`>>>>>>> REPLACE` stands here without a `<<<<<<< SEARCH` before it",
            ));
        }
        let divider = self.marker_after(search, Marker::Divider)?;
        let end = self.marker_after(divider, Marker::Replace)?;
        let between = |from: usize, to: usize| {
            let start = self.lines[from].start + self.lines[from].text.len();
            self.text[start..self.lines[to].start].to_owned()
        };
        // The wrapper may hold several changes; it closes after the last of them.
        let mut next = end + 1;
        while self.is_blank(next) {
            next += 1;
        }
        let is_fence = |line: &Line<'_>| Fence::of(line.text).is_some();
        if self.lines.get(next).is_some_and(is_fence) && !is_wrapper(self.lines, next) {
            next += 1;
        }
        Ok((between(search, divider), between(divider, end), next))
    }

    fn is_blank(&self, index: usize) -> bool {
        let line = self.lines.get(index);
        line.is_some_and(|line| line.text.trim().is_empty())
    }

    fn marker_after(&self, from: usize, wanted: Marker) -> Result<usize, Malformed> {
        for (index, line) in self.lines.iter().enumerate().skip(from + 1) {
            match marker_of(line.text) {
                Some(marker) if marker == wanted => return Ok(index),
                None if label_of(line.text).is_none_or(|label| label == Label::Find) => {}
                _ => {
                    return Err(self.at(
                        index,
                        Remark::from("this line could be part of the text or of the format").so(
                            "write the change with `FIND:` and `REPLACE WITH:` in fences of \
                     four or more characters instead",
                        ),
                    ));
                }
            }
        }
        Err(Malformed::cut_off(
            self.lines[from].number,
            Remark::from("the change that begins here does not end")
                .so("its lines are `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`"),
        ))
    }

    fn at(&self, index: usize, message: impl Into<Remark>) -> Malformed {
        Malformed::at(self.lines[index].number, message)
    }

    /// Something that should follow `label` does not; the search for it ended at `index`.
    fn missing(&self, label: usize, index: usize, message: Remark) -> Malformed {
        if index >= self.lines.len() {
            Malformed::cut_off(self.lines[label].number, message)
        } else {
            self.at(label, message)
        }
    }
}
