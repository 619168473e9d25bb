//! Which lines a run sees each test execute.

use proctor_core::test_outcome::Trace;
use proctor_host::test_runner::Watched;

use crate::{Tree, observe};

const APP: &str = "\
import threading

LIMIT = 3


def f(x):
    if x > LIMIT:
        return 0
    return x


def later(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(f(x)))
    thread.start()
    thread.join()
    return found


def read(path):
    with open(path) as file:
        return file.read()
";

fn trace(test: &str, watched: Watched) -> Trace {
    let tree = Tree::new(&[
        ("app.py", APP),
        ("other.py", "def g():\n    return 1\n"),
        ("data.json", "{}\n"),
        ("test_app.py", test),
    ]);
    let mut run = tree.pytest();
    run.watched = watched;
    let report = observe(&run).report.expect("a report");
    assert!(report.tampered.is_empty(), "{:?}", report.tampered);
    report.trace
}

fn app() -> Watched {
    Watched::Files(vec!["app.py".to_owned(), "data.json".to_owned()])
}

#[test]
fn lines_are_known_by_the_test_that_executed_them() {
    let trace = trace(
        "import other\nfrom app import f\n\n\ndef test_small():\n    assert f(1) == other.g()\n\n\ndef test_large():\n    assert f(9) == 0\n",
        app(),
    );
    let at = |line: i64| {
        trace
            .tests_at("app.py", &[line])
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(at(3), [""], "while the module is loaded");
    assert_eq!(at(6), [""], "the definition");
    assert_eq!(
        at(7),
        ["test_app.py::test_large", "test_app.py::test_small"]
    );
    assert_eq!(at(8), ["test_app.py::test_large"]);
    assert_eq!(at(9), ["test_app.py::test_small"]);
    assert!(trace.tests_at("other.py", &[2]).is_empty(), "not watched");
    assert_eq!(trace.lost(), None);
}

#[test]
fn threads_are_watched_and_files_too() {
    let trace = trace(
        "import subprocess, sys\nfrom app import later, read\n\n\ndef test_later():\n    assert later(2) == [2]\n\n\n\
         def test_read():\n    assert read('data.json')\n\n\ndef test_elsewhere():\n    subprocess.run([sys.executable, '-c', ''])\n    assert True\n",
        app(),
    );
    let at = |line: i64| {
        trace
            .tests_at("app.py", &[line])
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(at(9), ["test_app.py::test_later"]);
    let inside = -14 - (1 << 33);
    assert_eq!(at(inside), ["test_app.py::test_later"], "the lambda");
    let openers: Vec<_> = trace.openers("data.json").into_iter().collect();
    assert_eq!(openers, ["test_app.py::test_read"]);
    assert!(trace.is_elsewhere("test_app.py::test_elsewhere"));
    assert!(!trace.is_elsewhere("test_app.py::test_later"));
}

#[test]
fn every_python_file_can_be_watched() {
    let trace = trace(
        "import other\n\n\ndef test_it():\n    assert other.g() == 1\n",
        Watched::Everything,
    );
    let tests: Vec<_> = trace.tests_at("other.py", &[2]).into_iter().collect();
    assert_eq!(tests, ["test_app.py::test_it"]);
}

#[test]
fn code_that_takes_over_the_watching_is_noticed() {
    let watching = "import sys\nfrom app import f\n\n\ndef test_it():\n    before = sys.gettrace()\n    sys.settrace(None)\n    f(1)\n    \
         sys.settrace(before)\n    assert True\n";
    let monitoring = "import sys\nfrom app import f\n\n\ndef test_it():\n    if hasattr(sys, 'monitoring'):\n        \
         sys.monitoring.register_callback(4, sys.monitoring.events.LINE, None)\n    else:\n        sys.settrace(sys.gettrace())\n    f(1)\n";
    let forging = "import app\n\n\ndef test_it():\n    exec(compile('\\n' * 7 + 'x = 1', app.__file__, 'exec'))\n    assert app.f(1)\n";
    for text in [watching, monitoring, forging] {
        let trace = trace(text, app());
        assert!(trace.lost().is_some(), "{text}");
        assert!(trace.tests_at("app.py", &[8]).is_empty(), "{text}");
    }
}
