//! The prompts for a model.
//!
//! The stable part comes first, so that a service can keep it between calls: the document, the context in the order
//! given, the files that the document lists as they were before the run. The parts that change between attempts come
//! last. A file appears in a prompt once, in its current state. Nothing is ever cut. A prompt asks for text in the one
//! format that [`parse_reply`](super::parse_reply) reads and offers an honest way out.

use super::prompt::{Prompt, Source};
use super::strategy::Strategy;
use crate::dialect::Runner;
use crate::lld::{ChangeType, PlannedFile};
use crate::sections::longest_fence;

/// A file that is shown to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its content.
    pub text: &'a str,
}

/// The parts that every prompt of a run shares.
#[derive(Debug, Clone, Copy)]
pub struct Background<'a> {
    /// The test runner.
    pub runner: Runner,
    /// The design document.
    pub document: &'a str,
    /// Listed files that existed before the run, as they were.
    pub before: &'a [ShownFile<'a>],
    /// Context files, in the order given.
    pub context: &'a [ShownFile<'a>],
    /// The files that the design document changes besides tests.
    pub sources: &'a [PlannedFile],
    /// Test files that it lists.
    pub tests: &'a [PlannedFile],
}

/// The author of feedback on the written files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The gate that is next: red for tests, green for everything else.
    Gate,
    /// The green gate about tests.
    GreenGate,
    /// The project's linter.
    Linter,
    /// The model that was to make the tests pass.
    Implementer,
    /// A reviewer.
    Person,
}

/// Feedback on the written files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    /// Its author.
    pub voice: Voice,
    /// Its text.
    pub words: String,
}

/// The result of the last attempt.
#[derive(Debug, Clone, Copy, Default)]
pub struct LastAttempt<'a> {
    /// Why tests that were good enough before are written again.
    pub wish: Option<&'a Feedback>,
    /// Feedback from a gate, the linter or a person on the written files.
    pub feedback: Option<&'a Feedback>,
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

/// Asks for test files; `now` are the current ones, `by_changes` the existing ones that are too large to be sent whole.
pub fn scaffold(
    background: &Background<'_>,
    now: &[ShownFile<'_>],
    by_changes: &[&str],
    last: LastAttempt<'_>,
) -> Prompt {
    let mut prompt = opening(background, now);
    for test in now {
        show(&mut prompt, "The tests as they are now", of_run(test), test);
    }
    prompt.say("\n# Your task: the tests\n\n");
    prompt.say(&background.runner.tests_wanted());
    if !background.tests.is_empty() {
        prompt.say("\nTest files that the document lists:\n");
        list(&mut prompt, background.tests);
    }
    for path in by_changes {
        explain_changes(&mut prompt, path);
    }
    if let Some(wish) = last.wish {
        write_again(&mut prompt, wish);
    }
    retry(&mut prompt, "Your last tests were refused", last);
    prompt
}

/// Why tests are asked for a second time, and that they need not give way.
fn write_again(prompt: &mut Prompt, wish: &Feedback) {
    let (heading, about) = match wish.voice {
        Voice::Person => ("A person asks for other tests", ""),
        Voice::Implementer => (
            "The model that was to make the tests pass says that they are wrong",
            "Change what contradicts the document, and nothing else. If the tests are right as they are, send them\n\
             unchanged.\n",
        ),
        _ => (
            "Run against an implementation, the tests fail for a reason that lies in themselves",
            "Correct that, and nothing else. If the tests are right as they are, send them unchanged.\n",
        ),
    };
    prompt.say(&format!("\n# {heading}\n\n"));
    quote(prompt, wish);
    prompt.say(&format!(
        "\n{about}They have to fail again without an implementation, and a person is shown what they were before.\n\
         Send all test files, those included that stay as they are.\n"
    ));
}

/// The file that the model is asked for, with its context.
#[derive(Debug, Clone, Copy)]
pub struct FileTask<'a> {
    /// The planned file.
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
    let path = task.file.path.as_str();
    let now = task.current.map(|text| ShownFile { path, text });
    let later: Vec<ShownFile<'_>> = [task.tests, task.written].concat();
    let before = background.before.iter().find(|file| file.path == path);
    // As it was is as it is.
    let changed = now.filter(|now| before != Some(now));
    let mut prompt = opening(background, &[later.as_slice(), changed.as_slice()].concat());
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
    prompt.say(&format!("\n# Your task: {path}\n\n"));
    prompt.quote(Source::Document, &task.file.description);
    prompt.say("\n");
    match now {
        None => prompt.say("\nThe file does not exist yet. Send its whole content.\n"),
        Some(now) => {
            if changed.is_none() {
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
         document asks for, not by recognising the tests. If a sealed test contradicts the document or\n\
         cannot pass whatever the code does, send one line `### TESTS ARE WRONG: reason` instead of files.\n",
    );
    let heading = match last.feedback.map(|it| it.voice) {
        Some(Voice::Person) => "A reviewer has read your last attempt and asks for this",
        Some(Voice::Linter) => "The linter complains about your last attempt",
        _ => "Your last attempt did not pass",
    };
    retry(&mut prompt, heading, last);
    prompt
}

fn of_run(file: &ShownFile<'_>) -> Source {
    Source::File(file.path.to_owned())
}

/// The beginning of every prompt; a file that is shown `later` in its current state is not shown here in its old one.
fn opening(background: &Background<'_>, later: &[ShownFile<'_>]) -> Prompt {
    let among = |files: &[ShownFile<'_>], path: &str| files.iter().any(|file| file.path == path);
    let mut prompt = Prompt::default();
    prompt.say(RULES);
    prompt.say("\n# Design document\n\n");
    prompt.quote(Source::Document, background.document.trim_end());
    prompt.say("\n\n# Files that the document changes\n\n");
    list(&mut prompt, background.sources);
    for file in background.context {
        if !among(background.before, file.path) && !among(later, file.path) {
            let source = Source::Context(file.path.to_owned());
            show(&mut prompt, "Context", source, file);
        }
    }
    for file in background.before {
        if !among(later, file.path) {
            show(&mut prompt, "Before this run", of_run(file), file);
        }
    }
    prompt.stable_so_far();
    prompt
}

/// The smallest request, to see whether the service answers.
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

fn quote(prompt: &mut Prompt, feedback: &Feedback) {
    let source = match feedback.voice {
        Voice::Person => Source::Comment,
        _ => Source::Feedback,
    };
    prompt.quote(source, feedback.words.trim_end());
    prompt.say("\n");
}

fn retry(prompt: &mut Prompt, heading: &str, last: LastAttempt<'_>) {
    if let Some(feedback) = last.feedback {
        prompt.say(&format!("\n# {heading}\n\n"));
        quote(prompt, feedback);
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
            runner: Runner::Pytest,
            document: "# 1 - Title",
            before: &before,
            context: &context,
            sources: &sources,
            tests: &[],
        };
        let first = scaffold(&background, &[], &[], LastAttempt::default());
        let said = gate("tests/test_a.py: SyntaxError");
        let second = scaffold(&background, &[], &[], feedback(&said));
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
        let said = gate("a was 2");
        let unchanged = FileTask {
            current: Some("a = 1\n"),
            ..task
        };
        let same = implement(&background, &unchanged, LastAttempt::default());
        let shared = first.text().find("# Your task").expect("a task");
        assert!(same.text().starts_with(&first.text()[..shared]));
        assert_eq!(same.split_stable().0, first.split_stable().0);
        assert_eq!(first.split_stable().0.len() + 1, shared);
        let question = implement(&background, &task, feedback(&said));
        let sources: Vec<String> = question
            .pieces()
            .map(|(source, _)| source.to_string())
            .collect();
        assert_eq!(
            sources,
            [
                "the design document",
                "the design document",
                "the context file src/util.py",
                "the context file README.md",
                "the file tests/test_a.py",
                "the design document",
                "the file src/a.py",
                "the test output of the last attempt",
            ]
        );
    }

    fn said(voice: Voice, words: &str) -> Feedback {
        Feedback {
            voice,
            words: words.to_owned(),
        }
    }

    fn gate(words: &str) -> Feedback {
        said(Voice::Gate, words)
    }

    fn feedback(said: &Feedback) -> LastAttempt<'_> {
        LastAttempt {
            feedback: Some(said),
            ..LastAttempt::default()
        }
    }

    #[test]
    fn the_speaker_is_named_and_a_wish_for_other_tests_stays_beside_the_reds_reasons() {
        let background = Background {
            runner: Runner::Pytest,
            document: "",
            before: &[],
            context: &[],
            sources: &[],
            tests: &[],
        };
        let refused = gate("no assertion");
        let tests = [shown("tests/test_a.py", "assert a == 3\n")];
        for (voice, heading) in [
            (Voice::GreenGate, "a reason that lies in themselves"),
            (Voice::Implementer, "says that they are wrong"),
            (Voice::Person, "A person asks for other tests"),
        ] {
            let wish = said(voice, "expect 27");
            let last = LastAttempt {
                wish: Some(&wish),
                feedback: Some(&refused),
                refusal: None,
            };
            let prompt = scaffold(&background, &tests, &[], last);
            for words in [heading, "expect 27", "no assertion", "assert a == 3"] {
                assert_eq!(prompt.text().matches(words).count(), 1, "{words}");
            }
        }
        let file = planned("src/a.py", ChangeType::Add);
        let task = FileTask {
            file: &file,
            current: None,
            strategy: Strategy::Whole,
            tests: &[],
            hidden_tests: 0,
            written: &[],
        };
        let comment = said(Voice::Person, "say why");
        let text = implement(&background, &task, feedback(&comment));
        assert!(
            text.text()
                .contains("A reviewer has read your last attempt")
        );
        assert!(!text.text().contains("did not pass"));
    }

    #[test]
    fn a_file_stands_once_in_a_prompt_however_many_parts_it_belongs_to() {
        let sources = [planned("src/a.py", ChangeType::Modify)];
        let before = [
            shown("src/a.py", "first = 1\n"),
            shown("src/b.py", "first = 2\n"),
            shown("tests/test_a.py", "first = 3\n"),
        ];
        let context = [
            shown("src/a.py", "first = 1\n"),
            shown("src/c.py", "first = 4\n"),
        ];
        let background = Background {
            runner: Runner::Pytest,
            document: "",
            before: &before,
            context: &context,
            sources: &sources,
            tests: &[],
        };
        let task = FileTask {
            file: &sources[0],
            current: Some("second = 1\n"),
            strategy: Strategy::Whole,
            tests: &[shown("tests/test_a.py", "second = 3\n")],
            hidden_tests: 0,
            written: &[shown("src/b.py", "second = 2\n")],
        };
        let retried = gate("no");
        let question = implement(&background, &task, feedback(&retried));
        let scaffolded = scaffold(&background, task.tests, &[], feedback(&retried));
        for (prompt, shown) in [
            (
                question,
                ["second = 1", "second = 2", "second = 3", "first = 4"],
            ),
            (
                scaffolded,
                ["first = 1", "first = 2", "second = 3", "first = 4"],
            ),
        ] {
            let text = prompt.text();
            for line in shown {
                assert_eq!(text.matches(line).count(), 1, "{line}: {text}");
            }
            assert_eq!(text.matches(" = ").count(), 4, "{text}");
        }
    }

    #[test]
    fn changes_are_asked_for_with_format_rules_file_tests_and_document() {
        let sources = [planned("src/a.py", ChangeType::Modify)];
        let before = [shown("src/a.py", "a = 1\n")];
        let background = Background {
            runner: Runner::Pytest,
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
        let said = gate("a was 2");
        let last = LastAttempt {
            wish: None,
            feedback: Some(&said),
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
            runner: Runner::Pytest,
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
            runner: Runner::Pytest,
            document: "",
            before: &before,
            context: &[],
            sources: &[],
            tests: &[],
        };
        let prompt = scaffold(&background, &[], &[], LastAttempt::default());
        let text = prompt.text();
        assert!(text.contains("\n``````\ns = "), "{text}");
    }
}
