//! From a linter's runs to the verdict on a change.

use super::Linter;
use super::finding::{Finding, grown, read};
use crate::test_outcome::Exit;
use crate::workflow::LintResult;

/// One run of a linter.
#[derive(Debug, Clone)]
pub struct LintRun {
    /// How it ended.
    pub exit: Exit,
    /// Its output, both streams.
    pub output: String,
}

/// The linter behind the output, and so how to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// A known linter, called as Proctor calls it.
    Known(Linter),
    /// A known linter, called as the project configured it: it may print another format.
    Likely(Linter),
    /// Something else; its exit code says whether it complains.
    Unknown,
}

impl Voice {
    fn linter(self) -> Option<Linter> {
        match self {
            Self::Known(linter) | Self::Likely(linter) => Some(linter),
            Self::Unknown => None,
        }
    }
}

/// The result of one run.
#[derive(Debug)]
enum Answer {
    /// These things, perhaps none.
    Findings(Vec<Finding>),
    /// Something, in words that only people can read.
    Words(String),
    /// Nothing that can be relied on, for this reason.
    Nothing(String),
}

/// A linter's verdict on a change.
///
/// `files` are the changed files and `before` its run at the base, if there was one.
pub fn judge_lint(
    voice: Voice,
    command: String,
    files: &[&str],
    root: &str,
    now: &LintRun,
    before: Option<&LintRun>,
) -> LintResult {
    let before = before.map(|run| answer(voice, run, root, files));
    match (answer(voice, now, root, files), before) {
        (Answer::Nothing(reason), _) => LintResult::Unusable { command, reason },
        (Answer::Findings(found), before) => {
            let before = match before {
                Some(Answer::Findings(findings)) => findings,
                _ => Vec::new(),
            };
            let all = found.len();
            let new = grown(found, &before);
            let known = all - new.len();
            if new.is_empty() {
                return LintResult::Clean { command, known };
            }
            let lines: Vec<String> = new.iter().map(ToString::to_string).collect();
            LintResult::Complaints {
                command,
                output: lines.join("\n"),
                known,
            }
        }
        (Answer::Words(words), Some(Answer::Words(earlier)))
            if without_positions(&words) == without_positions(&earlier) =>
        {
            let known = words.lines().filter(|line| !line.trim().is_empty()).count();
            LintResult::Clean { command, known }
        }
        (Answer::Words(output), _) => LintResult::Complaints {
            command,
            output,
            known: 0,
        },
    }
}

fn answer(voice: Voice, run: &LintRun, root: &str, files: &[&str]) -> Answer {
    let code = match run.exit {
        Exit::Code(code) => code,
        exit @ (Exit::Signal(_) | Exit::TimedOut) => return Answer::Nothing(exit.to_string()),
    };
    let Some(linter) = voice.linter() else {
        return match code {
            0 => Answer::Findings(Vec::new()),
            // A shell's exit codes for a command that it cannot start.
            126 | 127 => Answer::Nothing(ended(code, &run.output)),
            _ => Answer::Words(run.output.clone()),
        };
    };
    if !linter.has_findings(code) {
        return match code {
            0 => Answer::Findings(Vec::new()),
            _ => Answer::Nothing(ended(code, &run.output)),
        };
    }
    let mut found = read(linter, &run.output, root);
    if found.is_empty() && code != 0 {
        return match voice {
            Voice::Likely(_) => Answer::Words(run.output.clone()),
            _ => Answer::Nothing(ended(code, &run.output)),
        };
    }
    found.retain(|finding| files.contains(&finding.path.as_str()));
    Answer::Findings(found)
}

/// A crash in one sentence: the code, and the last line of output.
fn ended(code: i32, output: &str) -> String {
    let last = output.lines().rev().find(|line| !line.trim().is_empty());
    match last {
        Some(line) => format!("it ended with code {code}: {}", line.trim()),
        None => format!("it ended with code {code} and said nothing"),
    }
}

/// Positions move; messages do not. Other numbers may be counts, which matter.
fn without_positions(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_position = false;
    for character in text.chars() {
        in_position = character.is_ascii_digit()
            && (in_position || kept.ends_with(':') || kept.ends_with("line "));
        if !in_position {
            kept.push(character);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(code: i32, output: &str) -> LintRun {
        LintRun {
            exit: Exit::Code(code),
            output: output.to_owned(),
        }
    }

    fn judge(linter: Option<Linter>, now: &LintRun, before: Option<&LintRun>) -> LintResult {
        let voice = linter.map_or(Voice::Unknown, Voice::Known);
        judge_lint(
            voice,
            "it".to_owned(),
            &["a.py", "b.py"],
            "/bench",
            now,
            before,
        )
    }

    fn clean(known: usize) -> LintResult {
        LintResult::Clean {
            command: "it".to_owned(),
            known,
        }
    }

    const UNUSED: &str = "a.py:1:8: F401 `os` imported but unused\n";

    #[test]
    fn findings_that_the_base_had_are_not_the_changes() {
        let ruff = Some(Linter::Ruff);
        let now = run(
            1,
            "a.py:7:8: F401 `os` imported but unused\nFound 1 error.\n",
        );
        assert_eq!(judge(ruff, &now, Some(&run(1, UNUSED))), clean(1));
        let LintResult::Complaints { output, known, .. } = judge(ruff, &now, None) else {
            panic!("new without a base")
        };
        assert_eq!(
            (output.as_str(), known),
            ("a.py:7: F401 `os` imported but unused", 0)
        );
        let two = run(1, &format!("{UNUSED}b.py:2:1: F821 Undefined name `x`\n"));
        let LintResult::Complaints { output, known, .. } = judge(ruff, &two, Some(&run(1, UNUSED)))
        else {
            panic!("one is new")
        };
        assert_eq!(
            (output.as_str(), known),
            ("b.py:2: F821 Undefined name `x`", 1)
        );
        assert_eq!(judge(ruff, &run(0, "All checks passed!\n"), None), clean(0));
    }

    #[test]
    fn a_crash_is_told_apart_from_findings() {
        let flake8 = Some(Linter::Flake8);
        let traceback =
            "Traceback (most recent call last):\nModuleNotFoundError: No module named 'x'\n";
        let cases = [
            (flake8, run(1, traceback), "No module named 'x'"),
            (
                Some(Linter::Ruff),
                run(2, "ruff failed\n  Cause: bad\n"),
                "code 2: Cause: bad",
            ),
            (Some(Linter::Eslint), run(2, "Oops!\n"), "code 2: Oops!"),
            (
                Some(Linter::Clippy),
                run(101, "error: no matching package\n"),
                "code 101",
            ),
            (None, run(127, ""), "code 127 and said nothing"),
        ];
        for (linter, crash, words) in cases {
            let LintResult::Unusable { reason, .. } = judge(linter, &crash, None) else {
                panic!("{crash:?}")
            };
            assert!(reason.contains(words), "{reason}");
        }
        for exit in [Exit::TimedOut, Exit::Signal(11)] {
            let crash = LintRun {
                exit,
                output: UNUSED.to_owned(),
            };
            assert!(matches!(
                judge(flake8, &crash, None),
                LintResult::Unusable { .. }
            ));
        }
    }

    #[test]
    fn a_configured_linter_may_speak_in_a_format_of_its_own() {
        let now = run(1, "a.py\n  1:8  F401  os\n");
        let files = ["a.py"];
        let voice = Voice::Likely(Linter::Flake8);
        let result = judge_lint(voice, "it".to_owned(), &files, "/", &now, None);
        assert!(
            matches!(result, LintResult::Complaints { .. }),
            "{result:?}"
        );
    }

    #[test]
    fn a_base_that_could_not_be_linted_excuses_nothing() {
        let crash = run(2, "error\n");
        let result = judge(Some(Linter::Ruff), &run(1, UNUSED), Some(&crash));
        assert!(matches!(result, LintResult::Complaints { .. }));
    }

    #[test]
    fn clippy_warns_with_code_zero_and_about_other_files() {
        let now = run(
            0,
            "b.py:3:5: warning: unneeded\nsrc/other.rs:1:1: warning: old\n",
        );
        let LintResult::Complaints { output, .. } = judge(Some(Linter::Clippy), &now, None) else {
            panic!("a warning is a finding")
        };
        assert_eq!(output, "b.py:3: warning: unneeded");
    }

    #[test]
    fn an_unknown_linters_words_count_unless_the_base_had_the_same() {
        let words = run(1, "a.py line 12 is too long\n1 problem\n");
        let same = run(1, "a.py line 3 is too long\n1 problem\n");
        assert_eq!(judge(None, &words, Some(&same)), clean(2));
        let other = run(1, "b.py line 3 is too long\n1 problem\n");
        let fewer = run(1, "a.py line 3 is too long\n0 problems\n");
        for before in [None, Some(&other), Some(&fewer), Some(&run(0, ""))] {
            let LintResult::Complaints { output, .. } = judge(None, &words, before) else {
                panic!("{before:?}")
            };
            assert_eq!(output, words.output);
        }
    }
}
