//! The cost of `proctor write` from outside, against its limits.
//!
//! `cargo bench -p proctor-cli --bench write` replaces a file of 1,000 lines on a file system in memory, where
//! waiting for the disk costs nothing, and looks at the memory that the preview of a file of 1,000,000
//! lines takes beyond its bytes.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its result and sets up the world that it measures"
)]

mod peak_memory;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use peak_memory::{peak_of, watched_peak};
use proctor_testkit::Terminal;
use tempfile::TempDir;

const ROUNDS: usize = 41;

fn main() {
    println!(
        "{:<66} {:>10} {:>10} {:>6}",
        "measurement", "measured", "limit", "ratio"
    );
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        println!("there is no /dev/shm: the disk is measured too");
        tempfile::tempdir().unwrap()
    };
    let desk = Desk::new(place);
    desk.time();
    desk.preview();
}

struct Desk {
    place: TempDir,
}

impl Desk {
    fn new(place: TempDir) -> Self {
        let desk = Self { place };
        std::fs::create_dir(desk.at("repository")).unwrap();
        desk.git(&["init", "--quiet", "--initial-branch=main"]);
        // The writer has a name; git searches twice for one that is missing.
        desk.git(&["config", "user.name", "B"]);
        desk.git(&["config", "user.email", "b@example.org"]);
        desk.git(&["commit", "--quiet", "--allow-empty", "-m", "Begin"]);
        desk
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.place.path().join(name)
    }

    fn prepared(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.at("repository"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.place.path())
            .env("TERM", "xterm");
        command
    }

    fn git(&self, arguments: &[&str]) {
        let status = self.prepared("git").args(arguments).status().unwrap();
        assert!(status.success());
    }

    fn write(&self, more: &[&str]) -> Command {
        let mut command = self.prepared(env!("CARGO_BIN_EXE_proctor"));
        command.args(["write", "file.txt", "--from"]);
        command.arg(self.at("new.txt")).args(more);
        command
    }

    fn time(&self) {
        std::fs::write(self.at("repository/file.txt"), numbered(1_000, 0)).unwrap();
        let mut times: Vec<Duration> = (1..=ROUNDS)
            .map(|round| {
                std::fs::write(self.at("new.txt"), numbered(1_000, round)).unwrap();
                let started = Instant::now();
                let output = self.write(&["--auto", "--force"]).output().unwrap();
                let elapsed = started.elapsed();
                assert!(output.status.success());
                elapsed
            })
            .collect();
        times.sort();
        let median = times[ROUNDS / 2].as_secs_f64() * 1e3;
        row(
            "write of 1,000 lines, the disk not counted",
            median,
            10.0,
            "ms",
        );
    }

    fn preview(&self) {
        std::fs::write(self.at("repository/file.txt"), numbered(1_000_000, 0)).unwrap();
        for (what, new) in [
            (
                "preview of one line changed in 1,000,000: beyond the bytes",
                one_line_other(),
            ),
            (
                "preview of 1,000,000 lines all changed: beyond the bytes",
                numbered(1_000_000, 1),
            ),
        ] {
            std::fs::write(self.at("new.txt"), new).unwrap();
            let without = watched_peak(&mut self.write(&["--dry-run"]), 0);
            let mut terminal = Terminal::spawn(&self.write(&[]));
            terminal.expect("Type APPEND");
            let with = peak_of(terminal.process_id().unsigned_abs());
            terminal.send_line("ABORT");
            assert_eq!(terminal.wait(), 1);
            let extra = f64::from(with.saturating_sub(without)) / 1024.0;
            row(what, extra, 10.0, "MB");
        }
    }
}

fn numbered(count: usize, seed: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = writeln!(text, "line {} of it", number * 7 + seed);
    }
    text
}

fn one_line_other() -> String {
    numbered(1_000_000, 0).replacen("line 3500 of it", "another line", 1)
}

fn row(name: &str, measured: f64, limit: f64, unit: &str) {
    let ratio = measured / limit;
    println!("{name:<66} {measured:>7.1} {unit} {limit:>7.1} {unit} {ratio:>6.2}");
}
