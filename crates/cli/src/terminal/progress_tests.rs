//! A run as it appears in a log; a terminal gets the same permanent lines.

use proctor_core::workflow::step;

use super::*;
use crate::terminal::sample::{Captured, LOG, new_run, story};
use crate::terminal::style::Appearance;

fn told(verbosity: Verbosity, appearance: Appearance) -> String {
    let captured = Captured::default();
    let mut progress = Progress::new(captured.screen(appearance), verbosity);
    let mut run = new_run();
    progress.about_to_send(&Destination::Program("claude".to_owned()), 4310);
    for event in story() {
        let effect = run.effect();
        progress.begins(&run, &effect);
        if matches!(effect, Effect::JudgeRed(_)) {
            progress.line("test_a PASSED \x1b[31m");
        }
        run = step(&run, &event).expect("the story is possible");
        progress.record(&run, &event);
    }
    progress.remark("the sandbox is off");
    drop(progress);
    without_times(&captured.text())
}

/// Times differ from run to run.
fn without_times(text: &str) -> String {
    text.lines()
        .map(|line| match line.rfind("  (") {
            Some(start) if line.ends_with(" s)") => format!("{}  (TIME)\n", &line[..start]),
            _ => format!("{line}\n"),
        })
        .collect()
}

#[test]
fn a_log_has_the_permanent_lines_and_announces_what_takes_long() {
    insta::assert_snapshot!(told(Verbosity::Usual, LOG), @r"
    • About 4,310 tokens go to the program `claude`, which may send them on
      what goes to a model: the design document, the context files you named, the
      files that the design lists, test output; every request is scanned for secrets
      what is kept: all of that and the replies, in the git directory's proctor/ on
      this machine; `proctor clean` removes test output; more: docs/data-policy.md
    ✓ N0 LoadContext  1 source file and 1 test file to write, about 4,310 tokens  (TIME)
    ✓ N0 LoadContext  worktree made from main at bbbbbbbbbb  (TIME)
    • N0 LoadContext  running the tests as they are at the base …
    ✓ N0 LoadContext  2 tests pass at the base, 1 is skipped  (TIME)
    • N1 Scaffold     asking the model for tests, attempt 1 of 3 …
    ✓ N1 Scaffold     the model replied, 1,204 tokens  (TIME)
    ✗ N1 Scaffold     reply refused: the reply writes src/discount.py, which is not a test file  (TIME)
          write test files only \x1b[31m
    • N1 Scaffold     asking the model for tests, attempt 2 of 3 …
    ✓ N1 Scaffold     the model replied, 1,300 tokens  (TIME)
    ✓ N1 Scaffold     wrote tests/test_discount.py  (TIME)
    • N2 RedGate      running the tests; the new ones have to fail …
    ✗ N2 RedGate      refused: tests/test_discount.py: the module `invoicekit.pricing` does not exist and the design does not declare it  (TIME)
          1 new test file cannot be loaded yet, 2 earlier tests still pass
    • N1 Scaffold     asking the model for tests, attempt 3 of 3 …
    ✓ N1 Scaffold     the model replied, 1,100 tokens  (TIME)
    ✓ N1 Scaffold     wrote tests/test_discount.py  (TIME)
    • N2 RedGate      running the tests; the new ones have to fail …
    ✓ N2 RedGate      red: 1 new test fails, 2 earlier tests still pass  (TIME)
    • N3 Implement    asking the model for src/discount.py, attempt 1 of 3 …
    ✓ N3 Implement    the model replied, 800 tokens  (TIME)
    ✓ N3 Implement    wrote src/discount.py  (TIME)
    • N4 GreenGate    judging the change by its tests …
    ✗ N4 GreenGate    refused: 1 new test fails, 1 earlier test no longer passes, 1 earlier test still passes  (TIME)
          tests/test_discount.py::test_ten_percent: still fails with AssertionError: assert 90 == 9
          tests/test_old.py::test_sum: passed at the base commit and is failed now
          a::1: was collected and not run to its end
          a::2: was collected and not run to its end
          a::3: was collected and not run to its end
          … and 2 more
    • N3 Implement    asking the model for src/discount.py, attempt 2 of 3 …
    ✓ N3 Implement    the model replied, 790 tokens  (TIME)
    ✓ N3 Implement    wrote src/discount.py  (TIME)
    • N4 GreenGate    judging the change by its tests …
    ✓ N4 GreenGate    green: 1 new test passes, 2 earlier tests still pass  (TIME)
    ✓ N5 Lint         no complaint from `ruff check src/discount.py`  (TIME)
    ✓ N6 Review       approved by Ada Tester <ada@example.com>  (TIME)
    ✓ N7 Merge        merged into main as cccccccccc  (TIME)
    • N7 Merge        worktree removed  (TIME)
    • the sandbox is off
    ");
}

#[test]
fn quiet_says_nothing_but_what_leaves_the_machine() {
    let text = told(Verbosity::Quiet, LOG);
    assert_eq!(text.lines().count(), 5, "{text}");
    assert!(text.contains("data-policy"), "{text}");
}

#[test]
fn verbose_repeats_what_the_tests_print_and_makes_it_visible() {
    let text = told(Verbosity::Verbose, LOG);
    assert!(text.contains("\n    test_a PASSED \\x1b[31m\n"), "{text}");
    assert!(!told(Verbosity::Usual, LOG).contains("PASSED"));
}

#[test]
fn without_unicode_a_log_is_ascii() {
    let text = told(Verbosity::Usual, Appearance::default());
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn durations_are_as_exact_as_they_matter() {
    let shown = |milliseconds| duration(Duration::from_millis(milliseconds));
    assert_eq!(shown(640), "0.6 s");
    assert_eq!(shown(12_900), "12 s");
    assert_eq!(shown(125_000), "2 min 5 s");
}
