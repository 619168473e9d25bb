//! The mutants of source files, and the lines that have to be executed, with the real Python.

use std::ffi::OsString;

use proctor_core::mutants::{LinesOf, SourceLines};
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::test_runner::PythonReader;

fn read(text: &str, lines: impl IntoIterator<Item = u32>) -> SourceLines {
    let file = LinesOf {
        path: "app.py".to_owned(),
        text: text.to_owned(),
        lines: lines.into_iter().collect(),
    };
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let answer = PythonReader {
        command: &["python3".into()],
        environment: &environment,
        launcher: &Launcher::plain(),
        interrupt: &Interrupt::never(),
        confinement: None,
        programs: None,
    }
    .source_lines(&[file], true);
    let mut files = answer.expect("an answer");
    files.pop().expect("one file")
}

/// Every mutant in one line: its place and its change. Each is also applied.
fn mutants(text: &str) -> Vec<String> {
    let file = read(text, 1..100);
    assert_eq!(file.error, None);
    let mut found: Vec<_> = file.mutants.iter().collect();
    found.sort_by_key(|mutant| (mutant.line, mutant.start, mutant.end));
    found
        .into_iter()
        .map(|mutant| {
            let changed = mutant
                .applied(text.as_bytes())
                .expect("it lies in the file");
            let changed = String::from_utf8(changed).expect("text");
            let lines = |text: &str| text.matches('\n').count();
            assert_eq!(lines(&changed), lines(text), "{changed}");
            format!("{} {}", mutant.line, mutant.what)
        })
        .collect()
}

#[test]
fn every_sort_of_mistake_is_made_in_its_place() {
    let text = "\
LIMIT = 5


def f(x, y=True):
    if x == 1 and not y:
        raise ValueError(\"bad\")
    z = (x
         + 2)
    z *= 3
    if 'ä' in y or x is not None or z < 4: z = 'ü'
    g(z)
    return [
        z,
    ]
";
    let expected = [
        "1 `5` became `6`",
        "4 `True` became `False`",
        "5 `==` became `!=`",
        "5 `1` became `2`",
        "5 `and` became `or`",
        "5 `not` was taken out",
        "6 `raise ValueError(\"bad\")` was taken out",
        "7 `z = (x + 2)` was taken out",
        "8 `+` became `-`",
        "8 `2` became `3`",
        "9 `z *= 3` was taken out",
        "9 `*=` became `/=`",
        "9 `3` became `4`",
        "10 `'ä'` became `'äx'`",
        "10 `in` became `not in`",
        "10 `or` became `and`",
        "10 `is not` became `is`",
        "10 `or` became `and`",
        "10 `<` became `>=`",
        "10 `4` became `5`",
        "10 `z = 'ü'` was taken out",
        "10 `'ü'` became `'üx'`",
        "11 `g(z)` was taken out",
        "12 `[ z, ]` became `None`",
    ];
    assert_eq!(mutants(text), expected);
}

#[test]
fn what_changes_nothing_that_a_program_does_is_left_alone() {
    let text = "\
\"\"\"About this.\"\"\"
import os
from typing import TYPE_CHECKING

__all__ = [\"f\"]

if TYPE_CHECKING:
    LIMIT = 5


def f(x: \"int\" = None) -> \"str\":
    \"\"\"About f.\"\"\"
    # 1 + 1
    kind: int
    logger.info(\"at %s\", 3)
    log.warning(f\"{x + 1}\")
    return None


if __name__ == \"__main__\":
    f(3)
";
    assert_eq!(mutants(text), Vec::<String>::new());
}

#[test]
fn only_lines_that_were_asked_about_are_changed() {
    let text = "def f(x):\n    y = x + 1\n    return y - 1\n";
    let file = read(text, [3]);
    assert!(file.mutants.iter().all(|mutant| mutant.line == 3));
    assert_eq!(file.mutants.len(), 3);
    let marked = format!("\u{feff}{text}");
    let file = read(&marked, [3]);
    for mutant in &file.mutants {
        let changed = mutant.applied(marked.as_bytes()).expect("it fits");
        assert!(changed.starts_with("\u{feff}def".as_bytes()));
        let changed = String::from_utf8(changed).expect("text");
        assert!(changed.starts_with(&marked[..marked.find("return").unwrap()]));
    }
    assert!(read("def f(:\n", [1]).error.is_some());
}

#[test]
fn lines_that_nothing_executes_are_not_asked_for() {
    let text = "\
\"\"\"About this.

More.
\"\"\"
# a comment


def f(x):
    \"\"\"About f.

    More.
    \"\"\"
    # a comment
    y = (1,
         2)

    return {
        # a comment
        x: y,
    }


def g(x): return lambda y: y


@property
def h(x): return x
";
    let file = read(text, 1..100);
    let needed: Vec<String> = file
        .needed
        .iter()
        .map(|needed| format!("{}: {:?}", needed.line, needed.seen_at))
        .collect();
    let expected = [
        "8: [8]",
        "14: [14]",
        "15: [14]",
        "17: [17]",
        "19: [19]",
        "20: [17, 19]",
        "23: [23]",
        "26: [26]",
        "27: [27]",
        "23: [-23]",
        "27: [-27]",
        "23: [-8589934615]",
    ];
    assert_eq!(needed, expected);
}
