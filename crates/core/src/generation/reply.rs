//! A model's reply that brings whole files.
//!
//! The grammar is small: `### FILE: path` lines, each followed by one fenced block, or a single
//! block alone when only one file was asked for, or `### GIVE UP: reason`; `### END` ends it.
//! Running text around the blocks is ignored.

use std::collections::BTreeSet;

use super::fence::{Block, BlockProblem, Fence, Line, lines_of, read_block};
use super::label::{Label, label_of};
use crate::context::ProjectPath;

/// What a reply says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// It brings files, at least one.
    Files(Vec<FileContent>),
    /// The model says that it cannot do the work, and why.
    GiveUp(String),
}

/// One file of a reply; its path is as written and not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// The path as written, without backticks around it.
    pub path: String,
    /// Every byte between the fences.
    pub content: String,
}

/// Why a reply cannot be used, worded for the model that has to send it again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Malformed {
    /// Number of the line of the reply, from 1.
    pub line: usize,
    /// What is wrong with it and what to write instead.
    pub message: String,
}

/// Reads a reply into whole files.
///
/// `sole_file` is the one file that was asked for, if it was one: then a block needs no label.
pub fn parse_files(text: &str, sole_file: Option<&ProjectPath>) -> Result<Reply, Malformed> {
    let lines = lines_of(text);
    let mut reader = Reader {
        text,
        lines: &lines,
        sole_file,
        files: Vec::new(),
        paths: BTreeSet::new(),
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
    files: Vec<FileContent>,
    paths: BTreeSet<String>,
    /// Number of the line at which a block without a label opened.
    unlabelled: Option<usize>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<Reply, Malformed> {
        let mut index = 0;
        while let Some(line) = self.lines.get(index) {
            index = match label_of(line.text) {
                Some(Label::File(path)) => self.labelled_file(index, path)?,
                Some(Label::GiveUp(reason)) => return self.give_up(index, reason),
                Some(Label::End) => {
                    self.nothing_after(index)?;
                    break;
                }
                None => match Fence::of(line.text) {
                    Some(fence) => self.unlabelled_file(index, fence)?,
                    None => index + 1,
                },
            };
        }
        self.finish()
    }

    fn labelled_file(&mut self, label_index: usize, path: &str) -> Result<usize, Malformed> {
        if path.is_empty() || path.contains('`') {
            return self.malformed(
                label_index,
                "the label has to name one file and nothing else; write `### FILE: relative/path`",
            );
        }
        if !self.paths.insert(path.to_owned()) {
            return self.malformed(
                label_index,
                &format!("the file {path:?} comes twice; send each file once, whole"),
            );
        }
        let following = self.lines.iter().enumerate().skip(label_index + 1);
        for (index, line) in following {
            if label_of(line.text).is_some() {
                break;
            }
            if let Some(fence) = Fence::of(line.text) {
                let block = self.block(index, fence, path)?;
                return Ok(self.take(path, &block));
            }
        }
        self.malformed(
            label_index,
            &format!(
                "no fenced block follows the label of {path:?}; put the whole file between two \
                 fence lines"
            ),
        )
    }

    fn unlabelled_file(&mut self, index: usize, fence: Fence) -> Result<usize, Malformed> {
        let Some(path) = self.sole_file else {
            return self.malformed(
                index,
                "this block has no label; write `### FILE: relative/path` before each block",
            );
        };
        self.unlabelled = Some(self.lines[index].number);
        let block = self.block(index, fence, path.as_str())?;
        Ok(self.take(path.as_str(), &block))
    }

    fn block(&self, index: usize, fence: Fence, path: &str) -> Result<Block, Malformed> {
        let is_label = |line: &str| label_of(line).is_some();
        read_block(self.lines, index, fence, is_label).or_else(|problem| match problem {
            BlockProblem::Unclosed => self.malformed(
                index,
                &format!(
                    "the block of {path:?} that opens here is never closed; send the whole file \
                     and close its block, and if the file contains fence lines itself, use a \
                     longer outer fence"
                ),
            ),
            BlockProblem::LabelInside(label) => self.malformed(
                label,
                &format!(
                    "this label stands inside the block of {path:?}, which is not closed yet; \
                     close it first, or if the line is part of the file, use a longer outer fence \
                     (four or more characters)"
                ),
            ),
            BlockProblem::FenceAfter(after) => self.malformed(
                after,
                &format!(
                    "this fence line follows the end of the block of {path:?}; send one block a \
                     file, each under its own `### FILE:` label, and if the file contains fence \
                     lines itself, use a longer outer fence than any of them"
                ),
            ),
        })
    }

    /// Keeps the block's content; returns where reading goes on.
    fn take(&mut self, path: &str, block: &Block) -> usize {
        self.files.push(FileContent {
            path: path.to_owned(),
            content: self.text[block.content.clone()].to_owned(),
        });
        block.next
    }

    fn give_up(&self, index: usize, reason: &str) -> Result<Reply, Malformed> {
        if !self.paths.is_empty() {
            return self.malformed(
                index,
                "the reply brings files and gives up as well; send either the files or \
                 `### GIVE UP: reason` alone",
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
                        "nothing but the reason may follow `### GIVE UP:`; send either the files \
                         or the reason",
                    );
                }
                None => words.push(line.text.trim_end()),
            }
        }
        let reason = words.join("\n").trim().to_owned();
        if reason.is_empty() {
            return self.malformed(index, "say why: `### GIVE UP: reason`");
        }
        Ok(Reply::GiveUp(reason))
    }

    fn nothing_after(&self, end_index: usize) -> Result<(), Malformed> {
        let mut following = self.lines.iter().enumerate().skip(end_index + 1);
        match following.find(|(_, line)| !line.text.trim().is_empty()) {
            Some((index, _)) => self.malformed(
                index,
                "text follows `### END`; that line has to be the last one of the reply, and if it \
                 is part of a file, use a longer outer fence",
            ),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<Reply, Malformed> {
        if let Some(line) = self.unlabelled.filter(|_| self.files.len() > 1) {
            return Err(Malformed {
                line,
                message: "this block has no label although the reply brings several; write \
                          `### FILE: relative/path` before each block"
                    .to_owned(),
            });
        }
        if self.files.is_empty() {
            return Err(Malformed {
                line: 1,
                message:
                    "the reply brings no file; send `### FILE: relative/path` followed by one \
                          fenced block with the whole file, or `### GIVE UP: reason`"
                        .to_owned(),
            });
        }
        Ok(Reply::Files(std::mem::take(&mut self.files)))
    }

    fn malformed<T>(&self, index: usize, message: &str) -> Result<T, Malformed> {
        Err(Malformed {
            line: self.lines.get(index).map_or(1, |line| line.number),
            message: message.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
