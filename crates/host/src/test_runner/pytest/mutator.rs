//! Having mutants made by the project's own Python, without running anything.

use proctor_core::mutants::{LinesOf, SourceLines};
use serde::Deserialize;
use serde_json::json;

use super::analyst::{PythonReader, ReadError};
use super::programs::Program;

impl PythonReader<'_> {
    /// The lines that a test has to execute, and their mutants, if any are wanted.
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
