//! The runs for a green.

use proctor_core::gate::{
    AloneRun, Analysis, FurtherRuns, GreenOrder, GreenRuns, GreenSuite, IntactSeal, SealedTests,
    SourceFlag, Verdict, WithoutChange, flag_of_mutants, flags_of_deeds, judge_suite,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Sitting, Wanted};
use super::blind::{Alone, BlindTwice, Heard, Reversing, Scope, Sent, Settled};
use super::memory::Remembered;
use super::stopped::NewTests;
use super::twins::Originals;
use super::{GateError, Told, running, texts};
use crate::crash_point::crash_point;
use crate::git::{Change, FileMode};
use crate::test_runner::{TestLimit, Variant};

/// Files in the order in which they were asked for; none for a missing file.
type Contents = Vec<Option<Vec<u8>>>;

impl Arbiter<'_> {
    /// Runs and judges a change.
    pub fn green(
        &mut self,
        base: &TreeId,
        order: &GreenOrder,
        name: &str,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<GateResult, GateError> {
        Ok(self.known_green(base, order, name, told)?.result)
    }

    /// The same, and whether it was cached.
    pub(super) fn known_green(
        &mut self,
        base: &TreeId,
        order: &GreenOrder,
        name: &str,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<Remembered, GateError> {
        let asked = |is_quick| ("the green", base, order, self.tries_mutants(), is_quick);
        // What everything was run for holds for someone in a hurry too.
        let mut orders = vec![asked(self.is_quick)];
        orders.extend(self.is_quick.then(|| asked(false)));
        let mut sitting = self.sit(base, name, told)?;
        sitting.remembered(&orders, |sitting| sitting.green(order))
    }
}

/// A run of the suite on the judged tree.
#[derive(Clone, Copy)]
struct SuiteRun<'a> {
    order: &'a GreenOrder,
    analysis: &'a Analysis,
    observation: &'a Observation,
}

impl Sitting<'_, '_> {
    fn green(&mut self, order: &GreenOrder) -> Result<GateResult, GateError> {
        let (tree, tests) = (&order.tree, &order.sealed.files);
        let (then, now) = self.sealed_files(order)?;
        let seal = match IntactSeal::check(tests, &then, &now) {
            Ok(seal) => seal,
            Err(verdict) => return self.conclude(tree, verdict, None, Vec::new()),
        };
        if let Some(verdict) = self.unreadable(tree, &order.sources)? {
            return self.conclude(tree, verdict, None, Vec::new());
        }
        let mut analysis = self.analyse(tree, tests)?;
        let plugins = Some(order.baseline.plugins.as_slice());
        // First, so that no code of the change has ever seen the expected values.
        let sent = self.blind(
            "the suite, judged blind",
            tree,
            Scope::Suite(tests),
            plugins,
        )?;
        let sealed = texts(tests);
        let settled = if self.arbiter.is_quick {
            self.settled(&sent, &order.baseline, &sealed)?
        } else {
            Settled::default()
        };
        self.show_held(tree)?;
        crash_point("judged tree laid out");
        let (what, select) = match settled.others(&sent, &sealed) {
            Some(others) => ("the tests that one run does not settle", others),
            None => ("the suite with the change", self.selection(tests)),
        };
        let observation = self.run(&Wanted {
            what,
            select,
            plugins,
            variant: Variant::Plain,
        })?;
        let observation = settled.joined(&sent, observation);
        analysis.follow(&observation);
        let test_paths = self.arbiter.test_paths.clone();
        let listed_tests = texts(&order.listed_tests);
        let existing = self.arbiter.existing(self.base, tests)?;
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
        let has_doubts = !suite.reruns().is_empty();
        self.rerun(suite.reruns(), tree, &order.baseline.plugins)?;
        let suite = match suite.settle() {
            Ok(suite) => suite,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), Vec::new()),
        };
        let seen = SuiteRun {
            order,
            analysis: &analysis,
            observation: &observation,
        };
        let (verdict, mut flags) = self.further_runs(suite, seen, sent)?;
        let mut sources = order.sources.clone();
        sources.extend(not_collected(&observation, tests));
        flags.extend(self.flags(tree, tests, &sources)?);
        flags.extend(flags_of_deeds(&self.deeds, &texts(&sources)));
        let mut verdict = self.with_mutants(verdict, tree, &order.sources, plugins)?;
        verdict.notes.extend(settled.note());
        flags.extend(verdict.mutants.as_ref().and_then(flag_of_mutants));
        if verdict.is_accepted() && !has_doubts {
            self.keep_as_baseline(tree, tests, &order.baseline, &observation)?;
        }
        self.conclude(tree, verdict, Some(&observation), flags)
    }

    /// Makes every run that a passing suite needs, and has them judged.
    fn further_runs(
        &mut self,
        suite: FurtherRuns<'_>,
        seen: SuiteRun<'_>,
        sent: Sent,
    ) -> Result<(Verdict, Vec<SourceFlag>), GateError> {
        let SuiteRun {
            order,
            analysis,
            observation,
        } = seen;
        let (tree, tests) = (&order.tree, &order.sealed.files);
        let plugins = Some(order.baseline.plugins.as_slice());
        // A test that did not end within its limit at red has to end with the change: slow is not broken.
        let limit = (!order.stopped_at_red.is_empty()).then(|| TestLimit {
            only: order.stopped_at_red.iter().cloned().collect(),
            ..self.test_limit()
        });
        let reversing = Reversing {
            tree,
            files: &suite.files(),
            plugins,
            limit: limit.as_ref(),
        };
        let (mut blind, reversed) = self.blind_and_reversed(&reversing, sent)?;
        if blind.is_unusable() {
            // Something in the suite does not go with it, or takes too long: the new tests alone may.
            let scope = Scope::Files {
                cut: tests,
                select: &texts(&suite.files()),
            };
            let sent = self.blind("the new tests, judged blind", tree, scope, plugins)?;
            blind = self.hear(sent, &[])?;
        }
        let suite = match suite.unless_refused_blind(blind.blind(), &reversed) {
            Ok(suite) => suite,
            Err(verdict) => return Ok((verdict, Vec::new())),
        };
        let doubted = suite.files_to_judge_again(blind.blind());
        let again = self.blind_again(tree, &doubted, plugins)?;
        let alone = self.alone(tree, suite.tests_to_run_alone(blind.blind()), plugins)?;
        let alone: Vec<AloneRun<'_>> = alone.iter().map(Alone::as_rules).collect();
        let without_change = self.without_change(&suite, seen)?;
        let changed = suite.changed_files();
        let select = if suite.changes_support() {
            self.selection(tests)
        } else {
            running(observation, analysis, &changed)
        };
        let as_they_were = self.as_they_were(tree, &changed, select, plugins)?;
        let with_twins = texts(&suite.tests_with_twins(blind.blind()));
        let originals = Originals {
            tree,
            analysis,
            plugins,
            tests: &with_twins,
            laid: &[],
        };
        let twins = self.twins(&suite.twins(blind.blind()), originals, &|run| {
            suite.twins_to_run_apart(blind.blind(), run)
        })?;
        let untold = self.untold_flags(blind.blind(), tests, plugins)?;
        let (verdict, mut flags) = suite.judge(&GreenRuns {
            blind: blind.blind(),
            blind_again: again.as_ref().and_then(BlindTwice::as_rules),
            alone: &alone,
            reversed: &reversed,
            without_change: without_change
                .as_ref()
                .map_or(WithoutChange::SeenAtRed, WithoutChange::Run),
            as_they_were: as_they_were.as_ref(),
            twins: &twins.runs(),
        });
        flags.extend(untold);
        Ok((verdict, flags))
    }

    /// The new tests without the source change, where the red does not tell.
    fn without_change(
        &mut self,
        suite: &FurtherRuns<'_>,
        seen: SuiteRun<'_>,
    ) -> Result<Option<Observation>, GateError> {
        let order = seen.order;
        let wanted = suite.needs_run_without_change();
        let Some(sealed) = self.sealed_on_base(&order.sealed, wanted)? else {
            return Ok(None);
        };
        self.show_held(&sealed)?;
        let wanted = Wanted {
            what: "the new tests without the change",
            select: texts(&suite.files()),
            plugins: Some(&order.baseline.plugins),
            variant: Variant::Plain,
        };
        let new_tests = NewTests {
            files: &order.sealed.files,
            analysis: seen.analysis,
            baseline: &order.baseline,
        };
        Ok(Some(self.run_stopping(&wanted, &new_tests)?.0))
    }

    /// The sealed files as they were at red, and as they are in the tree that is judged.
    fn sealed_files(&self, order: &GreenOrder) -> Result<(Contents, Contents), GateError> {
        let paths: Vec<&str> = order.sealed.files.iter().map(ProjectPath::as_str).collect();
        let then = self.objects().files_at(&order.sealed.tree, &paths)?;
        let now = self.objects().files_at(&order.tree, &paths)?;
        Ok((then, now))
    }

    /// The new tests in the opposite order, and the referee's report on both runs.
    fn blind_and_reversed(
        &mut self,
        reversing: &Reversing<'_>,
        sent: Sent,
    ) -> Result<(Heard, Observation), GateError> {
        let outcome = self.marked(reversing, sent.cut())?;
        Ok((self.hear(sent, &outcome.sent)?, outcome.observation))
    }

    /// The sealed tests on top of the base and nothing else, if they are wanted or that is another tree than the red
    /// was judged on: the base moves when another change is merged first.
    fn sealed_on_base(
        &self,
        sealed: &SealedTests,
        wanted: bool,
    ) -> Result<Option<TreeId>, GateError> {
        if sealed.base == *self.base {
            return Ok(wanted.then(|| sealed.tree.clone()));
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
        Ok(Some(self.objects().write_tree(self.base, &changes)?))
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

/// Those of these files that lie in a folder of tests in which the runner finds none: code that looks like tests.
fn not_collected(observation: &Observation, tests: &[ProjectPath]) -> Vec<ProjectPath> {
    let report = observation.report.as_ref().ok();
    let tests = tests.iter();
    tests
        .filter(|path| {
            let folder = path
                .as_str()
                .rsplit_once('/')
                .map_or("", |(folder, _)| folder);
            report.is_none_or(|report| !report.has_tests_below(folder))
        })
        .cloned()
        .collect()
}
