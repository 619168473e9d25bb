//! The results of stubs, twins, a second order and the reverted change at red and green.

mod at_green;
mod at_red;
mod blind_runs;
mod twin_runs;

use std::collections::{BTreeMap, BTreeSet};

use super::testing::{A, B, NEW, OLD, baseline};
use super::{
    AloneRun, AnalysedFile, AnalysedTest, Analysis, Apart, Baseline, Blind, BlindAgain, BlindPlace,
    BlindReport, BlindRun, BlindTest, By, Check, GreenRuns, GreenSuite, IntactSeal, Judgement,
    RedRule, RedRuns, RedScope, RedSuite, SeenSuite, StubRuns, TwinKind, TwinRun, Verdict,
    WithoutChange, judge_scaffold, judge_suite,
};
use crate::dialect::Declared;
use crate::test_outcome::testing::{Run, raised};
use crate::test_outcome::{Observation, Raised};

fn assertion() -> Raised {
    raised(&["AssertionError", "Exception"], "assert not 1 == 1", NEW)
}

fn missing_module() -> Raised {
    Raised {
        missing_module: Some("app.new".to_owned()),
        ..raised(&["ModuleNotFoundError", "ImportError"], "No module", NEW)
    }
}

/// Two new tests, each with one place in each twin.
fn analysis() -> Analysis {
    let test = |name: &str| AnalysedTest {
        name: name.to_owned(),
        new: true,
        places: TwinKind::ALL.map(|kind| (kind, 1)).into(),
        ..AnalysedTest::default()
    };
    Analysis {
        files: vec![AnalysedFile {
            path: NEW.to_owned(),
            tests: vec![test("a"), test("b")],
            ..AnalysedFile::default()
        }],
        ..Analysis::default()
    }
}

struct Red<'a> {
    observation: Observation,
    analysis: Analysis,
    /// Against stubs that raise, and that answer.
    stubbed: Option<(Observation, Observation)>,
    twins: Vec<TwinRun<'a>>,
    rule: RedRule,
}

impl Red<'_> {
    fn new(observation: Observation) -> Self {
        Self {
            observation,
            analysis: analysis(),
            stubbed: None,
            twins: Vec::new(),
            rule: RedRule::Any,
        }
    }

    fn with<T>(&self, baseline: &Baseline, body: impl FnOnce(RedRuns<'_>) -> T) -> T {
        let declared = Declared::from_paths(&["app/new.py".to_owned()]);
        let test_files = [NEW.to_owned()];
        let suite = judge_scaffold(&RedSuite {
            observation: &self.observation,
            baseline,
            scope: RedScope::Suite,
            test_files: &test_files,
            existing: &[],
            test_paths: &[],
            declared: &declared,
            analysis: &self.analysis,
            rule: self.rule,
        });
        let suite = suite.unwrap_or_else(|refused| panic!("{refused:?}"));
        body(suite.settle())
    }

    fn judge_against(&self, baseline: &Baseline) -> Verdict {
        self.with(baseline, |suite| {
            let suite = match &self.stubbed {
                Some((raising, answering)) => suite.with_stubs(StubRuns { raising, answering }),
                None => suite,
            };
            suite.judge(&self.twins)
        })
    }

    fn judge(&self) -> Verdict {
        self.judge_against(&baseline(&[OLD]))
    }

    /// Whether stubs, and which twins, are asked for.
    fn needs(&self) -> (bool, Vec<TwinKind>) {
        self.with(&baseline(&[OLD]), |suite| {
            (suite.needs_stubs(), suite.twins())
        })
    }
}

fn checks(verdict: &Verdict) -> Vec<String> {
    let line = |check: &Check| {
        let outcome = serde_json::to_value(check.outcome).expect("a word");
        format!("{}: {}", outcome.as_str().unwrap_or_default(), check.detail)
    };
    verdict.checks.iter().map(line).collect()
}

struct Green {
    observation: Observation,
    analysis: Analysis,
    reversed: Observation,
    without_change: Observation,
    as_they_were: Option<Observation>,
    twins: BTreeMap<TwinKind, Observation>,
    apart: Vec<Apart>,
    listed_tests: Vec<String>,
    failed_at_red: BTreeSet<String>,
    existing: Vec<String>,
    passed_at_red: BTreeSet<String>,
    blind: Option<Judged>,
    /// With the change, and at the base.
    blind_again: Option<(Judged, Judged)>,
    /// Without the other tests: blind, and with the expected values.
    alone: Option<(Judged, Option<Observation>)>,
}

/// A blind run and the referee's report.
type Judged = (Observation, BlindReport);

fn run_of(judged: &Judged) -> BlindRun<'_> {
    BlindRun {
        observation: &judged.0,
        report: &judged.1,
        whole: false,
    }
}

/// A blind run of tests that held, did not, or left a place to the process.
fn blind(tests: &[(&str, Judgement)]) -> Judged {
    let mut run = Run::default();
    let mut report = BlindReport::default();
    for (id, judgement) in tests {
        run = run.passes(id);
        report.tests.push(BlindTest {
            id: (*id).to_owned(),
            judgement: match judgement {
                Judgement::Failed => Judgement::Failed,
                _ => Judgement::Held,
            },
            reason: None,
            held: 1,
            telling: 1,
            failed: u32::from(*judgement == Judgement::Failed),
            not_judged: u32::from(*judgement == Judgement::NotJudged),
        });
        if *judgement == Judgement::Failed {
            report.places.push(BlindPlace {
                id: (*id).to_owned(),
                place: 1,
                path: NEW.to_owned(),
                line: 7,
                judgement: *judgement,
                by: Some(By::Value),
                in_process: false,
                reason: Some("1 == 2: it is not so".to_owned()),
                visits: 1,
            });
        }
    }
    (run.exits(0), report)
}

impl Green {
    /// Everything as it is for honest code.
    fn honest() -> Self {
        let both_fail = || {
            Run::default()
                .fails(A, assertion())
                .fails(B, assertion())
                .exits(1)
        };
        Self {
            observation: Run::default().passes(OLD).passes(A).passes(B).exits(0),
            analysis: analysis(),
            reversed: Run::default().passes(B).passes(A).exits(0),
            without_change: both_fail(),
            as_they_were: None,
            twins: TwinKind::ALL.map(|kind| (kind, both_fail())).into(),
            apart: Vec::new(),
            listed_tests: Vec::new(),
            failed_at_red: BTreeSet::new(),
            existing: Vec::new(),
            passed_at_red: BTreeSet::new(),
            blind: None,
            blind_again: None,
            alone: None,
        }
    }

    fn judge(&self) -> Verdict {
        self.judge_against(&baseline(&[OLD]))
    }

    fn judge_against(&self, baseline: &Baseline) -> Verdict {
        let twins: Vec<TwinRun<'_>> = self
            .twins
            .iter()
            .map(|(kind, observation)| TwinRun {
                kind: *kind,
                observation,
                apart: &self.apart,
            })
            .collect();
        let seal = IntactSeal::of(&[NEW]);
        let suite = judge_suite(&GreenSuite {
            observation: &self.observation,
            baseline,
            seal: &seal,
            existing: &self.existing,
            test_paths: &[],
            analysis: &self.analysis,
            passed_at_red: &self.passed_at_red,
            failed_at_red: &self.failed_at_red,
            listed_tests: &self.listed_tests,
        });
        let suite = suite.and_then(SeenSuite::settle);
        let suite = match suite {
            Ok(suite) => suite,
            Err(refused) => return refused,
        };
        let blind = match &self.blind {
            Some((observation, report)) => Blind::Run(BlindRun {
                observation,
                report,
                whole: true,
            }),
            None => Blind::Impossible("nothing can be cut"),
        };
        let suite = match suite.unless_refused_blind(blind, &self.reversed) {
            Ok(suite) => suite,
            Err(refused) => return refused,
        };
        let again = self.blind_again.as_ref();
        let alone: Vec<AloneRun<'_>> = self
            .alone
            .iter()
            .map(|(judged, whole)| AloneRun {
                blind: Blind::Run(run_of(judged)),
                whole: whole.as_ref(),
            })
            .collect();
        let (verdict, _) = suite.judge(&GreenRuns {
            blind,
            blind_again: again.map(|(judged, base)| BlindAgain {
                judged: run_of(judged),
                base: run_of(base),
            }),
            alone: &alone,
            reversed: &self.reversed,
            without_change: WithoutChange::Run(&self.without_change),
            as_they_were: self.as_they_were.as_ref(),
            twins: &twins,
        });
        verdict
    }
}
