//! What is said to a model.
//!
//! The stable part, document and context, comes first, so that a service can keep it between calls;
//! what changes from attempt to attempt comes last. A prompt asks for text in the one format that
//! [`parse_files`](super::parse_files) reads and offers an honest way out.

use std::fmt::Write as _;

use crate::lld::{ChangeType, PlannedFile};

/// A file that is shown to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its content.
    pub text: &'a str,
}

/// What every prompt of a run shares.
#[derive(Debug, Clone, Copy)]
pub struct Background<'a> {
    /// The design document.
    pub document: &'a str,
    /// Context files, in the order given.
    pub context: &'a [ShownFile<'a>],
    /// What the design document changes besides tests.
    pub sources: &'a [PlannedFile],
    /// Test files that it lists.
    pub tests: &'a [PlannedFile],
}

const RULES: &str = "\
You write code for a project that is guarded by an arbiter. It runs the real tests itself, compares
bytes and shows a person every line; only what you send in the format below counts. Nothing you say
about test results is read. If the task cannot be done honestly, say so with one line
`### GIVE UP: reason`; that is always accepted.

Format: for each file one line `### FILE: relative/path`, then one fenced block with the whole file.
Use a fence longer than any fence inside the file. End your reply with the line `### END`.
";

/// Asks for test files.
pub fn scaffold(
    background: &Background<'_>,
    existing: &[ShownFile<'_>],
    feedback: Option<&str>,
) -> String {
    let mut text = opening(background);
    text.push_str(
        "\n# Your task: the tests\n\n\
         Write the failing tests for this design document, for pytest, before any implementation\n\
         exists. Send test files only. Each test must assert something that the document asks for\n\
         and must fail now for the reason that the code is missing or wrong: by an assertion, or\n\
         because a module, function or attribute that the document declares is not there yet. No\n\
         skips, no expected failures, no `assert False`, no imports of modules that neither exist nor\n\
         are declared. Tests that exist stay as they are.\n",
    );
    if !background.tests.is_empty() {
        text.push_str("\nTest files that the document lists:\n");
        list(&mut text, background.tests);
    }
    for file in existing {
        show(&mut text, "Existing file", file);
    }
    if let Some(feedback) = feedback {
        retry(&mut text, "Your last tests were refused", feedback);
    }
    text
}

/// What the model is to know about the file it is asked for.
#[derive(Debug, Clone, Copy)]
pub struct FileTask<'a> {
    /// The file.
    pub file: &'a PlannedFile,
    /// Its content now, if it exists.
    pub current: Option<&'a str>,
    /// The sealed tests.
    pub tests: &'a [ShownFile<'a>],
    /// Other files of the document as they are now.
    pub others: &'a [ShownFile<'a>],
}

/// Asks for one file.
pub fn implement(
    background: &Background<'_>,
    task: &FileTask<'_>,
    feedback: Option<&str>,
) -> String {
    let mut text = opening(background);
    for test in task.tests {
        show(
            &mut text,
            "Sealed test (it cannot be changed any more)",
            test,
        );
    }
    for other in task.others {
        show(&mut text, "Other file of the document, as it is now", other);
    }
    let path = task.file.path.as_str();
    let _ = write!(text, "\n# Your task: {path}\n\n{}\n", task.file.description);
    match task.current {
        Some(current) => {
            show(
                &mut text,
                "The file as it is now",
                &ShownFile {
                    path,
                    text: current,
                },
            );
            let _ = writeln!(
                text,
                "\nSend the whole new content of {path}, everything you keep included."
            );
        }
        None => {
            let _ = writeln!(
                text,
                "\nThe file does not exist yet. Send its whole content."
            );
        }
    }
    text.push_str(
        "You may add new source files that it needs. Other existing files, tests and test\n\
         configuration must not be in your reply. Make the sealed tests pass by doing what the\n\
         document asks for, not by recognising the tests.\n",
    );
    if let Some(feedback) = feedback {
        retry(&mut text, "Your last attempt did not pass", feedback);
    }
    text
}

fn opening(background: &Background<'_>) -> String {
    let mut text = String::from(RULES);
    let _ = write!(
        text,
        "\n# Design document\n\n{}\n",
        background.document.trim_end()
    );
    text.push_str("\n# Files that the document changes\n\n");
    list(&mut text, background.sources);
    for file in background.context {
        show(&mut text, "Context", file);
    }
    text
}

fn list(text: &mut String, files: &[PlannedFile]) {
    for file in files {
        let change = match file.change {
            ChangeType::Add => "add",
            ChangeType::Modify => "modify",
            ChangeType::Delete => "delete (Proctor does that)",
        };
        let _ = writeln!(text, "- {} ({change}): {}", file.path, file.description);
    }
}

fn show(text: &mut String, heading: &str, file: &ShownFile<'_>) {
    let fence = "`".repeat(longest_fence(file.text).max(2) + 1);
    let newline = if file.text.is_empty() || file.text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let _ = write!(
        text,
        "\n## {heading}: {}\n{fence}\n{}{newline}{fence}\n",
        file.path, file.text
    );
}

/// The longest run of backticks that starts a line.
fn longest_fence(text: &str) -> usize {
    let run = |line: &str| {
        line.trim_start()
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count()
    };
    text.lines().map(run).max().unwrap_or(0)
}

fn retry(text: &mut String, heading: &str, feedback: &str) {
    let _ = write!(
        text,
        "\n# {heading}\n\n{}\n\nSend everything again, corrected.\n",
        feedback.trim_end()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ProjectPath;

    fn planned(path: &str) -> PlannedFile {
        PlannedFile {
            path: ProjectPath::parse(path).expect("a plain path"),
            change: ChangeType::Add,
            description: "the thing".to_owned(),
        }
    }

    #[test]
    fn the_stable_part_comes_first_and_the_feedback_last() {
        let sources = [planned("src/a.py")];
        let context = [ShownFile {
            path: "src/util.py",
            text: "x = 1",
        }];
        let background = Background {
            document: "# 1 - Title",
            context: &context,
            sources: &sources,
            tests: &[],
        };
        let first = scaffold(&background, &[], None);
        let second = scaffold(&background, &[], Some("tests/test_a.py: SyntaxError"));
        assert!(second.starts_with(&first));
        assert!(second.contains("tests/test_a.py: SyntaxError"));
        let task = FileTask {
            file: &sources[0],
            current: None,
            tests: &[],
            others: &[],
        };
        let question = implement(&background, &task, None);
        let shared = first.find("# Your task").expect("a task");
        assert!(question.starts_with(&first[..shared]));
    }

    #[test]
    fn a_shown_file_is_fenced_longer_than_anything_in_it() {
        let background = Background {
            document: "",
            context: &[],
            sources: &[],
            tests: &[],
        };
        let existing = [ShownFile {
            path: "tests/test_a.py",
            text: "s = '''\n`````\n'''",
        }];
        let text = scaffold(&background, &existing, None);
        assert!(text.contains("\n``````\ns = "), "{text}");
    }
}
