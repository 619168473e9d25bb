//! The chosen level, and its cost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use proctor_core::failure::Explained as _;
use proctor_host::process::{
    Interrupt, Job, Launcher, ProcessError, Sandbox, SandboxError, SandboxLevel, SandboxMode, Tool,
    find_program, watch,
};

use crate::world::{PATH, World, environment, launcher, levels, say, skipped};

fn with_path(path: &str) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    vec![("PATH".into(), path.into())]
}

pub(crate) fn what_is_missing_is_said() {
    let broken = Launcher::through("/bin/false");
    for (mode, levels) in [
        (SandboxMode::Auto, &["bubblewrap: ", "landlock: "][..]),
        (SandboxMode::Bubblewrap, &["bubblewrap: "]),
        (SandboxMode::Landlock, &["landlock: "]),
    ] {
        let error = Sandbox::choose(mode, &broken, &environment(None)).expect_err("no helper");
        for level in levels {
            assert!(error.to_string().contains(level), "{mode:?}: {error}");
        }
        assert!(error.hints().concat().contains("`mode = \"off\"`"));
    }
    let error = Sandbox::choose(SandboxMode::Auto, &Launcher::plain(), &environment(None));
    assert_eq!(error, Err(SandboxError::NoHelper));
    let off = Sandbox::choose(SandboxMode::Off, &Launcher::plain(), &environment(None));
    assert_eq!(off.expect("always there").level(), SandboxLevel::Off);
}

pub(crate) fn without_bubblewrap_landlock_is_chosen() {
    let choose = |mode| Sandbox::choose(mode, &launcher(), &with_path("/nowhere"));
    let error = choose(SandboxMode::Bubblewrap).expect_err("it is not on this path");
    assert!(
        error.to_string().contains("bwrap is not installed"),
        "{error}"
    );
    match choose(SandboxMode::Auto) {
        Ok(sandbox) => {
            assert_eq!(sandbox.level(), SandboxLevel::Landlock);
            assert!(!sandbox.gaps().is_empty());
        }
        Err(error) => skipped(&format!("the choice of landlock: {error}")),
    }
}

/// A program that passes for bubblewrap and confines nothing.
#[expect(
    clippy::disallowed_methods,
    reason = "test data, not a project's files"
)]
pub(crate) fn a_sandbox_that_does_not_hold_is_not_believed() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let fake = directory.path().join("bwrap");
    let script = "#!/bin/sh\n[ \"$1\" = --help ] && exit\n\
                  until [ \"$1\" = -- ]; do shift; done\nshift\nexec \"$@\"\n";
    fs::write(&fake, script).expect("file written");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).expect("made executable");
    let path = with_path(&directory.path().display().to_string());
    let error = Sandbox::choose(SandboxMode::Bubblewrap, &launcher(), &path)
        .expect_err("it confines nothing");
    assert!(
        error.to_string().contains("a job can change files"),
        "{error}"
    );
}

pub(crate) fn a_job_is_not_started_unconfined_for_want_of_a_helper() {
    let world = World::new(SandboxLevel::Off);
    let job = world.job("true".as_ref(), &[]);
    let refused = watch(&job, &Launcher::plain(), &Interrupt::never(), &mut |_| {});
    assert!(matches!(refused, Err(ProcessError::NoHelper)));
}

/// Printed rather than judged: other tests run at the same time.
pub(crate) fn what_a_sandbox_costs() {
    let median = |run: &dyn Fn()| {
        let mut times: Vec<Duration> = (0..15).map(|_| time(run)).collect();
        times.sort();
        times[times.len() / 2]
    };
    let start = |job: &Job, launcher: &Launcher| {
        watch(job, launcher, &Interrupt::never(), &mut |_| {}).expect("job runs");
    };
    let plain = Job::new("/bin/true", "/", Duration::from_mins(1));
    let taken = median(&|| start(&plain, &Launcher::plain()));
    say(&format!("start of a job, plainly: {taken:?}"));
    for (level, name) in levels() {
        let world = World::new(level);
        let job = world.job("/bin/true".as_ref(), &[]);
        let taken = median(&|| start(&job, &launcher()));
        say(&format!("start of a job, {name}: {taken:?}"));
    }
}

/// By way of a link, so that the cached result under the helper's own name does not count.
pub(crate) fn a_helper_behind_a_link_is_tried_again_and_works() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let link = directory.path().join("helper");
    let program = std::env::current_exe().expect("path of the test program");
    std::os::unix::fs::symlink(program, &link).expect("a link");
    for (level, name) in levels() {
        let mode = match level {
            SandboxLevel::Bubblewrap => SandboxMode::Bubblewrap,
            SandboxLevel::Landlock => SandboxMode::Landlock,
            SandboxLevel::Off => continue,
        };
        let taken = time(&|| {
            let launcher = Launcher::through(&link);
            Sandbox::choose(mode, &launcher, &environment(None)).expect("it holds");
        });
        say(&format!("choice of {name}: {taken:?}"));
    }
}

fn time(run: &dyn Fn()) -> Duration {
    let started = Instant::now();
    run();
    started.elapsed()
}

/// Root may do things that no one else may; a result that depends on that means nothing.
#[expect(
    clippy::disallowed_methods,
    reason = "test data, not a project's files"
)]
pub(crate) fn everything_holds_for_a_user_without_rights_too() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let Some(setpriv) = find_program(Path::new("setpriv"), PATH.as_ref(), Path::new("/")) else {
        skipped("all tests as a user without rights: setpriv is not installed");
        return;
    };
    let directory = tempfile::tempdir().expect("temporary directory");
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("opened");
    let program = directory.path().join("sandbox");
    fs::copy(
        std::env::current_exe().expect("path of the test program"),
        &program,
    )
    .expect("copied");
    let output = Tool::new(setpriv, "/")
        .arguments(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .argument(&program)
        .variable("PATH", PATH)
        .variable("HOME", "/nonexistent")
        .variable("FOREIGN", "the test's own")
        .capture()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    for line in text.lines().filter(|line| line.starts_with("SKIPPED")) {
        say(&format!("{line} (as a user without rights)"));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.success(),
        "as a user without rights:\n{printed}{text}"
    );
}
