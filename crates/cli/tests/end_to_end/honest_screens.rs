//! A reviewer's screen is honest: long lines, long lists, secrets, the linter, and the question.

use proctor_testkit::{Reply, Script, file_reply};

use crate::desk::{Desk, at_question, numbered};
use crate::project::{POWERS, PROMPT, Project, good, implement, scaffold, text};

#[test]
fn the_tail_of_a_long_line_cannot_pass_for_a_line_of_its_own() {
    let mut desk = Desk::new();
    desk.environment.set_variable("NO_COLOR", "1");
    // Breaks where the screen of 100 columns ends, just before text that looks like another line.
    let long = format!("{}-    check_password(user)", "x".repeat(94));
    desk.repository.write("long.py", format!("{long}\n"));
    let mut terminal = desk.review_at_terminal(&["-m", "Long"]);
    terminal.expect(PROMPT);
    let shown = at_question(&desk.environment, &mut terminal);
    assert!(shown.contains("\n↪ -    check_password(user)\n"), "{shown}");
    assert!(!shown.lines().any(|line| line.starts_with('-')), "{shown}");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);

    // The same in the pager, with ASCII alone.
    desk.environment.remove_variable("PAGER");
    desk.environment.set_variable("LC_ALL", "C");
    desk.repository.write("more.py", numbered("value", 60));
    let mut terminal = desk.review_at_terminal(&["-m", "Long"]);
    terminal.expect_display(&["overview"]);
    terminal.send(b"]");
    terminal.expect_display(&["long.py", "> -    check_password(user)"]);
    terminal.send(b"q");
    terminal.expect("DIFF shows it again");
    terminal.send_line("REJECT");
    assert_eq!(terminal.wait(), 1);
}

#[test]
fn a_line_that_fits_is_not_broken_and_a_pipe_gets_lines_whole() {
    let desk = Desk::new();
    let long = "x".repeat(300);
    desk.repository.write("long.py", format!("{long}\n"));
    let output = desk.environment.proctor(["review", "--all", "--dry-run"]);
    output.expect_code(0);
    assert!(
        output.stdout.contains(&format!("\n   1 +{long}\n")),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains('↪'), "{}", output.stdout);
}

#[test]
fn a_secret_is_flagged_with_its_place_by_its_name_and_by_its_content() {
    let desk = Desk::new();
    // In two pieces, or this file could not be sent to a model itself.
    let key = ["AKIA", "QYLPMN5HHHFPZAM2"].concat();
    let known = numbered("value", 5);
    desk.repository
        .write("known.py", format!("{known}KEY = \"{key}\"\n"));
    desk.repository.commit_all("A key that is there already");
    desk.repository
        .write("known.py", format!("{known}KEY = \"{key}\"\nother = 1\n"));
    desk.repository
        .write("cloud.py", format!("import os\n\nKEY = \"{key}\"\n"));
    desk.repository.write(".env", "MODE=debug\n");
    desk.repository.write("secret_santa.py", "names = []\n");
    let output = desk.environment.proctor(["review", "--all", "--dry-run"]);
    let banner = output.stdout.split_once("WARNING").expect("a banner").1;
    let banner = banner.split_once("────").expect("the files below").0;
    insta::assert_snapshot!(banner, @"
    : look closely at these files
      .env  NEW  SECRET
        files named like this hold secrets (.env*)
      cloud.py  NEW  SECRET
        line 3 holds what looks like an AWS access key id

      SECRET  looks like a secret, by its name or by something new in it

     .env            | +1 -0 +  NEW  SECRET
     cloud.py        | +3 -0 +++  NEW  SECRET
     known.py        | +1 -0 +
     secret_santa.py | +1 -0 +  NEW
     4 files changed, 6 insertions(+), 0 deletions(-)
    ");
    let document = desk
        .environment
        .proctor(["review", "--all", "--dry-run", "--format", "json"])
        .json();
    let flagged: Vec<String> = document["flagged"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect();
    assert_eq!(flagged, [".env", "cloud.py"]);
    let files = document["files"].as_array().unwrap();
    let cloud = files
        .iter()
        .find(|file| file["path"] == "cloud.py")
        .unwrap();
    assert_eq!(
        cloud["secrets"][0],
        "line 3 holds what looks like an AWS access key id"
    );
    assert!(
        cloud["flags"]
            .as_array()
            .unwrap()
            .contains(&"SECRET".into())
    );
}

#[test]
fn many_names_are_ten_and_counts_and_what_is_installed_is_said_first() {
    let desk = Desk::new();
    for number in 0..30 {
        desk.repository
            .write(format!("src/big{number:02}.py"), numbered("value", 120));
    }
    desk.repository.write(".venv/bin/activate", "x\n");
    desk.repository.write(".venv/lib/x.py", "x = 1\n");
    desk.repository.write("web/node_modules/x/index.js", "x\n");
    let mut command = desk
        .environment
        .proctor_command(["review", "--all", "--dry-run"]);
    command.args(["--color", "never"]);
    let output = desk.environment.run(command);
    output.expect_code(0);
    let words = "WARNING: what tools install or build is about to be committed: .venv/ (2 files), web/node_modules/ (1 file)";
    assert!(output.stderr.contains(words), "{}", output.stderr);
    let mut last: Vec<&str> = output.stdout.lines().rev().take(3).collect();
    last.reverse();
    insta::assert_snapshot!(desk.environment.normalise(&last.join("\n")), @"
    WARNING: what tools install or build is about to be committed: .venv/ (2 files), web/node_modules/ (1 file)
    33 files changed, 3,603 insertions(+), 0 deletions(-); tree [ID] into main
    WARNING: look closely at .venv/bin/activate, .venv/lib/x.py, src/big00.py, src/big01.py, src/big02.py, src/big03.py, src/big04.py, src/big05.py, src/big06.py, src/big07.py and 23 more files: 22 in src/, 1 in web/
    ");
}

#[test]
fn what_is_installed_is_said_before_anything_is_hashed() {
    let mut desk = Desk::new();
    desk.repository.write("node_modules/x/index.js", "x\n");
    std::os::unix::fs::symlink("x", desk.repository.path().join("node_modules/link")).unwrap();
    // Every hashing command fails.
    desk.environment.pretend_git("*hash-object*", "exit 9");
    let output = desk.environment.proctor(["review", "--all", "--dry-run"]);
    output.expect_code(5);
    let said = output.stderr.lines().next().unwrap_or_default();
    assert!(
        said.contains("node_modules/ (2 files)"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_review_in_an_agents_terminal_is_left_to_a_person() {
    let mut desk = Desk::new();
    desk.repository.write("a.py", "a = 1\n");
    let head = desk.repository.head();
    for (name, value) in [
        ("CLAUDECODE", "1"),
        ("AI_AGENT", "claude-code_2.1"),
        ("CODEX_THREAD_ID", "x"),
        ("CODEX_CI", "1"),
        ("GEMINI_CLI", "1"),
    ] {
        desk.environment.set_variable(name, value);
        let mut terminal = desk.review_at_terminal(&["-m", "No"]);
        assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
        assert!(
            terminal
                .screen()
                .contains("in a terminal of your own: `proctor review`")
        );
        let report = desk.environment.proctor(["review", "--all", "--dry-run"]);
        report.expect_code(0);
        desk.environment.remove_variable(name);
    }
    assert_eq!(desk.repository.head(), head);
    let mut terminal = desk.review_at_terminal(&["-m", "Yes"]);
    crate::project::approve(&mut terminal);
}

#[test]
fn a_run_in_an_agents_terminal_waits_at_its_review() {
    let mut project = Project::new();
    project.environment.set_variable("CLAUDECODE", "1");
    let mut terminal = project.run_at_terminal(&good(), &["--no-pager"]);
    assert_eq!(terminal.wait(), 3, "{}", terminal.screen());
    assert_eq!(project.status()["stage"], "review");
    assert!(!terminal.screen().contains(PROMPT), "{}", terminal.screen());
}

#[test]
fn a_page_keeps_white_space() {
    let project = Project::new();
    let spaced = "def test_blanks():\n    assert 'a  b' == 'a b', 'two  blanks'\n";
    let script = Script::new().reply(Reply::scaffold(file_reply("tests/test_power.py", spaced)));
    project.run(&script, &[]);
    let output = project.environment.proctor(["report", "--output", "-"]);
    output.expect_code(0);
    let page = &output.stdout;
    // Everything below keeps its spaces, except numbers.
    assert!(page.contains("main { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; white-space: pre-wrap; }"));
    assert!(
        page.contains("&#39;a  b&#39;") || page.contains("'a  b'"),
        "{page}"
    );
}

#[test]
fn an_aborted_run_names_a_tree_that_outlives_a_clean_up() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let status = project.json(&["status", &run]);
    std::fs::write(format!("{}/added.py", text(&status["worktree"])), "x = 1\n").unwrap();
    project.environment.proctor(["abort", &run]).expect_code(0);
    let repository = &project.repository;
    repository.git(["reflog", "expire", "--expire=now", "--all"]);
    repository.git(["gc", "-q", "--prune=now"]);
    let tree = text(&project.json(&["status", &run])["tree"]);
    assert_eq!(tree, text(&status["tree"]));
    assert_eq!(repository.git(["cat-file", "-t", &tree]).trim(), "tree");
    let page = project
        .environment
        .proctor(["report", &run, "--output", "-"]);
    page.expect_code(0);
    assert!(page.stdout.contains("mathkit/power.py"), "{}", page.stdout);
    project.environment.proctor(["clean"]).expect_code(0);
    repository.git(["gc", "-q", "--prune=now"]);
    assert_eq!(repository.git(["cat-file", "-t", &tree]).trim(), "tree");
}

#[test]
fn where_a_secret_is_and_how_large_a_file_is_are_said_as_they_are() {
    let project = Project::new();
    let key = ["AKIA", "QYLPMN5HHHFPZAM2"].concat();
    let design = crate::project::DESIGN.replace("Tests of both.", &format!("KEY = \"{key}\""));
    project.repository.write("docs/lld.md", design);
    project
        .repository
        .write("large.txt", "line\n".repeat(60_000));
    let mut command = project.environment.proctor_command([
        "check",
        "--lld",
        "../docs/lld.md",
        "--context",
        "../large.txt",
        "--format",
        "json",
    ]);
    command.current_dir(project.repository.path().join("mathkit"));
    let output = project.environment.run(command);
    output.expect_code(4);
    let document = output.json();
    let problems = document["problems"].as_array().unwrap();
    let of = |kind: &str| problems.iter().find(|it| it["kind"] == kind).unwrap();
    assert_eq!(of("secret_content")["where"], "../docs/lld.md");
    assert_eq!(of("too_large")["where"], "../large.txt");
    assert!(
        text(&of("too_large")["message"]).contains("300000 bytes"),
        "{document:#}"
    );
    project
        .environment
        .write("huge.md", "# x\n".repeat(1_500_000));
    let huge = project
        .environment
        .root()
        .join("huge.md")
        .display()
        .to_string();
    let document = project.json(&["check", "--lld", &huge]);
    let message = text(&document["problems"][0]["message"]);
    assert!(message.contains("6000000 bytes"), "{message}");
}

#[test]
fn trailers_count_tests() {
    let project = Project::new();
    let script = Script::new().reply(scaffold()).reply(implement(POWERS));
    let mut terminal = project.run_at_terminal(&script, &["--no-pager"]);
    crate::project::approve(&mut terminal);
    let message = project.repository.git(["log", "-1", "--format=%B"]);
    assert!(
        message.contains("\nProctor-Red: valid, 0 passed, 2 failed, exit code "),
        "{message}"
    );
    assert!(
        message.contains("\nProctor-Green: valid, 2 passed, 0 failed, exit code 0"),
        "{message}"
    );
}
