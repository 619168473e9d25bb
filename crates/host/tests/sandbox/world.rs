//! Shared by the tests: a small world to misbehave in.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_host::process::{
    Confinement, Environment, Finished, Interrupt, Job, Launcher, Limits, Sandbox, SandboxLevel,
    SandboxMode, watch,
};
use tempfile::TempDir;

pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
pub(crate) const SECRET: &str = "correct horse";

/// A home, a repository, a judged tree, a scratch directory and a foreign one.
pub(crate) struct World {
    _directory: TempDir,
    pub(crate) root: PathBuf,
    pub(crate) sandbox: Sandbox,
}

impl World {
    #[expect(
        clippy::disallowed_methods,
        reason = "test data, not a project's files"
    )]
    pub(crate) fn new(level: SandboxLevel) -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        let root = fs::canonicalize(directory.path()).expect("it exists");
        for name in ["home/.ssh", "repository/.git", "tree", "scratch", "other"] {
            fs::create_dir_all(root.join(name)).expect("directories");
        }
        for name in [
            "home/.ssh/id",
            "home/.netrc",
            "repository/.git/config",
            "other/file",
        ] {
            fs::write(root.join(name), SECRET).expect("file written");
        }
        fs::write(root.join("tree/file"), "plain").expect("file written");
        let home = root.join("home");
        let sandbox = chosen(level, Some(&home)).expect("it was there a moment ago");
        Self {
            _directory: directory,
            root,
            sandbox,
        }
    }

    /// Everything can be seen but the git directory, the other scratch directory and credentials.
    pub(crate) fn confinement(&self) -> Confinement {
        Confinement {
            sandbox: self.sandbox.clone(),
            read_only: vec![self.root.clone()],
            writable: vec![self.root.join("scratch")],
            hidden: ["repository/.git", "other", "nowhere"]
                .map(|name| self.root.join(name))
                .to_vec(),
            absent: Vec::new(),
            limits: Limits::default(),
        }
    }

    pub(crate) fn job(&self, program: &Path, arguments: &[&str]) -> Job {
        let mut job = Job::new(program, self.root.join("tree"), Duration::from_mins(5));
        job.arguments = arguments.iter().map(OsString::from).collect();
        job.environment = vec![
            ("PATH".into(), PATH.into()),
            ("ROOT".into(), self.root.clone().into()),
        ];
        job.confinement = Some(self.confinement());
        job
    }

    pub(crate) fn python(&self, script: &str) -> Job {
        let script = format!("import os, signal, socket, sys\nroot = os.environ['ROOT']\n{script}");
        self.job(&python(), &["-c", &script])
    }

    /// A script's output; it must succeed.
    pub(crate) fn printed(&self, script: &str) -> String {
        let finished = run(&self.python(script));
        let text = finished.output.text();
        assert_eq!(finished.exit.code(), Some(0), "{text}");
        text
    }

    pub(crate) fn level(&self) -> SandboxLevel {
        self.sandbox.level()
    }
}

pub(crate) fn launcher() -> Launcher {
    Launcher::through(std::env::current_exe().expect("path of the test program"))
}

pub(crate) fn run(job: &Job) -> Finished {
    watch(job, &launcher(), &Interrupt::never(), &mut |_| {}).expect("job runs")
}

pub(crate) fn environment(home: Option<&Path>) -> Environment {
    let mut environment: Environment = std::env::vars_os().collect();
    environment.push(("PATH".into(), PATH.into()));
    environment.extend(home.map(|home| ("HOME".into(), home.into())));
    environment
}

pub(crate) fn chosen(level: SandboxLevel, home: Option<&Path>) -> Result<Sandbox, String> {
    let mode = match level {
        SandboxLevel::Bubblewrap => SandboxMode::Bubblewrap,
        SandboxLevel::Landlock => SandboxMode::Landlock,
        SandboxLevel::Off => SandboxMode::Off,
    };
    Sandbox::choose(mode, &launcher(), &environment(home)).map_err(|error| error.to_string())
}

/// The levels that this machine has; those that it does not have are named.
pub(crate) fn levels() -> Vec<(SandboxLevel, String)> {
    let all = [
        SandboxLevel::Bubblewrap,
        SandboxLevel::Landlock,
        SandboxLevel::Off,
    ];
    let there = all.into_iter().filter(|level| match chosen(*level, None) {
        Ok(_) => true,
        Err(reason) => {
            skipped(&format!("all tests of {level}: {reason}"));
            false
        }
    });
    there.map(|level| (level, level.to_string())).collect()
}

/// The Python with pytest, for the user who built this program; it may lie in their home directory,
/// and another user could not make it.
pub(crate) fn python_with_pytest() -> Option<PathBuf> {
    let program = std::env::current_exe().expect("path of the test program");
    let owner = fs::metadata(program).expect("it is running").uid();
    (owner == rustix::process::getuid().as_raw()).then(proctor_testkit::pytest_python)
}

pub(crate) fn python() -> PathBuf {
    python_with_pytest().unwrap_or_else(|| "python3".into())
}

pub(crate) fn skipped(what: &str) {
    say(&format!("SKIPPED: {what}"));
}

pub(crate) fn say(text: &str) {
    writeln!(std::io::stderr(), "{text}").expect("standard error is open");
}
