//! The effects on the base branch and on the user's checkout.

use crate::messages::says;
use crate::project::{POWERS, PROMPT, Project, good, text};

fn parked_at_review(project: &Project) -> String {
    project.run(&good(), &[]).expect_code(3);
    project.run_id()
}

fn approve(project: &Project, run: &str) -> (i32, String) {
    let mut terminal = project.environment.proctor_on_terminal(["review", run]);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    let code = terminal.wait();
    (code, terminal.screen())
}

#[test]
fn a_moved_base_is_merged_tested_and_asked_about_again() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project.repository.write("mathkit/extra.py", "EXTRA = 1\n");
    project.repository.write(
        "tests/test_extra.py",
        "from mathkit.extra import EXTRA\n\n\ndef test_extra():\n    assert EXTRA == 1\n",
    );
    let tip = project.repository.commit_all("Meanwhile");
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    terminal.expect(PROMPT);
    let before = text(&project.status()["tree"]);
    terminal.send_line("APPROVE");
    // The merged tree was never judged: tests again, question again.
    terminal.expect("N4 GreenGate");
    terminal.expect(PROMPT);
    let after = text(&project.status()["tree"]);
    assert_ne!(before, after);
    assert_eq!(project.repository.head(), tip.trim());
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    assert_eq!(project.repository.tree_of("HEAD"), after);
    assert_eq!(
        project.repository.git(["rev-parse", "HEAD^"]).trim(),
        tip.trim()
    );
    assert_eq!(project.repository.read("mathkit/extra.py"), "EXTRA = 1\n");
    assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
    assert_eq!(project.leftovers(), Vec::<String>::new());
}

#[test]
fn a_moved_base_that_breaks_the_result_is_not_merged() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project.repository.write(
        "tests/test_strict.py",
        "import pathlib\n\n\ndef test_no_powers():\n    assert not pathlib.Path('mathkit/power.py').exists()\n",
    );
    let tip = project
        .repository
        .commit_all("Meanwhile, a rule against it");
    let (code, screen) = approve(&project, &run);
    // Back to the model, whose script has nothing more to say.
    assert_eq!(code, 5, "{screen}");
    assert!(screen.contains("test_no_powers"), "{screen}");
    assert_eq!(project.repository.head(), tip.trim());
}

#[test]
fn a_conflict_parks_the_run_and_names_the_files() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project
        .repository
        .write("mathkit/power.py", "def square(x):\n    return x ** 2\n");
    let tip = project.repository.commit_all("The same, by another author");
    let (code, screen) = approve(&project, &run);
    says(
        (code, screen.as_str()),
        3,
        "run RUN waits for a person: the base branch changed the same lines of PATH",
    );
    let status = project.status();
    assert!(
        text(&status["waiting_for"]).contains("mathkit/power.py"),
        "{status:#}"
    );
    assert_eq!(status["stage"], "merge");
    assert_eq!(project.repository.head(), tip.trim());
}

#[test]
fn a_checkout_with_unrelated_local_changes_follows_and_keeps_them() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project.repository.write("README.md", "# changed by me\n");
    project.repository.write("untracked.txt", "mine\n");
    let (code, screen) = approve(&project, &run);
    assert_eq!(code, 0, "{screen}");
    assert_eq!(project.repository.read("README.md"), "# changed by me\n");
    assert_eq!(project.repository.read("untracked.txt"), "mine\n");
    assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
    assert_eq!(
        project.repository.git(["status", "--porcelain"]),
        " M README.md\n?? untracked.txt"
    );
}

#[test]
fn a_checkout_that_the_merge_would_overwrite_is_left_alone_until_it_is_free() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project.repository.write("mathkit/power.py", "MINE = 1\n");
    let before = project.repository.checkout_fingerprint();
    let base = project.repository.head();
    let (code, screen) = approve(&project, &run);
    says(
        (code, screen.as_str()),
        3,
        "run RUN waits for a free checkout: REASON",
    );
    assert!(screen.contains("mathkit/power.py"), "{screen}");
    project
        .repository
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    assert_eq!(project.repository.head(), base);
    // The approval holds; no one is asked twice for the same tree.
    std::fs::remove_file(project.repository.path().join("mathkit/power.py")).unwrap();
    project.environment.proctor(["resume", &run]).expect_code(0);
    assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
}

#[test]
fn a_checkout_of_another_branch_is_left_alone() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project
        .repository
        .git(["checkout", "--quiet", "-b", "elsewhere"]);
    let before = project.repository.checkout_fingerprint();
    let (code, screen) = approve(&project, &run);
    assert_eq!(code, 0, "{screen}");
    project
        .repository
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    assert_eq!(
        project.repository.file_at("main", "mathkit/power.py"),
        POWERS
    );
}

#[test]
fn abort_and_clean_save_what_is_uncommitted_first() {
    let project = Project::new();
    let run = parked_at_review(&project);
    let worktree = text(&project.status()["worktree"]);
    std::fs::write(format!("{worktree}/notes.txt"), "written by hand\n").unwrap();
    let output = project
        .environment
        .proctor(["abort", &run, "--format", "json"]);
    output.expect_code(0);
    assert_eq!(output.json()["state"], "aborted");
    assert!(!std::path::Path::new(&worktree).exists());
    let saved = format!("refs/proctor/rescue/{run}");
    assert_eq!(
        project.repository.file_at(&saved, "notes.txt"),
        "written by hand\n"
    );
    assert_eq!(
        project.repository.file_at(&saved, "mathkit/power.py"),
        POWERS
    );
    // Evidence goes with clean, the rescue stays.
    let evidence = project
        .repository
        .path()
        .join(".git/proctor/evidence")
        .join(&run);
    let green = text(&project.status()["green"]["evidence"]["output"]);
    assert!(
        std::path::Path::new(&green).starts_with(&evidence)
            && std::path::Path::new(&green).exists()
    );
    project.environment.proctor(["clean"]).expect_code(0);
    assert!(!evidence.exists());
    assert_eq!(
        project.repository.file_at(&saved, "notes.txt"),
        "written by hand\n"
    );
    let again = project.environment.proctor(["clean"]);
    assert_eq!(again.stdout, "nothing to clean\n");
}

#[test]
fn a_merged_run_cannot_be_aborted() {
    let project = Project::new();
    let run = parked_at_review(&project);
    assert_eq!(approve(&project, &run).0, 0);
    let output = project.environment.proctor(["abort", &run]);
    says(
        &output,
        1,
        "run RUN is merged as COMMIT and cannot be aborted",
    );
    let output = project.environment.proctor(["review", &run]);
    says(
        &output,
        1,
        "run RUN is merged and has nothing to review any more",
    );
    project.environment.proctor(["resume", &run]).expect_code(0);
}

#[test]
fn a_base_branch_that_is_gone_is_said_and_the_run_waits_for_it() {
    let project = Project::new();
    let run = parked_at_review(&project);
    project
        .repository
        .git(["checkout", "--quiet", "-b", "other"]);
    project
        .repository
        .git(["branch", "--quiet", "-m", "main", "renamed"]);
    let (code, screen) = approve(&project, &run);
    says(
        (code, screen.as_str()),
        5,
        "the base branch BRANCH does not exist any more",
    );
    project
        .repository
        .git(["branch", "--quiet", "-m", "renamed", "main"]);
    project.environment.proctor(["resume", &run]).expect_code(0);
    assert_eq!(project.status()["state"], "merged");
}
