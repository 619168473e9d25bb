//! Runs in which it is seen which lines of the source are executed.
//!
//! Python is watched from inside its runner. JavaScript files are written with a call at every statement instead, which
//! records it once; the caller is not recorded, so an executed line counts for every test of the run.

use std::path::Path;

use proctor_core::dialect::{Dialect, is_test_file};
use proctor_core::javascript;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;
use tempfile::TempDir;

use super::GateError;
use super::arbiter::{Sitting, Wanted};
use crate::files::OwnFileError;
use crate::test_runner::Watched;

/// The rest of a longer log is not read.
const LONGEST_LOG: usize = 64 * 1024 * 1024;
/// The file that they tell it to.
const LOG: &str = "lines";

impl Sitting<'_, '_> {
    /// Runs the tests that lie on the bench, and has source files watched.
    pub(super) fn watch(
        &mut self,
        wanted: &Wanted<'_>,
        watched: &Watched,
    ) -> Result<Observation, GateError> {
        let told = self.have_told(watched)?;
        let mut order = self.order(wanted, watched);
        if let Some(directory) = &told {
            order.may_write(directory.path());
        }
        let mut observation = self.carry_out(&order, wanted.what, None)?.observation;
        if let (Some(directory), Ok(report)) = (&told, &mut observation.report) {
            match read(&directory.path().join(LOG)) {
                Some(log) => {
                    for (path, unit) in log.lines().filter_map(|line| line.rsplit_once('\t')) {
                        if let Ok(unit) = unit.parse() {
                            report.trace.executed("", path, [unit]);
                        }
                    }
                }
                None => report.trace.loses("no line of JavaScript was told of"),
            }
        }
        Ok(observation)
    }

    /// Writes JavaScript files that record which of their lines are executed, and returns the directory of the records;
    /// none if there are no such files.
    fn have_told(&mut self, watched: &Watched) -> Result<Option<TempDir>, GateError> {
        let files = self.watched_javascript(watched)?;
        if files.is_empty() {
            return Ok(None);
        }
        let directory = tempfile::Builder::new()
            .prefix("proctor-lines-")
            .tempdir()
            .map_err(OwnFileError::at(&std::env::temp_dir()))?;
        let log = directory.path().join(LOG);
        let log = log.to_string_lossy();
        for path in files {
            let text = std::fs::read_to_string(self.directory().join(path.as_str()));
            let telling = text
                .ok()
                .and_then(|text| javascript::watched(path.as_str(), &text, &log));
            if let Some(telling) = telling {
                self.bench().alter(&path, Some(telling.as_bytes()))?;
            }
        }
        Ok(Some(directory))
    }

    fn watched_javascript(&self, watched: &Watched) -> Result<Vec<ProjectPath>, GateError> {
        let paths: Vec<String> = match watched {
            Watched::Nothing => Vec::new(),
            Watched::Files(files) => files.clone(),
            Watched::Everything => match self.arbiter.bench.shown() {
                Some(tree) => self.objects().entries(tree)?.keys().cloned().collect(),
                None => Vec::new(),
            },
        };
        let is_ours = |path: &ProjectPath| {
            Dialect::of(path) == Some(Dialect::JavaScript)
                && self.arbiter.reads(path)
                && !is_test_file(path.as_str(), &self.arbiter.test_paths)
        };
        let paths = paths
            .iter()
            .filter_map(|path| ProjectPath::parse(path).ok());
        Ok(paths.filter(is_ours).collect())
    }
}

fn read(path: &Path) -> Option<String> {
    let log = std::fs::read(path).ok()?;
    let end = log.len().min(LONGEST_LOG);
    Some(String::from_utf8_lossy(&log[..end]).into_owned())
}
