//! A reply that cannot be read.

use crate::remark::Remark;

/// Why a reply cannot be used, with the message for the model that has to send it again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the reply: {message}")]
pub struct Malformed {
    /// Number of the line of the reply, from 1.
    pub line: usize,
    /// The problem and what to write instead.
    pub message: Remark,
    /// Whether the reply simply ends in the middle, which looks like one that was cut off.
    pub is_cut_off: bool,
}

impl From<Malformed> for Remark {
    fn from(malformed: Malformed) -> Self {
        let line = malformed.line;
        let place = format_args!("line {line} of the reply");
        malformed.message.about(place)
    }
}

impl Malformed {
    /// A line that should be another one.
    pub(crate) fn at(line: usize, message: impl Into<Remark>) -> Self {
        Self {
            line,
            message: message.into(),
            is_cut_off: false,
        }
    }

    /// A reply that ends too early.
    pub(crate) fn cut_off(line: usize, message: impl Into<Remark>) -> Self {
        Self {
            is_cut_off: true,
            ..Self::at(line, message)
        }
    }
}
