//! `proctor write` and `proctor apply` have one rule about writes without a person.

use crate::desk::{Desk, numbered};
use proctor_testkit::RunOutput;

/// Every name that makes tools act: file names, directories, files by their directory, extensions; once in capitals.
const PROTECTED: [&str; 60] = [
    ".gitattributes",
    ".gitmodules",
    ".gitconfig",
    ".lfsconfig",
    "conftest.py",
    "tests/conftest.py",
    "sitecustomize.py",
    "usercustomize.py",
    ".envrc",
    ".mise.toml",
    "mise.toml",
    ".tool-versions",
    "build.rs",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lintstagedrc",
    ".gitlab-ci.yml",
    ".travis.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "cloudbuild.yaml",
    "jenkinsfile",
    "Jenkinsfile",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".vimrc",
    ".dir-locals.el",
    ".mcp.json",
    ".cursorrules",
    ".clinerules",
    "agents.md",
    "AGENTS.md",
    "claude.md",
    "gemini.md",
    "proctor.toml",
    ".github/workflows/ci.yml",
    ".github/actions/build/action.yml",
    ".circleci/config.yml",
    ".buildkite/pipeline.yml",
    ".husky/pre-commit",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    ".zed/tasks.json",
    ".devcontainer/devcontainer.json",
    ".claude/settings.json",
    ".codex/config.toml",
    ".cursor/rules/a.mdc",
    ".gemini/settings.json",
    ".cargo/config",
    ".cargo/config.toml",
    ".github/copilot-instructions.md",
    "lib/start.pth",
];

/// Neighbours of those names that are ordinary files.
const ORDINARY: [&str; 8] = [
    "src/build.py",
    "src/my_build.rs",
    "conftest_helper.py",
    "docs/workflows/a.md",
    ".github/ISSUE_TEMPLATE.md",
    "config.toml",
    "lib/start.pthx",
    "src/claude.rs",
];

/// Comments for git, TOML and most other readers of these files.
const BEFORE: &str = "# first\n# hello\n# last\n";
const AFTER: &str = "# first\n# hello, world\n# last\n";

/// A reply that finds one text and puts another in its place.
fn change(find: &str, replace: &str) -> String {
    format!("### CHANGE 1: a change\nFIND:\n```\n{find}```\n\nREPLACE WITH:\n```\n{replace}```\n")
}

impl Desk {
    fn both(&self, path: &str, reply: &str, content: &str) -> [RunOutput; 2] {
        let replied = self.environment.write("reply.md", reply);
        let whole = self.environment.write("whole", content);
        [("write", whole), ("apply", replied)].map(|(command, from)| {
            let from = from.display().to_string();
            let arguments = [command, "--from", &from, "--", path];
            self.environment.proctor(arguments)
        })
    }

    fn trail_of_writes(&self) -> Vec<(String, String)> {
        let log = self.environment.proctor(["log", "--format", "json"]);
        let log = log.expect_code(0).json();
        let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let records = log["records"].as_array().expect("records").iter();
        records
            .map(|record| {
                (
                    word(&record["body"]["act"]),
                    word(&record["body"]["strategy"]),
                )
            })
            .collect()
    }
}

/// The sentence after `error:` or `waiting:`.
fn sentence(output: &RunOutput) -> &str {
    output.stderr.lines().next().unwrap_or_default()
}

#[test]
fn a_name_that_makes_tools_act_is_refused_by_both_in_the_same_words() {
    let desk = Desk::new();
    for path in PROTECTED {
        desk.repository.write(path, BEFORE);
        let [written, applied] = desk.both(path, &change("# hello\n", "# hello, world\n"), AFTER);
        assert_eq!(desk.repository.read(path), BEFORE, "{path}");
        for output in [&written, &applied] {
            output.expect_code(4);
            assert!(output.stderr.contains(path), "{}", output.stderr);
        }
        assert_eq!(written.stderr, applied.stderr, "{path}");
        std::fs::remove_file(desk.repository.path().join(path)).expect("removed");
    }
    let trail = desk.trail_of_writes();
    let blocked = |way: &str| trail.contains(&("blocked".to_owned(), way.to_owned()));
    assert!(blocked("replace") && blocked("edit"), "{trail:?}");
}

#[test]
fn an_ordinary_name_is_written_by_both() {
    let desk = Desk::new();
    for path in ORDINARY {
        // `write` creates the file that `apply` changes.
        let [written, applied] = desk.both(path, &change("# hello\n", "# hello, world\n"), BEFORE);
        written.expect_code(0);
        applied.expect_code(0);
        assert_eq!(desk.repository.read(path), AFTER, "{path}");
    }
}

#[test]
fn changes_that_keep_less_than_half_of_a_large_file_need_a_person_like_a_replacement() {
    let desk = Desk::new();
    let old = numbered("old", 270);
    desk.repository.write("state.py", &old);
    let [written, applied] = desk.both("state.py", &change(&old, "x = 1\n"), "x = 1\n");
    for output in [&written, &applied] {
        output.expect_code(3);
    }
    assert_eq!(sentence(&written), sentence(&applied));
    assert_eq!(desk.repository.read("state.py"), old);
    // Changes exist for small edits.
    let [_, applied] = desk.both(
        "state.py",
        &change("old = 270\n", "last = 270\n"),
        "x = 1\n",
    );
    applied.expect_code(0);
    assert!(desk.repository.read("state.py").contains("last = 270\n"));
}

#[test]
fn a_change_that_needs_a_person_is_left_to_one_in_an_agents_terminal() {
    let mut desk = Desk::new();
    desk.environment.set_variable("CODEX_CI", "1");
    let reply = change("# hello\n", "# hello, world\n");
    let reply = desk.environment.write("reply.md", reply);
    let reply = reply.display().to_string();
    let cases = [
        (".github/workflows/ci.yml", 3),
        ("docs/workflows/ci.yml", 0),
    ];
    for (path, code) in cases {
        desk.repository.write(path, BEFORE);
        let arguments = ["apply", path, "--from", &reply];
        let mut terminal = desk.environment.proctor_on_terminal(arguments);
        assert_eq!(terminal.wait(), code, "{}", terminal.screen());
        let changed = desk.repository.read(path) != BEFORE;
        assert_eq!(changed, code == 0, "{path}");
        let hint = "in a terminal of your own: `proctor apply` with the content in --from FILE";
        assert_eq!(terminal.screen().contains(hint), code == 3, "{path}");
    }
}

#[test]
fn a_person_at_the_terminal_can_allow_a_change_of_a_protected_file() {
    let desk = Desk::new();
    desk.repository.write(".github/workflows/ci.yml", BEFORE);
    let reply = desk
        .environment
        .write("reply.md", change("# hello\n", "# hello, world\n"));
    let reply = reply.display().to_string();
    let arguments = ["apply", ".github/workflows/ci.yml", "--from", &reply];
    let mut terminal = desk.environment.proctor_on_terminal(arguments);
    terminal.expect("+# hello, world");
    terminal.expect("Type REPLACE");
    terminal.send_line("REPLACE");
    terminal.expect("Type WRITE");
    terminal.send_line("WRITE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    assert_eq!(desk.repository.read(".github/workflows/ci.yml"), AFTER);
    let acts: Vec<String> = desk
        .trail_of_writes()
        .into_iter()
        .map(|(act, _)| act)
        .collect();
    assert_eq!(acts, ["proposed", "approved", "written"]);
}
