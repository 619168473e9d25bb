//! The blind run: the expected values are cut out of the tests before any project code runs, the actual values are sent
//! out, and a process that never ran project code compares the two.
//!
//! [`PythonReader::cut`] gives every test file twice, *cut* and *marked*, and a table that stays outside. The cut files
//! are run in the place of the tests with [`Variant::Blind`](super::Variant::Blind), and if wanted the marked ones,
//! which have the same calls and all the expected values; [`PythonReader::referee`] reads the values that both sent.
//!
//! This module does not know the consequences of a verdict.

use std::hash::{BuildHasher as _, RandomState};

use proctor_core::gate::BlindReport;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::analyst::{PythonReader, ReadError};
use super::programs::Program;

/// The name of the calls in cut files, which nothing that was written before can contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker(u64);

impl Marker {
    /// A new one.
    #[expect(clippy::new_without_default, reason = "no two are alike")]
    pub fn new() -> Self {
        // The standard library's hash keys are random in every process, and differ from each other.
        Self(RandomState::new().hash_one(std::process::id()))
    }

    pub(in crate::test_runner) fn name(self) -> String {
        format!("__proctor_{:016x}__", self.0)
    }
}

/// A test file, or a file that tests take helpers from.
#[derive(Debug, Clone, Serialize)]
pub struct CutSource {
    /// Relative to the tree.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Test files without their expected values, and the expected values.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The files, in the order given.
    pub files: Vec<CutFile>,
    /// For the run of the cut or of the marked files.
    pub marker: Marker,
    /// Operators, expected values, places. It must never come near the tests' process.
    pub(in crate::test_runner) sealed: Value,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CutFile {
    /// Relative to the tree.
    pub path: String,
    /// Without its expected values; nothing if it could not be cut.
    pub cut: Option<String>,
    /// With them, and with the same calls.
    pub marked: Option<String>,
    /// How many assertions it has, the ones that stay in the process included.
    pub assertions: u32,
    /// Why it could not be cut.
    pub error: Option<String>,
}

impl PythonReader<'_> {
    /// Cuts the expected values out of test files. Nothing of them is run. With names of tests in `only`, the others lose
    /// their bodies.
    pub fn cut(
        &self,
        files: &[CutSource],
        only: Option<&[String]>,
        marker: Marker,
    ) -> Result<Cut, ReadError> {
        #[derive(Deserialize)]
        struct Answer {
            files: Vec<CutFile>,
            sealed: Value,
        }
        let request = json!({ "files": files, "marker": marker.name(), "only": only });
        let Answer { files, sealed } = self.ask(Program::Cutter, &request)?;
        Ok(Cut {
            files,
            marker,
            sealed,
        })
    }

    /// Compares the values that a run of the cut files sent with the expected ones, and if there is one, with a run of
    /// the marked files.
    pub fn referee(
        &self,
        cut: &Cut,
        blind: &str,
        marked: Option<&str>,
    ) -> Result<BlindReport, ReadError> {
        let request = json!({ "sealed": cut.sealed, "records": blind, "marked": marked });
        self.ask(Program::Referee, &request)
    }
}
