//! The review gate: a person at a terminal, and no one else.

use std::io::Write as _;
use std::process::Stdio;

use crate::messages::says;
use crate::project::{POWERS, PROMPT, Project, approve, good, implement, text};

#[test]
fn only_the_whole_word_approves_and_everything_else_is_asked_again() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.expect(PROMPT);
    for refused in ["y", "yes", "", "APPROVED", "approve it", "ok"] {
        terminal.send_line(refused);
        terminal.expect(PROMPT);
    }
    assert_eq!(project.status()["stage"], "review");
    terminal.send_line("  Approve  ");
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
}

#[test]
fn reject_and_abort_end_the_run_without_merging_and_keep_its_work() {
    for word in ["REJECT", "abort"] {
        let project = Project::new();
        let before = project.repository.checkout_fingerprint();
        let mut terminal = project.run_at_terminal(&good(), &[]);
        terminal.expect(PROMPT);
        terminal.send_line(word);
        assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
        let run = project.status();
        assert_eq!(run["state"], "aborted");
        assert_eq!(run["commit"], serde_json::Value::Null);
        project
            .repository
            .checkout_fingerprint()
            .assert_unchanged_since(&before);
        assert_eq!(project.leftovers(), Vec::<String>::new());
        assert_eq!(project.branches().trim(), "main");
        let rescue = format!("refs/proctor/rescue/{}:mathkit/power.py", text(&run["run"]));
        assert!(
            project
                .repository
                .git(["show", &rescue])
                .contains("def square")
        );
    }
}

#[test]
fn comments_go_back_to_the_model_and_what_it_makes_of_them_is_judged_and_shown_again() {
    let project = Project::new();
    let better = format!("\"\"\"Powers.\"\"\"\n{POWERS}");
    let mut terminal = project.run_at_terminal(&good().reply(implement(&better)), &[]);
    terminal.expect(PROMPT);
    terminal.send_line("comment");
    terminal.expect("A line with a dot alone ends it.");
    terminal.send_line("mathkit/power.py:1: say what the module is for");
    terminal.send_line(".");
    terminal.expect("+\"\"\"Powers.\"\"\"");
    approve(&mut terminal);
    assert_eq!(
        project.repository.file_at("HEAD", "mathkit/power.py"),
        better
    );
    let log = project
        .environment
        .proctor(["log", "--format", "json"])
        .stdout;
    assert!(log.contains("say what the module is for"), "{log}");
}

#[test]
fn end_of_input_decides_nothing() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.expect(PROMPT);
    terminal.send_control('d');
    says(
        &mut terminal,
        3,
        "run RUN waits for a person's decision at the diff review gate",
    );
    assert_eq!(project.status()["state"], "parked");
}

#[test]
fn auto_parks_at_review_also_at_a_terminal_and_a_person_goes_on_with_review() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &["--auto", "--force"]);
    says(
        &mut terminal,
        3,
        "Diff review gate cannot be bypassed. Manual approval required. Run RUN waits for it",
    );
    let run = project.run_id();
    // Resuming does not bypass it either.
    let mut terminal = project.environment.proctor_on_terminal(["resume", &run]);
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    let mut terminal = project.environment.proctor_on_terminal(["review", &run]);
    approve(&mut terminal);
}

#[test]
fn what_was_being_drawn_is_gone_when_the_person_is_asked() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let arguments = ["review", &run, "--no-pager"];
    let mut terminal = project.environment.proctor_on_terminal(arguments);
    terminal.expect("waiting for you");
    terminal.expect(PROMPT);
    // It is wiped away first: the sheet begins in the first column.
    let shown = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    let (before, _) = shown.split_once("Review of run").expect("the sheet");
    let last = before.rsplit("waiting for you").next().unwrap_or_default();
    assert!(last.contains("\u{1b}[2K"), "{last:?}");
    terminal.send_line("ABORT");
    says(&mut terminal, 1, "run RUN was ended; nothing was merged");
}

#[test]
fn an_approval_from_a_pipe_is_refused() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    for command in ["review", "resume"] {
        let mut child = project
            .environment
            .proctor_command([command, &run])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have ended before it could read; that is as good.
        let _ = child.stdin.take().unwrap().write_all(b"APPROVE\nAPPROVE\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(3),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(project.status()["state"], "parked");
    }
    // And nothing was written down that did not happen.
    let trail = project.json(&["log", &run]);
    assert!(!trail.to_string().contains("person_decided"), "{trail:#}");
}

#[test]
fn what_was_typed_before_the_question_is_not_an_answer() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.send_line("APPROVE");
    terminal.expect(PROMPT);
    assert_eq!(project.status()["state"], "running");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
}

#[test]
fn a_run_that_is_not_at_review_cannot_be_reviewed() {
    let project = Project::new();
    let script = proctor_testkit::Script::new().reply(crate::project::scaffold());
    project.run(&script, &[]).expect_code(5);
    let run = project.run_id();
    let output = project.environment.proctor(["review", &run]);
    says(
        &output,
        1,
        "run RUN is at STAGE and has nothing to review yet",
    );
    // Nor can it continue where nothing is left of its files.
    std::fs::remove_dir_all(text(&project.status()["worktree"])).unwrap();
    project.script(&good());
    let output = project.environment.proctor(["resume", &run]);
    says(&output, 5, "the worktree PATH is gone: REASON");
    project.environment.proctor(["abort", &run]).expect_code(0);
}

#[test]
fn a_dry_review_shows_the_diff_and_decides_nothing() {
    let project = Project::without_settings();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let output = project.environment.proctor(["review", &run, "--dry-run"]);
    insta::assert_snapshot!("dry_review", output.normalised());
    assert_eq!(project.status()["state"], "parked");
}

#[test]
fn escape_sequences_in_generated_code_are_shown_not_obeyed() {
    let project = Project::new();
    let sneaky = format!(
        "# \x1b[2J\x1b[1A hidden \u{202e} text\n{}",
        crate::project::POWERS
    );
    let script = proctor_testkit::Script::new()
        .reply(crate::project::scaffold())
        .reply(crate::project::implement(&sneaky));
    let mut terminal = project.run_at_terminal(&script, &[]);
    terminal.expect("hidden characters");
    terminal.expect(PROMPT);
    let raw = String::from_utf8_lossy(terminal.raw_output()).into_owned();
    assert!(
        !raw.contains("\x1b[2J"),
        "the screen was cleared by the diff"
    );
    assert!(!raw.contains('\u{202e}'));
    terminal.send_line("ABORT");
    assert_eq!(terminal.wait(), 1);
}

/// A project whose person has this script as their editor.
fn with_editor(script: &str) -> Project {
    let mut project = Project::new();
    let editor = project.environment.root().join("my editor");
    std::fs::write(&editor, format!("#!/bin/sh\n{script}\n")).expect("the root is writable");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&editor, mode).expect("it is ours");
    let words = format!("'{}' --wait", editor.display());
    project.environment.set_variable("EDITOR", words);
    project
}

#[test]
fn comments_are_written_in_the_persons_editor_beside_the_whole_diff() {
    let project = with_editor(
        "cp \"$2\" \"$HOME/before\"; pwd > \"$HOME/where\"; printf '%s\\n' 'mathkit/power.py:1: say what it is for' > \"$2\"",
    );
    // A repository's setting for the editor does not count.
    project
        .repository
        .git(["config", "core.editor", "touch \"$HOME/planted\" #"]);
    let better = format!("\"\"\"Powers.\"\"\"\n{POWERS}");
    let mut terminal = project.run_at_terminal(&good().reply(implement(&better)), &[]);
    terminal.expect(PROMPT);
    terminal.send_line("comment");
    terminal.expect("waiting for your editor");
    terminal.expect("+\"\"\"Powers.\"\"\"");
    approve(&mut terminal);
    let home = project.environment.home();
    let before = std::fs::read_to_string(home.join("before")).unwrap();
    insta::assert_snapshot!("comments_before", project.environment.normalise(&before));
    let place = std::fs::read_to_string(home.join("where")).unwrap();
    let repository = project.repository.path().display().to_string();
    assert!(!place.starts_with(&repository), "{place}");
    assert!(!home.join("planted").exists());
    let log = project.json(&["log"]).to_string();
    assert!(
        log.contains("mathkit/power.py:1: say what it is for"),
        "{log}"
    );
}

#[test]
fn an_editor_that_returns_at_once_saves_nothing_or_fails_is_no_comment() {
    for (script, said) in [
        ("true", "Nothing was written"),
        (": > \"$2\"", "Nothing was written"),
        ("echo words > \"$2\"; exit 3", "The editor did not work"),
    ] {
        let project = with_editor(script);
        let mut terminal = project.run_at_terminal(&good(), &[]);
        terminal.expect(PROMPT);
        terminal.send_line("COMMENT");
        terminal.expect(said);
        terminal.expect(PROMPT);
        terminal.send_line("REJECT");
        assert_eq!(terminal.wait(), 1, "{}", terminal.screen());
        let log = project.json(&["log"]).to_string();
        assert!(!log.contains("\"comment\""), "{log}");
    }
}
