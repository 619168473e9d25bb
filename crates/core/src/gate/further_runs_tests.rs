//! The results of stubs, twins, a second order and the reverted change at red and green.

use std::collections::{BTreeMap, BTreeSet};

use super::testing::{A, B, NEW, OLD, assert_accepted, baseline, rules};
use super::{
    AloneRun, AnalysedFile, AnalysedTest, Analysis, Apart, Baseline, Blind, BlindAgain, BlindPlace,
    BlindReport, BlindRun, BlindTest, By, Check, CheckName, Disposition, GreenRuns, GreenSuite,
    IntactSeal, Judgement, RedRule, RedRuns, RedScope, RedSuite, SeenSuite, StubRuns, TwinKind,
    TwinRun, Verdict, Weakness, WithoutChange, judge_scaffold, judge_suite,
};
use crate::dialect::Declared;
use crate::test_outcome::testing::{Run, raised};
use crate::test_outcome::{Exit, Observation, Outcome, Phase, Raised};

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

#[test]
fn what_the_files_say_is_refused_with_its_line() {
    let mut red = Red::new(Run::default().passes(OLD).fails(A, assertion()).exits(1));
    let weakness = |rule: &str, line| Weakness {
        rule: rule.to_owned().into(),
        line,
        message: "is wrong".to_owned(),
        order: None,
        certain: false,
    };
    let file = &mut red.analysis.files[0];
    file.tests[1].problems = vec![weakness("no_oracle", 7)];
    file.problems = vec![weakness("duplicate_name", 9)];
    file.removed = vec!["gone".to_owned()];
    let verdict = red.judge();
    assert_eq!(verdict.disposition(), Disposition::Revise);
    let seen: Vec<_> = verdict
        .reasons
        .iter()
        .map(|reason| (reason.rule.as_str(), reason.test.as_deref().unwrap_or("")))
        .collect();
    assert_eq!(
        seen,
        [
            ("duplicate_name", NEW),
            ("removed_test", "tests/test_new.py::gone"),
            ("no_oracle", B),
        ]
    );
    assert_eq!(verdict.reasons[2].message, "line 7: is wrong");
}

#[test]
fn a_failed_assertion_excuses_a_doubt_and_nothing_that_is_certain() {
    for (certain, expected) in [(false, Disposition::Accepted), (true, Disposition::Revise)] {
        let mut red = Red::new(Run::default().passes(OLD).fails(A, assertion()).exits(1));
        red.analysis.files[0].tests.truncate(1);
        red.analysis.files[0].tests[0].problems = vec![Weakness {
            rule: super::Rule::NoOracle,
            line: 7,
            message: "is wrong".to_owned(),
            order: None,
            certain,
        }];
        assert_eq!(red.judge().disposition(), expected, "{certain}");
    }
}

#[test]
fn a_changed_test_is_a_new_one_and_is_noted() {
    let mut red = Red::new(
        Run::default()
            .passes(OLD)
            .fails("tests/test_new.py::a", assertion())
            .exits(1),
    );
    red.analysis.files[0].tests[0].existed = true;
    let changed_before = baseline(&[OLD, A]);
    let verdict = red.judge_against(&changed_before);
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    assert_eq!(
        verdict.notes,
        ["changes existing tests: tests/test_new.py::a"]
    );
}

#[test]
fn a_test_that_passes_already_needs_a_twin_that_fails() {
    let mut red = Red::new(
        Run::default()
            .passes(OLD)
            .fails(A, assertion())
            .passes(B)
            .exits(1),
    );
    assert_eq!(rules(&red.judge()), ["passes_already"]);
    red.analysis.files[0].twins = TwinKind::ALL.map(|kind| (kind, String::new())).into();
    assert_eq!(red.needs(), (false, TwinKind::ALL.to_vec()));
    red.analysis.files[0].twins.remove(&TwinKind::Changed);
    let fails = Run::default().fails(B, assertion()).exits(1);
    red.twins = vec![TwinRun {
        kind: TwinKind::Negated,
        observation: &fails,
        apart: &[],
    }];
    let verdict = red.judge();
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    assert_eq!(
        verdict.notes,
        ["passes already, before any implementation: tests/test_new.py::b"]
    );
    red.rule = RedRule::All;
    assert_eq!(rules(&red.judge()), ["passes_already"]);
}

#[test]
fn a_test_that_passes_already_and_has_no_twin_has_to_notice_a_mistake_in_the_source() {
    let passing = || Run::default().passes(OLD).fails(A, assertion()).passes(B);
    let red = Red::new(passing().exits(1));
    let judged = |red: &Red<'_>, noticing: &[&str]| {
        red.with(&baseline(&[OLD]), |suite| {
            let asked: Vec<String> = suite
                .in_question(&red.twins)
                .into_iter()
                .map(str::to_owned)
                .collect();
            let noticing = noticing.iter().map(|id| (*id).to_owned()).collect();
            (asked, suite.with_noticing(noticing).judge(&red.twins))
        })
    };
    let (asked, verdict) = judged(&red, &[B]);
    assert_eq!(asked, [B]);
    assert_accepted(&verdict);
    assert!(checks(&verdict).contains(
        &"held: tests that pass already and have no twin: 1, each notices a mistake in the source it executes".to_owned()
    ));
    // One that was tried and noticed nothing, and one that was not tried.
    for noticing in [&[][..], &[A]] {
        let (_, verdict) = judged(&red, noticing);
        assert_eq!(rules(&verdict), ["passes_already"]);
    }
    // Nothing is asked of a test with a twin that fails, where something else refuses, or where all have to fail.
    let fails = Run::default().fails(B, assertion()).exits(1);
    let mut with_twin = Red::new(passing().exits(1));
    with_twin.analysis.files[0].twins = [(TwinKind::Negated, String::new())].into();
    with_twin.twins = vec![TwinRun {
        kind: TwinKind::Negated,
        observation: &fails,
        apart: &[],
    }];
    let mut without_oracle = Red::new(passing().exits(1));
    without_oracle.analysis.files[0].tests[1].problems = vec![Weakness {
        rule: "no_oracle".to_owned().into(),
        line: 7,
        message: "is wrong".to_owned(),
        order: None,
        certain: false,
    }];
    let mut all = Red::new(passing().exits(1));
    all.rule = RedRule::All;
    for red in [with_twin, without_oracle, all] {
        let (asked, _) = judged(&red, &[]);
        assert!(asked.is_empty(), "{asked:?}");
    }
    let all_pass = Red::new(Run::default().passes(OLD).passes(A).passes(B).exits(0));
    let (asked, verdict) = judged(&all_pass, &[A, B]);
    assert!(asked.is_empty());
    assert_eq!(rules(&verdict), ["nothing_fails"]);
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

#[test]
fn honest_code_is_green_and_what_was_verified_is_noted() {
    let verdict = Green::honest().judge();
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    assert_eq!(
        checks(&verdict),
        [
            "unverified: judged blind: no test, nothing can be cut",
            "held: the new tests pass in the opposite order too",
            "held: without the source change the new tests fail again",
            "not_applicable: no existing test was changed",
            "held: twins: 2 of 2 new tests fail when their assertions are turned",
        ]
    );
    assert_eq!(verdict.notes, [""; 0]);
}

#[test]
fn a_test_of_parts_is_as_good_as_they_are_and_one_without_any_is_unverified() {
    let part = format!("{A} > part");
    for (has_part, of, unverified) in [(true, 2, 0), (false, 2, 1)] {
        let mut green = Green::honest();
        let mut tests = vec![A, B];
        if has_part {
            tests = vec![A, part.as_str()];
            green.analysis.files[0].tests[1].name = "a > part".to_owned();
        }
        let first = &mut green.analysis.files[0].tests[0];
        first.holds_parts = true;
        first.places.clear();
        let [one, two] = [tests[0], tests[1]];
        green.observation = Run::default().passes(OLD).passes(one).passes(two).exits(0);
        green.reversed = Run::default().passes(two).passes(one).exits(0);
        let twin = || Run::default().passes(one).fails(two, assertion()).exits(1);
        green.twins = TwinKind::ALL.map(|kind| (kind, twin())).into();
        let verdict = green.judge();
        assert_eq!(rules(&verdict), [""; 0]);
        let verified = verdict.verified;
        let counted = (verified.of, verified.unverified);
        assert_eq!(
            counted,
            (of - usize::from(has_part), unverified),
            "{verdict:?}"
        );
    }
}

#[test]
fn a_test_that_depends_on_its_order_is_refused() {
    let mut green = Green::honest();
    green.reversed = Run::default().passes(B).fails(A, assertion()).exits(1);
    let verdict = green.judge();
    assert_eq!(rules(&verdict), ["unstable"]);
    assert_eq!(verdict.reasons[0].test.as_deref(), Some(A));
    green.reversed = Run::default().passes(B).exits(0);
    assert_eq!(rules(&green.judge()), ["unstable"]);
}

#[test]
fn a_test_that_passes_without_the_change_is_refused_unless_it_did_before() {
    let mut green = Green::honest();
    green.without_change = Run::default().fails(A, assertion()).passes(B).exits(1);
    assert_eq!(rules(&green.judge()), ["passes_without_change"]);
    green.passed_at_red.insert(B.to_owned());
    assert_eq!(rules(&green.judge()), [""; 0]);
}

#[test]
fn a_twin_that_passes_makes_the_verdict_worthless() {
    for kind in TwinKind::ALL {
        let mut green = Green::honest();
        let mut run = Run::default().passes(A).fails(B, assertion());
        run.report.reached.insert(A.to_owned());
        green.twins.insert(kind, run.exits(1));
        let verdict = green.judge();
        assert_eq!(rules(&verdict), ["twin_passes"], "{kind:?}");
        assert_eq!(verdict.reasons[0].test.as_deref(), Some(A));
    }
}

#[test]
fn a_twin_that_says_nothing_leaves_the_test_unverified() {
    let other = || raised(&["TypeError", "Exception"], "no", NEW);
    let fails_for_another_reason = || {
        Run::default()
            .fails(A, other())
            .fails(B, assertion())
            .exits(1)
    };
    let never_comes_to_a_changed_place = || Run::default().passes(A).fails(B, assertion()).exits(1);
    let silent = [
        (fails_for_another_reason(), fails_for_another_reason()),
        (fails_for_another_reason(), never_comes_to_a_changed_place()),
    ];
    for (negated, changed) in silent {
        let mut green = Green::honest();
        green.twins = BTreeMap::from([(TwinKind::Negated, negated), (TwinKind::Changed, changed)]);
        let verdict = green.judge();
        assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
        assert_eq!(
            checks(&verdict)[4],
            "held: twins: 1 of 2 new tests fail when their assertions are turned"
        );
        assert!(verdict.notes[0].starts_with("tests/test_new.py::a: unverified, "));
    }
}

#[test]
fn a_test_none_of_whose_cases_comes_to_an_assertion_holds_nothing() {
    const CASES: [&str; 2] = ["tests/test_new.py::b[1]", "tests/test_new.py::b[2]"];
    let judge = |idle: &[&str], turned_whole: bool| {
        let mut green = Green::honest();
        let [first, second] = CASES;
        let suite = || Run::default().passes(A).passes(first).passes(second);
        let failing = || {
            let run = Run::default().fails(A, assertion());
            run.fails(first, assertion()).fails(second, assertion())
        };
        let mut negated = failing();
        negated.report.ended = idle.iter().map(|id| (*id).to_owned()).collect();
        green.analysis.files[0].tests[1].turned_whole = turned_whole;
        green.observation = suite().passes(OLD).exits(0);
        green.reversed = suite().exits(0);
        green.without_change = failing().exits(1);
        green.twins = BTreeMap::from([(TwinKind::Negated, negated.exits(1))]);
        green.judge()
    };
    let verdict = judge(&CASES, true);
    assert_eq!(rules(&verdict), ["reaches_no_assertion"], "{verdict:?}");
    assert_eq!(
        verdict.reasons[0].test.as_deref(),
        Some("tests/test_new.py::b")
    );
    // One case may just ask that nothing is raised, and something that is not inverted may be the assertion.
    for verdict in [judge(&CASES[..1], true), judge(&CASES, false)] {
        assert_eq!(rules(&verdict), [""; 0]);
        assert!(verdict.notes[0].ends_with("unverified, comes to none of its assertions"));
    }
}

#[test]
fn a_negated_twin_fails_by_an_assertion_of_its_own_or_gives_the_code_away() {
    let from_source = |class: &str| raised(&[class, "Exception"], "no", "app/new.py");
    let table = [
        (Run::default().passes(A), "twin_passes"),
        (
            Run::default().fails(A, from_source("TypeError")),
            "twin_differs",
        ),
        (
            Run::default().fails(A, from_source("AssertionError")),
            "twin_differs",
        ),
        (
            Run::default().ends(A, Phase::Call, Outcome::Skipped, None),
            "twin_differs",
        ),
        (Run::default(), "twin_differs"),
        (
            Run::default().collection_error(NEW, from_source("RuntimeError")),
            "twin_differs",
        ),
    ];
    for (run, rule) in table {
        let mut green = Green::honest();
        let run = run.fails(B, assertion()).exits(1);
        green.twins.insert(TwinKind::Negated, run);
        let verdict = green.judge();
        assert_eq!(rules(&verdict), [rule], "{verdict:?}");
    }
}

#[test]
fn a_changed_twin_is_asked_only_whether_it_came_to_its_comparison() {
    let in_source = raised(&["ValueError", "Exception"], "no", "app/new.py");
    let run = || {
        Run::default()
            .fails(A, in_source.clone())
            .fails(B, assertion())
    };
    let mut green = Green::honest();
    green.twins.insert(TwinKind::Changed, run().exits(1));
    assert_eq!(rules(&green.judge()), ["twin_differs"]);
    let mut came = run();
    came.report.reached.insert(A.to_owned());
    green.twins.insert(TwinKind::Changed, came.exits(1));
    assert_eq!(rules(&green.judge()), [""; 0]);
}

#[test]
fn a_changed_test_that_holds_on_both_sides_has_to_hold_as_it_was() {
    let before = baseline(&[OLD, A]);
    let judge = |earlier: &Observation, passed_at_red: &[&str]| {
        let mut green = Green::honest();
        green.analysis.files[0].tests[0].existed = true;
        green.passed_at_red = passed_at_red.iter().map(|id| (*id).to_owned()).collect();
        green.as_they_were = Some(earlier.clone());
        green.judge_against(&before)
    };
    let holds = Run::default().passes(A).exits(0);
    let fails = Run::default().fails(A, assertion()).exits(1);
    let gone = Run::default().exits(5);
    assert_eq!(rules(&judge(&holds, &[A])), [""; 0]);
    assert_eq!(rules(&judge(&fails, &[A])), ["weakened_test"]);
    assert_eq!(rules(&judge(&gone, &[A])), ["weakened_test"]);
    let unreadable = Run::without_report(Exit::Code(0));
    assert_eq!(rules(&judge(&unreadable, &[A])), ["earlier_unreadable"]);
    let verdict = judge(&fails, &[]);
    assert_eq!(rules(&verdict), [""; 0]);
    assert_eq!(
        verdict.notes,
        ["tests/test_new.py::a was changed; as it was it is failed now"]
    );
    let mut meant = Green::honest();
    meant.analysis.files[0].tests[0].existed = true;
    meant.passed_at_red = BTreeSet::from([A.to_owned()]);
    meant.as_they_were = Some(fails);
    meant.listed_tests = vec![NEW.to_owned()];
    let verdict = meant.judge_against(&before);
    assert_eq!(rules(&verdict), [""; 0]);
    assert!(verdict.notes[0].contains("changed expectation"));
}

#[test]
fn a_runner_that_was_changed_in_any_run_is_refused_unless_the_base_does_the_same() {
    let changed = |mut observation: Observation| {
        if let Ok(report) = &mut observation.report {
            report.tampered.insert("TestReport.outcome".to_owned());
        }
        observation
    };
    let mut green = Green::honest();
    green.reversed = changed(green.reversed);
    assert_eq!(rules(&green.judge()), ["runner_tampered"]);
    let mut green = Green::honest();
    let twin = green.twins.remove(&TwinKind::Negated).expect("a twin");
    green.twins.insert(TwinKind::Negated, changed(twin));
    assert_eq!(rules(&green.judge()), ["runner_tampered"]);
    let red = Red::new(changed(
        Run::default()
            .passes(OLD)
            .fails(A, assertion())
            .fails(B, assertion())
            .exits(1),
    ));
    assert_eq!(rules(&red.judge()), ["runner_tampered"]);
    let same_before = Baseline {
        tampered: BTreeSet::from(["TestReport.outcome".to_owned()]),
        ..baseline(&[OLD])
    };
    let verdict = red.judge_against(&same_before);
    assert_eq!(rules(&verdict), [""; 0]);
}

#[test]
fn twins_that_end_behind_the_runners_back_or_not_in_time_are_refused() {
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        let twin = Run::without_report(exit);
        green.twins.insert(TwinKind::Negated, twin);
        let verdict = green.judge();
        assert_eq!(rules(&verdict), ["twin_unreadable"], "{exit:?}");
        assert!(checks(&verdict)[4].starts_with("refused: "), "{exit:?}");
    }
}

#[test]
fn the_opposite_order_has_to_come_to_its_end() {
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        green.reversed = Run::without_report(exit);
        assert_eq!(rules(&green.judge()), ["unstable"], "{exit:?}");
    }
}

#[test]
fn records_without_the_runners_own_end_are_not_believed() {
    let unfinished = |mut observation: Observation| {
        if let Ok(report) = &mut observation.report {
            report.finished_exit = None;
        }
        observation
    };
    let mut green = Green::honest();
    green.reversed = unfinished(green.reversed);
    assert_eq!(rules(&green.judge()), ["unstable"]);
    let mut green = Green::honest();
    let twin = green.twins.remove(&TwinKind::Negated).expect("a twin");
    green.twins.insert(TwinKind::Negated, unfinished(twin));
    assert_eq!(rules(&green.judge()), ["twin_unreadable"]);
}

#[test]
fn a_run_without_the_change_that_says_nothing_is_named_and_not_listed_as_held() {
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        green.without_change = Run::without_report(exit);
        let verdict = green.judge();
        assert_eq!(verdict.disposition(), Disposition::Accepted);
        assert!(checks(&verdict)[2].starts_with("unverified: "), "{exit:?}");
    }
}

#[test]
fn a_run_that_is_owed_and_was_not_made_refuses() {
    let mut green = Green::honest();
    green.analysis.files[0].twins = TwinKind::ALL.map(|kind| (kind, String::new())).into();
    assert_eq!(rules(&green.judge()), [""; 0]);
    green.twins.remove(&TwinKind::Changed);
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    let mut green = Green::honest();
    green.analysis.files[0].tests[0].existed = true;
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    let mut red = Red::new(
        Run::default()
            .passes(OLD)
            .collection_error(NEW, missing_module())
            .exits(1),
    );
    assert_eq!(rules(&red.judge()), ["run_missing"]);
    let late = || Run::without_report(Exit::TimedOut);
    red.stubbed = Some((late(), late()));
    let verdict = red.judge();
    assert_eq!(rules(&verdict), [""; 0]);
    assert!(checks(&verdict)[0].starts_with("unverified: "));
}

#[test]
fn a_twin_that_passes_because_of_what_another_left_behind_is_heard_alone() {
    let company = || Run::default().fails(A, assertion()).passes(B).exits(1);
    let mut green = Green::honest();
    green.twins = TwinKind::ALL.map(|kind| (kind, company())).into();
    assert_eq!(rules(&green.judge()), ["twin_passes"]);
    let apart = |run: Run, code| Apart {
        ids: vec![B.to_owned()],
        observation: run.exits(code),
    };
    green.apart = vec![apart(Run::default().passes(B), 0)];
    assert_eq!(rules(&green.judge()), ["twin_passes"]);
    green.apart = vec![apart(Run::default().fails(B, assertion()), 1)];
    let verdict = green.judge();
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:?}");
    // Alone it has to fail by its own assertion, not by nothing being there.
    green.apart = vec![apart(Run::default(), 5)];
    assert_eq!(rules(&green.judge()), ["twin_passes"]);
}

#[test]
fn an_existing_test_that_changed_data_made_fail_has_to_be_there_at_green() {
    let data = || "tests/data.txt".to_owned();
    let mut green = Green::honest();
    green.existing = vec![data()];
    green.failed_at_red = BTreeSet::from([OLD.to_owned()]);
    green.as_they_were = Some(Run::default().passes(OLD).exits(0));
    let run = || Run::default().passes(A).passes(B);
    green.observation = run().exits(0);
    assert_eq!(rules(&green.judge()), ["baseline_missing"]);
    green.observation = run().fails(OLD, assertion()).exits(1);
    assert_eq!(rules(&green.judge()), ["test_fails"]);
}

#[test]
fn a_test_that_passes_and_does_not_hold_blind_is_refused() {
    use Judgement::{Failed, Held};
    let mut green = Green::honest();
    green.blind = Some(blind(&[(A, Held), (B, Failed), (OLD, Held)]));
    let verdict = green.judge();
    assert_eq!(rules(&verdict), ["blind_fails"]);
    assert_eq!(verdict.reasons[0].test.as_deref(), Some(B));
    assert!(verdict.reasons[0].message.contains("line 7: 1 == 2"));
    // Runs that would change nothing are not asked for, and no check is listed for them.
    let made: Vec<CheckName> = verdict.checks.iter().map(|check| check.name).collect();
    assert!(!made.contains(&CheckName::Twins), "{made:?}");
    // One that is missing, or is skipped, confirms nothing about the code either.
    green.blind = Some(blind(&[(A, Held), (OLD, Held)]));
    assert_eq!(rules(&green.judge()), ["blind_fails"]);
    let mut skipped = blind(&[(A, Held), (B, Held), (OLD, Held)]);
    skipped.1.tests[1].judgement = Judgement::NotJudged;
    skipped.1.tests[1].reason = Some("it is skipped".to_owned());
    green.blind = Some(skipped);
    assert_eq!(rules(&green.judge()), ["blind_fails"]);
}

#[test]
fn a_blind_run_that_cannot_be_believed_is_refused() {
    let held = || {
        blind(&[
            (A, Judgement::Held),
            (B, Judgement::Held),
            (OLD, Judgement::Held),
        ])
    };
    for exit in [Exit::Code(0), Exit::Signal(9), Exit::TimedOut] {
        let mut green = Green::honest();
        green.blind = Some((Run::without_report(exit), held().1));
        assert_eq!(rules(&green.judge()), ["blind_unreadable"], "{exit:?}");
    }
    let mut green = Green::honest();
    let mut forged = held();
    forged
        .1
        .problems
        .push("a record of a place that does not exist".to_owned());
    green.blind = Some(forged);
    assert_eq!(rules(&green.judge()), ["blind_unreadable"]);
}

#[test]
fn an_old_test_that_does_not_hold_blind_is_judged_again_and_at_the_base() {
    use Judgement::{Failed, Held};
    let mut green = Green::honest();
    green.blind = Some(blind(&[(A, Held), (B, Held), (OLD, Failed)]));
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    let table = [
        // It holds at the base: the change lies to it.
        (Failed, Held, true),
        // It held the second time: chance.
        (Held, Held, false),
        // It does not hold at the base either: the mechanism cannot judge it.
        (Failed, Failed, false),
    ];
    for (judged, base, refused) in table {
        green.blind_again = Some((blind(&[(OLD, judged)]), blind(&[(OLD, base)])));
        let verdict = green.judge();
        assert_eq!(rules(&verdict) == ["blind_fails"], refused, "{verdict:?}");
        assert_eq!(verdict.is_accepted(), !refused);
    }
}

#[test]
fn a_test_whose_answer_stands_in_another_has_to_hold_without_it() {
    use Judgement::{Failed, Held};
    let mut green = Green::honest();
    let mut seen = blind(&[(A, Held), (B, Held), (OLD, Held)]);
    seen.1.places.push(BlindPlace {
        id: A.to_owned(),
        place: 2,
        path: NEW.to_owned(),
        line: 7,
        judgement: Held,
        by: Some(By::Visible),
        in_process: false,
        reason: None,
        visits: 1,
    });
    green.blind = Some(seen);
    assert_eq!(rules(&green.judge()), ["run_missing"]);
    green.alone = Some((blind(&[(A, Held)]), None));
    assert_accepted(&green.judge());
    // It was read in the other test.
    let passes = Run::default().passes(A).exits(0);
    green.alone = Some((blind(&[(A, Failed)]), Some(passes)));
    assert_eq!(rules(&green.judge()), ["blind_fails"]);
    // It needs the other test, whatever its text.
    let fails = Run::default().fails(A, assertion()).exits(1);
    green.alone = Some((blind(&[(A, Failed)]), Some(fails)));
    let verdict = green.judge();
    assert_accepted(&verdict);
    assert!(
        verdict
            .notes
            .iter()
            .any(|note| note.contains("depends on other tests"))
    );
}

#[test]
fn only_what_is_not_verified_blind_needs_a_twin() {
    use Judgement::{Held, NotJudged};
    let mut green = Green::honest();
    green.analysis.files[0].twins = TwinKind::ALL.map(|kind| (kind, String::new())).into();
    green.twins.clear();
    green.blind = Some(blind(&[(A, Held), (B, Held), (OLD, Held)]));
    let verdict = green.judge();
    assert_eq!(rules(&verdict), [""; 0]);
    assert_eq!(
        checks(&verdict)[0],
        "held: judged blind: 2 of 2 new tests give what they expect, compared outside of their process"
    );
    assert_eq!(
        checks(&verdict)[4],
        "not_applicable: every new test was judged blind"
    );
    green.blind = Some(blind(&[(A, Held), (B, NotJudged), (OLD, Held)]));
    assert_eq!(rules(&green.judge()), ["run_missing", "run_missing"]);
}
