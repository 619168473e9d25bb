//! A limit for each test of a run.
//!
//! The plugin has the interpreter end the process when a test takes too long, with a note of where every thread was. A
//! thread that needs nothing of Python's does that, so it also ends code that never releases the interpreter.

use serde_json::{Value, json};

/// How long each test may take, and the process after the last one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestLimit {
    /// The time limit.
    pub seconds: u64,
    /// The tests that it holds for; all, and the end of the process, if there are none.
    pub only: Vec<String>,
    /// Tests that are not run.
    pub without: Vec<String>,
}

impl TestLimit {
    /// The terms for the plugin; it writes to this file.
    pub(super) fn terms(&self, file: &str) -> Value {
        json!({
            "seconds": self.seconds,
            "only": self.only,
            "without": self.without,
            "file": file,
        })
    }
}
