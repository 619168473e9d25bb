//! Having test and source files read, without running any of them.

use proctor_core::gate::{Analysis, BlindReport, SourceFlag, SourceText};
use proctor_core::javascript_reader;
use proctor_core::mutants::{LinesOf, SourceLines};

use super::{Cut, CutSource, Marker, PythonReader, ReadError, RunnerError};

/// Who reads the files of a language.
#[derive(Debug, Clone)]
pub enum Reader<'a> {
    /// The project's own Python.
    Python(PythonReader<'a>),
    /// Proctor itself, by syntax tree.
    JavaScript,
}

impl Reader<'_> {
    /// What test files say.
    pub fn analyse(&self, files: &[SourceText]) -> Result<Analysis, ReadError> {
        match self {
            Self::Python(python) => python.analyse(files),
            Self::JavaScript => Ok(javascript_reader::analyse(files)),
        }
    }

    /// What in source files a person should look at.
    pub fn flags(
        &self,
        tests: &[SourceText],
        sources: &[SourceText],
    ) -> Result<Vec<SourceFlag>, RunnerError> {
        match self {
            Self::Python(python) => python.flags(tests, sources),
            Self::JavaScript => Ok(Vec::new()),
        }
    }

    /// Which of these lines a test has to execute, and what mutants there are of them, if any are wanted.
    pub fn source_lines(
        &self,
        files: &[LinesOf],
        mutants: bool,
    ) -> Result<Vec<SourceLines>, ReadError> {
        match self {
            Self::Python(python) => python.source_lines(files, mutants),
            Self::JavaScript => Ok(Vec::new()),
        }
    }

    /// Cuts the expected values out of test files. With names of tests in `only`, the others lose their bodies.
    pub fn cut(
        &self,
        files: &[CutSource],
        only: Option<&[String]>,
        marker: Marker,
    ) -> Result<Cut, ReadError> {
        match self {
            Self::Python(python) => python.cut(files, only, marker),
            Self::JavaScript => Ok(Cut::of_nothing(files, marker)),
        }
    }

    /// Compares what a run of the cut files sent with what they expect, and if there is one, with a run of the
    /// marked files.
    pub fn referee(
        &self,
        cut: &Cut,
        blind: &str,
        marked: Option<&str>,
    ) -> Result<BlindReport, ReadError> {
        match self {
            Self::Python(python) => python.referee(cut, blind, marked),
            Self::JavaScript => Ok(BlindReport::default()),
        }
    }
}
