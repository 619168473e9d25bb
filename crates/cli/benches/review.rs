//! Reviews of many files, beside `git diff --stat` of the same change.
//!
//! `cargo bench -p proctor-cli --bench review` prints each figure beside its peer and its limit. Compare ratios,
//! not milliseconds.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its result and measures the world"
)]

mod peak_memory;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use peak_memory::watched_peak;
use proctor_testkit::{Repository, Terminal, TestEnvironment};

const ROUNDS: usize = 5;

fn main() {
    first_screen("a file of 100,000 lines, rewritten", &one_long_file());
    let thousand = many_files(1_000);
    let per_file = beside_git(&thousand.0, &thousand.1);
    first_screen("1,000 files", &thousand.0);
    let ten_thousand = many_files(10_000);
    let report = best(3, || report(&ten_thousand.0));
    println!(
        "10,000 files: {:.0} ms; {:.2} times as long for a file as with 1,000 (limit 1.5)",
        milliseconds(report),
        milliseconds(report) / 10_000.0 / per_file
    );
    first_screen("10,000 files", &ten_thousand.0);
}

/// Program text of two hundred lines.
fn text(file: usize, word: &str) -> String {
    (0..200).fold(String::new(), |mut text, line| {
        let word = if line % 20 == 7 { word } else { "value" };
        writeln!(text, "    {word}_{line} = compute({file}, {line})").unwrap();
        text
    })
}

fn desk() -> (TestEnvironment, Repository) {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.remove_variable("PAGER");
    let repository = environment.init_repository();
    (environment, repository)
}

/// Every file changed in ten places, and staged.
fn many_files(count: usize) -> (TestEnvironment, Repository) {
    let (environment, repository) = desk();
    for word in ["old", "new"] {
        for file in 0..count {
            let path = format!("src/d{}/f{file}.py", file % 50);
            repository.write(path, text(file, word));
        }
        repository.git(["add", "--all"]);
        if word == "old" {
            repository.git(["commit", "--quiet", "-m", "Old"]);
        }
    }
    (environment, repository)
}

fn one_long_file() -> TestEnvironment {
    let (environment, repository) = desk();
    let lines = |word: &str| {
        (0..100_000).fold(String::new(), |mut text, line| {
            writeln!(text, "{word} = {line}").unwrap();
            text
        })
    };
    repository.write("long.py", lines("old"));
    repository.commit_all("Old");
    repository.write("long.py", lines("new"));
    repository.git(["add", "--all"]);
    environment
}

/// The shortest of several rounds: other load on the machine only adds.
fn best(rounds: usize, mut body: impl FnMut()) -> Duration {
    let round = |_| {
        let started = Instant::now();
        body();
        started.elapsed()
    };
    (0..rounds).map(round).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn report(environment: &TestEnvironment) {
    let output = environment.proctor(["--format", "json", "review", "--staged", "--dry-run"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
}

/// Milliseconds that the report takes for a file.
fn beside_git(environment: &TestEnvironment, repository: &Repository) -> f64 {
    let git = best(ROUNDS, || {
        let output = repository
            .git_command(["diff", "--stat", "--cached"])
            .output();
        assert!(output.unwrap().status.success());
    });
    let ours = best(ROUNDS, || report(environment));
    println!(
        "1,000 files: report {:.0} ms, git diff --stat {:.0} ms: {:.2} times (limit 2.5)",
        milliseconds(ours),
        milliseconds(git),
        milliseconds(ours) / milliseconds(git)
    );
    let arguments = ["--format", "json", "review", "--staged", "--dry-run"];
    let peak = watched_peak(&mut environment.proctor_command(arguments), 0);
    println!(
        "1,000 files: peak {:.0} MB (limit 50)",
        f64::from(peak) / 1024.0
    );
    milliseconds(ours) / 1_000.0
}

/// When the screen is full for the first time, and when pages can be turned.
fn first_screen(what: &str, environment: &TestEnvironment) {
    let round = |_| {
        let arguments = ["review", "--staged", "-m", "no"];
        let started = Instant::now();
        let mut terminal = Terminal::spawn(&environment.proctor_command(arguments));
        terminal.expect("Review of what is staged");
        let shown = started.elapsed();
        terminal.expect("q: decide");
        // Closing the terminal, and comparisons still running then, do not count.
        (shown, started.elapsed())
    };
    let (shown, read) = (0..3).map(round).min().unwrap_or_default();
    println!(
        "{what}: first screen after {:.0} ms (limit 200); all of it is read after {:.0} ms",
        milliseconds(shown),
        milliseconds(read),
    );
}
