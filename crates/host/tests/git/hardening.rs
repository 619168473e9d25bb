//! A repository full of programs that git would run: none of them runs for Proctor.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::world::{SECONDS, World, ada, by_ada, delete, discover, write};
use proctor_host::git::{MergeOutcome, MergeRequest, OwnCommit};
use proctor_host::journal::RunId;
use proctor_host::run_data::RunData;
use proctor_testkit::TestEnvironment;

const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
];

/// Drivers that attributes can name; the last needs more than `-c` to be switched off.
const DRIVERS: &[&str] = &["planted", "with.dot", "a=b"];

struct Poisoned {
    world: World,
    marker: PathBuf,
}

/// A program that leaves its name behind and passes its input through.
fn program(environment: &TestEnvironment, name: &str) -> String {
    let path = environment.write(
        format!("programs/{name}"),
        format!(
            "#!/bin/sh\necho {name} >> '{}'\ncase {name} in *clean|*smudge) cat;; *textconv) cat \"$1\";; esac\n",
            environment.root().join("marker").display()
        ),
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn poisoned() -> Poisoned {
    let environment = TestEnvironment::without_binary();
    let marker = environment.root().join("marker");
    let user = environment.init_repository();
    user.write("src/a.py", "a = 1\n");
    user.write("src/b.py", "b = 1\n");
    user.write("dotted.txt", "dotted\n");
    user.write("equals.txt", "equals\n");
    user.write("old.txt", "old\n");
    user.write(
        ".gitattributes",
        "* filter=planted diff=planted merge=planted\n\
         dotted.txt filter=with.dot diff=with.dot merge=with.dot\n\
         equals.txt filter=a=b diff=a=b merge=a=b\n",
    );
    user.commit_all("first");
    user.git(["branch", "unpoisoned"]);

    for hook in HOOKS {
        let planted = program(&environment, &format!("hook-{hook}"));
        std::os::unix::fs::symlink(planted, user.path().join(".git/hooks").join(hook)).unwrap();
    }
    for driver in DRIVERS {
        for (section, setting) in [
            ("filter", "clean"),
            ("filter", "smudge"),
            ("diff", "textconv"),
            ("diff", "command"),
            ("merge", "driver"),
        ] {
            let planted = program(&environment, &format!("{section}-{driver}-{setting}"));
            user.git(["config", &format!("{section}.{driver}.{setting}"), &planted]);
        }
        user.git(["config", &format!("filter.{driver}.required"), "true"]);
    }
    for key in [
        "filter.long.process",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "core.editor",
        "sequence.editor",
        "gpg.program",
        "core.sshCommand",
        "core.askPass",
        "core.alternateRefsCommand",
        "credential.helper",
        "alias.status",
        "alias.planted",
    ] {
        let name = program(&environment, &key.replace('.', "-"));
        let value = if key.starts_with("alias.") {
            format!("!{name}")
        } else {
            name
        };
        user.git(["config", key, &value]);
    }
    user.git(["config", "commit.gpgSign", "true"]);
    user.git(["config", "merge.default", "planted"]);
    user.git(["config", "diff.trustExitCode", "true"]);
    let _ = fs::remove_file(&marker);
    Poisoned {
        world: World::around(environment, user),
        marker,
    }
}

impl Poisoned {
    /// The programs that ran since the last call.
    fn ran(&self) -> BTreeSet<String> {
        let text = fs::read_to_string(&self.marker).unwrap_or_default();
        let _ = fs::remove_file(&self.marker);
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn assert_nothing_ran(&self, what: &str) {
        assert_eq!(self.ran(), BTreeSet::new(), "{what} ran planted programs");
    }

    /// Git as a person would call it; whether it fails does not matter here.
    fn plain_git(&self, arguments: &[&str]) -> BTreeSet<String> {
        self.world.user.git_command(arguments).output().unwrap();
        self.ran()
    }
}

#[test]
fn plain_git_runs_what_is_planted() {
    let poisoned = poisoned();
    let user = &poisoned.world.user;
    user.write("src/a.py", "a = 2\n");
    for (arguments, expected) in [
        (&["diff"][..], "diff-planted-command"),
        (&["diff", "--no-ext-diff"], "diff-planted-textconv"),
        (&["status"], "core-fsmonitor"),
        (&["hash-object", "src/a.py"], "filter-planted-clean"),
        (&["checkout", "--", "."], "filter-planted-smudge"),
        (
            &[
                "-c",
                "commit.gpgSign=false",
                "commit",
                "--allow-empty",
                "-m",
                "x",
            ],
            "hook-pre-commit",
        ),
        (
            &["commit", "--no-verify", "--allow-empty", "-m", "x"],
            "gpg-program",
        ),
        (&["commit", "--allow-empty"], "core-editor"),
        (
            &["update-ref", "refs/heads/x", "HEAD"],
            "hook-reference-transaction",
        ),
        (&["worktree", "add", "-q", "../other"], "hook-post-checkout"),
        (&["planted"], "alias-planted"),
    ] {
        let ran = poisoned.plain_git(arguments);
        assert!(ran.contains(expected), "{arguments:?} ran only {ran:?}");
    }
}

#[test]
fn nothing_planted_runs_when_a_person_reviews_and_commits_their_own_changes() {
    let poisoned = poisoned();
    let Poisoned { world, .. } = &poisoned;
    world.user.write("src/a.py", "a = 2\n");
    world.user.write("dotted.txt", "changed\n");
    world.user.write("src/new.py", "new = 1\n");
    let objects = world.proctor.objects();
    let checkout = world.proctor.checkout().unwrap();
    assert_eq!(checkout.under_way(), None);
    let head = checkout.head().unwrap();
    let before = checkout.tree_of_head(&head).unwrap();
    assert_eq!(checkout.staged_tree().unwrap(), before, "nothing is staged");
    let tree = checkout.snapshot(&before, |_| {}).unwrap().tree;
    let changed = objects.changed_files(&before, &tree).unwrap();
    let files = objects.reviewed_files(&before, &tree, &changed).unwrap();
    poisoned.assert_nothing_ran("reading");
    let counted: Vec<(usize, usize)> = files
        .iter()
        .map(|file| (file.added, file.deleted))
        .collect();
    assert_eq!(counted, [(1, 1), (1, 1), (1, 0)]);

    let commit = checkout
        .commit(&OwnCommit {
            head: &head,
            before: &before,
            tree: &tree,
            message: by_ada("own\n"),
        })
        .unwrap();
    poisoned.assert_nothing_ran("a commit");
    assert_eq!(checkout.head().unwrap().commit, Some(commit));
    assert_eq!(checkout.staged_tree().unwrap(), tree, "the index knows it");
}

#[test]
fn nothing_planted_runs_for_proctor() {
    let poisoned = poisoned();
    let Poisoned { world, .. } = &poisoned;
    discover(&world.environment, world.user.path()).unwrap();
    poisoned.assert_nothing_ran("discover");

    let (base, before) = (world.base(), world.base_tree());
    assert_eq!(world.proctor.person().unwrap(), Some(ada()));
    world.proctor.checkout().unwrap().branch().unwrap();
    let tree = world.write_tree(
        &before,
        &[
            write("src/a.py", "a = 2\n"),
            write("src/new.py", "new = 1\n"),
            write("dotted.txt", "changed\n"),
            write("equals.txt", "changed\n"),
            delete("old.txt"),
        ],
    );
    poisoned.assert_nothing_ran("write_tree");

    let changed = world
        .proctor
        .objects()
        .changed_files(&before, &tree)
        .unwrap();
    assert_eq!(changed.len(), 5);
    world.proctor.objects().entries(&tree).unwrap();
    world
        .proctor
        .objects()
        .files_at(&tree, &["src/a.py"])
        .unwrap();
    poisoned.assert_nothing_ran("reading");

    let target = world.environment.root().join("files");
    fs::create_dir(&target).unwrap();
    world.proctor.objects().materialise(&tree, &target).unwrap();
    poisoned.assert_nothing_ran("materialise");

    world
        .proctor
        .objects()
        .write_commit(&tree, &[&base], by_ada("message\n"))
        .unwrap();
    world
        .proctor
        .refs()
        .keep("refs/proctor/x", tree.as_str())
        .unwrap();
    world
        .proctor
        .refs()
        .forget(&["refs/proctor/x".to_owned()])
        .unwrap();
    poisoned.assert_nothing_ran("write_commit and refs");

    // A file with other times makes git look at its content.
    let content = world.user.read("src/a.py");
    fs::remove_file(world.user.path().join("src/a.py")).unwrap();
    world.user.write("src/a.py", content);
    let request = MergeRequest {
        branch: "main",
        base: &base,
        tree: &tree,
        message: by_ada("merge\n"),
    };
    let outcome = world.proctor.merging().merge(&request).unwrap();
    assert!(
        matches!(&outcome, MergeOutcome::Done { left_behind, .. } if left_behind.is_empty()),
        "{outcome:?}"
    );
    poisoned.assert_nothing_ran("merge");
    for (name, content) in [("src/a.py", "a = 2\n"), ("equals.txt", "changed\n")] {
        assert_eq!(world.user.read(name), content);
    }

    // The programs were there all the time.
    world.user.write("src/a.py", "a = 3\n");
    for (arguments, least) in [(&["diff"], 4), (&["status"], 2), (&["commit"], 2)] {
        let ran = poisoned.plain_git(arguments);
        assert!(ran.len() >= least, "{arguments:?} ran {ran:?}");
    }
}

#[test]
fn nothing_planted_runs_when_the_base_moved() {
    let poisoned = poisoned();
    let world = &poisoned.world;
    let (base, before) = (world.base(), world.base_tree());
    let ours = "first\n2\n3\n4\n5\n6\nlast = 1\n";
    let text = |first: &str, last: &str| format!("{first}\n2\n3\n4\n5\n6\n{last}\n");
    let common = world.write_tree(&before, &[write("src/a.py", text("first", "last"))]);
    let commit = |tree, parent, message: &str| {
        world
            .proctor
            .objects()
            .write_commit(tree, &[parent], by_ada(message))
            .unwrap()
    };
    let common_commit = commit(&common, &base, "common\n");
    let theirs = world.write_tree(&common, &[write("src/a.py", text("changed", "last"))]);
    let theirs = commit(&theirs, &common_commit, "theirs\n");
    world
        .proctor
        .refs()
        .keep("refs/heads/side", theirs.as_str())
        .unwrap();
    let ours = world.write_tree(&common, &[write("src/a.py", ours)]);
    let outcome = world
        .proctor
        .merging()
        .merge(&MergeRequest {
            branch: "side",
            base: &common_commit,
            tree: &ours,
            message: by_ada("merge\n"),
        })
        .unwrap();
    let MergeOutcome::Moved { tree, .. } = outcome else {
        panic!("{outcome:?}");
    };
    poisoned.assert_nothing_ran("merge with a base that moved");
    assert_eq!(
        world.bytes_at(tree.as_str(), "src/a.py"),
        text("changed", "last = 1").as_bytes()
    );
}

#[test]
fn a_worktree_is_made_and_removed_without_any_program_of_the_repository() {
    let poisoned = poisoned();
    let world = &poisoned.world;
    let path = world.environment.state_directory().join("run");
    world
        .proctor
        .worktrees()
        .create(&path, "feat/issue-87", &world.base())
        .unwrap();
    poisoned.assert_nothing_ran("create");
    let stored = world.bytes_at("main", "src/a.py");
    assert_eq!(fs::read(path.join("src/a.py")).unwrap(), stored);

    fs::write(path.join("src/a.py"), "a = 2\n").unwrap();
    fs::write(path.join("untracked.py"), "new = 1\n").unwrap();
    fs::write(path.join(".gitattributes"), "* filter=long diff=planted\n").unwrap();
    let run = RunId::new("87", [0; 6]);
    let rescue = RunData::new(&world.proctor, &run, &path)
        .remove_worktree("feat/issue-87", &world.base_tree(), &ada(), SECONDS)
        .unwrap()
        .expect("something was changed");
    poisoned.assert_nothing_ran("remove_worktree");
    assert_eq!(world.bytes_at(rescue.as_str(), "src/a.py"), b"a = 2\n");
    assert_eq!(
        world.bytes_at(rescue.as_str(), "untracked.py"),
        b"new = 1\n"
    );
}

#[test]
fn replace_refs_do_not_change_what_is_read() {
    let world = World::new();
    let tree = world.base_tree();
    let blob = world.user.git(["rev-parse", "main:README.md"]);
    let forged_tree = world.write_tree(&tree, &[write("README.md", "forged\n")]);
    let forged_blob = world
        .user
        .git(["rev-parse", &format!("{forged_tree}:README.md")]);
    let base = world.base();
    let forged_commit = world
        .proctor
        .objects()
        .write_commit(&forged_tree, &[], by_ada("forged\n"))
        .unwrap();
    world.user.git(["replace", &blob, &forged_blob]);
    world
        .user
        .git(["replace", base.as_str(), forged_commit.as_str()]);
    assert_eq!(
        world.user.file_at("main", "README.md"),
        "forged\n",
        "plain git is deceived"
    );

    assert_eq!(world.base_tree(), tree);
    assert_eq!(
        world
            .proctor
            .objects()
            .files_at(&tree, &["README.md"])
            .unwrap(),
        [Some(b"# Calculator\n".to_vec())]
    );
    let target = world.environment.root().join("files");
    fs::create_dir(&target).unwrap();
    world.proctor.objects().materialise(&tree, &target).unwrap();
    assert_eq!(
        fs::read_to_string(target.join("README.md")).unwrap(),
        "# Calculator\n"
    );
    assert_eq!(
        world.proctor.objects().changed_files(&tree, &tree).unwrap(),
        []
    );
}

#[test]
fn variables_of_the_persons_shell_do_not_redirect_git() {
    let world = World::new();
    let mut environment = TestEnvironment::without_binary();
    let other = environment.init_repository();
    other.write("other.txt", "other\n");
    other.commit_all("other");
    for (name, value) in [
        ("GIT_DIR", other.path().join(".git")),
        ("GIT_WORK_TREE", other.path().to_owned()),
        ("GIT_INDEX_FILE", other.path().join(".git/index")),
        ("GIT_OBJECT_DIRECTORY", other.path().join(".git/objects")),
        ("GIT_EXTERNAL_DIFF", PathBuf::from("/bin/false")),
    ] {
        environment.set_variable(name, value);
    }
    let proctor = discover(&environment, world.user.path()).unwrap();
    assert_eq!(proctor.top(), world.user.path());
    let commit = proctor.refs().commit("refs/heads/main").unwrap();
    assert_eq!(commit, Some(world.base()));
}
