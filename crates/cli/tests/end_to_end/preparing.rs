//! Files that tests need besides those in git: `[worktree] setup` and `copy_ignored`.

use proctor_testkit::{Reply, Script, file_reply};

use crate::project::{POWERS, Project, approve, good, implement, scaffold};

/// A project whose suite needs a generated module and local settings, neither of which is in git.
fn project(settings: &str) -> Project {
    let project = Project::judging();
    let repository = &project.repository;
    repository.write(".gitignore", "mathkit/_version.py\n.env.test\nlog\n");
    repository.write(
        "make_version.py",
        "import os, pathlib\n\
         pathlib.Path('mathkit/_version.py').write_text('VERSION = \"1.2\"\\n')\n\
         pathlib.Path('mathkit/basic.py').write_text('raise SystemExit\\n')\n\
         with open(os.environ['SETUP_LOG'], 'a') as log:\n    log.write('set up\\n')\n",
    );
    repository.write(
        "tests/test_version.py",
        "import pathlib\n\nfrom mathkit._version import VERSION\n\n\ndef test_version():\n    assert VERSION == '1.2'\n\n\n\
         def test_local_settings():\n    text = pathlib.Path('.env.test').read_text()\n    assert text == 'TOKEN=correct-horse-battery\\n'\n",
    );
    repository.write("proctor.toml", settings);
    repository.commit_all("What git does not have");
    repository.write(".env.test", "TOKEN=correct-horse-battery\n");
    let mut project = project;
    let log = project.environment.root().join("setups");
    project.environment.set_variable("SETUP_LOG", log);
    project
}

const SETTINGS: &str =
    "[worktree]\nsetup = \"python3 make_version.py\"\ncopy_ignored = [\".env.test\"]\n";

fn setups(project: &Project) -> usize {
    let log = std::fs::read_to_string(project.environment.root().join("setups"));
    log.map_or(0, |text| text.lines().count())
}

#[test]
fn generated_and_listed_files_are_there_in_every_gate_and_nothing_is_left_behind() {
    let project = project(SETTINGS);
    let mut terminal = project.run_at_terminal(&good(), &[]);
    approve(&mut terminal);
    let screen = terminal.screen();
    assert!(screen.contains("3 earlier tests still pass"), "{screen}");
    assert_eq!(setups(&project), 1, "once for all gates");
    let merged = project
        .repository
        .git(["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(
        !merged.contains("mathkit/_version.py") && !merged.contains(".env"),
        "{merged}"
    );
    assert_eq!(project.leftovers(), [""; 0]);
    assert!(
        !project.repository.exists("mathkit/_version.py"),
        "not the checkout's"
    );
}

#[test]
fn without_being_listed_nothing_is_copied() {
    let project = project("[worktree]\nsetup = [\"python3\", \"make_version.py\"]\n");
    let output = project.run(&good(), &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["green"]["verdict"], "valid_green");
    let evidence = project.evidence("baseline-").concat();
    assert!(
        evidence.contains("No such file or directory: '.env.test'"),
        "{evidence}"
    );
}

#[test]
fn a_setup_that_fails_hangs_or_is_missing_stops_the_run_until_it_is_fixed() {
    let failing =
        "[worktree]\nsetup = \"python3 -c 'import sys; sys.exit(open(\\\"/nowhere\\\"))'\"\n";
    let hanging = "[worktree]\nsetup = \"sleep 600\"\nsetup_timeout_seconds = 1\n";
    let missing = "[worktree]\nsetup = \"no-such-program\"\n";
    let absent = "[worktree]\ncopy_ignored = [\"settings.local\"]\n";
    let cases = [
        ("failing", failing),
        ("hanging", hanging),
        ("missing", missing),
        ("absent", absent),
    ];
    for (name, settings) in cases {
        let project = project(settings);
        let output = project.run(&good(), &[]);
        insta::assert_snapshot!(format!("setup_{name}"), output.normalised());
        project
            .environment
            .proctor(["abort", &project.run_id()])
            .expect_code(0);
        assert_eq!(project.leftovers(), [""; 0]);
    }
}

#[test]
fn a_run_goes_on_when_what_the_setup_needs_is_there() {
    let project = project(SETTINGS);
    std::fs::remove_file(project.repository.path().join(".env.test")).expect("it was there");
    project.run(&good(), &[]).expect_code(5);
    project
        .repository
        .write(".env.test", "TOKEN=correct-horse-battery\n");
    let output = project.environment.proctor(["resume", "--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["stage"], "review");
    assert_eq!(setups(&project), 1);
}

#[test]
fn a_run_that_is_killed_while_preparing_prepares_again() {
    let project = project(SETTINGS);
    for point in 1..=40 {
        let mut command = match point {
            1 => project.run_command(&good()),
            _ => project.environment.proctor_command(["resume"]),
        };
        command.env("PROCTOR_CRASH_AT", point.to_string());
        let output = project.environment.run(command);
        if output.code == 3 {
            assert!(setups(&project) >= 1);
            let marker = project.status()["worktree"].as_str().map(str::to_owned);
            let marker = format!("{}.prepared/complete", marker.expect("it is parked"));
            assert!(std::path::Path::new(&marker).is_file());
            return;
        }
        assert_eq!(output.code, 137, "{}", output.normalised());
    }
    panic!("the run never came to its review");
}

#[test]
fn a_setup_that_a_model_writes_is_never_run() {
    let project = project(SETTINGS);
    project.list_too("| `proctor.toml` | Modify | Another setup. |");
    let settings =
        format!("{SETTINGS}[notify]\n").replace("python3 make_version.py", "touch owned");
    let evil = Reply::implement("proctor.toml", file_reply("proctor.toml", &settings));
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(POWERS))
        .reply(evil);
    let output = project.run(&script, &[]);
    output.expect_code(3);
    assert_eq!(setups(&project), 1);
    let output = project.environment.proctor(["resume"]);
    assert_eq!(setups(&project), 1, "{}", output.normalised());
}

#[test]
fn values_of_a_copied_secret_are_masked_in_what_goes_back() {
    let project = project(SETTINGS);
    let leak = "import pathlib\n\nfrom mathkit.power import square\n\n\ndef test_square():\n    assert square(3) == pathlib.Path('.env.test').read_text()\n";
    let record = project.environment.root().join("record");
    let script = Script::new()
        .reply(Reply::scaffold(file_reply("tests/test_power.py", leak)))
        .reply(implement(POWERS))
        .reply(implement(POWERS))
        .reply(implement(POWERS));
    let output = project.run(&script, &["--record", &record.display().to_string()]);
    output.expect_code(3);
    assert!(
        !output.stderr.contains("correct-horse"),
        "{}",
        output.stderr
    );
    let everything = project.evidence("").concat();
    assert!(
        everything.contains("[masked value of a copied file]"),
        "{everything}"
    );
    assert!(!everything.contains("correct-horse"), "{everything}");
}

#[test]
fn the_gates_alone_prepare_too_by_the_base_commits_settings() {
    let project = project(SETTINGS);
    let repository = &project.repository;
    repository.write("proctor.toml", "[worktree]\nsetup = \"false\"\n");
    repository.write("tests/test_power.py", crate::project::TESTS);
    repository.write("mathkit/power.py", POWERS);
    let output = project
        .environment
        .proctor(["gate", "green", "--format", "json"]);
    output.expect_code(0);
    assert_eq!(setups(&project), 1);
}
