//! The reading of test files, with the real Python.

use std::collections::BTreeSet;
use std::ffi::OsString;

use proctor_core::gate::{AnalysedFile, SourceText, TwinKind};
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::test_runner::PythonReader;

fn read(path: &str, text: &str, base: Option<&str>) -> AnalysedFile {
    let source = SourceText {
        path: path.to_owned(),
        text: text.to_owned(),
        base: base.map(str::to_owned),
    };
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let analysis = PythonReader {
        command: &["python3".into()],
        environment: &environment,
        launcher: &Launcher::plain(),
        interrupt: &Interrupt::never(),
        confinement: None,
        programs: None,
    }
    .analyse(&[source]);
    let mut files = analysis.expect("an answer").files;
    files.pop().expect("one file")
}

#[test]
fn what_a_negated_twin_cannot_turn_is_told() {
    let whole = |body: &str| {
        let text =
            format!("import pytest\nfrom app import f\n\n\ndef test_it(self):\n    {body}\n");
        let mut file = read("test_it.py", &text, None);
        file.tests.pop().expect("one test").turned_whole
    };
    for body in [
        "assert f() == 1",
        "if f():\n        return\n    assert f() == 1",
        "for case in []:\n        assert f(case)",
        "self.assertEqual(f(), 1)",
        "with pytest.raises(ValueError):\n        f()",
        "with pytest.raises(ValueError) as seen:\n        f()\n    assert seen.value",
    ] {
        assert!(whole(body), "{body}");
    }
    for body in [
        "try:\n        assert f()\n    except AssertionError:\n        raise",
        "def inner():\n        assert f()\n    inner()",
        "if f():\n        return\n    pytest.fail('no')",
    ] {
        assert!(!whole(body), "{body}");
    }
}

fn rules_of_test(body: &str) -> Vec<String> {
    let text = format!("import pytest\nfrom app import f\n\n\ndef test_it():\n    {body}\n");
    let mut file = read("test_it.py", &text, None);
    let only = file.tests.pop().expect("one test");
    let rules = only.problems.into_iter();
    rules.map(|weakness| weakness.rule.into()).collect()
}

#[test]
fn what_is_true_whatever_the_code_does_is_no_assertion() {
    let constant = [
        "assert True",
        "assert 1 + 1 == 2",
        "assert (f() == 1, 'one')",
        "assert [f()]",
        "assert f() == 1 or True",
        "assert f() == 1 or not 0",
        "assert len(f()) >= 0",
        "assert lambda: f()",
        "assert not ()",
    ];
    for body in constant {
        assert_eq!(rules_of_test(body), ["no_oracle"], "{body}");
    }
    let telling = [
        "assert (f(), 2) == (1, 2)",
        "assert [f()] == [1]",
        "assert f() == 1 or f() == 2",
        "assert f() == 1 and True",
        "assert len(f()) >= 1",
        "assert not f()",
        "assert 1 == f()",
    ];
    for body in telling {
        assert_eq!(rules_of_test(body), [""; 0], "{body}");
    }
}

#[test]
fn a_conftest_gets_no_hook_by_whatever_name_or_way() {
    let hooks = [
        "def pytest_runtest_call(item):\n    pass\n",
        "pytest_runtest_call = print\n",
        "from app import call as pytest_runtest_call\n",
        "from app import pytest_runtest_call\n",
        "try:\n    from app import *\nexcept ImportError:\n    pass\n",
        "with open('x') as pytest_runtest_call:\n    pass\n",
        "for pytest_runtest_call in [print]:\n    pass\n",
        "x = (pytest_runtest_call := print)\n",
        "class pytest_runtest_call:\n    pass\n",
    ];
    for text in hooks {
        let file = read("conftest.py", text, None);
        let rules: Vec<&str> = file.problems.iter().map(|w| w.rule.as_str()).collect();
        assert!(rules.contains(&"conftest_hook"), "{rules:?} for {text}");
        let known = read("conftest.py", text, Some(text));
        assert!(known.problems.is_empty(), "{:?}", known.problems);
    }
    let fixtures = "import pytest\nfrom app import thing\n\nSIZE = 3\n\n\n@pytest.fixture\ndef a():\n    return thing\n";
    let file = read("conftest.py", fixtures, None);
    assert!(file.problems.is_empty(), "{:?}", file.problems);
}

#[test]
fn a_negated_twin_cannot_come_to_its_end() {
    let text = "\
from app import f


def test_returns():
    if f():
        return
    assert f() == 1


def test_only_inside():
    def inner():
        assert f() == 1
    inner()


def test_returns_where_failures_are_caught():
    try:
        return f()
    except Exception:
        pass
    assert f() == 2
";
    let file = read("test_it.py", text, None);
    let twin = &file.twins[&TwinKind::Negated];
    let expected = [
        "    if f():\n        __proctor_ended__",
        "    assert not f() == 1\n    __proctor_ended__",
        "        assert f() == 1\n    inner()\n    __proctor_ended__",
    ];
    for part in expected {
        assert!(twin.contains(part), "{part} is not in\n{twin}");
    }
    let places = |index: usize| file.tests[index].places.get(&TwinKind::Negated);
    assert!(places(0).is_some() && places(1).is_some());
    assert_eq!(places(2), None, "nothing can be said about it");
}

#[test]
fn a_changed_twin_stays_what_it_was_made_of() {
    let text = "\
from decimal import Decimal

from app import f


def test_it():
    assert f(1) == Decimal('1.5')
    assert f(2) and f(3) == 'x'
    assert 4 == f(4)
";
    let file = read("test_it.py", text, None);
    let twin = &file.twins[&TwinKind::Changed];
    let asked = |number: u32, held: &str| format!("__proctor_asked__({number}, {held})");
    let wanted = |line: &str| {
        let of = |text: &str, without: &str| text.len() == without.len() + 1;
        match line.trim_start().strip_prefix("assert ")? {
            found if found.starts_with("f(1) == Decimal('1.5") => {
                Some(of(found, "f(1) == Decimal('1.5')"))
            }
            found if found.starts_with("f(2) and f(3) == '") => {
                Some(of(found, "f(2) and f(3) == 'x'"))
            }
            found => Some(found.ends_with(" == f(4)") && found != "4 == f(4)"),
        }
    };
    let asserts: Vec<bool> = twin.lines().filter_map(wanted).collect();
    assert_eq!(asserts, [true; 3], "{twin}");
    for number in 1..=3 {
        for held in ["False", "True"] {
            assert!(twin.contains(&asked(number, held)), "{twin}");
        }
    }
    assert!(
        twin.trim_end().ends_with("__proctor_answered__(3)"),
        "{twin}"
    );
    // Code that knew how would change it back.
    let others: BTreeSet<String> = (0..3)
        .map(|_| read("test_it.py", text, None).twins[&TwinKind::Changed].clone())
        .collect();
    assert!(
        others.len() > 1,
        "they are changed in the same way each time"
    );
}

#[test]
fn what_is_too_deep_to_be_read_is_a_problem() {
    let deep = vec!["0"; 4000].join(" + ");
    let text = format!("def test_deep():\n    x = {deep}\n    assert x\n");
    let file = read("test_deep.py", &text, None);
    let problems = file.problems.len() + usize::from(file.error.is_some());
    assert_eq!(problems, 1, "{file:?}");
}
