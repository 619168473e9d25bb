//! Having mutants made by the project's own Python, without running anything.

use proctor_core::mutants::SourceLines;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::analyst::{PythonReader, ReadError};
use super::programs::Program;

/// Lines of a source file that are asked about.
#[derive(Debug, Clone, Serialize)]
pub struct LinesOf {
    /// Relative to the tree.
    pub path: String,
    /// The whole file.
    pub text: String,
    /// The lines, from 1.
    pub lines: Vec<u32>,
}

impl PythonReader<'_> {
    /// Which of these lines a test has to execute, and what mutants there are of them, if any are wanted.
    pub fn source_lines(
        &self,
        files: &[LinesOf],
        mutants: bool,
    ) -> Result<Vec<SourceLines>, ReadError> {
        #[derive(Deserialize)]
        struct Answer {
            files: Vec<SourceLines>,
        }
        let request = json!({ "files": files, "mutants": mutants });
        let answer: Answer = self.ask(Program::Mutator, &request)?;
        Ok(answer.files)
    }
}
