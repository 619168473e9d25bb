//! Why nothing is concluded from the reports of a run.

/// Why the runner's records are not a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The process wrote nothing.
    #[error("the runner wrote no records")]
    NoRecords,
    /// They are longer than is read.
    #[error("the records are too long to be read")]
    TooLong,
    /// They are not UTF-8.
    #[error("the records are not text")]
    NotText,
    /// The record of this number lacks the secret word.
    #[error("record {0} was not written by Proctor")]
    Forged(usize),
    /// A record is not of the known shape.
    #[error("record {number} is not readable: {problem}")]
    Record {
        /// Which one, from 1.
        number: usize,
        /// The parser's own words.
        problem: String,
    },
    /// The record of this number is a second start, or comes before the start.
    #[error("record {0} is out of place")]
    OutOfPlace(usize),
    /// The plugin uses another version.
    #[error("the records have the unknown version {0}")]
    Version(u32),
    /// Two records list the collected tests.
    #[error("tests were collected twice")]
    CollectedTwice,
    /// Something was written after the end.
    #[error("records follow the finish record")]
    AfterFinish,
    /// The last line has no end.
    #[error("the last record is cut off")]
    CutOff,
    /// The run never reached its end.
    #[error("there is no finish record{}", broken_off(.running.as_deref()))]
    Unfinished {
        /// The test that ran at that time.
        running: Option<String>,
    },
}

impl Unreadable {
    /// The text in it that the tests had a hand in.
    pub(super) fn text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Record { problem, .. } => Some(problem),
            Self::Unfinished { running } => running.as_mut(),
            Self::NoRecords
            | Self::TooLong
            | Self::NotText
            | Self::Forged(_)
            | Self::OutOfPlace(_)
            | Self::Version(_)
            | Self::CollectedTwice
            | Self::AfterFinish
            | Self::CutOff => None,
        }
    }
}

fn broken_off(running: Option<&str>) -> String {
    running.map_or_else(String::new, |id| format!("; the run broke off in {id}"))
}

/// Why there is no JUnit report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JUnitError {
    /// The runner left none.
    #[error("there is no JUnit report")]
    Missing,
    /// The tests put something else in its place.
    #[error("the JUnit report is not a file")]
    NotFile,
    /// It is longer than is read.
    #[error("the JUnit report is too long to be read")]
    TooLong,
    /// It is not XML; the parser's own words.
    #[error("the JUnit report is not readable: {0}")]
    Malformed(String),
    /// Its end is missing.
    #[error("the JUnit report is cut off")]
    CutOff,
}
