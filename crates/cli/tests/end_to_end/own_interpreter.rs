//! Which Python runs the tests, and its permissions while it is asked about itself and reads files.

use std::fs;
use std::path::{Path, PathBuf};

use proctor_testkit::{Repository, pytest_python};

use crate::messages::says;
use crate::project::{Project, TESTS, good, text};

/// A project whose Python has to be found; programs that it starts leave their names at the returned place if they can.
fn project() -> (Project, PathBuf) {
    let mut project = Project::without_settings();
    project.environment.remove_variable("VIRTUAL_ENV");
    project.repository.write("tests/test_power.py", TESTS);
    let trace = project.environment.root().join("trace");
    (project, trace)
}

/// A program in a Python's place that leaves a trace and then is one.
fn traced(trace: &Path, python: &str) -> String {
    let trace = trace.display();
    format!("#!/bin/sh\necho \"$@\" >> '{trace}' 2>/dev/null\nexec {python} \"$@\"\n")
}

/// A virtual environment in the checkout that has pytest in its own packages.
pub(crate) fn own_environment(repository: &Repository) -> PathBuf {
    let environment = repository.path().join(".venv");
    let made = std::process::Command::new("python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(&environment)
        .status();
    assert!(made.expect("python starts").success());
    let packages = |environment: &Path| {
        let versions = fs::read_dir(environment.join("lib")).expect("a library");
        let mut versions = versions.map(|entry| entry.expect("readable").path());
        versions.next().expect("one version").join("site-packages")
    };
    let managed = pytest_python();
    let from = packages(managed.ancestors().nth(2).expect("an environment"));
    let to = packages(&environment);
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(from.join("."))
        .arg(&to)
        .status();
    assert!(copied.expect("cp starts").success());
    to
}

#[test]
fn an_interpreter_that_git_tracks_is_refused_and_never_started() {
    let (project, trace) = project();
    let repository = &project.repository;
    repository.write_executable(".venv/bin/python", traced(&trace, "python3"));
    repository.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    repository.write(".venv/lib/python3/site-packages/pytest/__init__.py", "");
    repository.git(["add", "--force", ".venv"]);
    repository.git(["commit", "--quiet", "-m", "An environment for everybody"]);
    let gate = project.environment.proctor(["gate", "red"]);
    says(
        &gate,
        4,
        "git tracks PATH, so the python that would run the tests is the repository's own",
    );
    project.run(&good(), &[]).expect_code(4);
    let doctor = project.environment.proctor(["doctor", "--format", "json"]);
    doctor.expect_code(5);
    let checks = doctor.json()["checks"].clone();
    let mut checks = checks.as_array().unwrap().iter();
    let runner = checks.find(|check| check["id"] == "runner").unwrap();
    assert!(
        text(&runner["message"]).contains("git tracks .venv/"),
        "{runner}"
    );
    project.environment.proctor(["init"]).expect_code(0);
    assert!(!trace.exists(), "{}", fs::read_to_string(&trace).unwrap());
}

#[test]
fn a_link_that_leads_to_a_tracked_program_is_refused_too() {
    let (project, trace) = project();
    let repository = &project.repository;
    repository.write_executable("tools/python", traced(&trace, "python3"));
    repository.write(".gitignore", ".venv\n");
    repository.git(["add", "tools", ".gitignore"]);
    repository.git(["commit", "--quiet", "-m", "Tools"]);
    repository.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    fs::create_dir(repository.path().join(".venv/bin")).unwrap();
    let link = repository.path().join(".venv/bin/python");
    std::os::unix::fs::symlink("../../tools/python", link).unwrap();
    project.environment.proctor(["gate", "red"]).expect_code(4);
    assert!(!trace.exists());
}

#[test]
fn a_python_is_asked_about_itself_in_the_sandbox() {
    let (mut project, trace) = project();
    project
        .environment
        .put_program("python3", &traced(&trace, "/usr/bin/python3"));
    // Whether that one has pytest or not.
    project.environment.proctor(["doctor"]);
    project.environment.proctor(["init"]);
    project.environment.proctor(["gate", "red"]);
    assert!(!trace.exists(), "{}", fs::read_to_string(&trace).unwrap());
}

#[test]
fn test_files_are_read_in_the_sandbox_by_an_environment_that_git_does_not_track() {
    let (project, trace) = project();
    let repository = &project.repository;
    repository.write(".gitignore", ".venv\n");
    repository.git(["add", ".gitignore"]);
    repository.git([
        "commit",
        "--quiet",
        "-m",
        "Environments are everybody's own",
    ]);
    own_environment(repository);
    let python = repository.path().join(".venv/bin/python");
    let real = repository.path().join(".venv/bin/python3.real");
    fs::rename(&python, &real).unwrap();
    repository.write_executable(
        ".venv/bin/python",
        traced(&trace, &real.display().to_string()),
    );
    let gate = project.environment.proctor(["gate", "red"]);
    gate.expect_code(0);
    assert!(!trace.exists(), "{}", fs::read_to_string(&trace).unwrap());
}
