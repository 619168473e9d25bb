//! The runs for a red.

use proctor_core::dialect::Declared;
use proctor_core::gate::{Analysis, RedOrder, RedScope, RedSuite, StubRuns, judge_scaffold};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::stubs::StubKind;
use proctor_core::test_outcome::{Observation, StoppedTest};
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Sitting, Wanted};
use super::memory::Remembered;
use super::stopped::NewTests;
use super::stubs::Stubs;
use super::twins::Originals;
use super::{GateError, Told, running, texts};
use crate::crash_point::crash_point;
use crate::test_runner::Variant;

impl Arbiter<'_> {
    /// Runs and judges new tests.
    pub fn red(
        &mut self,
        base: &TreeId,
        order: &RedOrder,
        name: &str,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<GateResult, GateError> {
        Ok(self.known_red(base, order, name, told)?.result)
    }

    /// The same, and whether it was cached.
    pub(super) fn known_red(
        &mut self,
        base: &TreeId,
        order: &RedOrder,
        name: &str,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<Remembered, GateError> {
        let asked = |order| ("the red of the tests alone", base, order);
        // Without a design these very tests may have been accepted before there was any source.
        let tests_alone = order.open.then(|| RedOrder {
            declared: Vec::new(),
            ..order.clone()
        });
        // What holds for the whole suite holds for a part of it.
        let whole = |order: &RedOrder| {
            let scope = RedScope::Suite;
            (order.scope != scope).then(|| RedOrder {
                scope,
                ..order.clone()
            })
        };
        let orders: Vec<RedOrder> = [Some(order.clone()), tests_alone]
            .into_iter()
            .flatten()
            .flat_map(|order| [Some(order.clone()), whole(&order)])
            .flatten()
            .collect();
        let asked: Vec<_> = orders.iter().map(asked).collect();
        let mut sitting = self.sit(base, name, told)?;
        sitting.remembered(&asked, |sitting| sitting.red(order))
    }
}

impl Sitting<'_, '_> {
    fn red(&mut self, order: &RedOrder) -> Result<GateResult, GateError> {
        let tree = &order.tree;
        if let Some(verdict) = self.unreadable(tree, &order.tests)? {
            return self.conclude(tree, verdict, None, Vec::new());
        }
        let mut analysis = self.analyse(tree, &order.tests)?;
        self.show_held(tree)?;
        crash_point("judged tree laid out");
        let plugins = Some(order.baseline.plugins.as_slice());
        let wanted = Wanted {
            what: match order.scope {
                RedScope::Suite => "the suite with the new tests",
                RedScope::NewFiles => "the new tests alone",
            },
            select: match order.scope {
                RedScope::Suite => self.selection(&order.tests),
                RedScope::NewFiles => texts(&order.tests),
            },
            plugins,
            variant: Variant::Plain,
        };
        let new = NewTests {
            files: &order.tests,
            analysis: &analysis,
            baseline: &order.baseline,
        };
        let (observation, stopped) = self.run_stopping(&wanted, &new)?;
        analysis.follow(&observation);
        let declared = Declared::from_paths(&texts(&order.declared));
        let declared = if order.open {
            declared.and_perhaps_more()
        } else {
            declared
        };
        let test_files = texts(&order.tests);
        let existing = self.arbiter.existing(self.base, &order.tests)?;
        let test_paths = self.arbiter.test_paths.clone();
        let suite = judge_scaffold(&RedSuite {
            observation: &observation,
            baseline: &order.baseline,
            scope: order.scope,
            test_files: &test_files,
            existing: &existing,
            test_paths: &test_paths,
            declared: &declared,
            analysis: &analysis,
            rule: self.arbiter.settings.test.red,
        });
        let mut flags = analysis.changed_flags();
        let mut suite = match suite {
            Ok(suite) => suite,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), flags),
        };
        self.rerun(suite.reruns(), tree, &order.baseline.plugins)?;
        let suite = suite.settle();
        flags.extend(suite.support_flags());
        let mut stubs = Stubs::default();
        let runs = if suite.needs_stubs() {
            stubs = self.missing_code(order, &observation, &analysis)?;
            let tests: Vec<&str> = order.tests.iter().map(ProjectPath::as_str).collect();
            let select = running(&observation, &analysis, &tests);
            Some(self.against_stubs(order, &select, &mut stubs, &analysis)?)
        } else {
            None
        };
        let suite = match &runs {
            Some((raising, answering)) => suite.with_stubs(StubRuns { raising, answering }),
            None => suite,
        };
        let laid = if suite.twins_need_stubs() {
            stubs.contents(StubKind::Raising)
        } else {
            Vec::new()
        };
        let with_twins = texts(suite.tests_with_twins());
        let originals = Originals {
            tree,
            analysis: &analysis,
            plugins,
            tests: &with_twins,
            laid: &laid,
        };
        let twins = self.twins(&suite.twins(), originals, &|run| {
            texts(&suite.twins_to_run_apart(run))
        })?;
        let in_question = suite.in_question(&twins.runs());
        let plugins = &order.baseline.plugins;
        let noticing = self.noticing(&in_question, tree, plugins, &order.tests)?;
        let suite = suite.with_noticing(noticing);
        flags.extend(suite.not_run_flags());
        let mut verdict = suite.judge(&twins.runs());
        verdict.notes.extend(stopped.iter().map(StoppedTest::words));
        verdict.stopped = stopped.into_iter().map(|test| test.id).collect();
        self.conclude(tree, verdict, Some(&observation), flags)
    }

    /// The new tests with raising stubs for all that is missing, and with such that go along with everything.
    fn against_stubs(
        &mut self,
        order: &RedOrder,
        select: &[String],
        stubs: &mut Stubs,
        analysis: &Analysis,
    ) -> Result<(Observation, Observation), GateError> {
        let raising = loop {
            let seen = self.with_stubs(order, select, stubs, StubKind::Raising)?;
            // One missing module may hide another.
            let more = self.missing_code(order, &seen, analysis)?;
            let known = stubs.count();
            stubs.extend(more);
            if stubs.count() == known || known > MOST_STUBS {
                break seen;
            }
        };
        let answering = self.with_stubs(order, select, stubs, StubKind::Answering)?;
        Ok((raising, answering))
    }

    fn with_stubs(
        &mut self,
        order: &RedOrder,
        select: &[String],
        stubs: &Stubs,
        kind: StubKind,
    ) -> Result<Observation, GateError> {
        self.show_held(&order.tree)?;
        for (path, content) in stubs.contents(kind) {
            self.bench().alter(&path, Some(content.as_bytes()))?;
        }
        self.run(&Wanted {
            what: match kind {
                StubKind::Raising => "against stubs that raise",
                StubKind::Answering => "against stubs that answer",
            },
            select: select.to_vec(),
            plugins: Some(&order.baseline.plugins),
            variant: Variant::Plain,
        })
    }
}

/// More missing modules than this are not looked for one after the other.
const MOST_STUBS: usize = 50;
