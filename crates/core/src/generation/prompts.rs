//! What is said to a model.
//!
//! The stable part comes first, so that a service can keep it between calls: the document, the files that it
//! lists as they were before the run, the context in the order given. What changes from attempt to attempt
//! comes last. Nothing is ever cut. A prompt asks for text in the one format that
//! [`parse_files`](super::parse_files) reads and offers an honest way out.

use super::prompt::{Prompt, Source};
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
    /// Listed files that existed before the run, as they were.
    pub before: &'a [ShownFile<'a>],
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
pub fn scaffold(background: &Background<'_>, feedback: Option<&str>) -> Prompt {
    let mut prompt = opening(background);
    prompt.say(
        "\n# Your task: the tests\n\n\
         Write the failing tests for this design document, for pytest, before any implementation\n\
         exists. Send test files only. Each test must assert something that the document asks for\n\
         and must fail now for the reason that the code is missing or wrong: by an assertion, or\n\
         because a module, function or attribute that the document declares is not there yet. No\n\
         skips, no expected failures, no `assert False`, no imports of modules that neither exist nor\n\
         are declared. Tests that exist stay as they are.\n",
    );
    if !background.tests.is_empty() {
        prompt.say("\nTest files that the document lists:\n");
        list(&mut prompt, background.tests);
    }
    if let Some(feedback) = feedback {
        retry(&mut prompt, "Your last tests were refused", feedback);
    }
    prompt
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
    /// Other files that the run has written, as they are now.
    pub written: &'a [ShownFile<'a>],
}

/// Asks for one file.
pub fn implement(
    background: &Background<'_>,
    task: &FileTask<'_>,
    feedback: Option<&str>,
) -> Prompt {
    let mut prompt = opening(background);
    for test in task.tests {
        let heading = "Sealed test (it cannot be changed any more)";
        show(&mut prompt, heading, of_run(test), test);
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
            prompt.say(&format!(
                "\nSend the whole new content of {path}, everything you keep included.\n"
            ));
        }
    }
    prompt.say(
        "You may add new source files that it needs. Other existing files, tests and test\n\
         configuration must not be in your reply. Make the sealed tests pass by doing what the\n\
         document asks for, not by recognising the tests.\n",
    );
    if let Some(feedback) = feedback {
        retry(&mut prompt, "Your last attempt did not pass", feedback);
    }
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

fn retry(prompt: &mut Prompt, heading: &str, feedback: &str) {
    prompt.say(&format!("\n# {heading}\n\n"));
    prompt.quote(Source::Feedback, feedback.trim_end());
    prompt.say("\n\nSend everything again, corrected.\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ProjectPath;

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
        let first = scaffold(&background, None);
        let second = scaffold(&background, Some("tests/test_a.py: SyntaxError"));
        assert!(second.text().starts_with(first.text()));
        assert!(second.text().contains("tests/test_a.py: SyntaxError"));
        let task = FileTask {
            file: &sources[0],
            current: Some("a = 2\n"),
            tests: &[shown("tests/test_a.py", "assert a == 3\n")],
            written: &[],
        };
        let question = implement(&background, &task, Some("a was 2"));
        let shared = first.text().find("# Your task").expect("a task");
        assert!(question.text().starts_with(&first.text()[..shared]));
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
            tests: &[],
            written: &[],
        };
        let question = implement(&background, &task, None);
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
        let prompt = scaffold(&background, None);
        let text = prompt.text();
        assert!(text.contains("\n``````\ns = "), "{text}");
    }
}
