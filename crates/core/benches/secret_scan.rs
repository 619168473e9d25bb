//! How fast the search for secrets is, and how often it is wrong about ordinary files.
//!
//! `cargo bench -p proctor-core --bench secret_scan -- DIRECTORY…` scans every text file of at most
//! 100 KB, the largest that may be sent to a model, below each directory and prints files, bytes,
//! speed and findings a rule. `--list` adds the place of every finding, never the finding itself.

#![expect(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints its result and measures the world"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proctor_core::limits::MAX_FILE_BYTES;
use proctor_core::secrets::find_secrets;

/// Extensions of program text, configuration and documentation.
const EXTENSIONS: [&str; 46] = [
    "py",
    "pyi",
    "rs",
    "js",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "tsx",
    "go",
    "java",
    "kt",
    "rb",
    "php",
    "c",
    "h",
    "cc",
    "cpp",
    "hpp",
    "cs",
    "swift",
    "sh",
    "bash",
    "pl",
    "pm",
    "lua",
    "sql",
    "css",
    "scss",
    "html",
    "xml",
    "json",
    "yaml",
    "yml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "md",
    "rst",
    "txt",
    "lock",
    "tcl",
    "vim",
    "cmake",
    "properties",
];

const PASSES: usize = 5;

/// Literals that make patterns necessary, and with that their compilation.
const LITERALS: [&str; 20] = [
    "sk-", "ghp_", "glpat-", "AKIA", "npm_", "cio", "hf_", "sk_live_", "key-", "SG.", "xoxb-",
    "pat", "secret_", "dapi", "AIza", "dop_v1_", "xapp-", "pypi-Ag", "SK", "gsk_",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = arguments.iter().any(|argument| argument == "--list");
    first_use();
    worst_cases();
    for directory in arguments.iter().filter(|word| !word.starts_with("--")) {
        scan(Path::new(directory), list);
    }
}

/// The cost of a process's first search.
fn first_use() {
    let started = Instant::now();
    let nothing = find_secrets("nothing");
    println!(
        "automaton: {:?}, {} findings",
        started.elapsed(),
        nothing.len()
    );
    let text = LITERALS.join("zzzzzzzzzzzzzz ") + "zzzzzzzzzzzzzz";
    let started = Instant::now();
    let nothing = find_secrets(&text);
    println!(
        "patterns of {} literals: {:?}, {} findings",
        LITERALS.len(),
        started.elapsed(),
        nothing.len()
    );
}

/// A megabyte of text that could make a careless search slow.
fn worst_cases() {
    let parts = [
        "AKIA",
        "password=",
        "password=\"",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY-----",
        "eyJ",
        "eyJ.",
        "eyJhbGciOiJIUzI1NiJ9.",
        "://",
        "://a:b",
        "://a:b@",
        "Bearer ",
        "curl ",
        "curl -u ",
        "discord ",
        "sk-",
        "\"token\": \"",
        "token: ",
        "[masked ",
        "\\",
        "\\\"token\\\": \\\"",
        "xoxb-1",
        "SK0",
        "[masked generic-secret 0123456789ab]",
        "Private-Lines: ",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n",
        "A",
    ];
    let mut slowest = (Duration::ZERO, "");
    for part in parts {
        let text = part.repeat(1_000_000 / part.len());
        let started = Instant::now();
        let _ = find_secrets(&text);
        slowest = slowest.max((started.elapsed(), part));
    }
    println!("worst megabyte: {:?} for `{}`", slowest.0, slowest.1);
}

fn scan(directory: &Path, list: bool) {
    let files = text_files(directory);
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    // The best of some passes is the search's time when nothing else runs.
    let fastest = (0..PASSES).map(|_| {
        let started = Instant::now();
        for (_, text) in &files {
            std::hint::black_box(find_secrets(text));
        }
        started.elapsed()
    });
    let seconds = fastest.min().unwrap_or_default().as_secs_f64();
    let findings: Vec<_> = files
        .iter()
        .map(|(path, text)| (path, text, find_secrets(text)))
        .filter(|(_, _, findings)| !findings.is_empty())
        .collect();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{}: {} files, {megabytes:.1} MB, {:.0} MB/s, {} files with findings ({:.2} in 1,000)",
        directory.display(),
        files.len(),
        megabytes / seconds,
        findings.len(),
        findings.len() as f64 * 1e3 / files.len().max(1) as f64
    );
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, text, findings) in findings {
        for finding in findings {
            *rules.entry(finding.rule).or_default() += 1;
            if list {
                let line = 1 + text[..finding.range.start].matches('\n').count();
                println!(
                    "  {}:{line}: {} {} bytes {:?}",
                    path.display(),
                    finding.rule,
                    finding.fingerprint,
                    finding.range
                );
            }
        }
    }
    for (rule, count) in rules {
        println!("  {count:>5} {rule}");
    }
}

/// The text files below the directory; links are not followed.
fn text_files(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut folders = vec![directory.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && is_candidate(&path)
                && entry
                    .metadata()
                    .is_ok_and(|data| data.len() <= MAX_FILE_BYTES)
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

fn is_candidate(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension))
}
