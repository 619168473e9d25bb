//! The cost of reading context, as ratios against a peer in the same run.
//!
//! `cargo bench -p proctor-cli --bench intake` prints a line per measurement with its goal. Tokens are
//! counted against Python's tiktoken with the same vocabulary, hostile text against its share of the time
//! for ordinary text, and `proctor check` against reading the files and counting their tokens alone.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints its result and sets up the world that it measures"
)]

mod peak_memory;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use peak_memory::watched_peak;
use proctor_core::secrets::mask_secrets;
use proctor_core::tokens::count_tokens;
use proctor_testkit::{Repository, TestEnvironment};

const REPEATS: usize = 5;

/// Of ordinary text.
const BYTES: usize = 10_000_000;

/// Each hostile text has this part of the bytes.
const SHARE: u32 = 10;

/// Context files for `proctor check`; together they are the ordinary text.
const FILES: usize = 2_000;

/// The exit code of a check that refuses: this many files are more tokens than a run may send, which is known only
/// after all were read and counted.
const REFUSED: i32 = 4;

/// The package installed for comparison. It is also the marker of a finished installation.
const REQUIREMENT: &str = "tiktoken>=0.12,<1";

fn main() {
    let python = tiktoken_python();
    let text = ordinary_text(&python);
    println!(
        "{:<56} {:>10} {:>10} {:>7}  goal",
        "measurement", "measured", "peer", "ratio"
    );
    tokens(&python, &text);
    hostile(&text);
    check(&text);
}

enum Goal {
    None,
    AtLeast(f64),
    AtMost(f64),
}

fn row(name: &str, [measured, peer]: [f64; 2], unit: &str, ratio: f64, goal: &Goal) {
    let verdict = |met| if met { "met" } else { "missed" };
    let goal = match *goal {
        Goal::None => "none".to_owned(),
        Goal::AtLeast(least) => format!("at least {least}: {}", verdict(ratio >= least)),
        Goal::AtMost(most) => format!("at most {most}: {}", verdict(ratio <= most)),
    };
    println!("{name:<56} {measured:>8.1} {unit} {peer:>8.1} {unit} {ratio:>6.2}  {goal}");
}

fn time_row(name: &str, measured: Duration, peer: Duration, goal: &Goal) {
    let times = [measured, peer].map(|time| time.as_secs_f64() * 1e3);
    let ratio = match goal {
        Goal::AtLeast(_) => times[1] / times[0],
        Goal::None | Goal::AtMost(_) => times[0] / times[1],
    };
    row(name, times, "ms", ratio, goal);
}

fn best<T>(measured: impl FnMut() -> T) -> Duration {
    let [best] = best_of([measured]);
    best
}

fn best_of<T, const N: usize>(mut measured: [impl FnMut() -> T; N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..REPEATS {
        for (measured, best) in measured.iter_mut().zip(&mut best) {
            let before = Instant::now();
            std::hint::black_box(measured());
            *best = before.elapsed().min(*best);
        }
    }
    best
}

/// Counting the ordinary text.
fn tokens(python: &Path, text: &str) {
    let expected = count_tokens(text);
    let ours = best(|| count_tokens(text));
    let (theirs, found) = tiktoken(python, text);
    assert_eq!(found, expected, "both count the same");
    time_row(
        "tokens of 10 MB of sources, against tiktoken",
        ours,
        theirs,
        &Goal::AtLeast(1.0),
    );
}

fn tiktoken(python: &Path, text: &str) -> (Duration, usize) {
    let directory = tempfile::tempdir().unwrap();
    let encoding = &bpe_openai::cl100k_base().bpe;
    let mut ranks = String::new();
    for token in (0..).take(encoding.num_tokens()) {
        for byte in encoding.token_bytes(token) {
            write!(ranks, "{byte:02x}").unwrap();
        }
        ranks.push('\n');
    }
    let [ranks_file, text_file] = ["ranks", "text"].map(|name| directory.path().join(name));
    std::fs::write(&ranks_file, ranks).unwrap();
    std::fs::write(&text_file, text).unwrap();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/time_tiktoken.py");
    let printed = output(Command::new(python).args([&driver, &ranks_file, &text_file]));
    let (seconds, tokens) = printed.trim().split_once(' ').unwrap();
    let seconds = Duration::from_secs_f64(seconds.parse().unwrap());
    (seconds, tokens.parse().unwrap())
}

/// Each against its share, by bytes, of the time for ordinary text; in turns, because a machine is not
/// equally fast all the time. The worst are characters that have tokens of many lengths; the goal keeps ten
/// megabytes of one, far more than a run may send, below half a minute.
fn hostile(ordinary: &str) {
    for (name, text) in hostile_texts() {
        let [whole, hostile] = best_of([ordinary, &text].map(|text| || count_tokens(text)));
        time_row(
            &format!("1 MB of {name}, against its share"),
            hostile,
            whole / SHARE,
            &Goal::AtMost(30.0),
        );
    }
}

fn hostile_texts() -> Vec<(&'static str, String)> {
    let repeated = [
        ("a single letter", "a"),
        ("spaces", " "),
        ("tabs", "\t"),
        ("newlines", "\n"),
        ("carriage returns and newlines", "\r\n"),
        ("a single digit", "7"),
        ("letters with spaces", "a "),
        ("apostrophes", "'"),
        ("contractions", "'s"),
        ("dashes", "-"),
        ("slashes", "/"),
        ("one Chinese character", "語"),
        ("one Korean word", "한국어"),
        ("one emoji", "😀"),
        ("a family of emoji", "👨‍👩‍👧"),
        ("combining marks", "\u{301}"),
        ("letters with combining marks", "a\u{301}"),
        ("spaces and newlines", " \n"),
    ];
    let random = [
        (
            "random base64",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        ),
        ("random letters", "abcdefghijklmnopqrstuvwxyz"),
        ("two random letters", "ab"),
        ("random digits", "0123456789"),
        ("random punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
        ("random white space", " \t\r\n"),
    ];
    let ranges = [
        ("random Chinese characters", '\u{4e00}'..='\u{9fff}'),
        ("random Korean syllables", '\u{ac00}'..='\u{d7a3}'),
        ("random emoji", '\u{1f300}'..='\u{1f64f}'),
        ("random characters", '\u{1}'..='\u{10ffff}'),
    ];
    let hostile_bytes = BYTES / SHARE as usize;
    let repeated = repeated.map(|(name, unit)| (name, unit.repeat(hostile_bytes / unit.len())));
    let random = random.map(|(name, from)| {
        (
            name,
            random_text(&from.chars().collect::<Vec<_>>(), hostile_bytes),
        )
    });
    let ranges =
        ranges.map(|(name, from)| (name, random_text(&from.collect::<Vec<_>>(), hostile_bytes)));
    repeated.into_iter().chain(random).chain(ranges).collect()
}

/// The same in every run: a linear congruential generator with a fixed seed.
fn random_text(characters: &[char], bytes: usize) -> String {
    let mut state = 1_u64;
    let mut text = String::new();
    while text.len() < bytes {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let number = usize::try_from(state >> 33).unwrap();
        text.push(characters[number % characters.len()]);
    }
    text
}

/// `proctor check` with all files as context.
fn check(text: &str) {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = environment.init_repository();
    let files = context_files(&repository, text);
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let arguments = check_arguments(&paths);

    let expected: usize = files.iter().map(|(_, content)| count_tokens(content)).sum();
    let output = environment.proctor(arguments.iter().chain([&"--format=json"]));
    assert_eq!(
        output.expect_code(REFUSED).json()["total_tokens"],
        expected,
        "all files were counted"
    );

    let checking = best(|| silent(environment.proctor_command(&arguments), REFUSED));
    let reading = best(|| {
        let mut cat = environment.command("cat");
        cat.args(&paths);
        silent(cat, 0);
    });
    let counting = best(|| -> usize {
        let counts = files.iter().map(|(_, content)| count_tokens(content));
        counts.sum()
    });
    time_row(
        "check of 2,000 files, against cat and counting",
        checking,
        reading + counting,
        &Goal::AtMost(2.0),
    );
    time_row("counting, against cat", counting, reading, &Goal::None);
    let version = best(|| silent(environment.proctor_command(["--version"]), 0));
    time_row(
        "proctor --version, against cat",
        version,
        reading,
        &Goal::None,
    );

    let peak = watched_peak(&mut environment.proctor_command(&arguments), REFUSED);
    let peak = f64::from(peak) / 1024.0;
    row(
        "peak memory of that check",
        [peak, 100.0],
        "MB",
        peak / 100.0,
        &Goal::AtMost(1.0),
    );
}

/// How `proctor check` is asked for these files.
fn check_arguments<'a>(paths: &[&'a str]) -> Vec<&'a str> {
    let context = paths.iter().flat_map(|path| ["--context", path]);
    std::iter::once("check").chain(context).collect()
}

fn context_files<'a>(repository: &Repository, text: &'a str) -> Vec<(String, &'a str)> {
    let mut rest = text;
    let files: Vec<_> = (0..FILES)
        .map(|number| {
            let (content, following) = rest.split_at(rest.floor_char_boundary(BYTES / FILES));
            rest = following;
            (format!("src/d{:02}/f{number:04}.py", number / 100), content)
        })
        .collect();
    for (path, content) in &files {
        repository.write(path, content);
    }
    repository.commit_all("Sources");
    files
}

fn silent(mut command: Command, code: i32) {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    assert_eq!(command.status().unwrap().code(), Some(code));
}

/// Proctor's own sources and Python's library in the order of their paths, as often as it takes.
fn ordinary_text(python: &Path) -> String {
    let library = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    let library = output(Command::new(python).args(["-c", library]));
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    add_sources(&mut files, &crates, "rs");
    add_sources(&mut files, Path::new(library.trim()), "py");
    let mut text = String::new();
    for file in files.iter().cycle() {
        // The library has files in other encodings, to test reading them; our own sources have samples of secrets, and
        // a file with one is held back whole, not counted.
        let content = std::fs::read_to_string(file).unwrap_or_default();
        if mask_secrets(&content) == content {
            text.push_str(&content);
        }
        if text.len() >= BYTES {
            break;
        }
    }
    text.truncate(text.floor_char_boundary(BYTES));
    text.replace('\0', " ")
}

fn add_sources(files: &mut Vec<PathBuf>, directory: &Path, extension: &str) {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.ends_with("site-packages") {
            add_sources(files, &path, extension);
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
}

/// A Python that has tiktoken, made once a build directory; the marker is written last, so an
/// installation that was interrupted is made again.
fn tiktoken_python() -> PathBuf {
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiktoken");
    let (python, marker) = (environment.join("bin/python"), environment.join("complete"));
    if std::fs::read_to_string(&marker).is_ok_and(|content| content == REQUIREMENT) {
        return python;
    }
    output(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&environment),
    );
    // Nothing of a package runs while it is installed.
    output(Command::new(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        REQUIREMENT,
    ]));
    std::fs::write(&marker, REQUIREMENT).unwrap();
    python
}

fn output(command: &mut Command) -> String {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(output.status.success(), "{command:?} failed");
    String::from_utf8(output.stdout).unwrap()
}
