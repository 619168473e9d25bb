//! What is said to a model.
//!
//! The stable part comes first, so that a service can keep it between calls: the document, the files that it
//! lists as they were before the run, the context in the order given. What changes from attempt to attempt
//! comes last. Nothing is ever cut. A prompt asks for text in the one format that
//! [`parse_reply`](super::parse_reply) reads and offers an honest way out.

use super::prompt::{Prompt, Source};
use super::strategy::Strategy;
use crate::lld::{ChangeType, PlannedFile};
use crate::pytest;
use crate::sections::longest_fence;

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
    /// Listed files that existed before the run, as they were.
    pub before: &'a [ShownFile<'a>],
    /// Context files, in the order given.
    pub context: &'a [ShownFile<'a>],
    /// What the design document changes besides tests.
    pub sources: &'a [PlannedFile],
    /// Test files that it lists.
    pub tests: &'a [PlannedFile],
}

/// What is said about the last attempt.
#[derive(Debug, Clone, Copy, Default)]
pub struct LastAttempt<'a> {
    /// What a gate, the linter or a person said about what was written.
    pub feedback: Option<&'a str>,
    /// Why the last reply was not used.
    pub refusal: Option<&'a str>,
}

const RULES: &str = "\
You write code for a project that is guarded by an arbiter. It runs the real tests itself, compares
bytes and shows a person every line; only what you send in the format below counts. Nothing you say
about test results is read. If the task cannot be done honestly, say so with one line
`### GIVE UP: reason`; that is always accepted.

Format: for each file one line `### FILE: relative/path`, then one fenced block with the whole file.
Use a fence longer than any fence inside the file. End your reply with the line `### END`.
";

/// How changes are written, and the rules that [`apply`](crate::edit::apply) enforces.
fn explain_changes(prompt: &mut Prompt, path: &str) {
    let example = crate::edit::render(&[crate::edit::Change {
        description: "brief description".to_owned(),
        find: "exact lines of the file\n".to_owned(),
        replace: "the lines that take their place\n".to_owned(),
    }]);
    prompt.say(&format!(
        "\nDo not send all of {path}. Send only the changes, in this format:\n\n\
         ### FILE: {path}\n{example}\n\
         - FIND is copied from the file byte by byte, white space included, without line numbers.\n\
         - FIND has to be at exactly one place of the file: include two lines above and below what\n\
         \x20 changes, more if they occur elsewhere too, and no more than that.\n\
         - Every FIND is looked up in the file as it is shown, before any change. Changes must not\n\
         \x20 touch the same lines; make one change of two that do.\n\
         - REPLACE WITH holds every line that is to be there, the ones you keep included; never\n\
         \x20 a remark such as `... rest of the code`. An empty block deletes the lines.\n\
         - Send all changes that are needed, from top to bottom, each with its own number. If one\n\
         \x20 does not fit, none is applied.\n"
    ));
}

/// Asks for test files; `by_changes` are those that exist and are too large to be sent whole.
pub fn scaffold(background: &Background<'_>, by_changes: &[&str], last: LastAttempt<'_>) -> Prompt {
    let mut prompt = opening(background);
    prompt.say("\n# Your task: the tests\n\n");
    prompt.say(pytest::TESTS_WANTED);
    if !background.tests.is_empty() {
        prompt.say("\nTest files that the document lists:\n");
        list(&mut prompt, background.tests);
    }
    for path in by_changes {
        explain_changes(&mut prompt, path);
    }
    retry(&mut prompt, "Your last tests were refused", last);
    prompt
}

/// What the model is to know about the file it is asked for.
#[derive(Debug, Clone, Copy)]
pub struct FileTask<'a> {
    /// The file.
    pub file: &'a PlannedFile,
    /// Its content now, if it exists.
    pub current: Option<&'a str>,
    /// How it is asked for.
    pub strategy: Strategy,
    /// The sealed tests, as far as they are shown.
    pub tests: &'a [ShownFile<'a>],
    /// How many of them are not.
    pub hidden_tests: usize,
    /// Other files that the run has written, as they are now.
    pub written: &'a [ShownFile<'a>],
}

/// Asks for one file.
pub fn implement(
    background: &Background<'_>,
    task: &FileTask<'_>,
    last: LastAttempt<'_>,
) -> Prompt {
    let mut prompt = opening(background);
    for test in task.tests {
        let heading = "Sealed test (it cannot be changed any more)";
        show(&mut prompt, heading, of_run(test), test);
    }
    if task.hidden_tests > 0 {
        prompt.say(&format!(
            "\nFurther sealed tests that are not shown: {}. They hold the code to what the document asks for.\n",
            task.hidden_tests
        ));
    }
    for other in task.written {
        show(&mut prompt, "Written in this run", of_run(other), other);
    }
    let path = task.file.path.as_str();
    prompt.say(&format!("\n# Your task: {path}\n\n"));
    prompt.quote(Source::Document, &task.file.description);
    prompt.say("\n");
    let before = background.before.iter().find(|file| file.path == path);
    match task.current {
        None => prompt.say("\nThe file does not exist yet. Send its whole content.\n"),
        Some(text) => {
            let now = ShownFile { path, text };
            if before == Some(&now) {
                prompt.say("\nThe file as it is now is shown above.");
            } else {
                show(&mut prompt, "The file as it is now", of_run(&now), &now);
            }
            match task.strategy {
                Strategy::Whole => prompt.say(&format!(
                    "\nSend the whole new content of {path}, everything you keep included.\n"
                )),
                Strategy::Changes => explain_changes(&mut prompt, path),
            }
        }
    }
    prompt.say(
        "You may add new source files that it needs. Other existing files, tests and test\n\
         configuration must not be in your reply. Make the sealed tests pass by doing what the\n\
         document asks for, not by recognising the tests.\n",
    );
    retry(&mut prompt, "Your last attempt did not pass", last);
    prompt
}

fn of_run(file: &ShownFile<'_>) -> Source {
    Source::File(file.path.to_owned())
}

fn opening(background: &Background<'_>) -> Prompt {
    let mut prompt = Prompt::default();
    prompt.say(RULES);
    prompt.say("\n# Design document\n\n");
    prompt.quote(Source::Document, background.document.trim_end());
    prompt.say("\n\n# Files that the document changes\n\n");
    list(&mut prompt, background.sources);
    for file in background.before {
        show(&mut prompt, "Before this run", of_run(file), file);
    }
    for file in background.context {
        let source = Source::Context(file.path.to_owned());
        show(&mut prompt, "Context", source, file);
    }
    prompt.stable_so_far();
    prompt
}

/// The smallest question, to see whether anybody answers.
pub fn probe() -> Prompt {
    let mut prompt = Prompt::default();
    prompt.say(
        "Reply with the word OK and, on a line of its own, `### END`. Nothing else is needed.\n",
    );
    prompt
}

fn list(prompt: &mut Prompt, files: &[PlannedFile]) {
    for file in files {
        let change = match file.change {
            ChangeType::Add => "add",
            ChangeType::Modify => "modify",
            ChangeType::Delete => "delete (Proctor does that)",
        };
        prompt.say(&format!("- {} ({change}): ", file.path));
        prompt.quote(Source::Document, &file.description);
        prompt.say("\n");
    }
}

fn show(prompt: &mut Prompt, heading: &str, source: Source, file: &ShownFile<'_>) {
    let fence = "`".repeat(longest_fence(file.text).max(2) + 1);
    prompt.say(&format!("\n## {heading}: {}\n{fence}\n", file.path));
    prompt.quote(source, file.text);
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        prompt.say("\n");
    }
    prompt.say(&format!("{fence}\n"));
}

fn retry(prompt: &mut Prompt, heading: &str, last: LastAttempt<'_>) {
    if let Some(feedback) = last.feedback {
        prompt.say(&format!("\n# {heading}\n\n"));
        prompt.quote(Source::Feedback, feedback.trim_end());
        prompt.say("\n");
    }
    if let Some(refusal) = last.refusal {
        prompt.say("\n# Your last reply was not used\n\n");
        prompt.quote(Source::Feedback, refusal.trim_end());
        prompt.say("\n");
    }
    if last.feedback.is_some() || last.refusal.is_some() {
        prompt.say("\nSend everything again, corrected.\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::ProjectPath;

    fn planned(path: &str, change: ChangeType) -> PlannedFile {
        PlannedFile {
            path: ProjectPath::parse(path).expect("a plain path"),
            change,
            description: "the thing".to_owned(),
        }
    }

    fn shown<'a>(path: &'a str, text: &'a str) -> ShownFile<'a> {
        ShownFile { path, text }
    }

    #[test]
    fn the_stable_part_comes_first_and_the_feedback_last() {
        let sources = [planned("src/a.py", ChangeType::Modify)];
        let before = [shown("src/a.py", "a = 1\n")];
        let context = [shown("src/util.py", "x = 1"), shown("README.md", "read")];
        let background = Background {
            document: "# 1 - Title",
            before: &before,
            context: &context,
            sources: &sources,
            tests: &[],
        };
        let first = scaffold(&background, &[], LastAttempt::default());
        let second = scaffold(&background, &[], feedback("tests/test_a.py: SyntaxError"));
        assert!(second.text().starts_with(first.text()));
        assert!(second.text().contains("tests/test_a.py: SyntaxError"));
        let task = FileTask {
            file: &sources[0],
            current: Some("a = 2\n"),
            strategy: Strategy::Whole,
            tests: &[shown("tests/test_a.py", "assert a == 3\n")],
            hidden_tests: 0,
            written: &[],
        };
        let question = implement(&background, &task, feedback("a was 2"));
        let shared = first.text().find("# Your task").expect("a task");
        assert!(question.text().starts_with(&first.text()[..shared]));
        assert_eq!(question.split_stable().0, first.split_stable().0);
        assert_eq!(first.split_stable().0.len() + 1, shared);
        let sources: Vec<String> = question
            .pieces()
            .map(|(source, _)| source.to_string())
            .collect();
        assert_eq!(
            sources,
            [
                "the design document",
                "the design document",
                "the file src/a.py",
                "the context file src/util.py",
                "the context file README.md",
                "the file tests/test_a.py",
                "the design document",
                "the file src/a.py",
                "the test output of the last attempt",
            ]
        );
    }

    fn feedback(text: &str) -> LastAttempt<'_> {
        LastAttempt {
            feedback: Some(text),
            refusal: None,
        }
    }

    #[test]
    fn changes_are_asked_for_with_format_rules_file_tests_and_document() {
        let sources = [planned("src/a.py", ChangeType::Modify)];
        let before = [shown("src/a.py", "a = 1\n")];
        let background = Background {
            document: "# 7 - Title",
            before: &before,
            context: &[],
            sources: &sources,
            tests: &[],
        };
        let task = FileTask {
            file: &sources[0],
            current: Some("a = 1\n"),
            strategy: Strategy::Changes,
            tests: &[shown("tests/test_a.py", "assert a == 3\n")],
            hidden_tests: 0,
            written: &[],
        };
        let last = LastAttempt {
            feedback: Some("a was 2"),
            refusal: Some("the FIND text is at lines 3 and 9"),
        };
        let question = implement(&background, &task, last);
        for words in [
            "### CHANGE 1: brief description",
            "\nFIND:\n",
            "\nREPLACE WITH:\n",
            "Do not send all of src/a.py",
            "two lines above and below",
            "from top to bottom",
            "a = 1",
            "assert a == 3",
            "# 7 - Title",
            "a was 2",
            "lines 3 and 9",
        ] {
            assert!(question.text().contains(words), "{words}");
        }
        assert!(!question.text().contains("Send the whole new content"));
        let whole = FileTask {
            strategy: Strategy::Whole,
            ..task
        };
        let question = implement(&background, &whole, LastAttempt::default());
        assert!(question.text().contains("Send the whole new content"));
        assert!(!question.text().contains("FIND"));
    }

    #[test]
    fn a_file_that_is_as_it_was_is_shown_once() {
        let sources = [planned("src/a.py", ChangeType::Modify)];
        let before = [shown("src/a.py", "a = 1\n")];
        let background = Background {
            document: "",
            before: &before,
            context: &[],
            sources: &sources,
            tests: &[],
        };
        let task = FileTask {
            file: &sources[0],
            current: Some("a = 1\n"),
            strategy: Strategy::Whole,
            tests: &[],
            hidden_tests: 0,
            written: &[],
        };
        let question = implement(&background, &task, LastAttempt::default());
        assert_eq!(question.text().matches("a = 1").count(), 1);
    }

    #[test]
    fn a_shown_file_is_fenced_longer_than_anything_in_it() {
        let before = [shown("tests/test_a.py", "s = '''\n`````\n'''")];
        let background = Background {
            document: "",
            before: &before,
            context: &[],
            sources: &[],
            tests: &[],
        };
        let prompt = scaffold(&background, &[], LastAttempt::default());
        let text = prompt.text();
        assert!(text.contains("\n``````\ns = "), "{text}");
    }
}
