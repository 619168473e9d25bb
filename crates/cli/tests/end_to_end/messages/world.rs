//! A small real world in which one thing is wrong.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use proctor_testkit::{Repository, RunOutput, Terminal, TestEnvironment, assert_message_style};
use serde_json::Value;

use super::page::row;
use crate::desk::Desk;
use crate::project::DESIGN;

/// One way to provoke the message of a row of the page.
pub(super) struct Situation {
    pub(super) row: &'static str,
    pub(super) code: i32,
    /// Makes something wrong, and says which command meets it.
    pub(super) provoke: fn(&mut World),
}

pub(super) const fn situation(code: i32, row: &'static str, provoke: fn(&mut World)) -> Situation {
    Situation { row, code, provoke }
}

/// A person's input and actions.
pub(super) type Person = fn(&mut Terminal, &Repository);

/// A repository with one commit; the fields say how the command is run in it.
pub(super) struct World {
    pub(super) environment: TestEnvironment,
    pub(super) repository: Repository,
    words: Vec<OsString>,
    words_for_json: Option<Vec<OsString>>,
    before: Vec<OsString>,
    input: Option<PathBuf>,
    person: Option<Person>,
    finding: Option<&'static str>,
    is_impossible: bool,
}

/// The message, in either form.
pub(crate) struct Said {
    code: i32,
    message: String,
    hints: String,
}

impl World {
    fn new() -> Self {
        let desk = Desk::new();
        Self {
            environment: desk.environment,
            repository: desk.repository,
            words: Vec::new(),
            words_for_json: None,
            before: Vec::new(),
            input: None,
            person: None,
            finding: None,
            is_impossible: false,
        }
    }

    /// The command that meets the problem.
    pub(super) fn say<Word: Into<OsString>>(&mut self, words: impl IntoIterator<Item = Word>) {
        self.words = words.into_iter().map(Into::into).collect();
    }

    /// The one that meets it again, where that is another one.
    pub(super) fn say_again<Word: Into<OsString>>(
        &mut self,
        words: impl IntoIterator<Item = Word>,
    ) {
        self.words_for_json = Some(words.into_iter().map(Into::into).collect());
    }

    /// A program that starts Proctor with its arguments: `strace`, `unshare`, a shell.
    pub(super) fn through<Word: Into<OsString>>(&mut self, words: impl IntoIterator<Item = Word>) {
        self.before = words.into_iter().map(Into::into).collect();
    }

    /// Sets standard input.
    pub(super) fn input(&mut self, path: impl Into<PathBuf>) {
        self.input = Some(path.into());
    }

    /// A person at a terminal.
    pub(super) fn person(&mut self, person: Person) {
        self.person = Some(person);
    }

    /// `doctor` reports it, among other things.
    pub(super) fn finding(&mut self, id: &'static str) {
        self.finding = Some(id);
        self.say(["doctor"]);
    }

    /// Whether this machine has the tools for the situation; the functions that find out report a missing one.
    pub(super) fn only_if(&mut self, possible: bool) -> bool {
        self.is_impossible = !possible;
        possible
    }

    /// A design document that can be used, and `run` with it and a model that is asked nothing.
    pub(super) fn run_words(&mut self, more: &[&str]) -> Vec<String> {
        let document = self.environment.write("lld.md", DESIGN);
        let script = self.environment.write("script.jsonl", "{\"text\":\"x\"}\n");
        let model = format!("script:{}", script.display());
        let document = document.display().to_string();
        let mut words = vec!["run", "--issue", "87", "--lld", &document];
        if !more.contains(&"--model") {
            words.extend(["--model", &model]);
        }
        words.extend(more);
        words.into_iter().map(str::to_owned).collect()
    }

    /// `run` with all that it needs.
    pub(super) fn run(&mut self, more: &[&str]) {
        let words = self.run_words(more);
        self.say(words);
    }

    /// `write` with this content.
    pub(super) fn write(&mut self, name: &str, content: &str, more: &[&str]) {
        let from = self.environment.write("content", content);
        let from = from.display().to_string();
        self.say([&["write", name, "--from", &from], more].concat());
    }

    /// `apply` with a model's change of one line.
    pub(super) fn apply(&mut self, name: &str, find: &str) {
        let reply =
            format!("### CHANGE 1: x\nFIND:\n```\n{find}\n```\nREPLACE WITH:\n```\nnew\n```\n");
        let reply = self.environment.write("reply.md", reply);
        self.say(["apply", name, "--from", &reply.display().to_string()]);
    }

    /// A run that stopped before its first question, because its branch belongs to other work.
    pub(super) fn open_run(&mut self) -> String {
        self.environment.use_pytest();
        let tree = self.repository.tree_of("HEAD");
        let other = self.repository.git(["commit-tree", &tree, "-m", "Mine"]);
        self.repository.git(["branch", "feat/issue-87", &other]);
        let words = self.run_words(&[]);
        self.environment.proctor(words).expect_code(5);
        let all = self
            .environment
            .proctor(["status", "--format", "json"])
            .json();
        all["runs"][0]["run"].as_str().expect("a run").to_owned()
    }

    /// Changes the journal's database, as an attacker would.
    pub(super) fn change_journal(&self, statements: &str) {
        let path = self.repository.path().join(".git/proctor/journal.db");
        let program = "import sqlite3, sys\n\
             connection = sqlite3.connect(sys.argv[1])\n\
             connection.executescript(sys.argv[2])\nconnection.commit()\n";
        let mut python = self.environment.command("python3");
        python.args(["-c", program]).arg(path).arg(statements);
        let output = python.output().expect("python starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn command(&self, json: bool) -> Command {
        let words = match &self.words_for_json {
            Some(words) if json => words,
            _ => &self.words,
        };
        let mut all = self.before.clone();
        all.push(env!("CARGO_BIN_EXE_proctor").into());
        all.extend(words.iter().cloned());
        if json {
            all.push("--format=json".into());
        }
        let mut command = self.environment.command(&all[0]);
        command.args(&all[1..]);
        if let Some(path) = &self.input {
            let file = std::fs::File::open(path).expect("it can be opened");
            command.stdin(Stdio::from(file));
        }
        command
    }

    fn said(&self, json: bool) -> Said {
        let command = self.command(json);
        let Some(person) = self.person else {
            let output = self.environment.run(command);
            let is_message =
                |line: &&str| line.starts_with("error: ") || line.starts_with("waiting: ");
            let messages = output.stderr.lines().filter(is_message).count();
            assert_eq!(messages, 1, "{}", output.stderr);
            return match (json, self.finding) {
                (true, finding) => Said::in_document(output.code, &output.json(), finding),
                (false, Some(id)) => {
                    Said::by_doctor(output.code, &output.stdout, &output.stderr, id)
                }
                (false, None) => Said::on_screen(output.code, &output.stderr),
            };
        };
        let file = self.environment.root().join("standard output");
        let mut in_shell = self.environment.command("sh");
        let script = format!("exec \"$@\" >'{}'", file.display());
        in_shell.args(["-c", &script, "sh"]);
        in_shell.arg(command.get_program()).args(command.get_args());
        let mut terminal = Terminal::spawn(if json { &in_shell } else { &command });
        person(&mut terminal, &self.repository);
        let code = terminal.wait();
        if !json {
            return (code, terminal.screen().as_str()).into();
        }
        let document = std::fs::read_to_string(file).expect("it was written");
        let document = serde_json::from_str(&document);
        let screen = terminal.screen();
        let document = document.unwrap_or_else(|error| panic!("{error}: {screen}"));
        Said::in_document(code, &document, None)
    }

    /// The state that a person would notice: their files, the index, their branch.
    fn checkout(&self) -> (String, String) {
        let status = ["status", "--porcelain", "--ignored", "--branch"];
        let output = self.repository.git_command(status).output();
        let output = output.expect("git starts");
        let refs = self.repository.git_command(["rev-parse", "HEAD"]).output();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(output.stdout), text(refs.expect("git starts").stdout))
    }
}

/// How a message begins; a person's own no is not called an error.
fn starts_of_message(code: i32) -> &'static [&'static str] {
    match code {
        1 => &["error: ", "done: "],
        3 => &["waiting: "],
        _ => &["error: "],
    }
}

/// Our terminal does not echo input, so the answer's line break is missing.
fn below_question(code: i32, screen: &str) -> String {
    let starts = starts_of_message(code).iter();
    let at = starts.filter_map(|start| screen.rfind(start)).max();
    screen[at.unwrap_or_default()..].to_owned()
}

impl Said {
    /// The last `error:`, `waiting:` or `done:`, the list below it, and the hints.
    fn on_screen(code: i32, screen: &str) -> Self {
        let starts = starts_of_message(code);
        let start_of = |line: &str| {
            starts
                .iter()
                .find(|start| line.starts_with(**start))
                .copied()
        };
        let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
        let at = lines.iter().rposition(|line| start_of(line).is_some());
        // Without one everything is compared, and shown by the comparison.
        let (_, lines) = lines.split_at(at.unwrap_or_default());
        let is_hint = |line: &&str| line.starts_with("hint: ");
        let below = lines.iter().position(is_hint).unwrap_or(lines.len());
        let (said, hints) = lines.split_at(below);
        let mut hinted: Vec<String> = Vec::new();
        for line in hints {
            match (line.strip_prefix("hint: "), hinted.last_mut()) {
                (Some(hint), _) => hinted.push(hint.to_owned()),
                // A terminal's lines are broken.
                (None, Some(hint)) if line.starts_with("  ") => {
                    hint.push(' ');
                    hint.push_str(line.trim_start());
                }
                (None, _) => {}
            }
        }
        // The list is indented on the screen only.
        let said = said.join("\n").replace("\n  ", "\n");
        let start = start_of(&said).unwrap_or_default();
        Self {
            code,
            message: said.strip_prefix(start).unwrap_or(&said).to_owned(),
            hints: hinted.join("; "),
        }
    }

    /// `doctor`'s line about one thing, which the last lines repeat.
    fn by_doctor(code: i32, printed: &str, complaints: &str, id: &str) -> Self {
        let start = format!("error    {id}");
        let line = printed.lines().find_map(|line| line.strip_prefix(&start));
        let line = line.unwrap_or_else(|| panic!("nothing is wrong with {id}: {printed}"));
        let all = Self::on_screen(code, complaints);
        row(5, "not ready: NAME").assert_says(&all.message, &all.hints);
        let remedy = complaints
            .lines()
            .find_map(|it| it.strip_prefix(&format!("hint: {id}: ")));
        Self {
            code,
            message: line.trim().to_owned(),
            hints: remedy.unwrap_or_default().to_owned(),
        }
    }

    fn in_document(code: i32, document: &Value, finding: Option<&str>) -> Self {
        let kind = match code {
            1 => "refused",
            2 => "usage",
            3 => "needs_person",
            4 => "safety",
            5 => "environment",
            70 => "bug",
            130 => "interrupted",
            _ => panic!("{code}: {document:#}"),
        };
        assert_eq!(document["schema"], 1, "{document:#}");
        assert_eq!(document["ok"], false, "{document:#}");
        let error = &document["error"];
        assert_eq!(error["kind"], kind, "{document:#}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut checks = document["checks"].as_array().into_iter().flatten();
        let check = checks.find(|check| finding.is_some_and(|id| check["id"] == id));
        let (message, hints) = match check {
            Some(check) => (&check["message"], &check["remedy"]),
            None => (&error["message"], &error["hint"]),
        };
        Self {
            code,
            message: text(message),
            hints: text(hints),
        }
    }

    #[track_caller]
    fn assert_is(&self, code: i32, wanted: &str) {
        assert_eq!(
            self.code, code,
            "{wanted}: {}; {}",
            self.message, self.hints
        );
        assert_message_style(self.message.lines().next().unwrap_or_default());
        assert_message_style(&self.hints);
        row(code, wanted).assert_says(&self.message, &self.hints);
    }
}

/// Has every situation of a table come about, twice: for a person and for a script.
pub(super) fn meet(table: &[Situation]) {
    for situation in table {
        let mut world = World::new();
        (situation.provoke)(&mut world);
        if world.is_impossible {
            continue;
        }
        let before = world.checkout();
        for json in [false, true] {
            let said = world.said(json);
            // Every finding of `doctor` is an environment's fault, whatever it is on its own.
            let code = if world.finding.is_some() {
                5
            } else {
                situation.code
            };
            assert_eq!(
                said.code, code,
                "{}: {}; {}",
                situation.row, said.message, said.hints
            );
            let said = Said {
                code: situation.code,
                ..said
            };
            said.assert_is(situation.code, situation.row);
            assert_eq!(world.checkout(), before, "{}", situation.row);
        }
    }
}

impl From<&RunOutput> for Said {
    fn from(output: &RunOutput) -> Self {
        Self::on_screen(output.code, &output.stderr)
    }
}

/// An exit code and a terminal's screen.
impl From<(i32, &str)> for Said {
    fn from((code, screen): (i32, &str)) -> Self {
        Self::on_screen(code, &below_question(code, screen))
    }
}

/// A terminal whose program ends now.
impl From<&mut Terminal> for Said {
    fn from(terminal: &mut Terminal) -> Self {
        let code = terminal.wait();
        (code, terminal.screen().as_str()).into()
    }
}

/// An exit code and the document for scripts.
impl From<(i32, &Value)> for Said {
    fn from((code, document): (i32, &Value)) -> Self {
        Self::in_document(code, document, None)
    }
}

/// Fails the test unless a failed command printed a row of the page. The closing test finds the row in the source of
/// the test that calls this, so it is written there in one piece.
#[track_caller]
pub(crate) fn says(said: impl Into<Said>, code: i32, row: &str) {
    said.into().assert_is(code, row);
}
