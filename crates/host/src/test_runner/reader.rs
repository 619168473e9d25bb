//! Having test and source files read, without running any of them.

use proctor_core::gate::{Analysis, BlindReport, SourceFlag, SourceText};
use proctor_core::javascript::{self, parse_report};
use proctor_core::javascript_reader;
use proctor_core::mutants::{LinesOf, SourceLines};

use super::{Cut, CutFile, CutSource, Marker, PythonReader, ReadError, RunnerError};

/// The reader of a language's files.
#[derive(Debug, Clone)]
pub enum Reader<'a> {
    /// The project's own Python.
    Python(Box<PythonReader<'a>>),
    /// Proctor itself, by syntax tree.
    JavaScript,
}

impl Reader<'_> {
    /// The analysis of test files.
    pub fn analyse(&self, files: &[SourceText]) -> Result<Analysis, ReadError> {
        match self {
            Self::Python(python) => python.analyse(files),
            Self::JavaScript => Ok(javascript_reader::analyse(files)),
        }
    }

    /// Facts in source files that a person should look at.
    pub fn flags(
        &self,
        tests: &[SourceText],
        sources: &[SourceText],
    ) -> Result<Vec<SourceFlag>, RunnerError> {
        match self {
            Self::Python(python) => python.flags(tests, sources),
            Self::JavaScript => Ok(javascript_reader::flags(tests, sources)),
        }
    }

    /// The lines that a test has to execute, and their mutants, if any are wanted.
    pub fn source_lines(
        &self,
        files: &[LinesOf],
        mutants: bool,
    ) -> Result<Vec<SourceLines>, ReadError> {
        match self {
            Self::Python(python) => python.source_lines(files, mutants),
            Self::JavaScript => Ok(javascript::source_lines(files, mutants)),
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
            Self::JavaScript => Ok(cut_javascript(files, only, marker)?),
        }
    }

    /// Compares the values that a run of the cut files sent with the expected ones, and if there is one, with a run of
    /// the marked files.
    pub fn referee(
        &self,
        cut: &Cut,
        blind: &str,
        marked: Option<&str>,
    ) -> Result<BlindReport, ReadError> {
        match self {
            Self::Python(python) => python.referee(cut, blind, marked),
            Self::JavaScript => referee_javascript(cut, blind),
        }
    }
}

fn cut_javascript(
    files: &[CutSource],
    only: Option<&[String]>,
    marker: Marker,
) -> Result<Cut, ReadError> {
    let files: Vec<(String, String)> = files
        .iter()
        .map(|file| (file.path.clone(), file.text.clone()))
        .collect();
    let (cut, sealed) = javascript_reader::cut(&files, only, &marker.name());
    let files = cut.into_iter().map(|file| CutFile {
        path: file.path,
        cut: file.cut,
        // Values are sent in place of a verdict, so there is no run that does both.
        marked: None,
        assertions: file.assertions,
        error: file.error,
    });
    Ok(Cut {
        files: files.collect(),
        marker,
        sealed: serde_json::to_value(sealed)?,
    })
}

fn referee_javascript(cut: &Cut, blind: &str) -> Result<BlindReport, ReadError> {
    let sealed: javascript_reader::Sealed = serde_json::from_value(cut.sealed.clone())?;
    Ok(match parse_report(blind, None, None) {
        Ok(report) => javascript_reader::referee(&sealed, &report),
        Err(problem) => BlindReport {
            problems: vec![format!("what was sent cannot be read: {problem}")],
            ..BlindReport::default()
        },
    })
}
