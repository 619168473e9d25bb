//! Whether tests that come without source check the existing source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use proctor_core::dialect::is_test_file;
use proctor_core::gate::Asking;
use proctor_core::mutants::{Fate, LinesOf, MutantReport, MutantRule, budget, time_limit};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Trace;
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Sitting, Wanted};
use super::mutants::{Trial, Trials, report_of, select, trials_of};
use super::{GateError, Told};
use crate::test_runner::{Variant, Watched};

impl Arbiter<'_> {
    /// Tries mutants of the source that new tests execute, where a verdict accepts them. The runs are added to its
    /// evidence.
    pub(super) fn ask(
        &mut self,
        base: &TreeId,
        mut accepted: GateResult,
        plugins: &[String],
        files: &[ProjectPath],
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<GateResult, GateError> {
        if !accepted.verdict.is_accepted() {
            return Ok(accepted);
        }
        if self.settings.test.mutants == MutantRule::Off {
            accepted.verdict = accepted.verdict.unasked();
            return Ok(accepted);
        }
        let mut sitting = self.sit(base, "mutants", told)?;
        let tree = accepted.tree.clone();
        let tests = accepted.verdict.passed();
        let order = Asked {
            tests: &tests,
            tree: &tree,
            plugins,
            files,
            counts: &|_| true,
        };
        let (asking, report) = sitting.asked(&order)?;
        accepted.verdict = accepted.verdict.with_asking(&asking);
        if report.made > 0 {
            let verdict = accepted.verdict;
            accepted.verdict = verdict.with_mutants(Some(report), MutantRule::Report);
        }
        accepted.runs.extend(sitting.keep()?);
        Ok(accepted)
    }
}

/// Tests that pass, to be run against mutants.
#[derive(Clone, Copy)]
struct Asked<'a> {
    tests: &'a BTreeSet<String>,
    tree: &'a TreeId,
    plugins: &'a [String],
    /// These are test files, whatever their names.
    files: &'a [ProjectPath],
    /// In which files an assertion that fails has noticed something.
    counts: &'a (dyn Fn(&str) -> bool + Sync),
}

fn is_test(path: &str, files: &[ProjectPath], test_paths: &[String]) -> bool {
    is_test_file(path, test_paths) || files.iter().any(|file| file.as_str() == path)
}

impl Sitting<'_, '_> {
    /// Those of these tests, which pass, that notice a mistake in the source they execute by their own assertion.
    pub(super) fn noticing(
        &mut self,
        tests: &[&str],
        tree: &TreeId,
        plugins: &[String],
        files: &[ProjectPath],
    ) -> Result<BTreeSet<String>, GateError> {
        if tests.is_empty() || self.rule() == MutantRule::Off {
            return Ok(BTreeSet::new());
        }
        let tests = tests.iter().map(|id| (*id).to_owned()).collect();
        let paths = self.arbiter.test_paths.clone();
        let order = Asked {
            tests: &tests,
            tree,
            plugins,
            files,
            counts: &|path| is_test(path, files, &paths),
        };
        let (asking, _) = self.asked(&order)?;
        let noticing = asking.into_iter().filter(|test| test.notices);
        Ok(noticing.map(|test| test.id).collect())
    }

    /// Runs tests that pass against mutants of the source that they execute.
    fn asked(&mut self, order: &Asked<'_>) -> Result<(Vec<Asking>, MutantReport), GateError> {
        let Asked {
            tests,
            tree,
            plugins,
            files,
            counts,
        } = *order;
        self.show_held(tree)?;
        let traced = self.watch(
            &Wanted {
                what: "the new tests, watched line by line",
                select: select(tests),
                plugins: Some(plugins),
                variant: Variant::Plain,
            },
            &Watched::Everything,
        )?;
        let nothing = Trace::default();
        let trace = traced
            .report
            .as_ref()
            .map_or(&nothing, |report| &report.trace);
        let executed = self.executed(tree, tests, trace, files)?;
        let lines = self.source_lines(&executed, true)?;
        let trials = trials_of(&lines, &executed, Some(trace), tests);
        let noticing: Mutex<BTreeSet<String>> = Mutex::default();
        let known = || noticing.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |trial: &Trial| {
            let known = known();
            trial.tests.iter().any(|test| !known.contains(test))
        };
        let tried = |_: &Trial, fate: &Fate| known().extend(fate.asserted().map(str::to_owned));
        // This is a demand, not a piece of information: it does not depend on how long the rest took.
        let seconds = self.arbiter.settings.test.mutant_seconds;
        let fates = self.try_mutants(
            &trials,
            Trials {
                tree,
                plugins: Some(plugins),
                variant: Variant::Plain,
                limit: time_limit(self.evidence.last_elapsed()),
                counts,
                budget: budget(seconds, Duration::MAX),
                wanted: &open,
                tried: &tried,
            },
        )?;
        let report = report_of(&trials, &fates, open);
        self.keep_report(&report);
        let asking: Vec<Asking> = tests
            .iter()
            .map(|id| {
                let own = || {
                    let trials = trials.iter().zip(&fates);
                    trials.filter(|(trial, _)| trial.tests.contains(id))
                };
                Asking {
                    id: id.clone(),
                    tried: own().filter(|(_, fate)| fate.is_some()).count(),
                    left_out: own().filter(|(_, fate)| fate.is_none()).count(),
                    notices: known().contains(id),
                    elsewhere: trace.is_elsewhere(id),
                }
            })
            .collect();
        Ok((asking, report))
    }

    /// The lines of source that these tests execute; for a test that executes none, the lines executed while modules
    /// are loaded.
    fn executed(
        &self,
        tree: &TreeId,
        tests: &BTreeSet<String>,
        trace: &Trace,
        files: &[ProjectPath],
    ) -> Result<Vec<LinesOf>, GateError> {
        let mut lines: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        let is_source = |path: &str| !is_test(path, files, &self.arbiter.test_paths);
        for test in tests {
            let mut own = trace.lines_of(test).filter(|(path, _)| is_source(path));
            let idle = own.next().is_none();
            let by = if idle { "" } else { test.as_str() };
            for (path, seen) in trace.lines_of(by).filter(|(path, _)| is_source(path)) {
                let seen = seen.iter().map(|line| line.unsigned_abs());
                let seen = seen.filter_map(|line| u32::try_from(line).ok());
                lines.entry(path).or_default().extend(seen);
            }
        }
        let paths: Vec<&str> = lines.keys().copied().collect();
        let contents = self.objects().files_at(tree, &paths)?;
        let files = lines.into_iter().zip(contents);
        Ok(files
            .filter_map(|((path, lines), content)| {
                Some(LinesOf {
                    path: path.to_owned(),
                    text: String::from_utf8_lossy(&content?).into_owned(),
                    lines: lines.into_iter().collect(),
                })
            })
            .collect())
    }
}
