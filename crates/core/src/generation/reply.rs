//! A model's reply: whole files, changes of files, or the admission that it cannot be done as asked.
//!
//! The grammar is small: `### FILE: path` lines, each followed by one fenced block or by changes; a single
//! block, or changes, alone when only one file was asked for; or `### GIVE UP: reason`, or `### TESTS ARE WRONG: reason`;
//! `### END` ends it.
//! Running text around the blocks is ignored.

use std::collections::BTreeMap;

use crate::edit::{Change, begins_change, read_change};
use crate::path::ProjectPath;
use crate::remark::Remark;
use crate::sections::{
    Block, Fence, Label, Line, Malformed, Marker, label_of, lines_of, marker_of, read_block,
};

/// The content of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// It brings files, at least one.
    Files(Vec<RepliedFile>),
    /// The model says that it cannot do the work, and why.
    GiveUp(String),
    /// The model says that the tests are wrong, and why.
    TestsAreWrong(String),
}

/// One file of a reply; its path is as written and not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepliedFile {
    /// The path as written, without backticks around it.
    pub path: String,
    /// The new content, or the changes to it.
    pub body: Body,
}

/// The part of a reply about one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// All of it: every byte between the fences.
    Whole(String),
    /// The changes to it, at least one.
    Edits(Vec<Change>),
}

/// Reads a reply.
///
/// `sole_file` is the one file that was asked for, if it was one: then a block or a change needs no label.
pub fn parse_reply(text: &str, sole_file: Option<&ProjectPath>) -> Result<Reply, Malformed> {
    let lines = lines_of(text);
    let mut reader = Reader {
        text,
        lines: &lines,
        sole_file,
        files: Vec::new(),
        numbers: BTreeMap::new(),
        current: None,
        unlabelled: None,
    };
    reader.read()
}

/// Whether the reply says itself that it is complete.
///
/// Command-line agents do not tell a cut-off reply from a whole one; this line does.
pub fn ends_with_end_marker(text: &str) -> bool {
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    last.is_some_and(|line| label_of(line) == Some(Label::End))
}

struct Reader<'a> {
    text: &'a str,
    lines: &'a [Line<'a>],
    sole_file: Option<&'a ProjectPath>,
    files: Vec<RepliedFile>,
    /// The numbers that a file's changes had so far.
    numbers: BTreeMap<String, Vec<u32>>,
    /// The file that changes are about.
    current: Option<String>,
    /// Number of the line at which a block without a label opened.
    unlabelled: Option<usize>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<Reply, Malformed> {
        let mut index = 0;
        while let Some(line) = self.lines.get(index) {
            index = match label_of(line.text) {
                Some(Label::File(path)) => self.labelled_file(index, path)?,
                Some(Label::GiveUp(reason)) => {
                    return self.reason(index, reason, "### GIVE UP").map(Reply::GiveUp);
                }
                Some(Label::TestsAreWrong(reason)) => {
                    let reason = self.reason(index, reason, "### TESTS ARE WRONG");
                    return reason.map(Reply::TestsAreWrong);
                }
                Some(Label::End) => {
                    self.nothing_after(index)?;
                    break;
                }
                _ if begins_change(self.lines, index) => self.change(index)?,
                _ => match Fence::of(line.text) {
                    Some(fence) => self.unlabelled_file(index, fence)?,
                    None => index + 1,
                },
            };
        }
        self.finish()
    }

    /// A change of the file that was last named, or of the only one.
    fn change(&mut self, index: usize) -> Result<usize, Malformed> {
        let sole = || self.sole_file.map(ToString::to_string);
        let Some(path) = self.current.clone().or_else(sole) else {
            return self.malformed(
                index,
                Remark::from("it is not said which file this change is about")
                    .so("write `### FILE: relative/path` before the changes of each file"),
            );
        };
        let (number, change, next) = read_change(self.text, self.lines, index)?;
        let numbers = self.numbers.entry(path.clone()).or_default();
        if let Some(number) = number {
            if numbers.contains(&number) {
                return self.malformed(
                    index,
                    Remark::from(format!("there are two changes with the number {number}"))
                        .so("send one reply, in which each change has its own number"),
                );
            }
            numbers.push(number);
        }
        match self.files.iter_mut().find(|file| file.path == path) {
            None => self.files.push(RepliedFile {
                path,
                body: Body::Edits(vec![change]),
            }),
            Some(RepliedFile {
                body: Body::Edits(changes),
                ..
            }) => changes.push(change),
            Some(_) => {
                return self.malformed(
                    index,
                    Remark::from(format!("the file {path:?} comes whole and with changes"))
                        .so("send one of them"),
                );
            }
        }
        Ok(next)
    }

    fn labelled_file(&mut self, label_index: usize, path: &str) -> Result<usize, Malformed> {
        if path.is_empty() || path.contains('`') {
            return self.malformed(
                label_index,
                Remark::from("the label has to name one file and nothing else")
                    .so("write `### FILE: relative/path`"),
            );
        }
        let following = self.lines.iter().enumerate().skip(label_index + 1);
        for (index, line) in following {
            if begins_change(self.lines, index) {
                self.current = Some(path.to_owned());
                return Ok(index);
            }
            if label_of(line.text).is_some() {
                break;
            }
            if let Some(fence) = Fence::of(line.text) {
                if self.files.iter().any(|file| file.path == path) {
                    return self.malformed(
                        label_index,
                        Remark::from(format!("the file {path:?} comes twice"))
                            .so("send each file once, whole"),
                    );
                }
                self.current = None;
                let block = self.block(index, fence, path)?;
                return Ok(self.take(path, &block));
            }
        }
        self.malformed(
            label_index,
            Remark::from(format!("no fenced block follows the label of {path:?}"))
                .so("put the whole file between two fence lines"),
        )
    }

    fn unlabelled_file(&mut self, index: usize, fence: Fence) -> Result<usize, Malformed> {
        let Some(path) = self.sole_file else {
            return self.malformed(
                index,
                Remark::from("this block has no label")
                    .so("write `### FILE: relative/path` before each block"),
            );
        };
        let block = self.block(index, fence, path.as_str())?;
        if holds_changes(&self.text[block.content.clone()]) {
            return self.malformed(
                index,
                Remark::from("the changes stand inside an outer fence").so(
                    "send them without one, each with its own `FIND:` and `REPLACE \
                     WITH:` blocks",
                ),
            );
        }
        self.unlabelled = Some(self.lines[index].number);
        Ok(self.take(path.as_str(), &block))
    }

    fn block(&self, index: usize, fence: Fence, path: &str) -> Result<Block, Malformed> {
        read_block(self.lines, index, fence)
            .map_err(|problem| problem.explained(self.lines, index, &format!("{path:?}"), "file"))
    }

    /// Keeps the block's content; returns where to continue reading.
    fn take(&mut self, path: &str, block: &Block) -> usize {
        self.files.push(RepliedFile {
            path: path.to_owned(),
            body: Body::Whole(self.text[block.content.clone()].to_owned()),
        });
        block.next
    }

    /// The reason of a reply that brings nothing else.
    fn reason(&self, index: usize, reason: &str, label: &str) -> Result<String, Malformed> {
        if !self.files.is_empty() {
            return self.malformed(
                index,
                Remark::from(format!("the reply brings files and says `{label}` as well"))
                    .so(format!("send either the files or `{label}: reason` alone")),
            );
        }
        let mut words = vec![reason];
        for (after, line) in self.lines.iter().enumerate().skip(index + 1) {
            match label_of(line.text) {
                Some(Label::End) => {
                    self.nothing_after(after)?;
                    break;
                }
                Some(_) => {
                    return self.malformed(
                        after,
                        Remark::from(format!("nothing but the reason may follow `{label}:`"))
                            .so("send either the files or the reason"),
                    );
                }
                None => words.push(line.text.trim_end()),
            }
        }
        let reason = words.join("\n").trim().to_owned();
        if reason.is_empty() {
            let nothing = Remark::from(format!("no reason follows `{label}:`"));
            return self.malformed(index, nothing.so("say why"));
        }
        Ok(reason)
    }

    fn nothing_after(&self, end_index: usize) -> Result<(), Malformed> {
        let mut following = self.lines.iter().enumerate().skip(end_index + 1);
        match following.find(|(_, line)| !line.text.trim().is_empty()) {
            Some((index, _)) => self.malformed(
                index,
                Remark::from("text follows `### END`").so(
                    "that line has to be the last one of the reply, and if it is part \
                     of a file, use a longer outer fence",
                ),
            ),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<Reply, Malformed> {
        if let Some(line) = self.unlabelled.filter(|_| self.files.len() > 1) {
            return Err(Malformed::at(
                line,
                Remark::from("this block has no label although the reply brings several")
                    .so("write `### FILE: relative/path` before each block"),
            ));
        }
        if self.files.is_empty() {
            return Err(Malformed::at(
                1,
                Remark::from("the reply brings no file and no change")
                    .so("send them in the format that was asked for, or `### GIVE UP: reason`"),
            ));
        }
        Ok(Reply::Files(std::mem::take(&mut self.files)))
    }

    fn malformed<T>(&self, index: usize, message: impl Into<Remark>) -> Result<T, Malformed> {
        let line = self.lines.get(index).map_or(1, |line| line.number);
        Err(Malformed::at(line, message))
    }
}

/// Whether a text is itself a reply with changes, which is never a file's content.
fn holds_changes(text: &str) -> bool {
    let mut lines = text.lines();
    let is_search = |line: &str| marker_of(line) == Some(Marker::Search);
    lines.any(|line| label_of(line) == Some(Label::Find) || is_search(line))
        && lines.any(|line| {
            label_of(line) == Some(Label::ReplaceWith) || marker_of(line) == Some(Marker::Replace)
        })
}

#[cfg(test)]
mod tests;
