//! A run whose merge is signed, and commits that are judged again where they arrive.

use proctor_testkit::Terminal;

use super::wall::{ANY_KEY, Wall, signatures};
use crate::desk::Desk;
use crate::project::{PROMPT, Project, TESTS, WRONG_POWERS, good};

/// The small library, with approvals; mutants would take as long as everything else.
pub(super) fn library() -> Wall {
    let Project {
        environment,
        repository,
    } = Project::new();
    let desk = Desk {
        environment,
        repository,
    };
    let settings = format!("[test]\nmutants = \"off\"\n{ANY_KEY}");
    Wall::in_desk(desk, &settings, "ed25519", &[])
}

#[test]
fn a_run_is_signed_once_whatever_happens_before_its_merge_and_holds_elsewhere() {
    let mut wall = library();
    let base = wall.id("HEAD");
    let log = wall.count_signatures();
    let model = good().write_to(wall.environment.root().join("script.jsonl"));
    let document = wall.environment.root().join("lld.md").display().to_string();
    let words = [
        "run", "--issue", "87", "--lld", &document, "--model", &model,
    ];
    let mut command = wall.environment.proctor_command(words);
    command.env("PROCTOR_PANIC_AT", "approval kept");
    let mut terminal = Terminal::spawn(&command);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 70);
    assert_eq!((wall.id("main"), signatures(&log)), (base.clone(), 1));
    // Continues without a question, and without a second touch.
    wall.environment.proctor(["resume"]).expect_code(0);
    assert_ne!(wall.id("main"), base);
    assert_eq!(signatures(&log), 1);
    let message = wall.repository.git(["log", "-1", "--format=%B"]);
    assert!(message.contains("Proctor-Approval: sha256:"), "{message}");
    assert_eq!(wall.reasons(&["--base", &base]), ["-"]);
    let reference = wall.approval();
    let evidence = wall.repository.file_at(&reference, "evidence.json");
    insta::assert_snapshot!(
        wall.environment
            .normalise(&evidence)
            .replace("landlock", "[LEVEL]")
            .replace("bubblewrap", "[LEVEL]")
    );
    // Nothing that is kept from before is believed, and nothing is kept.
    let cache = wall.environment.root().join("another cache");
    wall.environment.set_variable("PROCTOR_CACHE_DIR", &cache);
    let said = wall
        .environment
        .proctor(["verify", "-q", "--rejudge", "--base", &base]);
    insta::assert_snapshot!(said.normalised_stdout(), @"[ID]  approved by ada@example.com (none); judged again: valid green");
    assert!(!cache.exists());
}

#[test]
fn what_was_approved_but_does_not_hold_is_found_out_by_judging_it_again() {
    let wall = library();
    let base = wall.id("HEAD");
    wall.repository.write("mathkit/power.py", WRONG_POWERS);
    wall.repository.write("tests/test_power.py", TESTS);
    wall.repository.commit_all("Powers, they say");
    wall.approve("HEAD");
    assert_eq!(wall.reasons(&["--base", &base]), ["-"]);
    assert_eq!(wall.reasons(&["--base", &base, "--rejudge"]), ["rejudged"]);
}
