//! Finding a repository, and trees that are exactly the bytes they were made from.

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
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use git_world::{SECONDS, World, ada, delete, discover, files_below, path, write};
use proctor_core::workflow::{BlobId, TreeId};
use proctor_host::git::{Change, Discovery, FileMode};
use proctor_testkit::TestEnvironment;

// --- discover ---

#[test]
fn a_plain_directory_is_not_a_repository() {
    let environment = TestEnvironment::without_binary();
    let found = discover(&environment, environment.root());
    assert!(
        matches!(&found, Err(Discovery::NotARepository { message, .. }) if message.contains("not a git repository")),
        "{found:?}"
    );
}

#[test]
fn a_bare_repository_is_refused() {
    let world = World::new();
    let bare = world.environment.root().join("bare.git");
    world.user.git([
        OsStr::new("clone"),
        OsStr::new("--quiet"),
        OsStr::new("--bare"),
        world.user.path().as_os_str(),
        bare.as_os_str(),
    ]);
    let found = discover(&world.environment, &bare);
    assert!(matches!(found, Err(Discovery::Bare { .. })), "{found:?}");
}

#[test]
fn inside_the_git_directory_there_is_no_checkout() {
    let world = World::new();
    for inside in [".git", ".git/refs/heads"] {
        let found = discover(&world.environment, &world.user.path().join(inside));
        assert!(
            matches!(found, Err(Discovery::NotARepository { .. })),
            "{inside}: {found:?}"
        );
    }
}

#[test]
fn without_git_on_the_path_that_is_said() {
    let world = World::new();
    let surroundings = proctor_host::surroundings::Surroundings::from_list(vec![(
        "PATH".into(),
        world.environment.home().into(),
    )]);
    let found = proctor_host::git::Repository::discover(world.user.path(), &surroundings);
    assert!(matches!(found, Err(Discovery::NoGit)), "{found:?}");
}

#[test]
fn a_git_that_is_too_old_is_refused() {
    let mut environment = TestEnvironment::without_binary();
    let old = environment.write("bin/git", "#!/bin/sh\necho git version 2.34.1\n");
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    environment.set_variable("PATH", environment.root().join("bin"));
    let found = discover(&environment, environment.root());
    assert!(
        matches!(&found, Err(Discovery::TooOld { found }) if found == "2.34.1"),
        "{found:?}"
    );
}

#[test]
fn a_subdirectory_leads_to_the_checkout_around_it() {
    let world = World::new();
    let found = discover(&world.environment, &world.user.path().join("src")).unwrap();
    assert_eq!(found.top(), world.user.path());
    assert_eq!(found.common_directory(), world.user.path().join(".git"));
    assert_eq!(found.current_branch().unwrap().as_deref(), Some("main"));
}

#[test]
fn a_linked_worktree_shares_the_repository_and_has_its_own_branch() {
    let world = World::new();
    let linked = world.environment.root().join("linked");
    world.user.git([
        OsStr::new("worktree"),
        OsStr::new("add"),
        OsStr::new("-q"),
        OsStr::new("-b"),
        OsStr::new("topic"),
        linked.as_os_str(),
    ]);
    let found = discover(&world.environment, &linked).unwrap();
    assert_eq!(found.top(), linked);
    assert_eq!(found.common_directory(), world.user.path().join(".git"));
    assert_eq!(found.current_branch().unwrap().as_deref(), Some("topic"));
}

#[test]
fn a_worktree_of_a_bare_repository_is_a_checkout() {
    let world = World::new();
    let bare = world.environment.root().join("bare.git");
    let linked = world.environment.root().join("linked");
    world
        .user
        .git(["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    world.user.git([
        "-C",
        bare.to_str().unwrap(),
        "worktree",
        "add",
        "-q",
        linked.to_str().unwrap(),
        "main",
    ]);
    let found = discover(&world.environment, &linked).unwrap();
    assert_eq!(found.top(), linked);
    assert_eq!(found.common_directory(), bare);
    assert_eq!(found.current_branch().unwrap().as_deref(), Some("main"));
}

#[test]
fn a_detached_head_has_no_branch() {
    let world = World::new();
    world.user.git(["checkout", "--quiet", "--detach"]);
    assert_eq!(world.proctor.current_branch().unwrap(), None);
}

#[test]
fn a_sha256_repository_works_like_any_other() {
    let environment = TestEnvironment::without_binary();
    let user = environment.init_repository_at("sha256");
    std::fs::remove_dir_all(user.path().join(".git")).unwrap();
    user.git(["init", "--quiet", "-b", "main", "--object-format=sha256"]);
    user.write("kept.txt", "kept\n");
    user.write("gone.txt", "gone\n");
    user.commit_all("first");
    let world = World::around(environment, user);
    let before = world.base_tree();
    assert_eq!(before.as_str().len(), 64);

    let after = world.write_tree(&before, &[write("new.txt", "new\n"), delete("gone.txt")]);
    assert_eq!(
        world.listing(after.as_str()),
        ["100644 kept.txt", "100644 new.txt"]
    );
    let target = world.environment.root().join("files");
    std::fs::create_dir(&target).unwrap();
    world.proctor.materialise(&after, &target).unwrap();
    assert_eq!(
        files_below(&target),
        [
            ("kept.txt".into(), b"kept\n".to_vec()),
            ("new.txt".into(), b"new\n".to_vec())
        ]
    );
}

#[test]
fn a_repository_may_have_an_odd_name() {
    for name in [
        OsStr::new("with space"),
        OsStr::new("naïve-日本語"),
        OsStr::new("-dash"),
        OsStr::new("a=b;$(c)'\"\\"),
        OsStr::new(" leading and trailing "),
        OsStr::from_bytes(b"latin-\xe9"),
    ] {
        let environment = TestEnvironment::without_binary();
        let user = environment.init_repository_at(Path::new("odd").join(name));
        user.write("a.txt", "a\n");
        user.commit_all("first");
        let world = World::around(environment, user);
        assert_eq!(world.proctor.top(), world.user.path(), "{name:?}");
        assert_eq!(
            world.proctor.current_branch().unwrap().as_deref(),
            Some("main")
        );
        let tree = world.write_tree(&world.base_tree(), &[write("b.txt", "b\n")]);
        assert_eq!(
            world.listing(tree.as_str()),
            ["100644 a.txt", "100644 b.txt"]
        );
    }
}

#[test]
fn the_person_is_read_from_the_users_own_configuration() {
    let world = World::new();
    assert_eq!(world.proctor.person().unwrap(), Some(ada()));
    world.user.git(["config", "user.name", "Grace O'Tester"]);
    assert_eq!(
        world.proctor.person().unwrap().map(|person| person.name),
        Some("Grace O'Tester".to_owned())
    );
}

// --- write_tree and changed_files ---

#[test]
fn a_tree_takes_additions_modifications_deletions_and_modes() {
    let world = World::prepared(|user| {
        user.write("changed.txt", "old\n");
        user.write("gone.txt", "gone\n");
        user.write("deep/er/kept.txt", "kept\n");
    });
    let before = world.base_tree();
    let after = world.write_tree(
        &before,
        &[
            write("changed.txt", "new\n"),
            delete("gone.txt"),
            write("deep/er/new.txt", "nested\n"),
            Change::Write {
                path: path("bin/tool"),
                content: b"#!/bin/sh\n".to_vec(),
                mode: FileMode::Executable,
            },
            Change::Write {
                path: path("link"),
                content: b"deep/er".to_vec(),
                mode: FileMode::Symlink,
            },
            delete("never-was.txt"),
        ],
    );
    assert_eq!(
        world.listing(after.as_str()),
        [
            "100755 bin/tool",
            "100644 changed.txt",
            "100644 deep/er/kept.txt",
            "100644 deep/er/new.txt",
            "120000 link",
        ]
    );
    assert_eq!(world.bytes_at(after.as_str(), "changed.txt"), b"new\n");

    let changed = world.proctor.changed_files(&before, &after).unwrap();
    let summary: Vec<_> = changed
        .iter()
        .map(|file| {
            (
                String::from_utf8_lossy(&file.path).into_owned(),
                file.before.as_ref().map(|(mode, _)| *mode),
                file.after.as_ref().map(|(mode, _)| *mode),
            )
        })
        .collect();
    let regular = Some(FileMode::Regular);
    assert_eq!(
        summary,
        [
            ("bin/tool".to_owned(), None, Some(FileMode::Executable)),
            ("changed.txt".to_owned(), regular, regular),
            ("deep/er/new.txt".to_owned(), None, regular),
            ("gone.txt".to_owned(), regular, None),
            ("link".to_owned(), None, Some(FileMode::Symlink)),
        ]
    );
}

#[test]
fn making_a_tree_touches_neither_checkout_nor_index() {
    let world = World::new();
    world.user.write("README.md", "locally changed\n");
    world.user.write("staged.txt", "staged\n");
    world.user.git(["add", "staged.txt"]);
    let before = world.user.checkout_fingerprint();
    world.write_tree(&world.base_tree(), &[write("README.md", "by Proctor\n")]);
    world
        .user
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
}

#[test]
fn a_file_and_a_directory_can_take_each_others_place() {
    let world = World::prepared(|user| {
        user.write("file", "file\n");
        user.write("directory/inner.txt", "inner\n");
    });
    let before = world.base_tree();
    let swapped = [
        "100644 directory".to_owned(),
        "100644 file/inner.txt".to_owned(),
    ];
    for changes in [
        vec![
            delete("file"),
            write("file/inner.txt", "now below\n"),
            delete("directory/inner.txt"),
            write("directory", "now a file\n"),
        ],
        vec![
            write("directory", "now a file\n"),
            write("file/inner.txt", "now below\n"),
            delete("directory/inner.txt"),
            delete("file"),
        ],
    ] {
        let after = world.write_tree(&before, &changes);
        assert_eq!(world.listing(after.as_str()), swapped);
        let names: Vec<_> = world
            .proctor
            .changed_files(&before, &after)
            .unwrap()
            .into_iter()
            .map(|file| (file.path, file.before.is_some(), file.after.is_some()))
            .collect();
        assert_eq!(
            names,
            [
                (b"directory".to_vec(), false, true),
                (b"directory/inner.txt".to_vec(), true, false),
                (b"file".to_vec(), true, false),
                (b"file/inner.txt".to_vec(), false, true),
            ]
        );
    }
}

#[test]
fn no_change_gives_the_same_tree() {
    let world = World::new();
    let tree = world.base_tree();
    assert_eq!(world.write_tree(&tree, &[]), tree);
    assert_eq!(world.proctor.changed_files(&tree, &tree).unwrap(), []);
}

#[test]
fn a_rename_is_one_file_gone_and_one_new() {
    let world = World::new();
    world.user.git(["config", "diff.renames", "copies"]);
    let before = world.base_tree();
    let content = world.bytes_at("main", "src/calculator.py");
    let after = world.write_tree(
        &before,
        &[delete("src/calculator.py"), write("src/moved.py", content)],
    );
    let changed = world.proctor.changed_files(&before, &after).unwrap();
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[0].path, b"src/calculator.py");
    assert_eq!(changed[0].after, None);
    assert_eq!(changed[1].path, b"src/moved.py");
    assert_eq!(changed[1].before, None);
}

#[test]
fn a_mode_change_alone_is_a_change() {
    let world = World::new();
    let before = world.base_tree();
    let after = world.write_tree(
        &before,
        &[Change::Write {
            path: path("README.md"),
            content: b"# Calculator\n".to_vec(),
            mode: FileMode::Executable,
        }],
    );
    let changed = world.proctor.changed_files(&before, &after).unwrap();
    let [only] = changed.as_slice() else {
        panic!("{changed:?}");
    };
    let (before, after) = (only.before.clone().unwrap(), only.after.clone().unwrap());
    assert_eq!(
        (before.0, after.0),
        (FileMode::Regular, FileMode::Executable)
    );
    assert_eq!(before.1, after.1);
}

// --- reading ---

const ODD_NAMES: &[&str] = &[
    "with space.txt",
    " leading",
    "trailing ",
    "quo\"te.txt",
    "\"quoted\"",
    "back\\slash",
    "tab\there",
    "new\nline",
    "ends in return\r",
    "naïve-日本語.txt",
    ":(top)magic",
    "*",
    "-rf",
    "a missing",
    "x missing\n",
];

#[test]
fn files_are_found_whatever_their_names() {
    let world = World::prepared(|user| {
        for name in ODD_NAMES {
            user.write(name, format!("content of {name:?}"));
        }
    });
    let tree = world.base_tree();
    let found = world.proctor.files_at(&tree, ODD_NAMES).unwrap();
    for (name, content) in ODD_NAMES.iter().zip(&found) {
        assert_eq!(
            content.as_deref().map(String::from_utf8_lossy).as_deref(),
            Some(format!("content of {name:?}").as_str())
        );
    }
    assert_eq!(found.len(), ODD_NAMES.len());
    let mut entries: Vec<String> = world
        .proctor
        .entries(&tree)
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let mut names: Vec<String> = ODD_NAMES.iter().map(ToString::to_string).collect();
    entries.sort();
    names.sort();
    assert_eq!(entries, names);
}

#[test]
fn absent_names_are_absent_whatever_they_look_like() {
    let world = World::prepared(|user| {
        user.write("there.txt", "there\n");
        user.write("directory/inner.txt", "inner\n");
    });
    let tree = world.base_tree();
    let mut asked = ODD_NAMES.to_vec();
    asked.extend(["", "directory", "there.txt/below", "there.txt"]);
    let found = world.proctor.files_at(&tree, &asked).unwrap();
    assert_eq!(found.len(), asked.len());
    let (last, others) = found.split_last().unwrap();
    assert_eq!(last.as_deref(), Some(b"there\n".as_slice()));
    assert!(others.iter().all(Option::is_none), "{others:?}");
    assert!(world.proctor.files_at(&tree, &[]).unwrap().is_empty());
}

#[test]
fn empty_and_binary_contents_come_back_exactly() {
    let contents: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\n".to_vec(),
        b"\r\n\0\xff\xfe missing\n".to_vec(),
        b"no newline at the end".to_vec(),
        (0..=255).cycle().take(200_000).collect(),
        Vec::new(),
    ];
    let world = World::new();
    let changes: Vec<Change> = contents
        .iter()
        .enumerate()
        .map(|(number, content)| write(&format!("file-{number}"), content.clone()))
        .collect();
    let tree = world.write_tree(&world.base_tree(), &changes);
    let names: Vec<&str> = changes
        .iter()
        .map(|change| change.path().as_str())
        .collect();
    let found = world.proctor.files_at(&tree, &names).unwrap();
    assert_eq!(
        found,
        contents.iter().cloned().map(Some).collect::<Vec<_>>()
    );

    let files = world
        .proctor
        .changed_files(&world.base_tree(), &tree)
        .unwrap();
    let ids: Vec<BlobId> = files
        .iter()
        .map(|file| file.after.clone().expect("all are new").1)
        .collect();
    assert_eq!(world.proctor.blobs(&ids).unwrap(), contents);
}

#[test]
fn a_blob_that_is_not_there_is_an_error() {
    let world = World::new();
    let nowhere = BlobId::parse(&"1".repeat(40)).unwrap();
    assert!(world.proctor.blobs(&[nowhere]).is_err());
    assert!(world.proctor.blobs(&[]).unwrap().is_empty());
}

#[test]
fn entries_tell_modes_and_leave_out_names_that_are_not_text() {
    let world = World::prepared(|user| {
        user.write("plain.txt", "plain\n");
        user.write_executable("tool.sh", "#!/bin/sh\n");
        symlink("plain.txt", user.path().join("link")).unwrap();
        user.write(Path::new(OsStr::from_bytes(b"latin-\xe9")), "x");
        let commit = "2".repeat(40);
        user.git([
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("160000,{commit},module"),
        ]);
        std::fs::create_dir(user.path().join("module")).unwrap();
    });
    let entries = world.proctor.entries(&world.base_tree()).unwrap();
    let expected = [
        ("link", FileMode::Symlink),
        ("module", FileMode::Submodule),
        ("plain.txt", FileMode::Regular),
        ("tool.sh", FileMode::Executable),
    ];
    assert_eq!(
        entries.as_ref().clone().into_iter().collect::<Vec<_>>(),
        expected.map(|(name, mode)| (name.to_owned(), mode))
    );
}

#[test]
fn a_submodule_has_no_content_here() {
    let world = World::prepared(|user| {
        user.write("plain.txt", "plain\n");
        let commit = "2".repeat(40);
        user.git([
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("160000,{commit},module"),
        ]);
        std::fs::create_dir(user.path().join("module")).unwrap();
    });
    let found = world
        .proctor
        .files_at(&world.base_tree(), &["module", "plain.txt"])
        .unwrap();
    assert_eq!(found, [None, Some(b"plain\n".to_vec())]);
}

// --- materialise ---

fn materialised(world: &World, tree: &TreeId) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let target = tempfile::tempdir_in(world.environment.root()).unwrap();
    world.proctor.materialise(tree, target.path()).unwrap();
    files_below(target.path())
}

#[test]
fn files_links_and_modes_are_written_as_they_are() {
    let world = World::new();
    let tree = world.write_tree(
        &world.base_tree(),
        &[
            write("crlf.txt", "one\r\ntwo\r\n"),
            write("mixed.bin", b"\0\r\n\n\xff".to_vec()),
            write("empty", ""),
            Change::Write {
                path: path("bin/tool"),
                content: b"#!/bin/sh\n".to_vec(),
                mode: FileMode::Executable,
            },
            Change::Write {
                path: path("link"),
                content: b"../outside".to_vec(),
                mode: FileMode::Symlink,
            },
        ],
    );
    let target = world
        .environment
        .root()
        .join("a directory/with ünusual name");
    std::fs::create_dir_all(&target).unwrap();
    world.proctor.materialise(&tree, &target).unwrap();
    assert_eq!(
        files_below(&target),
        [
            ("README.md".into(), b"# Calculator\n".to_vec()),
            ("bin/tool".into(), b"#!/bin/sh\n".to_vec()),
            ("crlf.txt".into(), b"one\r\ntwo\r\n".to_vec()),
            ("empty".into(), b"".to_vec()),
            ("link".into(), b"../outside".to_vec()),
            ("mixed.bin".into(), b"\0\r\n\n\xff".to_vec()),
            (
                "src/calculator.py".into(),
                b"def add(a, b):\n    return a + b\n".to_vec()
            ),
        ]
    );
    assert!(target.join("link").is_symlink());
    let executable = |name: &str| {
        std::fs::metadata(target.join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o111
            != 0
    };
    assert!(executable("bin/tool"));
    assert!(!executable("crlf.txt"));
}

/// Contents that every conversion git knows would change.
const CONVERTIBLE: &[(&str, &[u8])] = &[
    ("crlf.txt", b"one\r\ntwo\r\n"),
    ("hidden.txt", b"not in archives\n"),
    ("lf.txt", b"one\ntwo\n"),
    ("module.py", b"# $Id$\nvalue = 1\n"),
    ("wide.txt", "breit\n".as_bytes()),
];

const ATTRIBUTES: &str = "\
* text eol=crlf
*.py filter=evil ident
hidden.txt export-ignore
wide.txt working-tree-encoding=UTF-16
";

fn convertible(world: &World, attributes_in_the_tree: bool) -> TreeId {
    let mut changes: Vec<Change> = CONVERTIBLE
        .iter()
        .map(|(name, content)| write(name, content.to_vec()))
        .collect();
    if attributes_in_the_tree {
        changes.push(write(".gitattributes", ATTRIBUTES));
    }
    changes.push(delete("README.md"));
    changes.push(delete("src/calculator.py"));
    world.write_tree(&world.base_tree(), &changes)
}

fn assert_exact(mut files: Vec<(std::path::PathBuf, Vec<u8>)>) {
    files.retain(|(name, _)| name != Path::new(".gitattributes"));
    let expected: Vec<(std::path::PathBuf, Vec<u8>)> = CONVERTIBLE
        .iter()
        .map(|(name, content)| (name.into(), content.to_vec()))
        .collect();
    assert_eq!(files, expected);
}

fn configure_conversions(world: &World) {
    for (key, value) in [
        ("filter.evil.smudge", "tr a-z A-Z"),
        ("filter.evil.clean", "tr a-z A-Z"),
        ("filter.evil.required", "true"),
        ("core.autocrlf", "true"),
        ("core.eol", "crlf"),
    ] {
        world.user.git(["config", key, value]);
    }
}

#[test]
fn attributes_in_the_tree_change_no_byte() {
    let world = World::new();
    configure_conversions(&world);
    let world = World::around(world.environment, world.user);
    let tree = convertible(&world, true);
    assert_exact(materialised(&world, &tree));
}

#[test]
fn attributes_outside_the_tree_change_no_byte() {
    let world = World::new();
    configure_conversions(&world);
    let global = world.environment.write("attributes", ATTRIBUTES);
    world
        .user
        .git(["config", "core.attributesFile", global.to_str().unwrap()]);
    world.user.write(".git/info/attributes", ATTRIBUTES);
    world.user.write(".gitattributes", ATTRIBUTES);
    let world = World::around(world.environment, world.user);
    let tree = convertible(&world, false);
    assert_exact(materialised(&world, &tree));
}

#[test]
fn a_sparse_checkout_does_not_thin_out_what_is_materialised() {
    let world = World::new();
    world.user.git(["sparse-checkout", "set", "--cone", "docs"]);
    assert!(!world.user.exists("src"));
    let files = materialised(&world, &world.base_tree());
    assert_eq!(files.len(), 2, "{files:?}");
}

#[test]
fn the_empty_tree_materialises_to_nothing() {
    let world = World::new();
    let tree = world.write_tree(
        &world.base_tree(),
        &[delete("README.md"), delete("src/calculator.py")],
    );
    assert!(materialised(&world, &tree).is_empty());
}

// --- write_commit, keep, forget ---

#[test]
fn the_same_commit_twice_is_one_commit() {
    let world = World::new();
    let (base, tree) = (world.base(), world.base_tree());
    let make = |message: &str| {
        world
            .proctor
            .write_commit(&tree, Some(&base), &ada(), SECONDS, message)
            .unwrap()
    };
    let first = make("subject\n\nbody with ünicode\n");
    assert_eq!(first, make("subject\n\nbody with ünicode\n"));
    assert_ne!(first, make("another subject\n"));
    assert_eq!(
        world.user.git([
            "log",
            "-1",
            "--format=%an|%ae|%cn|%ce|%at|%ct|%P|%T|%B|",
            first.as_str()
        ]),
        format!(
            "Ada Tester|ada@example.com|Ada Tester|ada@example.com|{SECONDS}|{SECONDS}|{base}|{tree}|subject\n\nbody with ünicode\n|"
        )
    );
}

#[test]
fn a_message_is_utf_8_whatever_the_repository_is_configured_to() {
    let world = World::new();
    let (base, tree) = (world.base(), world.base_tree());
    let make = || {
        world
            .proctor
            .write_commit(&tree, Some(&base), &ada(), SECONDS, "grün\n")
            .unwrap()
    };
    let before = make();
    world
        .user
        .git(["config", "i18n.commitEncoding", "ISO-8859-1"]);
    assert_eq!(make(), before);
}

#[test]
fn refs_are_kept_and_forgotten_without_complaint() {
    let world = World::new();
    let tree = world.base_tree();
    let name = "refs/proctor/runs/87-abcdef/candidate".to_owned();
    world.proctor.keep(&name, tree.as_str()).unwrap();
    assert_eq!(world.user.git(["rev-parse", &name]), tree.as_str());
    for _ in 0..2 {
        world
            .proctor
            .forget(&[name.clone(), "refs/proctor/never".to_owned()])
            .unwrap();
    }
    assert_eq!(world.user.git(["for-each-ref", "refs/proctor"]), "");
    assert_eq!(world.proctor.commit("refs/heads/nowhere").unwrap(), None);
}
