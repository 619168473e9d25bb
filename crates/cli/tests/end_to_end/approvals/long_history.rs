//! A history of a thousand approved commits.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use proctor_core::approval::{NAMESPACE, SignedApproval, Stored};
use proctor_core::object_id::{CommitId, TreeId};

use super::wall::{Wall, statement_of};

/// An approval on its way, and the file that is signed.
struct Approval {
    tree: TreeId,
    statement: String,
    file: PathBuf,
    evidence: String,
}

fn git(wall: &Wall, words: &[&str], input: String) -> String {
    let file = wall.environment.write("input", input);
    let mut command = wall.repository.git_command(words);
    command.stdin(std::fs::File::open(file).expect("just written"));
    wall.environment.run(command).expect_code(0).stdout.clone()
}

fn make_commits(wall: &Wall, count: usize) {
    let mut stream = String::new();
    for number in 0..count {
        let text = format!("{number}\n");
        let from = if number == 0 {
            "from refs/heads/main^0\n"
        } else {
            ""
        };
        let _ = write!(
            stream,
            "commit refs/heads/main\ncommitter Ada Tester <ada@example.com> {} +0000\ndata 2\nx\n{from}M 100644 inline counter\ndata {}\n{text}\n",
            1_767_400_000 + number,
            text.len(),
        );
    }
    git(wall, &["fast-import", "--quiet", "--force"], stream);
}

fn approval_of(wall: &Wall, number: usize, row: &str) -> Approval {
    let words: Vec<&str> = row.split(' ').collect();
    let tree = TreeId::parse(words[1]).expect("a tree");
    let base = Some(CommitId::parse(words[2]).expect("a commit"));
    let (statement, evidence) = statement_of(tree.clone(), base, 1_767_500_000);
    let statement = statement.to_text();
    Approval {
        tree,
        file: wall
            .environment
            .write(format!("signed/{number}"), &statement),
        statement,
        evidence: evidence.to_text(),
    }
}

/// In a few calls of git and one of `ssh-keygen`.
fn long_history(wall: &Wall, count: usize) {
    make_commits(wall, count);
    let count = count.to_string();
    let words = ["log", "--first-parent", "--format=%H %T %P", "-n", &count];
    let listed = wall.repository.git(words);
    let rows = listed.lines().enumerate();
    let approvals: Vec<Approval> = rows
        .map(|(number, row)| approval_of(wall, number, row))
        .collect();
    let mut sign = wall.environment.command("ssh-keygen");
    sign.args(["-q", "-Y", "sign", "-n", NAMESPACE, "-f"])
        .arg(&wall.key.path)
        .args(approvals.iter().map(|it| &it.file));
    wall.environment.run(sign).expect_code(0);
    let (mut paths, mut names) = (String::new(), Vec::new());
    for (number, it) in approvals.into_iter().enumerate() {
        let signature_file = format!("{}.sig", it.file.display());
        let signature = std::fs::read_to_string(&signature_file).expect("just signed");
        let kept = wall
            .environment
            .write(format!("evidence/{number}"), &it.evidence);
        let (kept, file) = (kept.display(), it.file.display());
        let _ = writeln!(paths, "{kept}\n{signature_file}\n{file}");
        let signed = SignedApproval {
            statement: it.statement,
            signature,
            evidence: it.evidence,
        };
        let name = Stored::of(&signed).name;
        names.push(format!("refs/proctor/approvals/{}/{name}", it.tree));
    }
    let words = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
    let blobs = git(wall, &words, paths);
    let blobs: Vec<&str> = blobs.lines().collect();
    let mut trees = String::new();
    for three in blobs.chunks(3) {
        let _ = writeln!(
            trees,
            "100644 blob {}\tevidence.json\n100644 blob {}\tsignature\n100644 blob {}\tstatement\n",
            three[0], three[1], three[2]
        );
    }
    let trees = git(wall, &["mktree", "--batch"], trees);
    let mut updates = String::new();
    for (name, tree) in names.iter().zip(trees.lines()) {
        let _ = writeln!(updates, "create {name} {tree}");
    }
    git(wall, &["update-ref", "--stdin"], updates);
}

#[test]
fn a_thousand_commits_are_verified_in_a_moment() {
    let wall = Wall::new();
    let base = wall.id("HEAD");
    long_history(&wall, 1000);
    let started = Instant::now();
    let said = wall
        .environment
        .proctor(["--format", "json", "verify", "--base", &base]);
    let took = started.elapsed();
    let document = said.expect_code(0).json();
    assert_eq!(document["commits"].as_array().map(Vec::len), Some(1000));
    // Two seconds are promised of a release build on an idle machine.
    assert!(took.as_secs() < 20, "{took:?}");
}
