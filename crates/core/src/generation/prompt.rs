//! A question to a model, and where each piece of it came from.

use std::fmt;
use std::ops::Range;

/// Where a piece of a prompt came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// The design document.
    Document,
    /// A file that the design document lists, or that the run wrote.
    File(String),
    /// A file given with `--context`.
    Context(String),
    /// Feedback on the last attempt: test output, the linter's complaints, why a reply was refused.
    Feedback,
    /// A person's request.
    Comment,
    /// Proctor's own words.
    Instructions,
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document => formatter.write_str("the design document"),
            Self::File(path) => write!(formatter, "the file {path}"),
            Self::Context(path) => write!(formatter, "the context file {path}"),
            Self::Feedback => formatter.write_str("the test output of the last attempt"),
            Self::Comment => formatter.write_str("a person's comment"),
            Self::Instructions => formatter.write_str("the instructions"),
        }
    }
}

/// The whole question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    pieces: Vec<(Source, Range<usize>)>,
    stable: usize,
}

impl Prompt {
    /// The text that a model reads.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part that all requests of a run share, and the rest: a service may keep the first between calls.
    pub fn split_stable(&self) -> (&str, &str) {
        self.text.split_at(self.stable)
    }

    /// The pieces that are not Proctor's own words, in order.
    pub fn pieces(&self) -> impl Iterator<Item = (&Source, &str)> {
        self.pieces
            .iter()
            .map(|(source, range)| (source, &self.text[range.clone()]))
    }

    /// Where the byte at `offset` came from, and in which line of that.
    pub fn origin(&self, offset: usize) -> (Source, usize) {
        let found = self
            .pieces
            .iter()
            .find(|(_, range)| range.contains(&offset));
        let (source, start) = found.map_or((Source::Instructions, 0), |(source, range)| {
            (source.clone(), range.start)
        });
        let before = self.text.get(start..offset).unwrap_or_default();
        (source, before.matches('\n').count() + 1)
    }

    pub(super) fn say(&mut self, words: &str) {
        self.text.push_str(words);
    }

    /// Marks the prompt so far as the same in every request of the run.
    pub(super) fn stable_so_far(&mut self) {
        self.stable = self.text.len();
    }

    pub(super) fn quote(&mut self, source: Source, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push((source, start..self.text.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::{Prompt, Source};

    #[test]
    fn every_byte_is_traced_to_its_piece_and_line() {
        let mut prompt = Prompt::default();
        prompt.say("Rules\n");
        prompt.quote(Source::Document, "one\ntwo\n");
        prompt.say("## Context\n");
        prompt.quote(Source::Context("a.py".to_owned()), "x = 1\ny = 2\n");
        let origin = |needle: &str| prompt.origin(prompt.text().find(needle).expect("it is there"));
        assert_eq!(origin("Rules"), (Source::Instructions, 1));
        assert_eq!(origin("two"), (Source::Document, 2));
        assert_eq!(origin("y ="), (Source::Context("a.py".to_owned()), 2));
        let pieces: Vec<_> = prompt.pieces().map(|(_, text)| text).collect();
        assert_eq!(pieces, ["one\ntwo\n", "x = 1\ny = 2\n"]);
    }
}
