//! A finished program's output, in a form that can be in a snapshot.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::Output;
use std::sync::LazyLock;

use regex::Regex;

/// The issues whose run ids are normalised: the tests' usual one and the demo's.
///
/// A fixed list, because any number, a hyphen and six letters also describes a "300-second" limit.
const ISSUES: [&str; 2] = ["87", "42"];

/// How many letters and digits follow the issue in a run id.
const RUN_SUFFIX_LENGTH: usize = 6;

/// Text that differs from run to run and has a shape: names of git's objects and digests, whole or shortened; times;
/// durations, in parentheses as progress prints them; versions of installed programs; terminals; ports; which sandbox
/// there is.
static SHAPES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let shapes = [
        (r"\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{10})\b", "[ID]"),
        (r"\bSHA256:[A-Za-z0-9+/]{43}", "[FINGERPRINT]"),
        (r"/[0-9a-f]{16}\b", "/[ID]"),
        (
            r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?(?:Z| UTC)?",
            "[MOMENT]",
        ),
        (r"\((?:[0-9]+ min )?[0-9.]+ s\)", "([TIME])"),
        (r"\b[0-9]+ ms\b", "[TIME]"),
        (r"\b(repo)-[0-9a-f]{8}\b", "$1-[ID]"),
        // How many there was time for.
        (
            r"\bmutants: [0-9]+ of [0-9]+ killed(?:, [0-9]+ more not tried)?(?:\n[ #]+not noticed: (?u:[^\n])*)*",
            "mutants: [N] of [M] killed",
        ),
        (r"/dev/(?:pts/|tty)[0-9]+", "[TERMINAL]"),
        (r"\b127\.0\.0\.1:[0-9]+", "127.0.0.1:[PORT]"),
        (
            r"\bsandbox(:?) +(?:bubblewrap|landlock)",
            "sandbox$1 [LEVEL]",
        ),
        (
            r"\b(proctor|[Pp]ython|pytest|git|ruff|version) v?[0-9]+(?:\.[0-9]+)+(?: \([0-9a-f]+\))?",
            "$1 [VERSION]",
        ),
    ];
    shapes
        .map(|(shape, name)| {
            // The classes are ASCII's: the expressions of this workspace have no others.
            let shape = Regex::new(&format!("(?-u:{shape})"));
            (shape.expect("a constant that every test uses"), name)
        })
        .into()
});

/// Replaces text that differs from one run of a test to the next.
#[derive(Debug, Clone)]
pub(crate) struct Normaliser {
    // Longest first, so that a path is replaced before the path of its parent.
    replacements: Vec<(String, &'static str)>,
}

impl Normaliser {
    pub(crate) fn new(paths: impl IntoIterator<Item = (PathBuf, &'static str)>) -> Self {
        let mut replacements: Vec<_> = paths
            .into_iter()
            .map(|(path, name)| (path.to_string_lossy().into_owned(), name))
            .collect();
        replacements.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Self { replacements }
    }

    pub(crate) fn apply(&self, text: &str) -> String {
        let without_paths = self
            .replacements
            .iter()
            .fold(text.to_owned(), |text, (path, name)| {
                text.replace(path, name)
            });
        let without_runs = ISSUES.iter().fold(without_paths, |text, issue| {
            replace_run_ids(&text, &format!("{issue}-"))
        });
        SHAPES.iter().fold(without_runs, |text, (shape, name)| {
            shape.replace_all(&text, *name).into_owned()
        })
    }
}

/// Replaces every `prefix` + suffix that is a word of its own by `[RUN]`.
fn replace_run_ids(text: &str, prefix: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric();
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(prefix) {
        let (before, from_prefix) = rest.split_at(start);
        let after_prefix = &from_prefix[prefix.len()..];
        let suffix_length = after_prefix
            .bytes()
            .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            .count();
        let ends_word = !after_prefix[suffix_length..].starts_with(is_word);
        let starts_word = !before.ends_with(is_word);
        replaced.push_str(before);
        if suffix_length == RUN_SUFFIX_LENGTH && starts_word && ends_word {
            replaced.push_str("[RUN]");
            rest = &after_prefix[suffix_length..];
        } else {
            replaced.push_str(prefix);
            rest = after_prefix;
        }
    }
    replaced.push_str(rest);
    replaced
}

/// A finished program's exit code and output.
#[derive(Debug, Clone)]
pub struct RunOutput {
    /// The exit code; 128 and the signal's number if a signal ended the program, as a shell says.
    pub code: i32,
    /// The bytes of standard output, as printed.
    pub stdout: String,
    /// The bytes of standard error, as printed.
    pub stderr: String,
    normaliser: Normaliser,
}

impl RunOutput {
    pub(crate) fn new(output: &Output, normaliser: Normaliser) -> Self {
        let code = output.status.code().unwrap_or_else(|| {
            128 + output
                .status
                .signal()
                .expect("a program without an exit code was ended by a signal")
        });
        Self {
            code,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            normaliser,
        }
    }

    /// Fails the test, showing all output, unless the program ended with `code`.
    #[track_caller]
    pub fn expect_code(&self, code: i32) -> &Self {
        assert_eq!(
            self.code,
            code,
            "the program ended with another exit code than expected\n{}",
            self.normalised()
        );
        self
    }

    /// Standard output as the one JSON document that it has to be.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!(
                "standard output is not one JSON document: {error}\n{}",
                self.normalised()
            )
        })
    }

    /// The rules by which a gate refused, from its JSON document.
    #[track_caller]
    pub fn rules(&self) -> BTreeSet<String> {
        let document = self.json();
        let reasons = document["reasons"].as_array().into_iter().flatten();
        reasons
            .filter_map(|reason| reason["rule"].as_str().map(str::to_owned))
            .collect()
    }

    /// Exit code and both streams in one text, with `[REPO]`, `[STATE]`, `[HOME]`, `[ROOT]`, `[RUN]`, `[ID]`,
    /// `[MOMENT]`, `[TIME]`, `[TERMINAL]`, `[PORT]`, `[LEVEL]` and `[VERSION]` in place of text that differs from run
    /// to run.
    pub fn normalised(&self) -> String {
        let mut text = format!("exit code: {}\n", self.code);
        for (name, content) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            let content = self.normaliser.apply(content);
            let newline = if content.is_empty() || content.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            write!(text, "--- {name}\n{content}{newline}").expect("a string takes any text");
        }
        text
    }

    /// The JSON document's text at this place, as `/error/message`, normalised.
    #[track_caller]
    pub fn normalised_text(&self, pointer: &str) -> String {
        let document = self.json();
        let text = document.pointer(pointer).and_then(|value| value.as_str());
        let text = text.unwrap_or_else(|| panic!("no text at {pointer}: {document:#}"));
        self.normaliser.apply(text)
    }

    /// Standard output alone, normalised.
    pub fn normalised_stdout(&self) -> String {
        self.normaliser.apply(&self.stdout)
    }

    /// Standard error alone, normalised.
    pub fn normalised_stderr(&self) -> String {
        self.normaliser.apply(&self.stderr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normaliser() -> Normaliser {
        Normaliser::new([
            (PathBuf::from("/t/x"), "[ROOT]"),
            (PathBuf::from("/t/x/repo"), "[REPO]"),
        ])
    }

    #[test]
    fn inner_paths_are_named_before_the_paths_around_them() {
        assert_eq!(
            normaliser().apply("/t/x/repo/a and /t/x/b"),
            "[REPO]/a and [ROOT]/b"
        );
    }

    #[test]
    fn ids_moments_times_and_versions_are_replaced_and_other_numbers_are_not() {
        assert_eq!(
            normaliser().apply(
                "tree 0123456789, 4b825dc642cb6eb9a060e54bf8d69288fbee4904 at 2026-01-02T03:04:05Z  (0.6 s) (2 min 5 s)"
            ),
            "tree [ID], [ID] at [MOMENT]  ([TIME]) ([TIME])"
        );
        assert_eq!(
            normaliser().apply("git version 2.47.1, proctor 0.2.0 (0a1b2c3d), 12 ms, 127.0.0.1:80"),
            "git version [VERSION], proctor [VERSION], [TIME], 127.0.0.1:[PORT]"
        );
        let kept = "300 s, line 12 of 1234, -1,270 +1,56, 200 MB, defaced";
        assert_eq!(normaliser().apply(kept), kept);
    }

    #[test]
    fn run_ids_are_replaced_and_lookalikes_are_not() {
        assert_eq!(
            normaliser().apply("run 87-a1b2c3: feat 42-zzzzzz, 187-a1b2c3 87-a1b2c3d 87-a1b2c 87-"),
            "run [RUN]: feat [RUN], 187-a1b2c3 87-a1b2c3d 87-a1b2c 87-"
        );
    }
}
