//! Changes of large files, beside `git apply` of the same change.
//!
//! `cargo bench -p proctor-cli --bench edits` prints each figure beside its peer and its limit. Compare ratios,
//! not milliseconds.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a bench prints its result and measures the world"
)]

mod peak_memory;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use proctor_core::diff::{LineDiff, Tag};
use proctor_core::edit::{Change, apply, render};
use proctor_core::generation::{Body, Reply, parse_reply};
use proctor_core::path::ProjectPath;
use proctor_core::tokens::count_tokens;

const ROUNDS: usize = 7;

fn main() {
    beside_git();
    growth();
    ordinary();
    one_long_line();
    tokens();
}

/// Program text without two lines that are the same.
fn file(lines: usize) -> Vec<String> {
    (0..lines)
        .map(|number| match number % 4 {
            0 => format!("def function_{number}(value):\n"),
            1 => format!("    total = value * {number} + offset\n"),
            2 => format!("    return total - {number}\n"),
            _ => format!("# end of function {number}\n"),
        })
        .collect()
}

/// Changes of single lines, with two lines above and below each.
fn changes(lines: &[String], count: usize) -> (Vec<Change>, String) {
    let mut after = lines.to_vec();
    let step = lines.len() / count;
    let changes = (0..count).map(|index| {
        let line = index * step + step / 2;
        let around = line - 2..line + 3;
        let find = lines[around.clone()].concat();
        after[line] = format!("    changed = {index}\n");
        Change {
            description: format!("number {index}"),
            find,
            replace: after[around].concat(),
        }
    });
    let changes = changes.collect();
    (changes, after.concat())
}

fn path() -> ProjectPath {
    ProjectPath::parse("file.py").expect("a plain path")
}

fn read_and_apply(original: &[u8], reply: &str) -> Vec<u8> {
    let Ok(Reply::Files(files)) = parse_reply(reply, Some(&path())) else {
        panic!("the reply is good");
    };
    let Body::Edits(changes) = &files[0].body else {
        panic!("it brings changes");
    };
    apply(original, changes).expect("the changes fit").content
}

/// The shortest of several rounds: other load on the machine only adds.
fn best(mut body: impl FnMut()) -> Duration {
    let round = |_| {
        let started = Instant::now();
        body();
        started.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn beside_git() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(root).args(arguments);
        assert!(command.status().unwrap().success());
    };
    git(&["init", "--quiet"]);
    let lines = file(100_000);
    let original = lines.concat();
    let (changes, after) = changes(&lines, 1_000);
    let reply = render(&changes);
    std::fs::write(root.join("file.py"), &original).unwrap();
    std::fs::write(root.join("reply.md"), &reply).unwrap();
    std::fs::write(
        root.join("change.diff"),
        unified(original.as_bytes(), after.as_bytes()),
    )
    .unwrap();
    assert_eq!(
        read_and_apply(original.as_bytes(), &reply),
        after.as_bytes()
    );

    let binary = env!("CARGO_BIN_EXE_proctor");
    let (mut ours, mut gits) = (Duration::MAX, Duration::MAX);
    // In turn, so that both see the same machine.
    for _ in 0..ROUNDS {
        ours = ours.min(timed(root, &original, &after, |root| {
            let mut command = Command::new(binary);
            command.args(["apply", "file.py", "--from", "reply.md", "--quiet"]);
            command
                .current_dir(root)
                .stdout(std::process::Stdio::null());
            command
        }));
        gits = gits.min(timed(root, &original, &after, |root| {
            let mut command = Command::new("git");
            command.args(["apply", "change.diff"]).current_dir(root);
            command
        }));
    }
    let in_process = best(|| drop(read_and_apply(original.as_bytes(), &reply)));
    println!(
        "1,000 changes in 100,000 lines ({} bytes), process start included:",
        original.len()
    );
    println!(
        "  proctor apply {:8.1} ms   git apply {:8.1} ms   ratio {:.2} (limit 1)",
        milliseconds(ours),
        milliseconds(gits),
        ours.as_secs_f64() / gits.as_secs_f64()
    );
    println!("  in process    {:8.1} ms", milliseconds(in_process));

    memory(root);
}

/// The peak for a file of a million lines, minus the program's peak for one of a thousand.
fn memory(root: &Path) {
    let peak = |count: usize| {
        let lines = file(count);
        let (changes, _) = changes(&lines, 100);
        let original = lines.concat();
        std::fs::write(root.join("file.py"), &original).unwrap();
        std::fs::write(root.join("reply.md"), render(&changes)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_proctor"));
        command
            .args(["apply", "file.py", "--from", "reply.md"])
            .current_dir(root);
        let peak = peak_memory::watched_peak(&mut command, 0);
        (f64::from(peak) * 1024.0, original.len() as f64)
    };
    let ((least, _), (most, bytes)) = (peak(1_000), peak(1_000_000));
    println!(
        "peak memory, a million lines ({bytes} bytes): {:.1} times the file (limit 4), beside {:.0} kB of the program itself",
        (most - least) / bytes,
        least / 1024.0
    );
}

fn timed(root: &Path, original: &str, after: &str, command: impl Fn(&Path) -> Command) -> Duration {
    std::fs::write(root.join("file.py"), original).unwrap();
    let mut command = command(root);
    let started = Instant::now();
    assert!(command.status().unwrap().success());
    let elapsed = started.elapsed();
    assert_eq!(
        std::fs::read_to_string(root.join("file.py")).unwrap(),
        after
    );
    elapsed
}

fn unified(before: &[u8], after: &[u8]) -> String {
    let mut text = String::from("--- a/file.py\n+++ b/file.py\n");
    for hunk in LineDiff::between(before, after).hunks {
        let _ = writeln!(
            text,
            "@@ -{},{} +{},{} @@",
            hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
        );
        for line in &hunk.lines {
            text.push(match line.tag {
                Tag::Context => ' ',
                Tag::Added => '+',
                Tag::Removed => '-',
            });
            text.push_str(&String::from_utf8_lossy(&line.bytes));
        }
    }
    text
}

fn growth() {
    println!("growth, 100 changes, read and applied in process:");
    let mut last = None;
    for lines in [1_000, 10_000, 100_000, 1_000_000] {
        let content = file(lines);
        let (changes, _) = changes(&content, 100);
        let (original, reply) = (content.concat(), render(&changes));
        let time = best(|| drop(read_and_apply(original.as_bytes(), &reply)));
        let factor = last.map_or(String::new(), |last: Duration| {
            format!(
                "   {:.1} times the time of a tenth (linear: 10)",
                time.as_secs_f64() / last.as_secs_f64()
            )
        });
        println!("  {lines:>9} lines {:9.2} ms{factor}", milliseconds(time));
        last = Some(time);
    }
}

fn ordinary() {
    let lines = file(800);
    let (changes, after) = changes(&lines, 5);
    let (original, reply) = (lines.concat(), render(&changes));
    assert_eq!(
        read_and_apply(original.as_bytes(), &reply),
        after.as_bytes()
    );
    let time = best(|| drop(read_and_apply(original.as_bytes(), &reply)));
    println!(
        "an ordinary reply (800 lines, 5 changes), read and applied: {:.3} ms (limit 1 ms)",
        milliseconds(time)
    );
}

fn one_long_line() {
    let half = "x".repeat(25_000_000);
    let original = format!("{half}needle{half}");
    let change = [Change {
        description: String::new(),
        find: "needle\n".to_owned(),
        replace: "pin\n".to_owned(),
    }];
    let time = best(|| drop(apply(original.as_bytes(), &change).expect("it fits")));
    println!(
        "one line of 50 MB, one change: {:.0} ms",
        milliseconds(time)
    );
}

/// Output tokens of changes against whole files, over this repository's own history of large files.
fn tokens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .current_dir(&root)
            .args(arguments)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let log = git(&[
        "log",
        "--diff-filter=M",
        "--numstat",
        "--format=@%H",
        "-n",
        "400",
        "--",
        "*.rs",
        "*.py",
        "*.md",
    ]);
    let mut commit = String::new();
    let (mut count, mut by_changes, mut whole) = (0, 0, 0);
    let mut shares = Vec::new();
    for line in log.lines() {
        if let Some(id) = line.strip_prefix('@') {
            id.clone_into(&mut commit);
            continue;
        }
        let Some(name) = line.split('\t').nth(2) else {
            continue;
        };
        let before = git(&["show", &format!("{commit}^:{name}")]);
        let after = git(&["show", &format!("{commit}:{name}")]);
        if !proctor_core::generation::is_large(&before) || before == after {
            continue;
        }
        let Some(changes) = as_changes(&before, &after) else {
            continue;
        };
        let (ours, theirs) = (count_tokens(&render(&changes)), count_tokens(&after));
        count += 1;
        by_changes += ours;
        whole += theirs;
        shares.push(ours as f64 / theirs as f64);
    }
    shares.sort_by(f64::total_cmp);
    if let Some(median) = shares.get(shares.len() / 2) {
        println!(
            "output tokens, {count} real changes of large files: changes {by_changes}, whole files {whole}: {:.0} % less (median {:.0} %; the seed says about 80 %)",
            100.0 - by_changes as f64 * 100.0 / whole as f64,
            100.0 - median * 100.0
        );
    }
}

/// A change a hunk, each with two lines around it, if they are unique; else with more.
fn as_changes(before: &str, after: &str) -> Option<Vec<Change>> {
    let hunks = LineDiff::between(before.as_bytes(), after.as_bytes()).hunks;
    let changes: Vec<Change> = hunks
        .iter()
        .map(|hunk| {
            let text = |left_out: Tag| -> String {
                let lines = hunk.lines.iter().filter(|line| line.tag != left_out);
                lines
                    .map(|line| String::from_utf8_lossy(&line.bytes))
                    .collect()
            };
            Change {
                description: "what it does, in a few words".to_owned(),
                find: text(Tag::Added),
                replace: text(Tag::Removed),
            }
        })
        .collect();
    // Hunks whose three lines of context are not unique would need more; they are left out.
    let applied = apply(before.as_bytes(), &changes).ok()?;
    (applied.content == after.as_bytes()).then_some(changes)
}
