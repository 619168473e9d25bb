//! The result of runs against stubs at red.

use super::testing::{A, B, NEW, OLD, assert_accepted, baseline, rules};
use super::{
    AnalysedFile, AnalysedTest, Analysis, Disposition, RedRule, RedScope, RedSuite, StubRuns,
    TwinKind, TwinRun, Verdict, Weakness, judge_scaffold,
};
use crate::dialect::Declared;
use crate::test_outcome::testing::{Run, raised};
use crate::test_outcome::{Exit, Observation, Outcome, Phase, Raised, SkippedFile};

struct Red {
    suite: Observation,
    analysis: Analysis,
    raising: Observation,
    answering: Observation,
    /// The negated twins, if they are run.
    twins: Option<Observation>,
}

impl Red {
    /// One file with two tests that cannot be collected yet.
    fn absent() -> Self {
        let suite = Run::default().passes(OLD);
        Self::of(suite.collection_error(NEW, missing("app.new")))
    }

    fn of(suite: Run) -> Self {
        let both = || Run::default().fails(A, stub()).fails(B, stub()).exits(1);
        Self {
            suite: suite.exits(1),
            analysis: Analysis::default(),
            raising: both(),
            answering: both(),
            twins: None,
        }
    }

    /// The file as it was read.
    fn reading(mut self, file: AnalysedFile) -> Self {
        self.analysis.files = vec![AnalysedFile {
            path: NEW.to_owned(),
            ..file
        }];
        self
    }

    fn judge(&self) -> Verdict {
        let suite = judge_scaffold(&RedSuite {
            observation: &self.suite,
            baseline: &baseline(&[OLD]),
            scope: RedScope::Suite,
            test_files: &[NEW.to_owned()],
            existing: &[],
            test_paths: &[],
            declared: &Declared::from_paths(&["app/new.py".to_owned()]),
            analysis: &self.analysis,
            rule: RedRule::Any,
        })
        .map(|suite| {
            let suite = suite.settle();
            assert!(suite.needs_stubs());
            let suite = suite.with_stubs(StubRuns {
                raising: &self.raising,
                answering: &self.answering,
            });
            assert_eq!(suite.twins_need_stubs(), self.twins.is_some());
            let twins = self.twins.iter().map(|observation| TwinRun {
                kind: TwinKind::Negated,
                observation,
                apart: &[],
            });
            suite.judge(&twins.collect::<Vec<_>>())
        });
        suite.unwrap_or_else(|refused| refused)
    }
}

fn missing(module: &str) -> Raised {
    Raised {
        missing_module: Some(module.to_owned()),
        ..raised(&["ModuleNotFoundError", "ImportError"], "no module", NEW)
    }
}

fn stub() -> Raised {
    raised(&["Stub", "Exception"], "proctor: f is a stub", "app/new.py")
}

fn test(name: &str, problem: Option<&str>) -> AnalysedTest {
    let weakness = |rule: &str| Weakness {
        rule: rule.to_owned().into(),
        line: 7,
        message: "is wrong".to_owned(),
        order: None,
        certain: false,
    };
    AnalysedTest {
        name: name.to_owned(),
        new: true,
        places: [(TwinKind::Negated, 1)].into(),
        problems: problem.map(weakness).into_iter().collect(),
        ..AnalysedTest::default()
    }
}

#[test]
fn tests_that_cannot_be_collected_are_run_against_stubs() {
    let mut red = Red::absent();
    let verdict = red.judge();
    assert_accepted(&verdict);
    let ids: Vec<_> = verdict.tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, [NEW, A, B]);
    let mut passing = Run::default().fails(A, stub()).passes(B);
    passing.report.knew_stubs.insert(B.to_owned());
    red.raising = passing.exits(1);
    assert_eq!(rules(&red.judge()), ["passes_against_stub"]);
}

#[test]
fn a_test_that_knows_no_stub_passes_already_and_has_to_be_able_to_fail() {
    let file = || AnalysedFile {
        tests: vec![test("a", None), test("b", None)],
        twins: [(TwinKind::Negated, String::new())].into(),
        ..AnalysedFile::default()
    };
    let mut red = Red::absent().reading(file());
    red.raising = Run::default().fails(A, stub()).passes(B).exits(1);
    let assertion = raised(&["AssertionError"], "assert not 1", NEW);
    red.twins = Some(Run::default().fails(B, assertion).exits(1));
    assert_accepted(&red.judge());
    red.twins = Some(Run::default().passes(B).exits(0));
    assert_eq!(rules(&red.judge()), ["twin_passes"]);
    // Alone it is not a red.
    red.raising = Run::default().passes(B).exits(0);
    assert_eq!(rules(&red.judge()), ["nothing_fails"]);
}

#[test]
fn a_fault_of_the_test_is_refused_behind_its_first_failure() {
    let lacks = |class: &str, owner: &str| Raised {
        owner: Some(owner.to_owned()),
        owner_is_module: true,
        ..raised(&[class], "no such name", NEW)
    };
    let fixture = "_pytest.fixtures.FixtureLookupError";
    let table = [
        (
            raised(&["NameError"], "name 'x' is not defined", NEW),
            Some("name_error"),
        ),
        // Assigned only if the code had answered otherwise.
        (
            raised(
                &["UnboundLocalError", "NameError"],
                "cannot access local variable 'x'",
                NEW,
            ),
            None,
        ),
        (missing("nowhere"), Some("undeclared_import")),
        (missing("app.new"), None),
        (lacks("ImportError", "json"), Some("undeclared_import")),
        (lacks("AttributeError", "math"), Some("missing_attribute")),
        (
            raised(&[fixture, "LookupError"], "fixture 'x' not found", NEW),
            Some("fixture_missing"),
        ),
        (raised(&["SyntaxError"], "bad", NEW), Some("syntax_error")),
        (
            raised(
                &["Failed"],
                "async def functions are not natively supported.",
                NEW,
            ),
            Some("not_run"),
        ),
        (raised(&["AssertionError"], "assert 1 == 2", NEW), None),
        (raised(&["TypeError"], "not a number", NEW), None),
        (raised(&["Failed"], "", NEW), None),
        (
            raised(&["AttributeError"], "'Recorder' has no 'seen'", NEW),
            None,
        ),
    ];
    for (raised, rule) in table {
        let seen = format!("{raised:?}");
        for first in [true, false] {
            let run = Run::default()
                .fails(A, raised.clone())
                .fails(B, stub())
                .exits(1);
            let mut red = Red::absent();
            *(if first {
                &mut red.raising
            } else {
                &mut red.answering
            }) = run;
            assert_eq!(rules(&red.judge()).first().copied(), rule, "{seen}");
        }
    }
}

#[test]
fn set_up_and_skips_count_unless_a_stub_led_to_them() {
    let broken = || Some(raised(&["KeyError"], "'x'", NEW));
    let table = [
        (Phase::Setup, Outcome::Failed, broken(), "fixture_error"),
        (Phase::Setup, Outcome::Skipped, None, "skipped"),
        (Phase::Call, Outcome::Skipped, None, "skipped"),
    ];
    for (phase, outcome, raised, rule) in table {
        let mut run = Run::default()
            .ends(A, phase, outcome, raised)
            .fails(B, stub());
        let mut red = Red::absent();
        red.raising = run.clone().exits(1);
        assert_eq!(rules(&red.judge()), [rule]);
        run.report.used_stubs.insert(A.to_owned());
        red.raising = run.exits(1);
        assert_accepted(&red.judge());
    }
    let mut red = Red::absent();
    let expected = Run::default().ends(A, Phase::Call, Outcome::Xfailed, None);
    red.raising = expected.fails(B, stub()).exits(1);
    assert_eq!(rules(&red.judge()), ["xfail"]);
}

#[test]
fn a_file_that_can_be_loaded_with_stubs_has_tests_that_run() {
    let mut red = Red::absent();
    red.raising = Run::default().exits(5);
    red.answering = Run::default().exits(5);
    assert_eq!(rules(&red.judge()), ["nothing_collected"]);
    let mut skipped = Run::default();
    skipped.report.skipped_files.push(SkippedFile {
        file: NEW.to_owned(),
        reason: "no".to_owned(),
    });
    red.raising = skipped.exits(5);
    assert_eq!(rules(&red.judge()), ["skipped"]);
    let mut deselected = Run::default().fails(A, stub());
    deselected.report.deselected.push(B.to_owned());
    red.raising = deselected.exits(1);
    assert_eq!(rules(&red.judge()), ["deselected"]);
    // A function called while the file is loaded may be a stub.
    red.raising = Run::default().collection_error(NEW, stub()).exits(2);
    assert_accepted(&red.judge());
}

#[test]
fn stubs_are_wanted_where_a_name_is_missing_while_a_test_runs() {
    let lacks = Raised {
        owner: Some("app.new".to_owned()),
        owner_is_module: true,
        owner_path: Some("app/new.py".to_owned()),
        ..raised(&["AttributeError"], "no attribute 'f'", NEW)
    };
    let mut red = Red::of(Run::default().passes(OLD).fails(A, lacks));
    assert_accepted(&red.judge());
    let undefined = raised(&["NameError"], "name 'x' is not defined", NEW);
    red.answering = Run::default().fails(A, undefined).exits(1);
    assert_eq!(rules(&red.judge()), ["name_error"]);
    red.raising = Run::default().passes(A).exits(0);
    assert_eq!(rules(&red.judge())[0], "passes_against_stub");
}

#[test]
fn a_name_that_a_star_brings_is_missing_code_and_any_other_is_not_defined() {
    let undefined = || raised(&["NameError"], "name 'f' is not defined", NEW);
    let red = |star: &str| {
        let suite = Run::default().passes(OLD).fails(A, undefined());
        Red::of(suite).reading(AnalysedFile {
            stars: vec![star.to_owned()],
            undefined: vec!["f".to_owned()],
            ..AnalysedFile::default()
        })
    };
    assert_accepted(&red("app.new").judge());
    let mut not_brought = red("app.new");
    not_brought.raising = Run::default().fails(A, undefined()).exits(1);
    assert_eq!(rules(&not_brought.judge()), ["name_error"]);
    let mut unseen = red("app.new");
    unseen.raising = Run::without_report(Exit::TimedOut);
    assert_eq!(rules(&unseen.judge()), ["name_error"]);
    // One that the design does not declare brings nothing, and no stub is asked.
    let other = Analysis {
        files: red("math").analysis.files,
        ..Analysis::default()
    };
    let verdict = judge_scaffold(&RedSuite {
        observation: &Run::default().passes(OLD).fails(A, undefined()).exits(1),
        baseline: &baseline(&[OLD]),
        scope: RedScope::Suite,
        test_files: &[NEW.to_owned()],
        existing: &[],
        test_paths: &[],
        declared: &Declared::from_paths(&["app/new.py".to_owned()]),
        analysis: &other,
        rule: RedRule::Any,
    })
    .map(|suite| suite.settle().judge(&[]));
    let verdict = verdict.unwrap_or_else(|refused| refused);
    assert_eq!(rules(&verdict), ["name_error"]);
    assert_eq!(verdict.disposition(), Disposition::Revise);
}

#[test]
fn a_test_that_was_seen_to_assert_has_an_oracle() {
    let file = || AnalysedFile {
        tests: vec![test("a", Some("no_oracle")), test("b", None)],
        ..AnalysedFile::default()
    };
    let mut red = Red::absent().reading(file());
    assert_eq!(rules(&red.judge()), ["no_oracle"]);
    let assertion = |path| raised(&["AssertionError"], "assert 1 == 2", path);
    red.answering = Run::default().fails(A, assertion("app/new.py")).exits(1);
    assert_eq!(rules(&red.judge()), ["no_oracle"]);
    red.answering = Run::default()
        .fails(A, assertion("tests/table.py"))
        .exits(1);
    assert_accepted(&red.judge());
}
