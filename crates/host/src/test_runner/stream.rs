//! The stream that Proctor's reporter in a runner writes to, on Proctor's side.

use std::hash::{BuildHasher as _, RandomState};

use proctor_core::test_outcome::{Unreadable, authentic_records};

use crate::process::Captured;

/// A word that cannot be guessed: the standard library's hash keys are random in every process.
pub(super) fn secret_word() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", part(), part())
}

/// The records that begin with the word, as text.
pub(super) fn records_of(stream: &Captured, word: &str) -> Result<String, Unreadable> {
    if !stream.is_complete() {
        return Err(Unreadable::TooLong);
    }
    let text = String::from_utf8(stream.bytes()).map_err(|_| Unreadable::NotText)?;
    authentic_records(&text, word)
}
