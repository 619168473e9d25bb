//! The cost of Proctor beyond git and the test runner, as ratios against them in the same run.
//!
//! `cargo bench -p proctor-cli --bench whole_run` prints a line per measurement with its limit. The test runner's own time
//! is taken by a wrapper around Python that notes when pytest starts and ends, the first question to a
//! model by a model that notes when it is asked; nothing here trusts Proctor's own clock.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints its result and sets up the world that it measures"
)]

mod peak_memory;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use peak_memory::watched_peak;
use proctor_testkit::{Reply, Repository, Script, TestEnvironment, file_reply, pytest_python};

const REPEATS: usize = 5;

fn main() {
    println!(
        "{:<58} {:>10} {:>10} {:>8}  limit",
        "measurement", "measured", "peer", "ratio"
    );
    overhead();
    memory();
    replaying();
    // Last: ten thousand files keep the disk busy for a while.
    start_up();
}

fn row(name: &str, measured: Duration, peer: Duration, limit: &str) {
    let ratio = measured.as_secs_f64() / peer.as_secs_f64();
    println!(
        "{name:<58} {:>8.0}ms {:>8.0}ms {ratio:>8.2}  {limit}",
        measured.as_secs_f64() * 1e3,
        peer.as_secs_f64() * 1e3
    );
}

fn median(mut values: Vec<Duration>) -> Duration {
    values.sort();
    values[values.len() / 2]
}

/// A Python that notes when a pytest run starts and ends; with the shell's own clock, because starting a program for
/// that would itself take as long as the measured time.
fn timed_python(environment: &TestEnvironment) -> (PathBuf, PathBuf) {
    let log = environment.root().join("pytest-times");
    let python = environment.write(
        "timed/python3",
        format!(
            "#!/bin/bash\ncase \"$*\" in *-m\\ pytest*) echo $EPOCHREALTIME >> {log}; {python} \"$@\"; code=$?; echo $EPOCHREALTIME >> {log}; exit $code;; esac\nexec {python} \"$@\"\n",
            log = log.display(),
            python = pytest_python().display()
        ),
    );
    let mut permissions = std::fs::metadata(&python).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&python, permissions).unwrap();
    (python, log)
}

/// Microseconds since 1970, one number per line, written as seconds with six decimals.
fn times(log: &Path) -> Vec<u128> {
    let text = std::fs::read_to_string(log)
        .unwrap_or_default()
        .replace(['.', ','], "");
    text.lines()
        .map(|line| line.trim().parse().unwrap())
        .collect()
}

fn runner_time(log: &Path) -> Duration {
    let times = times(log);
    let total: u128 = times.chunks(2).map(|pair| pair[1] - pair[0]).sum();
    Duration::from_micros(u64::try_from(total).unwrap())
}

fn now() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_micros()
}

fn project(environment: &TestEnvironment, files: usize) -> Repository {
    let repository = environment.init_repository();
    for number in 0..files {
        let path = format!("data/d{:03}/f{:04}.txt", number / 100, number);
        repository.write(path, format!("file number {number}\n").repeat(20));
    }
    repository.write_mathkit();
    repository.commit_all("A project");
    environment.write(
        "lld.md",
        "# 87 - Feature: Powers\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n| `mathkit/power.py` | Add | square |\n",
    );
    repository
}

/// From the start of the process to the first question to a model, less the baseline run of the tests,
/// on 10,000 files; against `git worktree add` of the same commit. Two checkouts of all files are in it:
/// the worktree, and the tree that the baseline is taken on.
fn start_up() {
    let (mut ours, mut git) = (Vec::new(), Vec::new());
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = project(&environment, 10_000);
    let (python, log) = timed_python(&environment);
    repository.write(
        "proctor.toml",
        format!("[test]\ncommand = {:?}\n", python.to_str().unwrap()),
    );
    let asked = environment.root().join("asked");
    let model = environment.write(
        "model.sh",
        format!("#!/bin/bash\necho $EPOCHREALTIME > {}\ncat > /dev/null\necho '### GIVE UP: measured'\necho '### END'\n", asked.display()),
    );
    let document = environment.root().join("lld.md").display().to_string();
    let model = format!("command:bash {}", model.display());
    for _ in 0..REPEATS {
        let _ = std::fs::remove_file(&log);
        let started = now();
        environment
            .proctor([
                "run", "--issue", "87", "--lld", &document, "--model", &model,
            ])
            .expect_code(3);
        let first_question = times(&asked)[0];
        let total = Duration::from_micros(u64::try_from(first_question - started).unwrap());
        ours.push(total.saturating_sub(runner_time(&log)));
        let run = environment.proctor(["status", "--format", "json"]).json()["runs"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()["run"]
            .clone();
        environment
            .proctor(["abort", run.as_str().unwrap()])
            .expect_code(0);

        let tree = environment.root().join("peer");
        let before = Instant::now();
        repository.git([
            "worktree",
            "add",
            "--quiet",
            "--detach",
            tree.to_str().unwrap(),
        ]);
        git.push(before.elapsed());
        repository.git(["worktree", "remove", "--force", tree.to_str().unwrap()]);
    }
    row(
        "start-up, 10,000 files, against git worktree add",
        median(ours.clone()),
        median(git),
        "1.3",
    );
    row(
        "start-up, 10,000 files, against 2 s",
        median(ours),
        Duration::from_secs(2),
        "1.0",
    );
}

fn whole_run_script() -> Script {
    let tests =
        "from mathkit.power import square\n\n\ndef test_square():\n    assert square(3) == 9\n";
    Script::new()
        .reply(Reply::scaffold(file_reply("tests/test_power.py", tests)))
        .reply(Reply::implement(
            "mathkit/power.py",
            file_reply("mathkit/power.py", "def square(x):\n    return x\n"),
        ))
        .reply(Reply::implement(
            "mathkit/power.py",
            file_reply("mathkit/power.py", "def square(x):\n    return x * x\n"),
        ))
}

/// A scripted run up to the review: wall clock less the runner's own time, against that time.
fn overhead() {
    let (mut overhead, mut runner) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let (environment, log, mut command) = scripted_run();
        let before = Instant::now();
        let status = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let total = before.elapsed();
        assert_eq!(status.code(), Some(3));
        let tests = runner_time(&log);
        overhead.push(total.saturating_sub(tests));
        runner.push(tests);
        drop(environment);
    }
    let (overhead, runner) = (median(overhead), median(runner));
    row(
        "scripted run beyond the test runner, against the runner",
        overhead,
        runner,
        "0.15, or the next line",
    );
    row(
        "scripted run beyond the test runner, against 300 ms",
        overhead,
        Duration::from_millis(300),
        "1.0",
    );
}

/// The peak of resident memory of that run's own process; not timed, because looking disturbs.
fn memory() {
    let (environment, _, mut command) = scripted_run();
    let peak = watched_peak(&mut command, 3);
    drop(environment);
    println!(
        "{:<58} {:>8} MB {:>8} MB {:>8.2}  1.0",
        "peak memory of that run",
        peak / 1024,
        50,
        f64::from(peak) / 1024.0 / 50.0
    );
}

fn scripted_run() -> (TestEnvironment, PathBuf, Command) {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = project(&environment, 50);
    let (python, log) = timed_python(&environment);
    repository.write(
        "proctor.toml",
        format!("[test]\ncommand = {:?}\n", python.to_str().unwrap()),
    );
    let model = whole_run_script().write_to(environment.root().join("script.jsonl"));
    let document = environment.root().join("lld.md").display().to_string();
    let command = environment.proctor_command([
        "run", "--issue", "87", "--lld", &document, "--model", &model,
    ]);
    (environment, log, command)
}

/// `proctor status`, which replays the journal, against `git status` in the same repository.
fn replaying() {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = project(&environment, 50);
    repository.write(
        "proctor.toml",
        format!(
            "[test]\ncommand = {:?}\n",
            pytest_python().to_str().unwrap()
        ),
    );
    let model = whole_run_script().write_to(environment.root().join("script.jsonl"));
    let document = environment.root().join("lld.md").display().to_string();
    environment
        .proctor([
            "run", "--issue", "87", "--lld", &document, "--model", &model,
        ])
        .expect_code(3);
    let (mut ours, mut git) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        let before = Instant::now();
        environment.proctor(["status"]).expect_code(0);
        ours.push(before.elapsed());
        let before = Instant::now();
        repository.git(["status", "--porcelain"]);
        git.push(before.elapsed());
    }
    row(
        "proctor status, against git status",
        median(ours),
        median(git),
        "none",
    );
}
