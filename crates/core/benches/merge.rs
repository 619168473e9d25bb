//! The cost of extending and previewing, as ratios against the least that such work can cost.
//!
//! `cargo bench -p proctor-core --bench merge` extends a Python file of 10,000 lines, against parsing it
//! once, and makes the preview of a change to a file of 1,000,000 lines, against counting the lines.

#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::time::{Duration, Instant};

use proctor_core::diff::{Excerpt, line_count};
use proctor_core::merge::Merge;

const REPEATS: usize = 9;

fn main() {
    let existing = python(250, 9);
    let new = "class C7:\n    def extra(self):\n        return 1\n\n\ndef last():\n    return 2\n";
    let parsing = best(|| {
        // A text that adds nothing is parsed and returned.
        drop(Merge::Extend.apply("a.py", existing.as_bytes(), b""));
    });
    let extending = best(|| {
        drop(Merge::Extend.apply("a.py", existing.as_bytes(), new.as_bytes()));
    });
    row(
        "extend 10,000 lines (goal: under 100 ms)",
        extending,
        parsing,
    );
    let lines: Vec<String> = (0..1_000_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let old = lines.concat();
    let changed = old.replace("line 500000\n", "line five hundred thousand\n");
    let counting = best(|| {
        std::hint::black_box(line_count(old.as_bytes()) + line_count(changed.as_bytes()));
    });
    let previewing = best(|| {
        std::hint::black_box(Excerpt::between(old.as_bytes(), changed.as_bytes(), 10_240));
    });
    row(
        "preview of a change in 1,000,000 lines",
        previewing,
        counting,
    );
    let rewritten = best(|| {
        std::hint::black_box(Excerpt::between(old.as_bytes(), b"other\n", 10_240));
    });
    row(
        "preview of a rewrite of 1,000,000 lines",
        rewritten,
        counting,
    );
}

fn python(classes: usize, methods: usize) -> String {
    let mut text = Vec::new();
    for class in 0..classes {
        text.push(format!("class C{class}:\n    \"\"\"Doc {class}.\"\"\"\n"));
        for method in 0..methods {
            text.push(format!(
                "    def m{method}(self, a, b):\n        x = a + b * {method}\n        return x\n"
            ));
        }
        text.push(String::new());
    }
    text.join("\n")
}

fn best(mut work: impl FnMut()) -> Duration {
    let times = (0..REPEATS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn row(name: &str, measured: Duration, peer: Duration) {
    let ratio = measured.as_secs_f64() / peer.as_secs_f64();
    println!("{name:<44} {measured:>12.2?} {peer:>12.2?} {ratio:>7.2}");
}
