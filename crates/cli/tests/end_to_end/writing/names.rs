//! Names that lead out, act, or only look odd.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::desk::Desk;

#[test]
fn hostile_paths_are_refused_and_nothing_is_created() {
    let desk = Desk::new();
    let outside = desk.environment.write("outside/secret.txt", "outside\n");
    let root = desk.repository.path();
    symlink(outside.parent().unwrap(), root.join("way-out")).unwrap();
    symlink(&outside, root.join("leaf")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink(".git", root.join("alias")).unwrap();
    symlink("/proc/self/root", root.join("magic")).unwrap();
    std::fs::hard_link(&outside, root.join("hard")).unwrap();
    std::fs::create_dir(root.join("directory")).unwrap();
    let made = desk.environment.run({
        let mut command = desk.environment.command("mkfifo");
        command.arg(root.join("pipe"));
        command
    });
    made.expect_code(0);
    let _socket = UnixListener::bind(root.join("socket")).unwrap();
    let long = "x".repeat(256);
    let before = desk.environment.run(listing(&desk));
    for hostile in [
        "../outside/x",
        "src/../../x",
        "../repo-evil/s",
        "/etc/passwd",
        "//etc/passwd",
        "",
        "/",
        "src/a.py/",
        ".",
        "..",
        "way-out/x",
        "leaf",
        "dangling",
        "loop",
        "alias/config",
        "alias/hooks/pre-commit",
        "magic/tmp/x",
        "hard",
        "directory",
        "pipe",
        "socket",
        "pipe/x",
        ".git/hooks/pre-commit",
        ".GIT/config",
        ".git\\config",
        "sub/.git/config",
        "git~1/config",
        ".g\u{200c}it/config",
        "C:\\x",
        "\\\\srv\\s",
        "CON",
        "aux.rs",
        "a\nb",
        "a\u{1b}[2J",
        "a\u{202e}b",
        "a\u{200b}b",
        "\u{ff0e}\u{ff0e}/x",
        "src\u{2215}x",
        "..\u{2044}x",
        ".g\u{131}t/config",
        ".G\u{130}T/config",
        "\u{a4f8}\u{a4f8}/x",
        "-rf",
        "~/x",
        ":(top)x",
        "a*",
        "a?",
        "name.",
        "name ",
        "e\u{301}.py",
        &long,
    ] {
        let output = desk.write(hostile, "evil\n", &["--auto", "--force"]);
        assert_eq!(output.code, 4, "{hostile:?}: {}", output.stderr);
    }
    let after = desk.environment.run(listing(&desk));
    assert_eq!(before.stdout, after.stdout);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "outside\n");
}

/// Every name below the environment, with kind, size and time; except for the test's own input.
fn listing(desk: &Desk) -> std::process::Command {
    let mut command = desk.environment.command("sh");
    command
        .args([
            "-c",
            "find repo outside home state -printf '%p %y %s %T@\\n' | sort",
        ])
        .current_dir(desk.environment.root());
    command
}

#[test]
fn a_directory_swapped_for_a_link_while_writing_lets_nothing_out() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let desk = Desk::new();
    let outside = desk.environment.write("outside/file.txt", "outside\n");
    let link = desk.environment.root().join("link");
    symlink(outside.parent().unwrap(), &link).unwrap();
    desk.repository.write("swapped/file.txt", "inside\n");
    let swapped = desk.repository.path().join("swapped");
    let exchange = || renameat_with(CWD, &swapped, CWD, &link, RenameFlags::EXCHANGE).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                // Both names exist at every moment.
                exchange();
            }
        });
        for number in 0..30 {
            let output = desk.write("swapped/file.txt", &format!("{number}\n"), &["--auto"]);
            // Where it is a link at that moment the write is refused, or the file's turn has come.
            assert!([0, 4, 5].contains(&output.code), "{}", output.stderr);
        }
        done.store(true, Ordering::SeqCst);
    });
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "outside\n");
    let beside = std::fs::read_dir(outside.parent().unwrap()).unwrap();
    assert_eq!(beside.count(), 1, "nothing was made there either");
}

#[test]
fn a_path_is_meant_from_where_the_person_stands_and_told_from_the_root() {
    let desk = Desk::new();
    desk.repository.write("dup.py", "above\n");
    desk.repository.write("sub/dup.py", "below\n");
    desk.repository.write("sub/deep/x.py", "deep\n");
    let write = |from: &str, path: &str| {
        let content = desk.environment.write("content", "new\n");
        let (from, content) = (
            desk.repository.path().join(from),
            content.display().to_string(),
        );
        let mut command = desk
            .environment
            .proctor_command(["write", path, "--from", &content, "--format", "json"]);
        command.current_dir(from);
        desk.environment.run(command)
    };
    let output = write("sub", "dup.py");
    output.expect_code(0);
    assert_eq!(output.json()["path"], "sub/dup.py");
    assert_eq!(desk.repository.read("sub/dup.py"), "new\n");
    assert_eq!(desk.repository.read("dup.py"), "above\n");
    let output = write("sub/deep", "../../dup.py");
    output.expect_code(0);
    assert_eq!(output.json()["path"], "dup.py");
    assert_eq!(desk.repository.read("dup.py"), "new\n");
    let output = write("sub/deep", "./../made.py");
    assert_eq!(output.json()["path"], "sub/made.py");
    for outside in ["../../../x", "..", ".", "../.git/config", "deep/../../../x"] {
        let output = write("sub", outside);
        assert_eq!(output.code, 4, "{outside}: {}", output.stderr);
    }
}

#[test]
fn odd_but_legitimate_names_are_written() {
    let desk = Desk::new();
    for name in [
        "é.py",
        "a; rm -rf .py",
        "$(whoami).txt",
        "src/app.test.tsx",
        "docs/[id].md",
        ".hidden",
        "a b.txt",
        "中文/文件.md",
    ] {
        desk.write(name, "fine\n", &[]).expect_code(0);
        assert_eq!(desk.repository.read(name), "fine\n");
    }
}

#[test]
fn names_that_make_tools_act_need_a_person() {
    let desk = Desk::new();
    for name in [
        ".gitattributes",
        "conftest.py",
        ".github/workflows/ci.yml",
        "build.rs",
        "setup.py",
        "Makefile",
        "package.json",
        "lefthook.yaml",
        "tox.ini",
        "noxfile.py",
        "justfile",
        "Dockerfile",
        ".venv/bin/python",
    ] {
        desk.write(name, "x\n", &[]).expect_code(4);
        desk.write(name, "x\n", &["--auto"]).expect_code(4);
        assert!(!desk.repository.exists(name), "{name}");
    }
    desk.write("conftest.py", "x = 1\n", &["--auto", "--force"])
        .expect_code(0);
}
