//! The audit trail and the journal from the outside.

use crate::messages::says;
use crate::project::{PROMPT, Project, approve, good, text};

#[test]
fn the_trail_tells_the_whole_run_and_its_chain_holds() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    approve(&mut terminal);
    let run = project.run_id();
    let trail = project.json(&["log", &run, "--verify"]);
    assert_eq!(trail["verified"], true);
    let records = trail["records"].as_array().unwrap();
    let events: Vec<_> = records
        .iter()
        .filter(|record| record["kind"] == "event")
        .map(|record| text(&record["body"]["event"]))
        .collect();
    assert_eq!(
        events,
        [
            "context_loaded",
            "worktree_created",
            "baseline_taken",
            "model_replied",
            "files_written",
            "red_judged",
            "model_replied",
            "files_written",
            "green_judged",
            "linted",
            "person_decided",
            "merged",
            "worktree_removed",
        ]
    );
    let decided = records
        .iter()
        .find(|record| record["body"]["event"] == "person_decided")
        .unwrap();
    assert_eq!(decided["actor"], "Ada Tester <ada@example.com>");
    let output = project.environment.proctor(["log", "--verify"]);
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 0
    --- stdout
        1  [MOMENT]  [RUN]  started  proctor
        2  [MOMENT]  [RUN]  context_loaded  proctor
        3  [MOMENT]  [RUN]  worktree_created  proctor
        4  [MOMENT]  [RUN]  baseline_taken  proctor
        5  [MOMENT]  [RUN]  model_replied: 100 tokens in (0 cached), 20 out, $0.0000  proctor
        6  [MOMENT]  [RUN]  files_written: tests/test_power.py  proctor
        7  [MOMENT]  [RUN]  red_judged: accepted  proctor
        8  [MOMENT]  [RUN]  model_replied: 200 tokens in (0 cached), 30 out, $0.0000  proctor
        9  [MOMENT]  [RUN]  files_written: mathkit/power.py  proctor
       10  [MOMENT]  [RUN]  green_judged: accepted  proctor
       11  [MOMENT]  [RUN]  linted: absent  proctor
       12  [MOMENT]  [RUN]  person_decided: approve, tree [ID], [TERMINAL]  Ada Tester <ada@example.com>
       13  [MOMENT]  [RUN]  merged: [ID]  proctor
       14  [MOMENT]  [RUN]  worktree_removed  proctor
    14 records, chain unbroken
    --- stderr
    ");
}

#[test]
fn evidence_of_every_gate_is_kept() {
    const KNOWN: &str = "== cached from an earlier judgement of the same trees\n\n";
    let project = Project::judging();
    // The second run uses the first one's cached results.
    for heading in ["", KNOWN] {
        let output = project.run(&good(), &["--format", "json"]);
        output.expect_code(3);
        let run = output.json();
        let gates = [
            ("red", "ModuleNotFoundError", "== the suite with "),
            ("green", "3 passed", "== the suite, judged blind"),
        ];
        for (gate, said, first) in gates {
            let output = std::fs::read_to_string(text(&run[gate]["evidence"]["output"])).unwrap();
            assert!(output.contains(said), "{gate}: {output}");
            assert!(output.starts_with(&format!("{heading}{first}")), "{output}");
            assert!(run[gate]["evidence"]["runs"].as_array().unwrap().len() > 1);
            let level = text(&run[gate]["evidence"]["sandbox"]);
            assert!(level == "bubblewrap" || level == "landlock", "{level}");
        }
        let run = text(&run["run"]);
        project.environment.proctor(["abort", &run]).expect_code(0);
    }
}

#[test]
fn a_journal_that_cannot_be_used_is_an_error_and_stays_as_it_is() {
    let project = Project::new();
    let directory = project.repository.path().join(".git/proctor");
    std::fs::create_dir(&directory).unwrap();
    let database = directory.join("journal.db");
    std::fs::write(
        &database,
        "this is not a database, but its owner may want it back\n".repeat(50),
    )
    .unwrap();
    let before = std::fs::read(&database).unwrap();
    for arguments in [["status"].as_slice(), &["log"], &["clean"], &["resume"]] {
        let output = project.environment.proctor(arguments);
        insta::allow_duplicates! {
            insta::assert_snapshot!(output.normalised(), @"
            exit code: 5
            --- stdout
            --- stderr
            error: the journal [REPO]/.git/proctor/journal.db cannot be used: file is not a database
            hint: check that the git directory can be written and the disk is not full; nothing was changed
            ");
        }
    }
    project.run(&good(), &[]).expect_code(5);
    assert_eq!(std::fs::read(&database).unwrap(), before);
}

#[test]
fn two_processes_cannot_work_on_one_run() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.expect(PROMPT);
    let run = project.run_id();
    for command in ["resume", "review", "abort"] {
        let output = project.environment.proctor([command, &run]);
        says(
            &output,
            5,
            "another proctor process (process NUMBER) is working on run RUN",
        );
    }
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0);
}

#[test]
fn an_approval_is_recorded_with_who_when_where_and_on_what_grounds() {
    let project = Project::new();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    approve(&mut terminal);
    let trail = project.json(&["log"]);
    let records = trail["records"].as_array().unwrap();
    let decided = records
        .iter()
        .map(|record| &record["body"])
        .find(|body| body["event"] == "person_decided")
        .unwrap();
    assert_eq!(decided["by"], "Ada Tester <ada@example.com>");
    assert_eq!(decided["choice"]["choice"], "approve");
    assert!(text(&decided["place"]).starts_with("/dev/"), "{decided}");
    assert_eq!(decided["tree"], project.repository.tree_of("HEAD"));
    let at = decided["at"].as_i64().unwrap().to_string();
    let git = |format: &str| project.repository.git(["log", "-1", format]);
    assert_eq!(git("--format=%at"), at);
    let evidence = text(&decided["evidence"]);
    assert_eq!(evidence.len(), 64);
    let trailer = git("--format=%(trailers:key=Proctor-Evidence,valueonly)");
    assert_eq!(trailer.trim(), format!("sha256:{evidence}"));
}
