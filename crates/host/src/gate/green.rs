//! What has to be run for a green.

use proctor_core::gate::{GreenOrder, GreenRuns, GreenSuite, IntactSeal, SealedTests, judge_suite};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Sitting, Wanted};
use super::twins::Originals;
use super::{GateError, running, texts};
use crate::crash_point::crash_point;
use crate::git::{Change, FileMode};
use crate::test_runner::Variant;

/// Files in the order in which they were asked for; none where there is no such file.
type Contents = Vec<Option<Vec<u8>>>;

impl Arbiter<'_> {
    /// Runs and judges a change.
    pub fn green(
        &mut self,
        base: &TreeId,
        order: &GreenOrder,
        name: &str,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<GateResult, GateError> {
        self.sit(base, name, on_line)?.green(order)
    }
}

impl Sitting<'_, '_> {
    fn green(&mut self, order: &GreenOrder) -> Result<GateResult, GateError> {
        let (tree, tests) = (&order.tree, &order.sealed.files);
        let (then, now) = self.sealed_files(order)?;
        let seal = match IntactSeal::check(tests, &then, &now) {
            Ok(seal) => seal,
            Err(verdict) => return self.conclude(tree, verdict, None, Vec::new()),
        };
        let mut analysis = self.analyse(tree, tests)?;
        self.show_held(tree)?;
        crash_point("judged tree laid out");
        let plugins = Some(order.baseline.plugins.as_slice());
        let observation = self.run(&Wanted {
            what: "the suite with the change",
            select: self.selection(tests),
            plugins,
            variant: Variant::Plain,
        })?;
        analysis.follow(&observation);
        let test_paths = self.arbiter.test_paths.clone();
        let listed_tests = texts(&order.listed_tests);
        let existing = self.existing(tests)?;
        let suite = judge_suite(&GreenSuite {
            observation: &observation,
            baseline: &order.baseline,
            seal: &seal,
            existing: &existing,
            test_paths: &test_paths,
            analysis: &analysis,
            passed_at_red: &order.passed_at_red,
            failed_at_red: &order.failed_at_red,
            listed_tests: &listed_tests,
        });
        let mut suite = match suite {
            Ok(suite) => suite,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), Vec::new()),
        };
        self.rerun(suite.reruns(), tree, &order.baseline.plugins)?;
        let suite = match suite.settle() {
            Ok(suite) => suite,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), Vec::new()),
        };
        let new = |what, variant| Wanted {
            what,
            select: texts(&suite.files()),
            plugins,
            variant,
        };
        self.show_held(tree)?;
        let reversed = self.run(&new(
            "the new tests in the opposite order",
            Variant::Reversed,
        ))?;
        let sealed = self.sealed_on_base(&order.sealed)?;
        self.show_held(&sealed)?;
        let without_change = self.run(&new("the new tests without the change", Variant::Plain))?;
        let changed = suite.changed_files();
        let select = if suite.changes_support() {
            self.selection(tests)
        } else {
            running(&observation, &analysis, &changed)
        };
        let as_they_were = self.as_they_were(tree, &changed, select, plugins)?;
        let originals = Originals {
            tree,
            analysis: &analysis,
            observation: &observation,
            plugins,
            laid: &[],
        };
        let twins = self.twins(&suite.twins(), originals, &|run| {
            texts(&suite.twins_to_run_apart(run))
        })?;
        let mut flags = suite.changed_expectations(as_they_were.as_ref());
        let verdict = suite.judge(&GreenRuns {
            reversed: &reversed,
            without_change: &without_change,
            as_they_were: as_they_were.as_ref(),
            twins: &twins.runs(),
        });
        flags.extend(self.flags(tree, tests, &order.sources)?);
        self.conclude(tree, verdict, Some(&observation), flags)
    }

    /// The sealed files as they were at red, and as they are in the tree that is judged.
    fn sealed_files(&self, order: &GreenOrder) -> Result<(Contents, Contents), GateError> {
        let paths: Vec<&str> = order.sealed.files.iter().map(ProjectPath::as_str).collect();
        let then = self.objects().files_at(&order.sealed.tree, &paths)?;
        let now = self.objects().files_at(&order.tree, &paths)?;
        Ok((then, now))
    }

    /// The sealed tests on top of the base and nothing else. They may have been judged on another base: it moves
    /// when somebody else merges first.
    fn sealed_on_base(&self, sealed: &SealedTests) -> Result<TreeId, GateError> {
        if sealed.base == *self.base {
            return Ok(sealed.tree.clone());
        }
        let paths: Vec<&str> = sealed.files.iter().map(ProjectPath::as_str).collect();
        let contents = self.objects().files_at(&sealed.tree, &paths)?;
        let changes: Vec<Change> = sealed
            .files
            .iter()
            .zip(contents)
            .filter_map(|(path, content)| {
                Some(Change::Write {
                    path: path.clone(),
                    content: content?,
                    mode: FileMode::Regular,
                })
            })
            .collect();
        Ok(self.objects().write_tree(self.base, &changes)?)
    }

    /// Existing tests that were changed, as they were at the base commit, with the source change; none if
    /// there are none.
    fn as_they_were(
        &mut self,
        tree: &TreeId,
        changed: &[&str],
        select: Vec<String>,
        plugins: Option<&[String]>,
    ) -> Result<Option<Observation>, GateError> {
        if changed.is_empty() {
            return Ok(None);
        }
        let before = self.objects().files_at(self.base, changed)?;
        self.show_held(tree)?;
        for (path, content) in changed.iter().zip(before) {
            if let (Ok(path), Some(content)) = (ProjectPath::parse(path), content) {
                self.bench().alter(&path, Some(&content))?;
            }
        }
        self.run(&Wanted {
            what: "changed tests as they were",
            select,
            plugins,
            variant: Variant::Plain,
        })
        .map(Some)
    }
}
