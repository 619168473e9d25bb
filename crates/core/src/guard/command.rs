//! The obvious intentions of a shell command.
//!
//! A shell offers ways to hide any intention: a variable, a script, another program. This catches an agent that does
//! not mean to cheat, and tells it early. It is not a barrier, and no guarantee rests on it.

use std::collections::BTreeSet;

/// Something that a command wants and that is not the agent's to do at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// A commit, or a branch that moves to one.
    Commit,
    /// Commits go elsewhere.
    Push,
    /// Git's hooks do not run.
    AroundHooks,
    /// Something is decided that is a person's.
    Person,
}

/// The facts that a command's text reveals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// Its intentions.
    pub wishes: BTreeSet<Wish>,
    /// Files that it obviously writes or removes, as they are named.
    pub writes: Vec<String>,
}

/// A command within a command within a command is not read any more.
const DEEPEST: usize = 4;

/// Words that run the rest of the line.
const CARRIERS: &[&str] = &[
    "sudo", "doas", "nohup", "time", "command", "exec", "builtin", "nice", "setsid", "stdbuf",
    "then", "do", "else", "if", "while", "until", "!", "{", "xargs", "timeout", "env", "ionice",
];

/// Programs that change the files that they are given.
const WRITERS: &[&str] = &[
    "rm", "mv", "cp", "tee", "truncate", "ln", "touch", "chmod", "install", "unlink", "dd",
    "rsync", "patch",
];

/// The variables that Claude Code, Codex CLI and Gemini CLI set in the shells that they open; others set `AI_AGENT`.
pub const AGENT_MARKS: [&str; 5] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CODEX_CI",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
];

impl Command {
    /// Reads a command line.
    pub fn read(text: &str) -> Self {
        let mut command = Self::default();
        command.take(text, 0);
        command
    }

    fn take(&mut self, text: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        let Line { commands, nested } = Line::split(text);
        for inner in nested {
            self.take(&inner, depth + 1);
        }
        for Simple { words, targets } in commands {
            self.writes.extend(targets);
            self.simple(&words, depth);
        }
    }

    /// One program with its arguments.
    fn simple(&mut self, words: &[String], depth: usize) {
        let mut rest = words;
        while let Some((first, after)) = rest.split_first() {
            let is_assignment = assignment(first);
            if let Some((name, value)) = is_assignment {
                self.assigned(name, value);
            } else if first == "env" && after.iter().any(|word| word == "-u") {
                let unset = after.windows(2).filter(|pair| pair[0] == "-u");
                let marks = unset
                    .filter(|pair| AGENT_MARKS.contains(&pair[1].as_str()))
                    .count();
                self.wish_if(marks > 0, Wish::Person);
            } else if !CARRIERS.contains(&name_of(first))
                && !first.starts_with('-')
                && !is_number(first)
            {
                break;
            }
            rest = after;
        }
        let Some((program, arguments)) = rest.split_first() else {
            return;
        };
        // `env -C DIR git …` and the like: the program is somewhere after options that take values.
        let known =
            |word: &String| matches!(name_of(word), "git" | "proctor" | "sh" | "bash" | "zsh");
        let carried = words
            .first()
            .is_some_and(|first| CARRIERS.contains(&name_of(first)));
        let (program, arguments) = match rest.iter().position(known) {
            Some(place) if carried => (&rest[place], &rest[place + 1..]),
            _ => (program, arguments),
        };
        match name_of(program) {
            "git" => self.git(arguments),
            "proctor" => self.proctor(arguments),
            "sh" | "bash" | "zsh" | "dash" | "eval" => {
                self.shell(name_of(program), arguments, depth);
            }
            "unset" => {
                let marks = arguments
                    .iter()
                    .any(|word| AGENT_MARKS.contains(&word.as_str()));
                self.wish_if(marks, Wish::Person);
            }
            "export" => {
                for (name, value) in arguments.iter().filter_map(|word| assignment(word)) {
                    self.assigned(name, value);
                }
            }
            "sed" | "perl" => {
                let in_place = |word: &String| {
                    word.starts_with("-i")
                        || word.starts_with("--in-place")
                        || (name_of(program) == "perl"
                            && word.starts_with("-p")
                            && word.contains('i'))
                };
                if arguments.iter().any(in_place) {
                    self.files(arguments);
                }
            }
            name if WRITERS.contains(&name) => self.files(arguments),
            _ => {}
        }
    }

    fn files(&mut self, arguments: &[String]) {
        let files = arguments.iter().filter(|word| !word.starts_with('-'));
        let plain = files.map(|word| word.strip_prefix("of=").unwrap_or(word).to_owned());
        self.writes.extend(plain);
    }

    fn wish_if(&mut self, wanted: bool, wish: Wish) {
        if wanted {
            self.wishes.insert(wish);
        }
    }

    fn assigned(&mut self, name: &str, value: &str) {
        self.wish_if(AGENT_MARKS.contains(&name), Wish::Person);
        let is_configuration = name.starts_with("GIT_CONFIG");
        self.wish_if(is_configuration && is_hooks_path(value), Wish::AroundHooks);
    }

    fn git(&mut self, arguments: &[String]) {
        let mut words = arguments.iter().map(String::as_str);
        let subcommand = loop {
            match words.next() {
                None => return,
                Some("-c" | "--config-env") => {
                    let hooks = words.next().is_some_and(is_hooks_path);
                    self.wish_if(hooks, Wish::AroundHooks);
                }
                Some(
                    "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path"
                    | "--super-prefix",
                ) => {
                    words.next();
                }
                Some(option) if option.starts_with('-') => {
                    let value = option
                        .strip_prefix("-c")
                        .or_else(|| option.strip_prefix("--config-env="));
                    self.wish_if(value.is_some_and(is_hooks_path), Wish::AroundHooks);
                }
                Some(word) => break word,
            }
        };
        let rest: Vec<&str> = words.collect();
        let has = |wanted: &str| rest.contains(&wanted);
        match subcommand {
            "commit" => {
                self.wishes.insert(Wish::Commit);
                let short =
                    |word: &&str| is_short(word) && word.contains('n') && !word.contains('m');
                self.wish_if(rest.iter().any(short), Wish::AroundHooks);
            }
            "commit-tree" | "update-ref" | "am" | "cherry-pick" | "revert" | "fast-import" => {
                self.wishes.insert(Wish::Commit);
            }
            "push" | "send-pack" => {
                self.wishes.insert(Wish::Push);
            }
            "config" => {
                let reads =
                    has("--get") || has("get") || has("--list") || has("-l") || rest.len() == 1;
                let hooks = rest.iter().any(|word| is_hooks_path(word));
                self.wish_if(hooks && !reads, Wish::AroundHooks);
            }
            _ => {}
        }
        let abbreviated = |word: &&str| word.len() > 6 && "--no-verify".starts_with(*word);
        self.wish_if(rest.iter().any(abbreviated), Wish::AroundHooks);
    }

    fn proctor(&mut self, arguments: &[String]) {
        let mut words = arguments.iter().map(String::as_str);
        let Some(subcommand) = next_subcommand(&mut words) else {
            return;
        };
        let looks = words
            .clone()
            .any(|word| matches!(word, "--dry-run" | "--help" | "-h"));
        let persons = match subcommand {
            "review" | "run" | "resume" | "abort" | "trust" | "clean" => !looks,
            "keys" => next_subcommand(&mut words) != Some("list"),
            "guard" => {
                let action = next_subcommand(&mut words);
                !looks && !matches!(action, Some("status" | "refactor"))
            }
            _ => false,
        };
        self.wish_if(persons, Wish::Person);
    }

    fn shell(&mut self, name: &str, arguments: &[String], depth: usize) {
        if name == "eval" {
            self.take(&arguments.join(" "), depth + 1);
            return;
        }
        let option = |word: &String| is_short(word) && word.ends_with('c');
        if let Some(place) = arguments.iter().position(option)
            && let Some(text) = arguments.get(place + 1)
        {
            self.take(text, depth + 1);
        }
    }
}

/// The next of Proctor's words that is neither an option nor the value of one.
fn next_subcommand<'w>(words: &mut impl Iterator<Item = &'w str>) -> Option<&'w str> {
    loop {
        match words.next()? {
            "-C" | "--format" | "--color" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            word => return Some(word),
        }
    }
}

/// One of several short options in a word.
fn is_short(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next() == Some('-') && letters.next().is_some_and(|letter| letter != '-')
}

fn is_number(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit())
}

fn is_hooks_path(text: &str) -> bool {
    text.to_lowercase().contains("core.hookspath")
}

fn name_of(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// A word of the form `NAME=VALUE`.
fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_name = !name.is_empty() && name.chars().all(plain) && !is_number(name);
    is_name.then_some((name, value))
}

/// A program with its arguments and the files that its output is written to.
#[derive(Debug, Default)]
struct Simple {
    words: Vec<String>,
    targets: Vec<String>,
}

/// A command line, taken apart.
#[derive(Debug, Default)]
struct Line {
    commands: Vec<Simple>,
    /// The commands in `$(…)` and between backticks.
    nested: Vec<String>,
}

impl Line {
    fn split(text: &str) -> Self {
        let mut line = Self::default();
        let mut reader = Reader {
            letters: text.chars().collect(),
            at: 0,
            word: None,
            simple: Simple::default(),
            redirected: false,
        };
        reader.read(&mut line);
        line
    }
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    word: Option<String>,
    simple: Simple,
    /// Whether the next word is a file that output goes to.
    redirected: bool,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.get(self.at).copied();
        self.at += 1;
        letter
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else {
            return;
        };
        if std::mem::take(&mut self.redirected) {
            self.simple.targets.push(word);
        } else {
            self.simple.words.push(word);
        }
    }

    fn end_command(&mut self, line: &mut Line) {
        self.end_word();
        self.redirected = false;
        let simple = std::mem::take(&mut self.simple);
        if !(simple.words.is_empty() && simple.targets.is_empty()) {
            line.commands.push(simple);
        }
    }

    fn read(&mut self, line: &mut Line) {
        while let Some(letter) = self.next() {
            match letter {
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(letter) => self.push(letter),
                },
                '\'' => {
                    self.word.get_or_insert_default();
                    while let Some(letter) = self.next().filter(|letter| *letter != '\'') {
                        self.push(letter);
                    }
                }
                '"' => self.quoted(line),
                '`' => self.backtick(line),
                '$' if self.peek() == Some('(') => self.parenthesised(line),
                ' ' | '\t' => self.end_word(),
                ';' | '\n' | '|' | '&' | '(' | ')' => self.end_command(line),
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|letter| letter != '\n') {
                        self.at += 1;
                    }
                }
                '>' => self.redirection(),
                '<' => {
                    self.end_word();
                    while self.peek() == Some('<') {
                        self.at += 1;
                    }
                }
                letter => self.push(letter),
            }
        }
        self.end_command(line);
    }

    fn redirection(&mut self) {
        // `2>` is not a word.
        if self
            .word
            .as_deref()
            .is_some_and(|word| word.chars().all(|letter| letter.is_ascii_digit()))
        {
            self.word = None;
        }
        self.end_word();
        while matches!(self.peek(), Some('>' | '|')) {
            self.at += 1;
        }
        if self.peek() == Some('&') {
            self.at += 1;
            while self
                .peek()
                .is_some_and(|letter| letter.is_ascii_digit() || letter == '-')
            {
                self.at += 1;
            }
            return;
        }
        self.redirected = true;
    }

    fn quoted(&mut self, line: &mut Line) {
        self.word.get_or_insert_default();
        while let Some(letter) = self.next() {
            match letter {
                '"' => return,
                '\\' => match self.next() {
                    Some(letter @ ('"' | '\\' | '$' | '`')) => self.push(letter),
                    Some(letter) => {
                        self.push('\\');
                        self.push(letter);
                    }
                    None => return,
                },
                '`' => self.backtick(line),
                '$' if self.peek() == Some('(') => self.parenthesised(line),
                letter => self.push(letter),
            }
        }
    }

    fn backtick(&mut self, line: &mut Line) {
        let mut inner = String::new();
        while let Some(letter) = self.next().filter(|letter| *letter != '`') {
            inner.push(letter);
        }
        line.nested.push(inner);
        self.push('$');
    }

    fn parenthesised(&mut self, line: &mut Line) {
        self.at += 1;
        let mut depth = 1;
        let mut inner = String::new();
        while let Some(letter) = self.next() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            inner.push(letter);
        }
        line.nested.push(inner);
        self.push('$');
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
