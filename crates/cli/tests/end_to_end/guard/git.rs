//! Git's own hooks: they hold for every program that uses git.

use proctor_testkit::RunOutput;

use super::{SOURCE, TEST, claude, guarded};
use crate::messages::says;
use crate::project::{POWERS, Project, TESTS, WRONG_POWERS};

fn project() -> Project {
    let project = guarded();
    project.repository.write(".gitignore", ".claude/\n");
    project.repository.commit_all("Ignore");
    project
        .environment
        .proctor(["guard", "install", "claude-code", "--git"])
        .expect_code(0);
    project
}

fn git(project: &Project, words: &[&str]) -> RunOutput {
    let mut git = project.environment.command("git");
    git.args(words);
    project.environment.run(git)
}

#[test]
fn nothing_becomes_part_of_a_branch_that_no_gate_has_accepted() {
    let project = project();
    let before = project.repository.head();
    project.repository.write(TEST, TESTS);
    project.repository.write(SOURCE, WRONG_POWERS);
    git(&project, &["add", "-A"]).expect_code(0);
    let tree = git(&project, &["write-tree"]).stdout.trim().to_owned();
    let plumbing = git(&project, &["commit-tree", &tree, "-p", "HEAD", "-m", "x"]);
    let plumbing = plumbing.stdout.trim().to_owned();
    for words in [
        ["commit", "-m", "x"].as_slice(),
        &["commit", "--no-verify", "-m", "x"],
        &["update-ref", "refs/heads/main", &plumbing],
        &["reset", "--hard", &plumbing],
        &["branch", "other", &plumbing],
        &["checkout", "-q", "--detach", &plumbing],
    ] {
        let output = git(&project, words);
        assert_ne!(output.code, 0, "{words:?}");
        assert!(
            output.stderr.contains("no gate has accepted"),
            "{words:?}: {}",
            output.stderr
        );
        assert_eq!(project.repository.head(), before, "{words:?}");
    }
    let mut hook = project.environment.proctor_command([
        "guard",
        "hook",
        "git",
        "reference-transaction",
        "prepared",
    ]);
    hook.env("LC_ALL", "C");
    let line = format!("{before} {plumbing} refs/heads/main\n");
    let said = super::fed(&project, hook, &line);
    says(
        &said,
        1,
        "nothing becomes part of a branch that no gate has accepted\nCOMMIT: REASON",
    );

    project.repository.write(SOURCE, POWERS);
    git(&project, &["add", "-A"]).expect_code(0);
    git(&project, &["commit", "-qm", "right"]).expect_code(0);
    assert_ne!(project.repository.head(), before);
    // Where branches go afterwards is not checked.
    git(&project, &["branch", "other"]).expect_code(0);
    git(&project, &["checkout", "-q", "other"]).expect_code(0);
    git(&project, &["branch", "-D", "main"]).expect_code(0);
    git(&project, &["reset", "-q", "--hard", &before]).expect_code(0);
    git(&project, &["stash", "list"]).expect_code(0);
}

#[test]
fn nothing_is_pushed_that_no_gate_has_accepted() {
    let project = project();
    let remote = project.environment.root().join("remote.git");
    let remote = remote.display().to_string();
    git(&project, &["init", "-q", "--bare", &remote]).expect_code(0);
    git(&project, &["remote", "add", "origin", &remote]).expect_code(0);
    git(&project, &["push", "-q", "origin", "main"]).expect_code(0);
    project.repository.write(TEST, TESTS);
    project.repository.write(SOURCE, WRONG_POWERS);
    git(&project, &["add", "-A"]).expect_code(0);
    // Around the hook of the commit, as anyone can.
    let around = ["-c", "core.hooksPath=/dev/null", "commit", "-qm", "x"];
    git(&project, &around).expect_code(0);
    let pushed = git(&project, &["push", "origin", "main"]);
    assert_ne!(pushed.code, 0);
    assert!(pushed.stderr.contains("test_cube"), "{}", pushed.stderr);
    let agent = claude(&project);
    agent.shell("git push").no();
    let told = agent.end(false);
    // The session began at the commit that bypassed it: only commits from before the guard are exempt.
    told.pass();
}

#[test]
fn a_commit_around_the_hooks_is_brought_up_at_the_end() {
    let project = project();
    let agent = claude(&project);
    agent.starts().expect_code(0);
    agent.write(SOURCE, WRONG_POWERS);
    git(&project, &["add", "-A"]).expect_code(0);
    git(
        &project,
        &["-c", "core.hooksPath=/dev/null", "commit", "-qm", "x"],
    )
    .expect_code(0);
    let told = agent.end(false).no();
    assert!(
        told.contains("no gate has accepted") && told.contains("untested_change"),
        "{told}"
    );
}

#[test]
fn what_a_person_approved_is_accepted() {
    let project = project();
    git(
        &project,
        &["rm", "-q", "tests/test_basic.py", "mathkit/basic.py"],
    )
    .expect_code(0);
    assert_ne!(git(&project, &["commit", "-qm", "gone"]).code, 0);
    let words = ["review", "--staged", "-m", "gone"];
    let mut terminal = project.environment.proctor_on_terminal(words);
    crate::project::approve(&mut terminal);
    let remote = project.environment.root().join("remote.git");
    let remote = remote.display().to_string();
    git(&project, &["init", "-q", "--bare", &remote]).expect_code(0);
    git(&project, &["push", "-q", &remote, "main"]).expect_code(0);
}

#[test]
fn git_without_proctor_moves_no_branch() {
    let project = project();
    project.repository.write("README.md", "# other\n");
    git(&project, &["add", "-A"]).expect_code(0);
    let mut commit = project.environment.command("git");
    commit
        .args(["commit", "-qm", "docs"])
        .env("PATH", "/usr/bin:/bin");
    assert_ne!(project.environment.run(commit).code, 0);
    git(&project, &["commit", "-qm", "docs"]).expect_code(0);
}
