//! The hash chain over all records of a repository.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// One line of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Position in the chain, from 1.
    pub seq: i64,
    /// The run it belongs to, if any.
    pub run: Option<String>,
    /// When, in RFC 3339.
    pub at: String,
    /// The actor: `proctor`, or the person's name and address.
    pub actor: String,
    /// The kind of record, such as `event` or `note`.
    pub kind: String,
    /// The facts, as JSON text.
    pub body: String,
    /// The hash of the record before it; empty for the first.
    pub prev: String,
    /// The hash of all of the above.
    pub hash: String,
}

/// The identity of a chain, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailEnds {
    /// The hash of the first record.
    pub first: String,
    /// The hash of the last one.
    pub last: String,
}

/// The result of checking the whole chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chain {
    /// Every record is as written, and follows the one before it.
    Holds {
        /// How many there are.
        records: usize,
    },
    /// One does not.
    Breaks(Broken),
}

/// Where a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The first record that does not fit.
    pub seq: i64,
    /// The problem with it.
    pub problem: &'static str,
}

impl Record {
    /// The hash that this record ought to have. Each field goes in with its length, and an absent one
    /// with a length that none can have, so that no two different records read the same.
    pub(super) fn expected_hash(&self) -> String {
        let mut hasher = Sha256::new();
        let seq = self.seq.to_string();
        let fields = [
            Some(seq.as_str()),
            self.run.as_deref(),
            Some(&self.at),
            Some(&self.actor),
            Some(&self.kind),
            Some(&self.body),
            Some(&self.prev),
        ];
        for field in fields {
            let length = field.map_or(u64::MAX, |text| text.len() as u64);
            hasher.update(length.to_le_bytes());
            hasher.update(field.unwrap_or_default().as_bytes());
        }
        hexadecimal(&hasher.finalize())
    }
}

/// Lower-case hexadecimal digits of some bytes.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Walks a chain from its first record; `None` if it holds.
pub(super) struct Verifier {
    expected_seq: i64,
    previous: String,
}

impl Verifier {
    pub(super) fn new() -> Self {
        Self {
            expected_seq: 1,
            previous: String::new(),
        }
    }

    pub(super) fn check(&mut self, record: &Record) -> Option<Broken> {
        let broken = |problem| {
            Some(Broken {
                seq: record.seq,
                problem,
            })
        };
        if record.seq != self.expected_seq {
            return broken("a record before it is missing");
        }
        if record.prev != self.previous {
            return broken("it does not follow the record before it");
        }
        if record.hash != record.expected_hash() {
            return broken("its content was changed");
        }
        self.expected_seq += 1;
        self.previous.clone_from(&record.hash);
        None
    }
}
