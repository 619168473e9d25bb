//! The output of a run when all goes well, and how another run's differs.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

/// Without a terminal, with the replies of [`crate::project::good`], normalised.
const GOOD_RUN: &str = "\
✓ N0 LoadContext  1 source file and 1 test file to write, about 184 tokens  ([TIME])
✓ N0 LoadContext  worktree made from main at [ID]  ([TIME])
• N0 LoadContext  running the tests as they are at the base …
• tests and linter run in the sandbox [LEVEL]
✓ N0 LoadContext  1 test passes at the base  ([TIME])
• N1 Scaffold     asking the model for tests, attempt 1 of 3 …
✓ N1 Scaffold     the model replied, 20 tokens  ([TIME])
✓ N1 Scaffold     wrote tests/test_power.py  ([TIME])
• N2 RedGate      running the tests; the new ones have to fail …
✓ N2 RedGate      red: 2 new tests fail, 1 new test file cannot be loaded yet, 1 earlier test still passes  ([TIME])
• N3 Implement    asking the model for mathkit/power.py, attempt 1 of 3 …
✓ N3 Implement    the model replied, 30 tokens  ([TIME])
✓ N3 Implement    wrote mathkit/power.py  ([TIME])
• N4 GreenGate    judging the change by its tests …
✓ N4 GreenGate    green: 2 new tests pass, 1 earlier test still passes  ([TIME])
• N5 Lint         no linter is configured or found  ([TIME])
• N6 Review       Diff review gate cannot be bypassed. Manual approval required.  ([TIME])
waiting: run [RUN] waits for a person's decision at the diff review gate
hint: at a terminal: `proctor review [RUN]`
";

pub(crate) fn unlike_a_good_run(printed: &str) -> String {
    unlike(GOOD_RUN, printed)
}

/// Lines that are not usual after `+`, usual ones that are missing after `-`, and `…` for lines that are in both.
pub(crate) fn unlike(usual: &str, printed: &str) -> String {
    let mut shown = String::new();
    let mut is_same = false;
    for change in TextDiff::from_lines(usual, printed).iter_all_changes() {
        let was_same = std::mem::replace(&mut is_same, change.tag() == ChangeTag::Equal);
        match change.tag() {
            ChangeTag::Equal if was_same => {}
            ChangeTag::Equal => shown.push_str("…\n"),
            ChangeTag::Delete | ChangeTag::Insert => {
                let _ = write!(shown, "{} {change}", change.tag());
            }
        }
    }
    shown
}
