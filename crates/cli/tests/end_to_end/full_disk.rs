//! No space left, and nothing may be written: real file systems, mounted in a namespace of their own.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use proctor_testkit::RunOutput;

use crate::project::{Project, approve, good};

/// Whether this machine lets us mount in a namespace; printed loudly where it does not.
pub(crate) fn can_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        .output();
    let can = tried.is_ok_and(|output| output.status.success());
    if !can {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: no mount namespaces here (unshare -rm), so full and read-only disks are not tested"
        );
    }
    can
}

/// A command after `mounts`, in a namespace of its own.
fn after(project: &Project, mounts: &str, wanted: &Command) -> RunOutput {
    let mut command = project.environment.command("unshare");
    command.args(["-rm", "sh", "-c", &format!("{mounts}\nexec \"$@\""), "sh"]);
    command.arg(wanted.get_program()).args(wanted.get_args());
    project.environment.run(command)
}

pub(crate) fn tiny(directory: &Path, kilobytes: u32) -> String {
    format!(
        "mount -t tmpfs -o size={kilobytes}k tmpfs '{}' || exit 99",
        directory.display()
    )
}

fn assert_environment_error(output: &RunOutput) {
    output.expect_code(5);
    assert!(output.stderr.contains("error: "), "{}", output.stderr);
    assert!(output.stderr.contains("hint: "), "{}", output.stderr);
}

#[test]
fn a_full_disk_for_the_worktree_loses_nothing() {
    if !can_mount() {
        return;
    }
    let project = Project::new();
    let state = project.environment.state_directory();
    std::fs::create_dir_all(&state).unwrap();
    project.repository.write("large.bin", vec![b'x'; 300_000]);
    project.repository.commit_all("Something large");
    let before = project.repository.checkout_fingerprint();
    let run = project.run_command(&good());
    let output = after(&project, &tiny(&state, 100), &run);
    assert_environment_error(&output);
    project
        .repository
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    // With space again the same run continues to the end.
    let id = project.run_id();
    let mut terminal = project.environment.proctor_on_terminal(["resume", &id]);
    approve(&mut terminal);
}

#[test]
fn a_full_disk_for_the_journal_loses_nothing() {
    if !can_mount() {
        return;
    }
    let project = Project::new();
    let data = project.repository.path().join(".git/proctor");
    std::fs::create_dir(&data).unwrap();
    let before = project.repository.checkout_fingerprint();
    let run = project.run_command(&good());
    for kilobytes in [4, 24, 60, 100] {
        let output = after(&project, &tiny(&data, kilobytes), &run);
        assert_environment_error(&output);
        project
            .repository
            .checkout_fingerprint()
            .assert_unchanged_since(&before);
    }
}

#[test]
fn a_git_directory_that_cannot_be_written_is_said_and_nothing_is_created() {
    if !can_mount() {
        return;
    }
    let project = Project::new();
    let git = project.repository.path().join(".git");
    let before = project.repository.checkout_fingerprint();
    let read_only = format!(
        "mount --bind '{0}' '{0}' && mount -o remount,ro,bind '{0}' || exit 99",
        git.display()
    );
    let run = project.run_command(&good());
    let output = after(&project, &read_only, &run);
    assert_environment_error(&output);
    project
        .repository
        .checkout_fingerprint()
        .assert_unchanged_since(&before);
    assert_eq!(project.leftovers(), Vec::<String>::new());
}
