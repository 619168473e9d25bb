//! What honest projects do and a gate must not hold against them.

use crate::gates::{accepted, refused};
use crate::project::{Project, text};

#[test]
fn a_test_may_expect_an_exception_that_a_raising_stub_could_be_taken_for() {
    let project = Project::new();
    for expected in ["NotImplementedError", "RuntimeError"] {
        let tests = format!(
            "import pytest\n\nfrom mathkit.root import root\n\n\n\
             def test_root():\n    assert root(9) == 3\n\n\n\
             def test_negative():\n    with pytest.raises({expected}):\n        root(-1)\n"
        );
        project.repository.write("tests/test_root.py", tests);
        accepted(&project, &["red"]);
    }
}

#[test]
fn code_may_bring_examples_that_are_run_as_tests() {
    let project = Project::new();
    project
        .repository
        .write("pytest.ini", "[pytest]\naddopts = --doctest-modules\n");
    project.repository.commit_all("Run the examples");
    project.repository.write(
        "tests/test_double.py",
        "from mathkit.basic import double\n\n\ndef test_double():\n    assert double(2) == 4\n",
    );
    let code = |example: &str| {
        format!(
            "def add(x, y):\n    return x + y\n\n\ndef double(x):\n    \"\"\"\n    >>> double(3)\n    \
             {example}\n    \"\"\"\n    return add(x, x)\n"
        )
    };
    project.repository.write("mathkit/basic.py", code("6"));
    let green = accepted(&project, &["green"]);
    let note = text(&green["notes"][0]);
    assert!(note.contains("mathkit.basic.double"), "{green:#}");
    project.repository.write("mathkit/basic.py", code("7"));
    refused(&project, &["green"], "test_fails");
}
