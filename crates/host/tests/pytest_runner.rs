//! The real pytest on small trees: what the runner sees and what the gates conclude.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use proctor_core::gate::{
    Analysis, Baseline, Disposition, GreenRuns, GreenSuite, IntactSeal, RedRule, RedSuite,
    StubsAndTwins, Verdict, judge_scaffold, judge_suite,
};
use proctor_core::path::ProjectPath;
use proctor_core::pytest::Declared;
use proctor_core::test_outcome::{Exit, Observation};
use proctor_host::process::{Interrupt, Launcher, find_program, variable};
use proctor_host::test_runner::{
    PytestRun, PythonSearch, RunnerError, Variant, find_python, managed_environment, verify_pytest,
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
            command: vec![python().into()],
            tree: self.path().to_owned(),
            checkout: None,
            timeout: Duration::from_mins(1),
            plugins: None,
            variant: Variant::Plain,
            select: Vec::new(),
            environment: surroundings(),
            confinement: None,
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
    run.run(&Launcher::plain(), &Interrupt::never(), &mut |_| {})
        .expect("pytest runs")
        .observation
}

fn red(observation: &Observation, baseline: &Baseline, file: &str) -> Verdict {
    red_of(observation, baseline, file, "app/new.py")
}

/// The verdict on the suite alone: further runs are what the rules hope for.
fn red_of(observation: &Observation, baseline: &Baseline, file: &str, declared: &str) -> Verdict {
    let suite = judge_scaffold(&RedSuite {
        observation,
        baseline,
        test_files: &[file.to_owned()],
        test_paths: &[],
        declared: &Declared::from_paths(&[declared.to_owned()]),
        analysis: &Analysis::default(),
        rule: RedRule::Any,
    })
    .map(|suite| {
        suite.judge(&StubsAndTwins {
            stubbed: Some(&without_tests(observation)),
            twins: &[],
        })
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
        test_paths: &[],
        analysis: &Analysis::default(),
        passed_at_red: &BTreeSet::new(),
        listed_tests: &[],
    })
    .map(|suite| {
        suite.judge(&GreenRuns {
            reversed: observation,
            without_change: &without_tests(observation),
            as_they_were: None,
            twins: &[],
        })
    });
    suite.unwrap_or_else(|refused| refused)
}

/// A run in which no test was seen.
fn without_tests(observation: &Observation) -> Observation {
    let mut nothing = observation.clone();
    if let Ok(report) = &mut nothing.report {
        report.collected.clear();
        report.records.clear();
    }
    nothing
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
            Some("the JUnit report is no file"),
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

/// A test file and the rule that refuses it at red; none if it is a good red.
const SCAFFOLDS: &[(&str, &str, Option<&str>)] = &[
    (
        "assertion",
        "from app.core import add\ndef test_a():\n    assert add(1, 2) == 4\n",
        None,
    ),
    (
        "missing_module",
        "from app.new import x\ndef test_a():\n    assert x\n",
        None,
    ),
    (
        "missing_module_inside",
        "def test_a():\n    import app.new\n",
        None,
    ),
    (
        "missing_symbol",
        "from app.core import nope\ndef test_a():\n    assert nope\n",
        None,
    ),
    (
        "missing_submodule",
        "from app import new\ndef test_a():\n    assert new\n",
        None,
    ),
    (
        "attribute",
        "import app.core\ndef test_a():\n    app.core.nope()\n",
        None,
    ),
    (
        "attribute_of_value",
        "from app.core import Thing\ndef test_a():\n    Thing().nope\n",
        None,
    ),
    (
        "source_bug",
        "from app.core import divide\ndef test_a():\n    divide(1)\n",
        None,
    ),
    (
        "not_implemented",
        "from app.core import todo\ndef test_a():\n    todo()\n",
        None,
    ),
    (
        "wrong_call",
        "from app.core import add\ndef test_a():\n    add(1, 2, 3)\n",
        None,
    ),
    (
        "raises",
        "import pytest\nfrom app.core import add\ndef test_a():\n    with pytest.raises(ValueError):\n        add(1, 2)\n",
        None,
    ),
    (
        "unittest",
        "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)\n",
        None,
    ),
    (
        "fixture_waits",
        "import pytest\n@pytest.fixture\ndef new():\n    import app.new\ndef test_a(new):\n    pass\n",
        None,
    ),
    (
        "unicode",
        "import pytest\n@pytest.mark.parametrize('x', ['ä::b[0]', '日本', '\\udc80'])\ndef test_ü(x):\n    assert x == 1\n",
        None,
    ),
    (
        "undeclared",
        "import nowhere_at_all\ndef test_a():\n    assert 0 == 1\n",
        Some("undeclared_import"),
    ),
    (
        "other_package",
        "from json import nope\ndef test_a():\n    assert nope\n",
        Some("undeclared_import"),
    ),
    ("syntax", "def test_a(:\n    pass\n", Some("syntax_error")),
    ("indentation", "def test_a():\npass\n", Some("syntax_error")),
    (
        "name",
        "def test_a():\n    assert undefined == 1\n",
        Some("name_error"),
    ),
    (
        "name_at_import",
        "x = undefined\ndef test_a():\n    assert x\n",
        Some("name_error"),
    ),
    (
        "attribute_elsewhere",
        "import math\ndef test_a():\n    math.nope()\n",
        Some("missing_attribute"),
    ),
    (
        "fixture_missing",
        "def test_a(nonexistent):\n    pass\n",
        Some("fixture_missing"),
    ),
    (
        "fixture_error",
        "import pytest\n@pytest.fixture\ndef bad():\n    raise ValueError('no')\ndef test_a(bad):\n    pass\n",
        Some("fixture_error"),
    ),
    (
        "skip",
        "import pytest\n@pytest.mark.skip\ndef test_a():\n    assert 0 == 1\n",
        Some("skipped"),
    ),
    (
        "skip_by_source",
        "from app.core import skips\ndef test_a():\n    skips()\n",
        Some("skipped"),
    ),
    (
        "skip_module",
        "import pytest\npytest.skip('no', allow_module_level=True)\n",
        Some("skipped"),
    ),
    (
        "xfail",
        "import pytest\n@pytest.mark.xfail\ndef test_a():\n    assert 0 == 1\n",
        Some("xfail"),
    ),
    (
        "xfail_strict",
        "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_a():\n    pass\n",
        Some("xfail"),
    ),
    (
        "bare_fail",
        "import pytest\ndef test_a():\n    pytest.fail()\n",
        Some("bare_fail"),
    ),
    (
        "parameters",
        "import pytest\n@pytest.mark.parametrize('a,b', [(1,)])\ndef test_a(a, b):\n    pass\n",
        Some("collection_error"),
    ),
    (
        "passing",
        "def test_a():\n    assert 1 == 1\n",
        Some("nothing_fails"),
    ),
    ("empty", "x = 1\n", Some("nothing_collected")),
];

#[test]
fn every_scaffold_is_judged_by_why_it_fails() {
    let tree = Tree::new(&[("app/__init__.py", ""), ("app/core.py", CORE)]);
    let names: Vec<String> = SCAFFOLDS
        .iter()
        .map(|(name, ..)| format!("tests/test_{name}.py"))
        .collect();
    for (file, (_, text, _)) in names.iter().zip(SCAFFOLDS) {
        tree.add(&[(file, text)]);
    }
    let before = tree.listing();
    let observation = tree.observe();
    assert_eq!(observation.exit, Exit::Code(1), "{}", observation.output);
    assert_eq!(tree.listing(), before, "nothing is written in the tree");
    for (file, (name, _, rule)) in names.iter().zip(SCAFFOLDS) {
        let verdict = red(&observation, &Baseline::default(), file);
        assert_eq!(
            rules(&verdict).first().copied(),
            *rule,
            "{name}: {verdict:#?}"
        );
        if *rule == Some("fixture_missing") {
            let message = &verdict.reasons[0].message;
            assert!(
                message.contains("fixture 'nonexistent' not found"),
                "{message}"
            );
        }
        let expected = if rule.is_none() {
            Disposition::Accepted
        } else {
            Disposition::Revise
        };
        assert_eq!(verdict.disposition(), expected, "{name}");
        assert!(
            !green(&observation, &Baseline::default(), file)
                .reasons
                .is_empty(),
            "{name}"
        );
    }
}

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
    assert!(baseline.passed.iter().eq(["tests/test_old.py::test_old"]));
    assert!(
        baseline
            .not_passed
            .iter()
            .eq(["tests/test_old.py::test_bad"])
    );

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
            environment: &environment,
        };
        let command = find_python(&search).expect("the checkout's own python");
        assert_eq!(
            command,
            [checkout.path().join(".venv/bin/python").into_os_string()]
        );
        let command =
            verify_pytest(command, checkout.path(), &environment).expect("pytest is there");
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

#[test]
fn a_python_without_pytest_is_an_error_with_the_remedy() {
    let directory = Tree::new(&[]);
    let empty = directory.path().join("venv");
    let output = proctor_host::process::Tool::new(system_python(), directory.path())
        .arguments(["-m", "venv", "--without-pip", "venv"])
        .variables(surroundings())
        .capture()
        .expect("venv is made");
    assert!(output.success());
    let words = vec![empty.join("bin/python").into_os_string()];
    let result = verify_pytest(words, directory.path(), &surroundings());
    let Err(RunnerError::PytestMissing { hint, .. }) = result else {
        panic!("expected a missing pytest, got {result:?}");
    };
    assert!(hint.contains("-m pip install pytest"), "{hint}");
}

#[test]
fn a_version_managers_shim_is_asked_once_and_left_out_afterwards() {
    let directory = Tree::new(&[]);
    let real = python();
    for (place, is_left_out) in [("shims", true), ("wrappers", false)] {
        let name = format!("{place}/python3");
        directory.add(&[(&name, &format!("#!/bin/sh\nexec {real:?} \"$@\"\n"))]);
        let program = directory.path().join(name);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
        let words = vec![program.clone().into_os_string()];
        let found = verify_pytest(words, directory.path(), &surroundings()).expect("has pytest");
        let wanted = if is_left_out { real } else { &program };
        assert_eq!(found, [wanted.as_os_str()], "{place}");
    }
}

#[test]
fn the_configured_command_comes_first_and_the_path_last() {
    let checkout = Tree::new(&[]);
    let environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
    let find = |configured: &[String], environment: &Vec<(OsString, OsString)>| {
        find_python(&PythonSearch {
            configured,
            checkout: checkout.path(),
            environment,
        })
    };
    let words = ["uv".to_owned(), "run".to_owned(), "pytest".to_owned()];
    assert_eq!(
        find(&words, &environment).expect("configured"),
        ["uv", "run", "pytest"]
    );
    let relative = [".tox/bin/python".to_owned()];
    let found = find(&relative, &environment).expect("configured");
    assert_eq!(
        found,
        [checkout.path().join(".tox/bin/python").into_os_string()]
    );
    assert_eq!(find(&[], &environment).expect("on the path").len(), 1);
    assert!(matches!(find(&[], &Vec::new()), Err(RunnerError::NoPython)));
}

/// Stands in for a Python that can make environments: notes every call in `calls` beside it, and
/// its pip fails while a file `offline` is there.
const MAKER: &str = "\
#!/bin/sh
echo \"$2\" >> \"$MAKER_HOME/calls\"
if [ \"$2\" = venv ]; then mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\"; exit; fi
if [ -e \"$MAKER_HOME/offline\" ]; then echo 'no route' >&2; exit 1; fi
";

#[test]
fn an_environment_is_made_once_by_parallel_processes_and_again_if_unfinished() {
    let home = Tree::new(&[("maker", MAKER), ("offline", "")]);
    let maker = home.path().join("maker");
    fs::set_permissions(&maker, fs::Permissions::from_mode(0o755)).expect("executable");
    let cache = home.path().join("cache");
    let environment = [
        ("PATH".into(), "/usr/bin:/bin".into()),
        ("MAKER_HOME".into(), home.path().into()),
    ];
    let manage = || managed_environment(&cache, &maker, &environment);
    let calls = || fs::read_to_string(home.path().join("calls")).expect("calls");

    let Err(RunnerError::Environment { reason, .. }) = manage() else {
        panic!("an environment without pytest is none");
    };
    assert_eq!(reason, "no route");
    home.remove("offline");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(manage)).collect();
        for thread in threads {
            let made = thread.join().expect("no panic").expect("made again");
            assert!(made.starts_with(&cache) && made.ends_with("bin/python"));
        }
    });
    assert_eq!(calls(), "venv\npip\nvenv\npip\n");
}
