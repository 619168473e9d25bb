//! Problems with changes, worded for the model that has to send them again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::remark::{Remark, Remarks};

/// How many line numbers a refusal carries; a text that occurs more often is hopeless anyway.
pub(super) const MAX_LINES: usize = 1000;
/// How many of them its sentence names.
const NAMED_LINES: usize = 20;

/// Why a change, or a whole reply, is not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The text to be found is nowhere.
    NotFound,
    /// It is at several places.
    Ambiguous,
    /// Two changes touch the same text.
    Overlap,
    /// The text to be found is empty or blank.
    EmptyFind,
    /// The change would change nothing.
    NoChange,
    /// The reply, or the change, cannot be read as one.
    Malformed,
    /// The reply ends in the middle.
    Truncated,
    /// The replacement contains lines of the reply's own format.
    MarkerResidue,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The number of the change in the reply, from 1; none if it is about the reply as a whole.
    pub index: Option<usize>,
    /// Which kind of problem.
    pub kind: RefusalKind,
    /// The problem and its solution; one text for scripts.
    #[serde(serialize_with = "told")]
    pub message: Remark,
    /// The lines of the file that it is about.
    pub lines: Vec<usize>,
}

fn told<S: serde::Serializer>(message: &Remark, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(message)
}

impl Refusal {
    /// A problem of one change; `index` counts from 0.
    pub(super) fn of_change(index: usize, kind: RefusalKind, message: impl Into<Remark>) -> Self {
        Self {
            index: Some(index + 1),
            kind,
            message: message.into(),
            lines: Vec::new(),
        }
    }

    /// A problem of the reply as a whole.
    pub fn of_reply(kind: RefusalKind, message: impl Into<Remark>) -> Self {
        Self {
            index: None,
            kind,
            message: message.into(),
            lines: Vec::new(),
        }
    }

    pub(super) fn at(mut self, lines: Vec<usize>) -> Self {
        self.lines = lines;
        self
    }
}

impl From<&Refusal> for Remark {
    fn from(refusal: &Refusal) -> Self {
        let message = refusal.message.clone();
        match refusal.index {
            Some(index) => message.about(format_args!("change {index}")),
            None => message,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Remark::from(self).fmt(formatter)
    }
}

/// Everything that is wrong.
pub fn summary(refusals: &[Refusal]) -> Remarks {
    let nothing = Remark::from("nothing was applied").so("send all changes again");
    refusals.iter().map(Remark::from).chain([nothing]).collect()
}

/// `line 3`, `lines 3, 7 and 9`.
pub(super) fn lines_in_words(lines: &[usize]) -> String {
    let named: Vec<String> = lines
        .iter()
        .take(NAMED_LINES)
        .map(ToString::to_string)
        .collect();
    match named.as_slice() {
        [only] => format!("line {only}"),
        [first @ .., last] if lines.len() <= NAMED_LINES => {
            format!("lines {} and {last}", first.join(", "))
        }
        all => format!("lines {} and further ones", all.join(", ")),
    }
}
