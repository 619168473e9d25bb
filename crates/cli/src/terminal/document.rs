//! A text in parts that are made on demand.
//!
//! A change can be of any size, and its first screen has to appear at once; so a part is only a promise of lines. A
//! caller that shows everything makes them all, one after the other.

use super::style::Line;

/// Lines at the beginning of a file's part that precede its name.
pub(super) const ABOVE_THE_NAME: usize = 2;

/// How a part is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// Columns of the screen.
    pub(super) columns: usize,
    /// Whether parts that are folded by default are shown whole.
    pub(super) unfolded: bool,
}

/// The subject of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// The text before the files.
    Overview,
    /// One file.
    File {
        /// Whether a person has to look at it closely.
        flagged: bool,
        /// Whether it is folded to a line by default.
        folded: bool,
    },
    /// The text after them.
    End,
}

/// A part of a document.
pub(super) struct Part<'a> {
    /// Its subject.
    pub(super) topic: Topic,
    /// Its name, visible.
    pub(super) name: String,
    /// Its notice, in a few words.
    pub(super) notice: String,
    /// How much has to be read to make it.
    pub(super) bytes: u64,
    /// It has at least as many lines.
    pub(super) least_lines: usize,
    make: Box<dyn Fn(Look) -> Vec<Line> + 'a>,
}

impl<'a> Part<'a> {
    /// A part that is quickly made.
    pub(super) fn new(topic: Topic, name: &str, make: impl Fn(Look) -> Vec<Line> + 'a) -> Self {
        Self {
            topic,
            name: name.to_owned(),
            notice: String::new(),
            bytes: 0,
            least_lines: 0,
            make: Box::new(make),
        }
    }

    /// Its lines, made again.
    pub(super) fn lines(&self, look: Look) -> Vec<Line> {
        (self.make)(look)
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self.topic, Topic::File { .. })
    }

    pub(super) fn is_flagged(&self) -> bool {
        matches!(self.topic, Topic::File { flagged: true, .. })
    }

    pub(super) fn is_folded(&self) -> bool {
        matches!(self.topic, Topic::File { folded: true, .. })
    }
}

/// What a step of the background work on a document left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Later {
    /// There is more to do.
    More,
    /// All is known, and parts look otherwise now.
    Changed,
    /// Nothing is left.
    Nothing,
}

/// Parts in the order in which they are read.
pub(super) struct Document<'a> {
    pub(super) parts: Vec<Part<'a>>,
    later: Option<Box<dyn Fn() -> Later + 'a>>,
}

impl<'a> Document<'a> {
    pub(super) fn new(parts: Vec<Part<'a>>) -> Self {
        Self { parts, later: None }
    }

    /// The document with facts that are determined bit by bit, when nothing else is to be done.
    pub(super) fn and_later(self, later: impl Fn() -> Later + 'a) -> Self {
        Self {
            later: Some(Box::new(later)),
            ..self
        }
    }

    /// Finds out a little more.
    pub(super) fn find_out(&self) -> Later {
        self.later.as_ref().map_or(Later::Nothing, |later| later())
    }

    /// Everything, for output without a pager. Parts that a pager folds are whole here, because no one could unfold
    /// them.
    pub(super) fn whole(&self, columns: usize) -> impl Iterator<Item = Vec<Line>> {
        let look = Look {
            columns,
            unfolded: true,
        };
        while self.find_out() == Later::More {}
        self.parts.iter().map(move |part| part.lines(look))
    }

    /// Whether all of it has at most this many rows; nothing large is made to find out.
    pub(super) fn fits(&self, columns: usize, rows: usize) -> bool {
        let least: usize = self.parts.iter().map(|part| part.least_lines).sum();
        if least > rows {
            return false;
        }
        let mut used = 0;
        for lines in self.whole(columns) {
            used += lines
                .iter()
                .map(|line| super::pager::row_count(line, columns))
                .sum::<usize>();
            if used > rows {
                return false;
            }
        }
        true
    }
}
