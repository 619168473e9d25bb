//! The run's worktree: made in one way, removed only when everything in it is safe.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

mod git_world;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use git_world::{SECONDS, World, ada, discover, files_below, write};
use proctor_core::workflow::{CommitId, TreeId};
use proctor_host::git::{Removal, WorktreeError};
use proctor_testkit::TestEnvironment;

const BRANCH: &str = "feat/issue-87";
const RUN: &str = "87-abcdef";
const RESCUE: &str = "refs/proctor/rescue/87-abcdef";

impl World {
    fn worktree(&self) -> PathBuf {
        self.environment.state_directory().join("worktrees/87")
    }

    fn create(&self) -> Result<(), WorktreeError> {
        self.create_at(&self.worktree())
    }

    fn create_at(&self, path: &Path) -> Result<(), WorktreeError> {
        self.proctor.create_worktree(path, BRANCH, &self.base())
    }

    fn remove(&self) -> Result<Removal, WorktreeError> {
        self.remove_settled(&self.base_tree())
    }

    fn remove_settled(&self, settled: &TreeId) -> Result<Removal, WorktreeError> {
        self.remove_at(&self.worktree(), settled)
    }

    fn remove_at(&self, path: &Path, settled: &TreeId) -> Result<Removal, WorktreeError> {
        self.proctor
            .remove_worktree(path, BRANCH, RUN, settled, &ada(), SECONDS)
    }

    /// Removes a worktree that has something to be saved, and says what was saved.
    fn rescued(&self) -> CommitId {
        let removal = self.remove().expect("the worktree can be removed");
        let rescue = removal.rescue.expect("something was uncommitted");
        assert_eq!(self.user.git(["rev-parse", RESCUE]), rescue.as_str());
        self.assert_gone();
        rescue
    }

    fn assert_gone(&self) {
        assert!(!self.worktree().exists());
        assert_eq!(self.user.git(["worktree", "list"]).lines().count(), 1);
        assert_eq!(self.user.git(["branch", "--list", BRANCH]), "");
        assert_eq!(
            self.user.git(["for-each-ref", "refs/proctor/runs"]),
            "",
            "nothing of the run is left"
        );
    }

    fn assert_stays(&self) {
        assert!(self.worktree().join(".git").exists());
        assert_ne!(self.user.git(["branch", "--list", BRANCH]), "");
    }
}

fn put(path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = path.as_ref();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

// --- create ---

#[test]
fn a_fresh_worktree_has_the_base_commits_files_on_a_branch_of_its_own() {
    let world = World::new();
    let before = world.user.checkout_fingerprint();
    // Its parent directories do not exist yet.
    world.create().unwrap();
    assert_eq!(
        files_below(&world.worktree()),
        files_below(world.user.path())
    );
    assert_eq!(world.commit(&format!("refs/heads/{BRANCH}")), world.base());
    let linked = discover(&world.environment, &world.worktree()).unwrap();
    assert_eq!(linked.current_branch().unwrap().as_deref(), Some(BRANCH));
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_worktree_is_made_from_the_recorded_base_not_from_where_the_branch_went() {
    let world = World::new();
    let base = world.base();
    world.user.write("later.txt", "later\n");
    world.user.commit_all("later");
    world
        .proctor
        .create_worktree(&world.worktree(), BRANCH, &base)
        .unwrap();
    assert!(!world.worktree().join("later.txt").exists());
    assert_eq!(world.commit(&format!("refs/heads/{BRANCH}")), base);
}

#[test]
fn a_leftover_branch_at_the_base_is_used_again() {
    let world = World::new();
    world.user.git(["branch", BRANCH]);
    world.create().unwrap();
    world.assert_stays();
}

#[test]
fn a_branch_with_other_commits_is_refused_and_kept() {
    let world = World::new();
    world.user.git(["branch", BRANCH]);
    let base = world.base();
    world.user.write("later.txt", "later\n");
    world.user.commit_all("later");
    let refused = world.create();
    assert!(
        matches!(&refused, Err(WorktreeError::BranchDiverged { branch, .. }) if branch == BRANCH),
        "{refused:?}"
    );
    assert_eq!(world.commit(&format!("refs/heads/{BRANCH}")), base);
    assert!(!world.worktree().exists());
}

#[test]
fn a_branch_that_is_checked_out_elsewhere_is_refused() {
    let world = World::new();
    world.user.git(["checkout", "--quiet", "-b", BRANCH]);
    let before = world.user.checkout_fingerprint();
    let refused = world.create();
    let here = world.user.path().display().to_string();
    assert!(
        matches!(&refused, Err(WorktreeError::BranchInUse { at, .. }) if *at == here),
        "{refused:?}"
    );
    assert!(!world.worktree().exists());
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

/// The administrative directory of the only linked worktree.
fn administration(world: &World) -> PathBuf {
    let directory = world.user.path().join(".git/worktrees");
    let mut entries = fs::read_dir(directory).unwrap();
    entries.next().unwrap().unwrap().path()
}

#[test]
fn a_half_made_worktree_is_made_anew() {
    type Damage = fn(&World);
    let damages: [(&str, Damage); 5] = [
        ("files missing", |world| {
            fs::remove_file(world.worktree().join("README.md")).unwrap();
        }),
        ("no link back", |world| {
            fs::remove_file(world.worktree().join(".git")).unwrap();
        }),
        ("no directory", |world| {
            fs::remove_dir_all(world.worktree()).unwrap();
        }),
        ("no HEAD", |world| {
            fs::remove_file(administration(world).join("HEAD")).unwrap();
            fs::remove_file(world.worktree().join(".git")).unwrap();
        }),
        ("no index", |world| {
            fs::remove_file(administration(world).join("index")).unwrap();
        }),
    ];
    for (name, damage) in damages {
        for locked in [true, false] {
            let world = World::new();
            world.create().unwrap();
            if locked {
                put(administration(&world).join("locked"), "initializing");
            }
            damage(&world);
            world
                .create()
                .unwrap_or_else(|error| panic!("{name}, locked: {locked}: {error}"));
            assert_eq!(
                files_below(&world.worktree()),
                files_below(world.user.path()),
                "{name}"
            );
            assert_eq!(world.remove().unwrap(), Removal { rescue: None }, "{name}");
            world.assert_gone();
        }
    }
}

#[test]
fn a_worktree_reached_through_a_link_is_the_same_worktree() {
    let world = World::new();
    let real = world.environment.root().join("real");
    fs::create_dir(&real).unwrap();
    let link = world.environment.root().join("link");
    symlink(&real, &link).unwrap();
    let path = link.join("87");
    world.create_at(&path).unwrap();
    world.create_at(&path).unwrap();
    put(path.join("new.txt"), "new\n");
    let removal = world.remove_at(&path, &world.base_tree()).unwrap();
    assert!(removal.rescue.is_some());
    assert!(!path.exists());
    world.assert_gone();
}

#[test]
fn a_worktree_may_lie_under_a_name_that_is_not_text() {
    let world = World::new();
    let path = world
        .environment
        .root()
        .join(OsStr::from_bytes(b"state-\xe9/run"));
    world.create_at(&path).unwrap();
    put(path.join("new.txt"), "new\n");
    let removal = world.remove_at(&path, &world.base_tree()).unwrap();
    assert!(removal.rescue.is_some());
    assert!(!path.exists());
    world.assert_gone();
}

#[test]
fn a_persons_own_checkout_is_never_taken_for_a_runs_worktree() {
    let world = World::new();
    world.user.write("untracked.txt", "untracked\n");
    let before = world.user.checkout_fingerprint();
    let own = world.user.path().to_owned();
    assert!(world.create_at(&own).is_err());
    assert!(world.remove_at(&own, &world.base_tree()).is_err());
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_git_directory_planted_in_the_worktree_misleads_nobody() {
    let world = World::new();
    world
        .user
        .write("staged.txt", "staged in the person's own checkout\n");
    world.user.git(["add", "staged.txt"]);
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    let dot_git = world.worktree().join(".git");
    fs::remove_file(&dot_git).unwrap();
    fs::create_dir(&dot_git).unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        [
            "100644 README.md",
            "100644 new.txt",
            "100644 src/calculator.py"
        ]
    );
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_foreign_directory_in_the_way_is_left_alone() {
    let world = World::new();
    put(world.worktree().join("precious.txt"), "precious\n");
    assert!(world.create().is_err());
    assert_eq!(
        fs::read_to_string(world.worktree().join("precious.txt")).unwrap(),
        "precious\n"
    );
}

#[test]
fn replaced_objects_are_not_what_is_checked_out() {
    let world = World::new();
    let forged = world.user.write("forged", "forged\n");
    let forged_blob = world
        .user
        .git(["hash-object", "-w", forged.to_str().unwrap()]);
    fs::remove_file(forged).unwrap();
    let real = world.user.git(["rev-parse", "main:README.md"]);
    world.user.git(["replace", &real, &forged_blob]);
    world.create().unwrap();
    assert_eq!(
        fs::read_to_string(world.worktree().join("README.md")).unwrap(),
        "# Calculator\n"
    );
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });
}

// --- remove ---

#[test]
fn a_clean_worktree_goes_without_a_rescue() {
    let world = World::new();
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    world
        .proctor
        .keep(
            &format!("refs/proctor/runs/{RUN}/candidate"),
            world.base_tree().as_str(),
        )
        .unwrap();
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });
    world.assert_gone();
    assert_eq!(world.user.git(["for-each-ref", "refs/proctor"]), "");
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_worktree_that_holds_just_what_was_merged_goes_without_a_rescue() {
    let world = World::new();
    world.create().unwrap();
    put(world.worktree().join("src/new.py"), "new = 1\n");
    let merged = world.write_tree(&world.base_tree(), &[write("src/new.py", "new = 1\n")]);
    assert_eq!(
        world.remove_settled(&merged).unwrap(),
        Removal { rescue: None }
    );
    world.assert_gone();
}

#[test]
fn everything_uncommitted_is_in_the_rescue() {
    let world = World::prepared(|user| {
        user.write("changed.txt", "old\n");
        user.write("deleted.txt", "deleted\n");
        user.write("kept.txt", "kept\n");
        user.write("mode.sh", "#!/bin/sh\n");
        user.write("becomes-link", "file\n");
        user.write("becomes-directory", "file\n");
        user.write("becomes-file/inner.txt", "inner\n");
        user.write(".gitignore", "*.log\n");
    });
    world.user.write("stashed.txt", "stashed\n");
    world.user.git(["stash", "--include-untracked", "--quiet"]);
    world.user.write("kept.txt", "the person's own change\n");
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    let top = world.worktree();
    put(top.join("changed.txt"), b"one\r\ntwo\0\xff\n");
    fs::remove_file(top.join("deleted.txt")).unwrap();
    fs::set_permissions(top.join("mode.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(top.join("becomes-link")).unwrap();
    symlink("/etc/passwd", top.join("becomes-link")).unwrap();
    fs::remove_file(top.join("becomes-directory")).unwrap();
    put(top.join("becomes-directory/inner.txt"), "inner\n");
    fs::remove_dir_all(top.join("becomes-file")).unwrap();
    put(top.join("becomes-file"), "file\n");
    put(top.join("deep/new.txt"), "new\n");
    put(top.join("empty"), "");
    put(top.join("noise.log"), "ignored\n");

    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        [
            "100644 .gitignore",
            "100644 becomes-directory/inner.txt",
            "100644 becomes-file",
            "120000 becomes-link",
            "100644 changed.txt",
            "100644 deep/new.txt",
            "100644 empty",
            "100644 kept.txt",
            "100755 mode.sh",
        ]
    );
    assert_eq!(world.bytes_at(RESCUE, "changed.txt"), b"one\r\ntwo\0\xff\n");
    assert_eq!(world.bytes_at(RESCUE, "becomes-link"), b"/etc/passwd");
    assert_eq!(world.bytes_at(RESCUE, "deep/new.txt"), b"new\n");
    assert_eq!(
        world.user.git(["rev-parse", &format!("{RESCUE}^")]),
        world.base().as_str()
    );
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn odd_names_are_saved_each_with_its_own_content() {
    let names: [&[u8]; 14] = [
        b"with space",
        b" leading",
        b"trailing ",
        b"new\nline",
        b"\nfirst",
        b"last\n",
        b"\"quoted\"",
        b"\"unfinished",
        b"back\\slash",
        b"return\r",
        b"return",
        b"tab\there",
        b"latin-\xe9",
        b"-rf *",
    ];
    let world = World::new();
    world.create().unwrap();
    for name in names {
        put(world.worktree().join(OsStr::from_bytes(name)), name);
    }
    world.rescued();
    for name in names {
        assert_eq!(
            world.bytes_at(RESCUE, OsStr::from_bytes(name)),
            name,
            "{:?}",
            String::from_utf8_lossy(name)
        );
    }
}

#[test]
fn bytes_are_saved_as_they_are_whatever_attributes_say() {
    let world = World::prepared(|user| {
        user.write("kept.txt", "kept\n");
    });
    world.create().unwrap();
    let top = world.worktree();
    put(
        top.join(".gitattributes"),
        "* text eol=lf filter=evil ident\n",
    );
    put(top.join("crlf.txt"), "one\r\n$Id: secret$\r\n");
    world.rescued();
    assert_eq!(
        world.bytes_at(RESCUE, "crlf.txt"),
        b"one\r\n$Id: secret$\r\n"
    );
}

#[test]
fn a_checkout_that_git_itself_converted_is_clean() {
    let world = World::prepared(|user| {
        user.write("script.bat", "echo one\r\necho two\r\n");
        user.write("other.bat", "echo three\r\n");
        user.write(".gitattributes", "*.bat text eol=crlf\n");
    });
    world.create().unwrap();
    assert_eq!(
        fs::read(world.worktree().join("other.bat")).unwrap(),
        b"echo three\r\n"
    );
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });

    // What was changed in it is saved byte for byte; the rest is as committed.
    world.create().unwrap();
    put(world.worktree().join("script.bat"), "echo four\r\n");
    world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "script.bat"), b"echo four\r\n");
    assert_eq!(world.bytes_at(RESCUE, "other.bat"), b"echo three\n");
}

#[test]
fn line_endings_that_the_person_asked_for_are_no_change() {
    let world = World::new();
    world
        .user
        .git(["config", "--global", "core.autocrlf", "true"]);
    let world = World::around(world.environment, world.user);
    world.create().unwrap();
    assert_eq!(
        fs::read(world.worktree().join("README.md")).unwrap(),
        b"# Calculator\r\n"
    );
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });
}

#[test]
fn a_directory_that_cannot_be_read_keeps_the_worktree() {
    if rustix::process::geteuid().is_root() {
        use std::io::Write as _;
        let _ = std::io::stderr()
            .write_all(b"SKIPPED: permissions do not bind root, so nothing can be shown\n");
        return;
    }
    let world = World::new();
    world.create().unwrap();
    let closed = world.worktree().join("closed");
    put(closed.join("work.txt"), "work\n");
    let permit = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
    permit(0o000);
    let refused = world.remove();
    permit(0o755);
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { problem, .. }) if problem.contains("closed")),
        "{refused:?}"
    );
    world.assert_stays();
    world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "closed/work.txt"), b"work\n");
}

#[test]
fn no_index_bit_hides_a_change() {
    for bit in ["--assume-unchanged", "--skip-worktree"] {
        let world = World::new();
        world.create().unwrap();
        let top = world.worktree();
        let directory = top.to_str().unwrap();
        world
            .user
            .git(["-C", directory, "update-index", bit, "README.md"]);
        put(top.join("README.md"), "hidden change\n");
        world.rescued();
        assert_eq!(world.bytes_at(RESCUE, "README.md"), b"hidden change\n");
    }
}

#[test]
fn tracked_and_staged_files_are_saved_even_if_an_ignore_rule_names_them() {
    let world = World::prepared(|user| {
        user.write("tracked.log", "tracked\n");
        user.write("plain.txt", "plain\n");
    });
    world.create().unwrap();
    let top = world.worktree();
    put(top.join(".gitignore"), "*.log\n");
    put(top.join("tracked.log"), "changed\n");
    put(top.join("staged.log"), "staged\n");
    put(top.join("ignored.log"), "ignored\n");
    let directory = top.to_str().unwrap();
    world
        .user
        .git(["-C", directory, "add", "--force", "staged.log"]);
    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        [
            "100644 .gitignore",
            "100644 plain.txt",
            "100644 staged.log",
            "100644 tracked.log",
        ]
    );
    assert_eq!(world.bytes_at(RESCUE, "tracked.log"), b"changed\n");
}

#[test]
fn a_directory_that_became_a_link_is_saved_as_a_link() {
    let world = World::prepared(|user| {
        user.write("data/inner.txt", "inside\n");
    });
    let outside = world.environment.root().join("outside");
    put(outside.join("inner.txt"), "outside\n");
    world.create().unwrap();
    let data = world.worktree().join("data");
    fs::remove_dir_all(&data).unwrap();
    symlink(&outside, &data).unwrap();
    let rescue = world.rescued();
    assert_eq!(world.listing(rescue.as_str()), ["120000 data"]);
    assert_eq!(
        fs::read_to_string(outside.join("inner.txt")).unwrap(),
        "outside\n"
    );
}

#[test]
fn what_cannot_be_saved_keeps_the_worktree() {
    let world = World::new();
    world.create().unwrap();
    let readme = world.worktree().join("README.md");
    put(world.worktree().join("new.txt"), "new\n");
    fs::remove_file(&readme).unwrap();
    let made = world
        .environment
        .command("mkfifo")
        .arg(&readme)
        .status()
        .unwrap();
    assert!(made.success());
    let refused = world.remove();
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { path, .. }) if path == "README.md"),
        "{refused:?}"
    );
    world.assert_stays();
    assert!(world.worktree().join("new.txt").exists());

    fs::remove_file(&readme).unwrap();
    world.rescued();
}

#[test]
fn a_repository_of_its_own_inside_keeps_the_worktree() {
    let world = World::new();
    world.create().unwrap();
    let nested = world.worktree().join("nested");
    fs::create_dir(&nested).unwrap();
    let directory = nested.to_str().unwrap();
    world.user.git(["init", "--quiet", directory]);
    put(nested.join("work.txt"), "work\n");
    world.user.git(["-C", directory, "add", "--all"]);
    world
        .user
        .git(["-C", directory, "commit", "--quiet", "-m", "own"]);
    let refused = world.remove();
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { path, .. }) if path.starts_with("nested")),
        "{refused:?}"
    );
    world.assert_stays();
    assert!(nested.join("work.txt").exists());
}

fn with_submodule() -> World {
    World::prepared(|user| {
        user.write("plain.txt", "plain\n");
        let commit = "2".repeat(40);
        let entry = format!("160000,{commit},module");
        user.git(["update-index", "--add", "--cacheinfo", &entry]);
        fs::create_dir(user.path().join("module")).unwrap();
    })
}

#[test]
fn an_empty_submodule_is_nothing_to_save() {
    let world = with_submodule();
    world.create().unwrap();
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });
    world.assert_gone();

    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.rescued();
    assert_eq!(
        world.listing(rescue.as_str()),
        ["160000 module", "100644 new.txt", "100644 plain.txt"]
    );
}

#[test]
fn files_in_a_submodule_keep_the_worktree() {
    let world = with_submodule();
    world.create().unwrap();
    put(world.worktree().join("module/work.txt"), "work\n");
    let refused = world.remove();
    assert!(
        matches!(&refused, Err(WorktreeError::NotSaved { path, .. }) if path == "module"),
        "{refused:?}"
    );
    world.assert_stays();
}

#[test]
fn a_worktree_removed_by_hand_is_forgotten() {
    for locked in [false, true] {
        let world = World::new();
        world.create().unwrap();
        if locked {
            put(administration(&world).join("locked"), "");
        }
        fs::remove_dir_all(world.worktree()).unwrap();
        assert_eq!(world.remove().unwrap(), Removal { rescue: None });
        world.assert_gone();
    }
}

#[test]
fn a_worktree_without_its_link_back_is_saved_and_removed() {
    for link in [None, Some("gitdir: /nowhere\n"), Some("garbage")] {
        let world = World::new();
        world.create().unwrap();
        let dot_git = world.worktree().join(".git");
        fs::remove_file(&dot_git).unwrap();
        if let Some(text) = link {
            put(&dot_git, text);
        }
        put(world.worktree().join("new.txt"), "new\n");
        world.rescued();
        assert_eq!(world.bytes_at(RESCUE, "new.txt"), b"new\n");
    }
}

#[test]
fn removing_twice_is_harmless() {
    let world = World::new();
    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let rescue = world.rescued();
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });
    world.assert_gone();
    assert_eq!(world.user.git(["rev-parse", RESCUE]), rescue.as_str());
}

#[test]
fn a_removal_that_was_cut_short_loses_nothing_when_it_is_repeated() {
    let world = World::new();
    world.create().unwrap();
    let top = world.worktree();
    put(top.join("first.txt"), "first\n");
    put(top.join("second.txt"), "second\n");
    let first = world.rescued();

    // As it was when the process died: saved, and half of the files gone.
    world.create().unwrap();
    put(top.join("second.txt"), "second\n");
    fs::remove_file(top.join("README.md")).unwrap();
    let second = world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "second.txt"), b"second\n");
    world.user.git([
        "merge-base",
        "--is-ancestor",
        first.as_str(),
        second.as_str(),
    ]);
}

#[test]
fn commits_that_only_the_branch_holds_are_rescued() {
    let world = World::new();
    world.create().unwrap();
    let top = world.worktree();
    let directory = top.to_str().unwrap();
    put(top.join("mine.txt"), "mine\n");
    world.user.git(["-C", directory, "add", "--all"]);
    world
        .user
        .git(["-C", directory, "commit", "--quiet", "-m", "mine"]);
    let mine = world.commit(&format!("refs/heads/{BRANCH}"));
    fs::remove_file(top.join("mine.txt")).unwrap();
    let removal = world.remove().unwrap();
    assert_eq!(removal.rescue, Some(mine.clone()));
    assert_eq!(world.user.git(["rev-parse", RESCUE]), mine.as_str());
    world.assert_gone();
}

#[test]
fn files_are_saved_even_if_the_branch_was_deleted() {
    let world = World::new();
    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    world
        .user
        .git(["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    world.rescued();
    assert_eq!(world.bytes_at(RESCUE, "new.txt"), b"new\n");
}

#[test]
fn a_branch_that_a_person_has_checked_out_is_not_taken_away() {
    let world = World::new();
    world.create().unwrap();
    fs::remove_dir_all(world.worktree()).unwrap();
    world.user.git(["worktree", "prune"]);
    world.user.git(["checkout", "--quiet", BRANCH]);
    let before = world.user.checkout_fingerprint();
    assert_eq!(world.remove().unwrap(), Removal { rescue: None });
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_run_started_in_a_linked_worktree_works_the_same() {
    let environment = TestEnvironment::without_binary();
    let user = environment.init_repository();
    user.write("a.txt", "a\n");
    user.commit_all("first");
    let linked = environment.root().join("linked");
    user.git([
        "worktree",
        "add",
        "-q",
        "-b",
        "topic",
        linked.to_str().unwrap(),
    ]);
    let proctor = discover(&environment, &linked).unwrap();
    let world = World {
        environment,
        user,
        proctor,
    };
    let before = world.user.checkout_fingerprint();
    world.create().unwrap();
    put(world.worktree().join("new.txt"), "new\n");
    let removal = world.remove().unwrap();
    assert!(removal.rescue.is_some());
    assert!(!world.worktree().exists());
    assert!(linked.join(".git").exists());
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}
