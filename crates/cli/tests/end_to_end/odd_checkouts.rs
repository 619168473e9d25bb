//! Checkouts that are not the plain one that `git init` makes: sparse ones, submodules, linked and moved ones.

use serde_json::{Value, json};

use crate::desk::{Desk, numbered};
use crate::project::{approve, text};

impl Desk {
    /// Names and marks in the report about everything that is not committed.
    fn changed(&self) -> Vec<(String, Value)> {
        let report = self.report(&["--all"]);
        let files = report["files"].as_array().expect("files");
        let marks = |file: &Value| (text(&file["path"]), file["flags"].clone());
        files.iter().map(marks).collect()
    }

    /// A person approves everything that is not committed in a checkout.
    fn approve_all_in(&self, checkout: &str) {
        let mut terminal = self
            .environment
            .proctor_on_terminal(["-C", checkout, "review", "--all", "-m", "Approved"]);
        approve(&mut terminal);
    }

    /// A foreign repository as a submodule called `module`.
    fn with_submodule() -> Self {
        let desk = Self::new();
        let other = desk.environment.init_repository_at("other");
        other.write("inside.py", "a = 1\n");
        other.commit_all("Other");
        let from = other.path().display().to_string();
        let permit = ["-c", "protocol.file.allow=always"];
        let add = ["submodule", "--quiet", "add", &from, "module"];
        desk.repository.git([&permit[..], &add[..]].concat());
        desk.repository.commit_all("With a submodule");
        desk
    }
}

#[test]
fn files_that_a_sparse_checkout_leaves_out_are_not_deleted() {
    let desk = Desk::new();
    desk.repository.write("here/a.py", numbered("a", 5));
    desk.repository.write("elsewhere/b.py", numbered("b", 5));
    desk.repository.commit_all("Two folders");
    for kind in ["--no-sparse-index", "--sparse-index"] {
        let git = |arguments: &[&str]| desk.repository.git(arguments);
        git(&["sparse-checkout", "set", "--cone", kind, "here"]);
        assert!(!desk.repository.exists("elsewhere/b.py"));
        let changed = format!("{}# {kind}\n", desk.repository.read("here/a.py"));
        desk.repository.write("here/a.py", &changed);
        let names: Vec<String> = desk.changed().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["here/a.py"], "{kind}");
        desk.approve_all_in(".");
        assert_eq!(desk.repository.file_at("HEAD", "here/a.py"), changed);
        assert_eq!(
            desk.repository.file_at("HEAD", "elsewhere/b.py"),
            numbered("b", 5)
        );
        assert_eq!(git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn a_submodule_counts_as_the_commit_that_is_checked_out_in_it() {
    let desk = Desk::with_submodule();
    let git = |arguments: &[&str]| desk.repository.git(arguments);
    // Its contents are another repository's.
    desk.repository.write("module/inside.py", "a = 2\n");
    desk.repository.write("README.md", numbered("line", 11));
    let names: Vec<String> = desk.changed().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["README.md"]);
    git(&["-C", "module", "commit", "--quiet", "-am", "Further"]);
    let further = git(&["-C", "module", "rev-parse", "HEAD"]);
    assert!(
        desk.changed()
            .contains(&("module".to_owned(), json!(["SUBMODULE"])))
    );
    desk.approve_all_in(".");
    assert_eq!(git(&["rev-parse", "HEAD:module"]), further);
    assert_eq!(git(&["status", "--porcelain"]), "");
    // Files in the place of a submodule belong to no repository.
    std::fs::remove_file(desk.repository.path().join("module/.git")).expect("it was one");
    desk.repository.write("README.md", numbered("line", 12));
    let output = desk.environment.proctor(["review", "--all", "--dry-run"]);
    output.expect_code(5);
    assert!(
        output
            .stderr
            .contains("module cannot be looked at: there are files in the place of a submodule"),
        "{}",
        output.stderr
    );
}

#[test]
fn changes_are_reviewed_and_committed_inside_a_submodule_and_in_linked_and_moved_checkouts() {
    let desk = Desk::with_submodule();
    let git = |arguments: &[&str]| desk.repository.git(arguments);
    git(&["-C", "module", "config", "user.name", "Ada Tester"]);
    git(&["-C", "module", "config", "user.email", "ada@example.com"]);
    git(&["worktree", "add", "--quiet", "-b", "side", "../linked"]);
    git(&[
        "clone",
        "--quiet",
        "--separate-git-dir",
        "../moved.git",
        ".",
        "../moved",
    ]);
    for checkout in ["module", "../linked", "../moved"] {
        desk.repository
            .write(format!("{checkout}/new.py"), "new = 1\n");
        desk.approve_all_in(checkout);
        let committed = git(&["-C", checkout, "show", "--name-only", "--format=%s", "HEAD"]);
        assert_eq!(committed.trim(), "Approved\n\nnew.py", "{checkout}");
        assert_eq!(git(&["-C", checkout, "status", "--porcelain"]), "");
    }
}

#[test]
fn a_repository_may_be_where_names_are_odd() {
    let mut desk = Desk::new();
    desk.repository = desk
        .environment
        .init_repository_at("a:b/\"c d\"/\u{e9};$(x)'");
    desk.repository.write("a.py", numbered("a", 300));
    desk.repository.commit_all("One");
    desk.repository.write("a.py", numbered("b", 300));
    let checkout = desk.repository.path().display().to_string();
    desk.approve_all_in(&checkout);
    let committed = desk
        .repository
        .git(["show", "--numstat", "--format=%s", "HEAD"]);
    assert_eq!(committed.trim(), "Approved\n\n300\t300\ta.py");
}
