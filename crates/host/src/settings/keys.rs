//! Every key of `proctor.toml`, described once.
//!
//! The reader refuses keys that are not listed here, `proctor init` writes the list as comments, and the reference in
//! `docs/configuration.md` is made from it, so none of them can know a key that the others do not.

/// One key of the settings.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The key's table.
    pub table: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The value if it is not set.
    pub unset: Unset,
    /// Its purpose, in one or two sentences.
    pub meaning: &'static str,
    /// Whether it lowers the guard.
    pub guard: Guard,
}

/// Whether a key's value lowers the guard: then it counts only once a person has trusted the file that sets it. A key
/// lowers the guard if it runs a program outside the sandbox, chooses the programs inside it, or shows judged code
/// something it would not see.
#[derive(Debug, Clone, Copy)]
pub enum Guard {
    /// No value does.
    Keeps,
    /// Every value but an empty one does; the permission, in words.
    Lowers(&'static str),
    /// A value that begins like this does; the permission, in words.
    LowersAs(&'static str, &'static str),
}

/// The meaning of a key that is not set.
#[derive(Debug, Clone, Copy)]
pub enum Unset {
    /// This value, in TOML.
    Value(&'static str),
    /// No fixed value.
    Otherwise {
        /// The behaviour instead.
        words: &'static str,
        /// A value that it could have, in TOML.
        example: &'static str,
    },
}

impl Key {
    /// The key as people write it: `test.red`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    const fn guarded(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    /// The permission that this value of the key gives, if it lowers the guard.
    pub(super) fn allows(&self, value: &toml::Value) -> Option<&'static str> {
        match self.guard {
            Guard::Keeps => None,
            Guard::Lowers(words) => {
                let is_empty = match value {
                    toml::Value::Array(list) => list.is_empty(),
                    toml::Value::String(text) => text.trim().is_empty(),
                    _ => false,
                };
                (!is_empty).then_some(words)
            }
            Guard::LowersAs(start, words) => {
                let begins = value.as_str().is_some_and(|text| text.starts_with(start));
                begins.then_some(words)
            }
        }
    }

    /// A value that it may have: the default, or an example.
    pub fn sample(&self) -> &'static str {
        match self.unset {
            Unset::Value(value) => value,
            Unset::Otherwise { example, .. } => example,
        }
    }
}

const fn preset(
    table: &'static str,
    name: &'static str,
    value: &'static str,
    meaning: &'static str,
) -> Key {
    Key {
        table,
        name,
        unset: Unset::Value(value),
        meaning,
        guard: Guard::Keeps,
    }
}

const fn open(
    table: &'static str,
    name: &'static str,
    words: &'static str,
    example: &'static str,
    meaning: &'static str,
) -> Key {
    Key {
        table,
        name,
        unset: Unset::Otherwise { words, example },
        meaning,
        guard: Guard::Keeps,
    }
}

/// The tables, in the order in which they are written, and their subjects.
pub const TABLES: &[(&str, &str)] = &[
    ("test", "How tests are run."),
    ("lint", "How changed files are linted."),
    ("model", "Who writes."),
    ("review", "How your own changes are reviewed."),
    (
        "approval",
        "How approvals are signed, and which of them count.",
    ),
    (
        "worktree",
        "Where a run works, and what its tests need there.",
    ),
    ("guard", "What coding agents may do under `proctor guard`."),
    ("notify", "How you are called when a run needs you."),
    ("sandbox", "What tests and linters may see and change."),
];

/// Every key there is, table by table.
pub const KEYS: &[Key] = &[
    preset(
        "test",
        "runner",
        "\"auto\"",
        "The test runner: `pytest`, `vitest`, `jest`, `node` (node's own). `auto`: what the project's own files say.",
    ),
    open(
        "test",
        "root",
        "the whole repository",
        "\"web\"",
        "The directory that these tests belong to. A repository of several parts has a `[[test]]` for each, with a `root`; a change is judged by the runners of the parts that it touches.",
    ),
    open(
        "test",
        "command",
        "the active virtual environment, `.venv` or `venv`, what uv or poetry keep, `python3`; for JavaScript `node`",
        "[\".venv/bin/python\"]",
        "What starts Python, pytest or node, as words or as one text. A path is meant from the repository's root.",
    )
    .guarded(Guard::Lowers("this command runs the tests")),
    preset(
        "test",
        "timeout_seconds",
        "300",
        "How long each process of the runner or the linter may take.",
    ),
    preset(
        "test",
        "paths",
        "[]",
        "Which files and directories are tests and are run; an empty list means the runner's own idea of it. A path is meant from `root`.",
    ),
    preset(
        "test",
        "red",
        "\"any\"",
        "`any`: at least one new test fails, and one that passes already has to be able to fail. `all`: every new test fails.",
    ),
    preset(
        "test",
        "mutants",
        "\"report\"",
        "Small mistakes are put into changed lines to see whether a test notices. `report`: the review names what no test noticed. `demand`: `proctor gate` refuses it, and a run has its tests written again, once. `off`: none are made.",
    ),
    preset(
        "test",
        "held_out",
        "0.33",
        "Which share of three or more new tests the implementing model is not shown, so that it cannot hard-code their answers; one that fails is shown from then on. 0: all are shown.",
    ),
    open(
        "test",
        "mutant_seconds",
        "30, and no longer than the gate itself took",
        "60",
        "How long mutants may take in one judgement.",
    ),
    open(
        "lint",
        "command",
        "ruff, flake8, eslint or clippy, if the project uses it",
        "\"ruff check\"",
        "The linter, as words or as one text; the changed files are added to it. An empty list means none.",
    )
    .guarded(Guard::Lowers("this command lints")),
    open(
        "model",
        "default",
        "`--model` or `PROCTOR_MODEL` has to name one",
        "\"command:ask-my-model\"",
        "The model that is asked if neither `--model` nor `PROCTOR_MODEL` names one.",
    )
    .guarded(Guard::LowersAs(
        "command:",
        "this program runs with your rights and is sent the prompts",
    )),
    open(
        "model",
        "max_output_tokens",
        "16384, and twice as much after each reply that was cut off, up to 65536",
        "16384",
        "What a reply may have; one that uses it up counts as cut off.",
    ),
    open(
        "model",
        "max_cost_usd",
        "no limit",
        "5.0",
        "The most that a run may cost at a model service. A request that could bring it above is not made, and the run waits for you.",
    ),
    open(
        "model",
        "max_run_tokens",
        "no limit",
        "1000000",
        "The most tokens that a run may use, both ways together; like `max_cost_usd`.",
    ),
    open(
        "model",
        "stream",
        "they do",
        "false",
        "Whether replies come piece by piece; `false` is for servers that cannot.",
    ),
    open(
        "model",
        "idle_timeout_seconds",
        "300",
        "120",
        "How long a service may be silent in the middle of a request.",
    ),
    open(
        "model",
        "timeout_seconds",
        "1200",
        "600",
        "How long one request may take with all its tries.",
    ),
    preset(
        "model",
        "prices",
        "{}",
        "Dollars a million tokens, by model: `\"openai:my-model\" = { input = 1.25, output = 10.0, cache_read = 0.125 }`. A model without a price costs an unknown amount.",
    ),
    preset(
        "review",
        "pre_commit_hook",
        "false",
        "Whether git's pre-commit hook runs before `proctor review` shows your own changes. Counts only as committed.",
    ),
    preset(
        "approval",
        "sign",
        "\"off\"",
        "`ssh`: after APPROVE a statement about the tree is signed with an SSH key, so that others can verify it. `passkey`: the same with a passkey, on a page in the browser. `off`: an approval is a record of the audit trail and a trailer.",
    ),
    open(
        "approval",
        "key",
        "`PROCTOR_APPROVAL_KEY`, or git's `user.signingKey` where `gpg.format` is `ssh`",
        "\"~/.ssh/id_ed25519_sk\"",
        "The key to sign with: its file, or the `.pub` file of one that an agent has. `PROCTOR_APPROVAL_KEY` takes precedence.",
    ),
    preset(
        "approval",
        "presence",
        "\"touch\"",
        "What a signature has to show. `touch`: a hardware key that was touched. `verified`: also a PIN or a finger. `none`: any key, which any program that can reach it can use.",
    ),
    preset(
        "approval",
        "approvers",
        "1",
        "How many people have to approve a commit; each counts once. All of this table is read at a commit's first parent.",
    ),
    preset(
        "approval",
        "author_may_approve",
        "true",
        "Whether the author or committer of a commit may be one of them. Both are words in the commit: `false` keeps honest people from forgetting it, and stops no one who writes another name there.",
    ),
    open(
        "worktree",
        "directory",
        "the state directory, `~/.local/state/proctor`",
        "\"../worktrees\"",
        "Where worktrees go; meant from the repository's root, but not inside it.",
    ),
    preset(
        "worktree",
        "setup",
        "[]",
        "A command, as words or as one text, that makes what the tests need and git does not have: generated files, built extensions. Runs once, unconfined, in a copy of the base commit. An empty list means none.",
    )
    .guarded(Guard::Lowers("this command runs with your rights, unconfined")),
    preset(
        "worktree",
        "setup_timeout_seconds",
        "600",
        "How long the setup command may take.",
    ),
    preset(
        "worktree",
        "copy_ignored",
        "[]",
        "Files and directories that git ignores and that the tests need, such as `.env.test`; copied from your checkout, and nothing else is. They are not sent to a model, but tests that a model wrote can read them.",
    )
    .guarded(Guard::Lowers("tests can read these files of your checkout")),
    preset(
        "guard",
        "scratch",
        "[]",
        "Directories in which an agent may try anything. Nothing in them is judged, and a commit that changes something in them is refused. Counts only as committed.",
    ),
    open(
        "notify",
        "command",
        "nothing is run",
        "[\"notify-send\", \"proctor needs you\"]",
        "A command, as words or as one text, that is run when a person is needed, with `PROCTOR_RUN`, `PROCTOR_ISSUE`, `PROCTOR_STAGE`, `PROCTOR_STATE`, `PROCTOR_WAITING_FOR` and `PROCTOR_REPOSITORY` in its environment. It has ten seconds; how it ends changes nothing.",
    )
    .guarded(Guard::Lowers("this command runs with your rights, unconfined")),
    preset(
        "notify",
        "bell",
        "true",
        "Whether the terminal's bell rings when a person is needed.",
    ),
    preset(
        "notify",
        "bell_after_seconds",
        "10",
        "How long the work has to have taken for the bell to ring: who has just pressed a key is still there.",
    ),
    preset(
        "sandbox",
        "mode",
        "\"auto\"",
        "`auto`: the strongest level that holds here, and nothing runs without one. `bubblewrap` or `landlock`: that one or nothing. `off`: tests and linters can do whatever you can.",
    )
    .guarded(Guard::LowersAs("off", "tests and linters can do whatever you can")),
];
