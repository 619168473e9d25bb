//! The real pytest on small trees: the runner's observations and the gates' conclusions.

mod lines;
mod pythons;
mod scaffolds;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use proctor_core::dialect::Declared;
use proctor_core::gate::{
    Analysis, Baseline, Blind, Disposition, GreenRuns, GreenSuite, IntactSeal, RedRule, RedScope,
    RedSuite, SeenSuite, StubRuns, Verdict, WithoutChange, judge_scaffold, judge_suite,
};
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::{Ending, Exit, Observation};
use proctor_host::process::{
    Environment, Interrupt, Launcher, SandboxMode, find_program, variable,
};
use proctor_host::test_runner::{
    Inquiry, PytestRun, PythonSearch, Variant, Watched, find_python, managed_environment,
    verify_pytest,
};
use tempfile::TempDir;

fn surroundings() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

fn system_python() -> PathBuf {
    let environment = surroundings();
    let path = variable(&environment, "PATH").expect("a search path");
    find_program(Path::new("python3"), path, Path::new("/")).expect("python3 is installed")
}

/// Made once for all tests, and found again by the next run of them.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
        managed_environment(&cache, &system_python(), &surroundings()).expect("pytest installs")
    })
}

struct Tree {
    directory: TempDir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        let tree = Self { directory };
        tree.add(files);
        tree
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "test data, not a project's files"
    )]
    fn add(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(path, text).expect("file written");
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "test data, not a project's files"
    )]
    fn remove(&self, name: &str) {
        fs::remove_file(self.path().join(name)).expect("file removed");
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn pytest(&self) -> PytestRun {
        PytestRun {
            root: String::new(),
            command: vec![python().into()],
            tree: self.path().to_owned(),
            checkout: None,
            timeout: Duration::from_mins(1),
            plugins: None,
            variant: Variant::Plain,
            select: Vec::new(),
            watched: Watched::Nothing,
            environment: surroundings(),
            confinement: None,
            programs: None,
        }
    }

    fn observe(&self) -> Observation {
        observe(&self.pytest())
    }

    fn listing(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![self.path().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).expect("readable") {
                let path = entry.expect("readable").path();
                if path.is_dir() {
                    open.push(path.clone());
                }
                found.push(path);
            }
        }
        found.sort();
        found
    }
}

fn observe(run: &PytestRun) -> Observation {
    run.run_within(None, &Launcher::plain(), &Interrupt::never(), &mut |_| {})
        .expect("pytest runs")
        .observation
}

fn red(observation: &Observation, baseline: &Baseline, file: &str) -> Verdict {
    red_of(observation, baseline, file, "app/new.py")
}

/// The verdict on the suite alone: the further runs are assumed to be ideal.
fn red_of(observation: &Observation, baseline: &Baseline, file: &str, declared: &str) -> Verdict {
    let suite = judge_scaffold(&RedSuite {
        observation,
        baseline,
        scope: RedScope::Suite,
        test_files: &[file.to_owned()],
        existing: &[],
        test_paths: &[],
        declared: &Declared::from_paths(&[declared.to_owned()]),
        analysis: &Analysis::default(),
        rule: RedRule::Any,
    })
    .map(|suite| {
        let suite = suite.settle();
        let suite = if suite.needs_stubs() {
            suite.with_stubs(StubRuns {
                raising: observation,
                answering: observation,
            })
        } else {
            suite
        };
        suite.judge(&[])
    });
    suite.unwrap_or_else(|refused| refused)
}

/// The same for green.
fn green(observation: &Observation, baseline: &Baseline, file: &str) -> Verdict {
    let path = [ProjectPath::parse(file).expect("a path")];
    let seal = IntactSeal::check(&path, &[Some("same")], &[Some("same")]).expect("the same");
    let suite = judge_suite(&GreenSuite {
        observation,
        baseline,
        seal: &seal,
        existing: &[],
        test_paths: &[],
        analysis: &Analysis::default(),
        passed_at_red: &BTreeSet::new(),
        failed_at_red: &BTreeSet::new(),
        listed_tests: &[],
    })
    .and_then(SeenSuite::settle)
    .map(|suite| {
        let (verdict, _) = suite.judge(&GreenRuns {
            blind: Blind::Impossible("this is about one run"),
            blind_again: None,
            alone: &[],
            reversed: observation,
            without_change: WithoutChange::SeenAtRed,
            as_they_were: None,
            twins: &[],
        });
        verdict
    });
    suite.unwrap_or_else(|refused| refused)
}

fn rules(verdict: &Verdict) -> Vec<&str> {
    verdict
        .reasons
        .iter()
        .map(|reason| reason.rule.as_str())
        .collect()
}

#[test]
fn a_junit_report_that_tells_another_story_is_a_disagreement() {
    let passing = "def test_a():\n    assert 1 + 1 == 2\n";
    let at_exit = |action: &str| {
        format!(
            "import atexit, glob, os, tempfile\n\
             PATH = os.path.join(tempfile.gettempdir(), 'junit.xml')\n\
             def act():\n    {action}\n\
             atexit.register(act)\n{passing}"
        )
    };
    let none = "<testsuites></testsuites>";
    let stories = [
        (passing.to_owned(), None),
        (at_exit("os.remove(PATH)"), Some("there is no JUnit report")),
        (
            at_exit("open(PATH, 'w').write('<testsuites><')"),
            Some("the JUnit report is not readable"),
        ),
        (
            at_exit(&format!("open(PATH, 'w').write('{none}')")),
            Some("the JUnit report has 0 passed and 0 failed, the records have 1 and 0"),
        ),
        (
            at_exit("os.remove(PATH); os.mkfifo(PATH)"),
            Some("the JUnit report is not a file"),
        ),
    ];
    for (text, expected) in stories {
        let observation = Tree::new(&[("test_a.py", &text)]).observe();
        let verdict = green(&observation, &Baseline::default(), "test_a.py");
        let reason = verdict.reasons.first();
        assert_eq!(
            reason.map(|reason| reason.rule.as_str()),
            expected.map(|_| "reports_disagree"),
            "{verdict:?}"
        );
        if let (Some(reason), Some(expected)) = (reason, expected) {
            assert!(reason.message.starts_with(expected), "{reason:?}");
        }
    }
}

#[test]
fn a_project_without_junit_reports_is_judged_without_them() {
    let tree = Tree::new(&[
        ("pytest.ini", "[pytest]\naddopts = -p no:junitxml\n"),
        ("test_a.py", "def test_a():\n    assert 1 + 1 == 2\n"),
    ]);
    let observation = tree.observe();
    let baseline = Baseline::from_observation(&observation).expect("a baseline");
    assert!(baseline.without_junit);
    let verdict = green(&observation, &baseline, "test_b.py");
    assert_eq!(rules(&verdict), ["nothing_collected"]);
}

const CORE: &str = "\
import pytest

def add(a, b):
    return a + b

def divide(a):
    return a / 0

def todo():
    raise NotImplementedError

def skips():
    pytest.skip('not today')

class Thing:
    pass
";

#[test]
fn the_way_from_baseline_over_red_to_green() {
    let tree = Tree::new(&[
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = '-x -q --ff'\npythonpath = 'lib'\n",
        ),
        ("lib/app/__init__.py", ""),
        ("lib/app/core.py", CORE),
        (
            "tests/test_old.py",
            "from app.core import add\ndef test_old():\n    assert add(1, 1) == 2\ndef test_bad():\n    assert 1 == 2\n",
        ),
    ]);
    let new = "tests/test_new.py";
    let baseline = Baseline::from_observation(&tree.observe()).expect("a baseline");
    assert!(baseline.passed().eq(["tests/test_old.py::test_old"]));
    let failed = baseline.ending_as(Ending::Failed);
    assert!(failed.eq(["tests/test_old.py::test_bad"]));

    tree.add(&[(
        new,
        "from app.new import double\ndef test_new():\n    assert double(2) == 4\n",
    )]);
    let observation = tree.observe();
    let verdict = red_of(&observation, &baseline, new, "lib/app/new.py");
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:#?}");

    tree.add(&[("lib/app/new.py", "def double(x):\n    return 5\n")]);
    let observation = tree.observe();
    let verdict = green(&observation, &baseline, new);
    assert_eq!(rules(&verdict), ["test_fails"], "{verdict:#?}");

    tree.add(&[("lib/app/new.py", "def double(x):\n    return x * 2\n")]);
    let verdict = green(&tree.observe(), &baseline, new);
    assert_eq!(verdict.disposition(), Disposition::Accepted, "{verdict:#?}");
    assert_eq!(verdict.exit_code, Some(1), "the old failure is still there");
}

/// Ways to end a run, or to lie about it, and the rule by which the green gate refuses them.
#[test]
fn a_run_that_ends_behind_the_runners_back_is_not_green() {
    let test = "def test_a():\n    from app import go\n    go()\n    assert 1 == 2\n";
    let table: &[(&str, &str, i32, &str)] = &[
        (
            "import os\ndef go():\n    os._exit(0)\n",
            "",
            0,
            "no_report",
        ),
        (
            "import pytest\ndef go():\n    pytest.exit('bye', returncode=0)\n",
            "",
            0,
            "not_run",
        ),
        (
            "def go():\n    raise KeyboardInterrupt\n",
            "",
            2,
            "interrupted",
        ),
        (
            "def go(): pass\n",
            "import sys\nsys.exit(0)\n",
            0,
            "no_report",
        ),
        ("def go(): pass\n", "def broken(:\n", 4, "usage_error"),
        (
            "def go(): pass\n",
            "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
            0,
            "test_fails",
        ),
    ];
    for (source, conftest, code, rule) in table {
        let tree = Tree::new(&[
            ("app.py", source),
            ("conftest.py", conftest),
            ("test_a.py", test),
        ]);
        let observation = tree.observe();
        assert_eq!(
            observation.exit,
            Exit::Code(*code),
            "{}",
            observation.output
        );
        let verdict = green(&observation, &Baseline::default(), "test_a.py");
        assert_eq!(rules(&verdict), [*rule], "{verdict:#?}");
        assert_ne!(verdict.disposition(), Disposition::Accepted);
    }
}

#[test]
fn only_proctors_own_functions_are_closed_to_the_code_of_a_test() {
    // A function of Proctor's that is gone leaves its id to another function, which has to stay open.
    let tree = Tree::new(&[(
        "tests/test_open.py",
        "import gc, types\n\n\n\
         def closed(function):\n    try:\n        function.__code__\n    except RuntimeError:\n        return True\n    return False\n\n\n\
         def test_open():\n    gc.unfreeze()\n    made = [eval('lambda: %d' % number) for number in range(1000)]\n    \
         functions = [one for one in gc.get_objects() if type(one) is types.FunctionType]\n    \
         assert len(functions) > len(made)\n    \
         assert [one.__qualname__ for one in functions if closed(one)] == ['_judging.<locals>.make.<locals>.record']\n",
    )]);
    let observation = tree.observe();
    assert_eq!(observation.exit, Exit::Code(0), "{}", observation.output);
}

#[test]
fn no_tests_are_an_empty_baseline_and_no_red() {
    let observation = Tree::new(&[("app.py", "")]).observe();
    assert_eq!(observation.exit, Exit::Code(5));
    assert_eq!(
        Baseline::from_observation(&observation),
        Ok(Baseline::default())
    );
    let verdict = red(&observation, &Baseline::default(), "test_a.py");
    assert_eq!(rules(&verdict), ["nothing_collected"]);
}

#[test]
fn a_test_without_end_is_killed_and_named() {
    let tree = Tree::new(&[("test_a.py", "def test_loop():\n    while True: pass\n")]);
    let mut run = tree.pytest();
    run.timeout = Duration::from_secs(5);
    let observation = observe(&run);
    let verdict = red(&observation, &Baseline::default(), "test_a.py");
    assert_eq!(
        (verdict.disposition(), verdict.exit_code),
        (Disposition::Revise, None)
    );
    assert!(
        verdict.reasons[0].message.contains("test_a.py::test_loop"),
        "{:?}",
        verdict.reasons
    );
}

#[test]
fn the_environment_is_clean_and_configuration_above_the_tree_is_not_read() {
    let outer = Tree::new(&[
        ("pytest.ini", "[pytest]\naddopts = --collect-only\n"),
        ("conftest.py", "raise RuntimeError('from above')\n"),
        (
            "tree/test_a.py",
            "import os, subprocess, sys\n\
             def test_a(tmp_path):\n\
             \x20   names = {name for name in os.environ if name.startswith(('PROCTOR', 'PYTEST', 'CARGO'))}\n\
             \x20   assert names == {'PYTEST_CURRENT_TEST', 'PYTEST_VERSION'}\n\
             def test_child():\n\
             \x20   subprocess.run([sys.executable, '-c', 'import helper'], check=True, cwd='/')\n",
        ),
        ("tree/helper.py", ""),
        (
            "tree/types.py",
            "raise RuntimeError('not the standard library')\n",
        ),
    ]);
    let mut run = outer.pytest();
    run.tree = outer.path().join("tree");
    run.environment
        .push(("PYTEST_ADDOPTS".into(), "--collect-only".into()));
    let observation = observe(&run);
    let verdict = green(&observation, &Baseline::default(), "test_a.py");
    let outcomes: Vec<&str> = verdict
        .tests
        .iter()
        .map(|test| test.outcome.as_str())
        .collect();
    assert_eq!(
        outcomes.first(),
        Some(&"passed"),
        "{verdict:#?}\n{}",
        observation.output
    );
}

/// Asks without a sandbox, which the tests of the sandbox are about.
fn inquiry(environment: &Environment) -> Inquiry<'_> {
    static LAUNCHER: LazyLock<Launcher> = LazyLock::new(Launcher::plain);
    static INTERRUPT: LazyLock<Interrupt> = LazyLock::new(Interrupt::never);
    Inquiry {
        environment,
        launcher: &LAUNCHER,
        interrupt: &INTERRUPT,
        mode: SandboxMode::Off,
    }
}

/// A virtual environment in a checkout, with pytest and an editable install of the checkout.
fn checkout_with_editable_install(layout: &str) -> Tree {
    let checkout = Tree::new(&[(&format!("{layout}/pkg/__init__.py"), "WHERE = 'checkout'\n")]);
    let output = proctor_host::process::Tool::new(system_python(), checkout.path())
        .arguments(["-m", "venv", "--without-pip", ".venv"])
        .variables(surroundings())
        .capture()
        .expect("venv is made");
    assert!(output.success());
    let library = |environment: &Path| {
        fs::read_dir(environment.join("lib"))
            .expect("a library")
            .map(|entry| entry.expect("readable").path().join("site-packages"))
            .find(|path| path.is_dir())
            .expect("site-packages")
    };
    let managed = python().ancestors().nth(2).expect("the environment");
    let site = library(&checkout.path().join(".venv"));
    let lines = [library(managed), checkout.path().join(layout)];
    let lines = lines.map(|line| line.display().to_string()).join("\n");
    let file = site
        .strip_prefix(checkout.path())
        .expect("inside")
        .join("editable.pth");
    checkout.add(&[(file.to_str().expect("text"), &lines)]);
    checkout
}

#[test]
fn the_judged_tree_wins_over_an_editable_install_in_every_layout() {
    let test = "def test_a():\n    import pkg\n    assert pkg.WHERE == 'tree'\n";
    for layout in ["src", "python"] {
        let checkout = checkout_with_editable_install(layout);
        let environment: Vec<_> = surroundings()
            .into_iter()
            .filter(|(name, _)| name != "VIRTUAL_ENV")
            .collect();
        let search = PythonSearch {
            configured: &[],
            checkout: checkout.path(),
            inquiry: inquiry(&environment),
        };
        let command = find_python(&search).expect("the checkout's own python");
        assert_eq!(
            command,
            [checkout.path().join(".venv/bin/python").into_os_string()]
        );
        let command = verify_pytest(command, checkout.path(), inquiry(&environment))
            .expect("pytest is there");
        let tree = Tree::new(&[
            (&format!("{layout}/pkg/__init__.py"), "WHERE = 'tree'\n"),
            ("test_a.py", test),
        ]);
        let mut run = tree.pytest();
        run.command = command;
        run.checkout = Some(checkout.path().to_owned());
        let verdict = green(&observe(&run), &Baseline::default(), "test_a.py");
        assert_eq!(
            verdict.disposition(),
            Disposition::Accepted,
            "{layout}: {verdict:#?}"
        );
    }
}

#[test]
fn a_module_loaded_from_the_checkout_is_found_out() {
    let checkout = Tree::new(&[("pkg.py", "")]);
    let load = format!(
        "import sys\nsys.path.insert(0, {:?})\nimport pkg\ndef test_a():\n    assert pkg\n",
        checkout.path()
    );
    let tree = Tree::new(&[("test_a.py", &load)]);
    let mut run = tree.pytest();
    run.checkout = Some(checkout.path().to_owned());
    let verdict = green(&observe(&run), &Baseline::default(), "test_a.py");
    assert_eq!(
        (verdict.disposition(), rules(&verdict)),
        (Disposition::Escalate, vec!["wrong_tree"])
    );
}
