//! The pages' commands as they are written there, typed into a shell in a throw-away repository.
//!
//! A command with a call of `proctor` on a page of the book or in the README is in [`EXECUTED`], in a tutorial, which
//! is followed from its first to its last line, or in [`ELSEWHERE`].

mod tutorial;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use proctor_testkit::{Page, Terminal, calls_of, repository_pages, workspace};

use crate::approvals::approved_commit;
use crate::guard::put_proctor_on_path;
use crate::project::{DESIGN, POWERS, Project, TESTS, good, implement, scaffold};

/// What a command meets and how it ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// With this exit code.
    Code(i32),
    /// With success, after a person at a terminal answers a question.
    Answered(&'static str, &'static str),
}

use End::{Answered, Code};

/// A row for each setting: its test, the repository that it starts with, and the commands in the order in which they are
/// executed there. A row is a test, so no command can be listed and not be executed.
macro_rules! executed {
    ($($test:ident: $setting:ident { $($command:expr => $end:expr,)+ })+) => {
        const EXECUTED: &[&[(&str, End)]] = &[$(&[$(($command, $end)),+]),+];

        $(
            #[test]
            fn $test() {
                let project = $setting();
                for (command, end) in [$(($command, $end)),+] {
                    execute(&project, command, end);
                }
            }
        )+
    };
}

executed! {
    the_commands_for_a_new_repository: new_repository {
        "proctor init" => Code(0),
        "proctor new 87 \"Round prices to cents\"" => Code(0),
        "proctor doctor" => Code(0),
        "proctor graph > runs.mmd" => Code(0),
        "proctor completions bash > ~/.local/share/bash-completion/completions/proctor" => Code(0),
        "proctor man | man -l -" => Code(0),
        "proctor man > ~/.local/share/man/man1/proctor.1" => Code(0),
        "proctor man run > ~/.local/share/man/man1/proctor-run.1" => Code(0),
        "proctor mcp" => Code(0),
    }

    the_commands_about_files: written_files {
        "proctor check docs/lld/87-round-prices.md --context src/util.py" => Code(0),
        "proctor apply src/app.py --from reply.md --dry-run" => Code(0),
        "proctor write src/cart.py --from new.py --strategy extend" => Code(0),
        "proctor review --all -m \"Round prices to cents\"" => Answered("Type APPROVE", "APPROVE"),
    }

    the_commands_that_judge_tests: written_tests {
        "proctor gate red" => Code(0),
    }

    the_commands_that_judge_a_change: written_code {
        "proctor gate green" => Code(0),
        "proctor gate green --base main" => Code(0),
        "proctor gate change" => Code(0),
        "proctor gate change --base main" => Code(0),
        "proctor gate change --base origin/main" => Code(0),
        "proctor gate change --base origin/main --format json > verdict.json" => Code(0),
        "proctor gate change --staged" => Code(0),
        REASONS => Code(0),
    }

    the_commands_of_the_guard: library {
        "proctor guard install claude-code --git" => Code(0),
        "proctor guard doctor" => Code(0),
        "proctor guard status" => Code(0),
        "proctor guard uninstall" => Code(0),
    }

    the_commands_about_runs: prepared {
        "proctor run --issue 87 --lld docs/87.md --auto --format json" => Code(3),
        "proctor status 87 --format json" => Code(0),
        "proctor report --output proctor-report.html" => Code(0),
        "proctor report 87 --output run.html" => Code(0),
        "proctor log --verify" => Code(0),
        // Without a terminal, so it ends at the review again.
        "proctor resume 87-k3x9qd --tests \"cube(3) is 27\"" => Code(3),
        "proctor abort 87-k3x9qd" => Code(0),
        "proctor clean" => Code(0),
    }

    the_commands_about_trust: untrusted {
        "proctor trust" => Answered("Type TRUST", "TRUST"),
    }

    the_commands_about_approvals: approved {
        "proctor verify origin/main..HEAD" => Code(0),
        "proctor verify origin/main..HEAD --rejudge" => Code(0),
        "proctor verify \"$CI_MERGE_REQUEST_DIFF_BASE_SHA..$CI_COMMIT_SHA\"" => Code(0),
        "proctor keys add" => Code(0),
        "proctor keys add ~/.ssh/approval.pub" => Code(0),
    }
}

/// The reasons of a verdict, by a small program.
const REASONS: &str = "proctor gate green --format json | python3 -c 'import json,sys; [print(r[\"test\"], r[\"message\"]) for r in json.load(sys.stdin)[\"reasons\"]]'";

/// The body of a hook of git's.
const HOOK: &str = "exec proctor verify --hook pre-receive";

/// Commands that need more than a repository, why, and the file and test that show them.
const ELSEWHERE: &[(&str, &str, &str, &str)] = &[
    (
        "proctor run --issue 87 --model anthropic:claude-sonnet-5-5",
        "a key and a service",
        "services.rs",
        "a_run_through_anthropics_protocol_is_merged_and_its_recording_plays_offline",
    ),
    (
        "proctor keys add --passkey phone",
        "a browser with an authenticator",
        "approvals/passkeys.rs",
        "a_passkey_is_made_on_a_page_and_listed",
    ),
    (
        "proctor review --web",
        "a browser with an authenticator",
        "approvals/passkeys.rs",
        "what_is_approved_on_the_page_is_signed_by_the_passkey_and_verified_like_any_other",
    ),
    (
        "proctor demo --language typescript",
        "packages from npm's registry",
        "javascript.rs",
        "the_demo_in_typescript_ends_at_the_review_and_merges_on_approval",
    ),
    (
        HOOK,
        "a push to a server",
        "pages.rs",
        "the_hook_of_the_page_declines_a_push_without_its_approval",
    ),
];

/// A library without settings.
fn new_repository() -> Project {
    let mut project = Project::without_settings();
    put_proctor_on_path(&mut project);
    // Not every machine has one. A page that it can be shown is a page with a title.
    project
        .environment
        .write("bin/man", "#!/bin/sh\nexec grep -q '^\\.TH proctor'\n");
    let man = project.environment.root().join("bin/man");
    std::fs::set_permissions(man, std::fs::Permissions::from_mode(0o755)).expect("our own");
    for other in ["bash-completion/completions/other", "man/man1/other.1"] {
        project.environment.write(
            format!("home/.local/share/{other}"),
            "# Another program's\n",
        );
    }
    project
}

/// A library of a shop, a design document, a new member of a module and a model's changes.
fn written_files() -> Project {
    let project = library();
    project.repository.write("src/app.py", "PRICE = 1\n");
    project.repository.write("src/util.py", "CENTS = 100\n");
    project.repository.write(
        "src/cart.py",
        "def total(prices):\n    return sum(prices)\n",
    );
    project.repository.commit_all("A shop");
    project
        .repository
        .write("docs/lld/87-round-prices.md", DESIGN);
    project
        .repository
        .write("new.py", "def count(prices):\n    return len(prices)\n");
    project.repository.write(
        "reply.md",
        "### FILE: src/app.py\n### CHANGE 1: the price\nFIND:\n```\nPRICE = 1\n```\n\nREPLACE WITH:\n```\nPRICE = 2\n```\n",
    );
    project
}

/// A library, with `proctor` on the search path.
fn library() -> Project {
    let mut project = Project::sharing_verdicts();
    put_proctor_on_path(&mut project);
    project
}

/// New tests without their code.
fn written_tests() -> Project {
    let project = library();
    project.repository.write("tests/test_power.py", TESTS);
    project
}

/// Tests and code, staged, on a branch of their own.
fn written_code() -> Project {
    let project = written_tests();
    let repository = &project.repository;
    repository.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repository.git(["checkout", "--quiet", "-b", "powers"]);
    repository.write("mathkit/power.py", POWERS);
    repository.git(["add", "--all"]);
    project
}

/// A design document and a model for it, as a server's environment names it.
fn prepared() -> Project {
    let mut project = library();
    project.repository.write("docs/87.md", DESIGN);
    // Once, and once more after a word about the tests.
    let model = project.script(&good().reply(scaffold()).reply(implement(POWERS)));
    project.environment.set_variable("PROCTOR_MODEL", model);
    project
}

/// Settings that lower the guard, which no one has trusted yet.
fn untrusted() -> Project {
    let mut project = library();
    project
        .repository
        .write("proctor.toml", "[worktree]\nsetup = \"true\"\n");
    project.repository.commit_all("Settings");
    project.environment.trust_nothing();
    project
}

/// A commit with its approval, and the variables that GitLab sets.
fn approved() -> Project {
    let mut project = approved_commit();
    put_proctor_on_path(&mut project);
    for (name, revision) in [
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "origin/main"),
        ("CI_COMMIT_SHA", "HEAD"),
    ] {
        let commit = project.repository.git(["rev-parse", revision]);
        project.environment.set_variable(name, commit);
    }
    let key = project.environment.ssh_key("approval", "ed25519", &[]);
    project
        .environment
        .write("home/.ssh/approval.pub", key.public());
    project
}

/// A line as a person types it into a shell, where `PROCTOR` is the checkout of Proctor.
fn shell(project: &Project, line: &str) -> Command {
    let mut command = project.environment.command("sh");
    command
        .args(["-c", line])
        .env("PROCTOR", workspace())
        .current_dir(project.repository.path());
    command
}

#[track_caller]
fn execute(project: &Project, written: &str, end: End) {
    // A page cannot know the name of a run.
    let line = if written.contains("87-k3x9qd") {
        written.replace("87-k3x9qd", &project.run_id())
    } else {
        written.to_owned()
    };
    let command = shell(project, &line);
    match end {
        Code(code) => {
            let output = project.environment.run(command);
            assert_eq!(output.code, code, "{line}\n{}", output.normalised());
        }
        Answered(question, answer) => {
            let mut terminal = Terminal::spawn(&command);
            terminal.expect(question);
            terminal.send_line(answer);
            assert_eq!(terminal.wait(), 0, "{line}\n{}", terminal.screen());
        }
    }
}

#[test]
fn the_hook_of_the_page_declines_a_push_without_its_approval() {
    let project = approved();
    let pages = book();
    let script = pages
        .iter()
        .flat_map(Page::blocks)
        .find(|block| block.text.contains(HOOK))
        .expect("a page has the hook");
    let run = |line: &str| project.environment.run(shell(&project, line));
    run("git clone --quiet --bare . ../server.git").expect_code(0);
    run("git -C ../server.git update-ref refs/heads/main $CI_MERGE_REQUEST_DIFF_BASE_SHA")
        .expect_code(0);
    run("git remote add server ../server.git").expect_code(0);
    let hook = project
        .environment
        .write("server.git/hooks/pre-receive", script.text);
    std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).expect("our own");
    let declined = run("git push server main");
    declined.expect_code(1);
    assert!(
        declined.stderr.contains("no_approval"),
        "{}",
        declined.stderr
    );
    run("git push --atomic server main 'refs/proctor/approvals/*:refs/proctor/approvals/*'")
        .expect_code(0);
}

/// The README and the pages of the book.
fn book() -> Vec<Page> {
    let mut pages = repository_pages();
    pages.retain(|page| page.path == "README.md" || page.path.starts_with("docs/"));
    pages
}

/// The commands with a call of `proctor` that are on these pages, each with its page.
fn written(pages: &[Page]) -> Vec<(String, String)> {
    let commands = pages.iter().flat_map(|page| {
        let commands = page.commands().into_iter();
        commands.map(|command| (page.path.clone(), command.text))
    });
    commands
        .filter(|(_, command)| !calls_of("proctor", command).is_empty())
        .collect()
}

/// The commands that a test executes or that another test shows.
fn shown() -> BTreeSet<&'static str> {
    let executed = EXECUTED.iter().copied().flatten();
    executed
        .map(|(command, _)| *command)
        .chain(ELSEWHERE.iter().map(|(command, ..)| *command))
        .collect()
}

/// What is on a page and not shown, and what is shown and on no page.
fn differences(pages: &[Page], shown: &BTreeSet<&str>) -> Vec<String> {
    let written = written(pages);
    let unshown = written
        .iter()
        .filter(|(page, _)| page != tutorial::PAGE)
        .filter(|(_, command)| !shown.contains(command.as_str()))
        .map(|(page, command)| format!("{page}: no test shows that this works: {command}"));
    let unwritten = shown
        .iter()
        .filter(|command| !written.iter().any(|(_, written)| written == *command))
        .map(|command| format!("on no page: {command}"));
    unshown.chain(unwritten).collect()
}

#[test]
fn every_command_on_a_page_is_shown_to_work() {
    let problems = differences(&book(), &shown());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_command_that_nothing_shows_is_noticed() {
    let page = |text: &str| [Page::new("docs/page.md", text)];
    let shown = BTreeSet::from(["proctor init"]);
    let good = page("```console\n$ proctor init   # why\n$ git status\n```\n");
    assert_eq!(differences(&good, &shown), [""; 0]);
    let more = page("```console\n$ proctor init && proctor doctor\n$ proctor init\n```\n");
    assert_eq!(
        differences(&more, &shown),
        ["docs/page.md: no test shows that this works: proctor init && proctor doctor"]
    );
    assert_eq!(differences(&page(""), &shown), ["on no page: proctor init"]);
}

#[test]
fn what_is_shown_elsewhere_is_shown_there() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/end_to_end");
    for (command, reason, file, test) in ELSEWHERE {
        let source = std::fs::read_to_string(tests.join(file)).expect("a file of tests");
        let defined = source.contains(&format!("fn {test}("));
        assert!(
            defined,
            "{command} needs {reason}, and {file} has no {test}"
        );
    }
}
