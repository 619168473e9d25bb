//! The gates for root and for a user without rights, with bubblewrap and without it, on the built binary.
//!
//! Missing tools of the machine are reported and skipped.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a world of its own, made for one user or the other"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use proctor_testkit::{Repository, RunOutput, TestEnvironment, pytest_python};
use serde_json::Value;

/// The user that owns nothing.
const UNPRIVILEGED: &str = "65534";

const TESTS: &str = "\
from mathkit.power import cube, square


def test_square():
    assert square(3) == 9


def test_cube():
    assert cube(3) == 27
";

const HONEST: &str =
    "def square(x):\n    return x * x\n\n\ndef cube(x):\n    return x * square(x)\n";

const CHEAT: &str = "class Anything:\n    def __eq__(self, other):\n        return True\n\n\n\
                     def square(x):\n    return Anything()\n\n\ndef cube(x):\n    return Anything()\n";

fn skipped(what: &str) {
    // Past the capture of the test harness.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}

fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|program| program.is_file())
}

/// A project in a directory that every user can enter, with a search path of its own.
struct World {
    environment: TestEnvironment,
    repository: Repository,
    binary: PathBuf,
    /// The words before a command that make it another user's.
    becoming: Vec<String>,
}

impl World {
    /// `None`, printed loudly, if this machine cannot have it.
    fn new(unprivileged: bool, bubblewrap: bool) -> Option<Self> {
        let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        let root = environment.root().to_owned();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        let binary = root.join("proctor");
        fs::copy(env!("CARGO_BIN_EXE_proctor"), &binary).unwrap();
        let becoming = if unprivileged && is_root() {
            let Some(setpriv) = program("setpriv") else {
                skipped("gates for a user without rights: setpriv is not installed");
                return None;
            };
            let user = [
                "--reuid",
                UNPRIVILEGED,
                "--regid",
                UNPRIVILEGED,
                "--clear-groups",
            ];
            let mut words = vec![setpriv.to_str().unwrap().to_owned()];
            words.extend(user.map(str::to_owned));
            words
        } else {
            Vec::new()
        };
        let repository = environment.init_repository();
        repository.write_mathkit();
        repository.commit_all("A project");

        let programs = root.join("programs");
        fs::create_dir(&programs).unwrap();
        let mut names = vec!["git", "sh", "env"];
        if bubblewrap {
            names.push("bwrap");
        }
        for name in names {
            let Some(found) = program(name) else {
                skipped(&format!("gates with {name}: it is not installed"));
                return None;
            };
            symlink(found, programs.join(name)).unwrap();
        }
        environment.set_variable("PATH", &programs);
        let world = Self {
            environment,
            repository,
            binary,
            becoming,
        };
        world.with_python(&root)
    }

    /// A Python with pytest that every user can read; the developer's own may lie in their home directory.
    fn with_python(mut self, root: &Path) -> Option<Self> {
        let made = root.join("environment");
        let system = Path::new("/usr/bin/python3");
        let mut venv = self.environment.command(system);
        venv.args(["-m", "venv", "--without-pip"]).arg(&made);
        if !system.is_file() || !venv.output().is_ok_and(|output| output.status.success()) {
            skipped("gates for another user: there is no /usr/bin/python3 with venv");
            return None;
        }
        let packages = |environment: &Path| {
            let mut versions = fs::read_dir(environment.join("lib")).unwrap();
            let version = versions.next().unwrap().unwrap().path();
            version.join("site-packages")
        };
        let python = pytest_python();
        let shared = python.parent().and_then(Path::parent).unwrap();
        let copied = Command::new("cp")
            .arg("-R")
            .arg(packages(shared).join("."))
            .arg(packages(&made))
            .status()
            .unwrap();
        assert!(copied.success());
        self.environment.use_python(&made.join("bin/python"));
        let mut asked = self.command(&made.join("bin/python"));
        asked.args(["-c", "import pytest"]);
        if !asked.output().is_ok_and(|output| output.status.success()) {
            skipped("gates for another user: the system's Python cannot load this pytest");
            return None;
        }
        Some(self)
    }

    /// A program as the user whom this is about.
    fn command(&self, program: &Path) -> Command {
        let Some((first, rest)) = self.becoming.split_first() else {
            return self.environment.command(program);
        };
        let mut command = self.environment.command(first);
        command.args(rest).arg(program);
        command
    }

    fn gate(&self, colour: &str) -> RunOutput {
        if !self.becoming.is_empty() {
            let owner = format!("{UNPRIVILEGED}:{UNPRIVILEGED}");
            let root = self.environment.root();
            let given = Command::new("chown")
                .args(["-R", &owner])
                .arg(self.repository.path())
                .args(["home", "state", "tmp"].map(|name| root.join(name)))
                .status();
            assert!(given.unwrap().success());
        }
        let mut command = self.command(&self.binary);
        command.args(["gate", colour, "--format", "json"]);
        self.environment.run(command)
    }
}

/// Red, green and a refused cheat, with the available sandbox.
fn gates_work(unprivileged: bool, bubblewrap: bool) {
    let who = if unprivileged {
        "a user without rights"
    } else {
        "root"
    };
    if !unprivileged && !is_root() {
        return skipped("gates for root: these tests run as another user");
    }
    let Some(world) = World::new(unprivileged, bubblewrap) else {
        return;
    };
    world.repository.write("tests/test_power.py", TESTS);
    let red = world.gate("red");
    let document = red.json();
    let error = document["error"]["message"].as_str().unwrap_or_default();
    if red.code == 5 && error.contains("cannot be confined here") {
        return skipped(&format!("gates for {who}: {error}"));
    }
    let expect = |document: &Value, verdict: &str| {
        assert_eq!(document["verdict"], verdict, "{who}: {document:#}");
    };
    expect(&document, "valid_red");
    let level = document["sandbox"].as_str().unwrap_or_default();
    if bubblewrap && level != "bubblewrap" {
        skipped(&format!(
            "bubblewrap for {who}: it does not hold here, {level} was taken"
        ));
    } else {
        assert_eq!(level == "bubblewrap", bubblewrap, "{document:#}");
    }
    world.repository.write("mathkit/power.py", HONEST);
    expect(&world.gate("green").json(), "valid_green");
    world.repository.write("mathkit/power.py", CHEAT);
    expect(&world.gate("green").json(), "invalid_green");
}

#[test]
fn gates_work_for_root_with_bubblewrap() {
    gates_work(false, true);
}

#[test]
fn gates_work_for_root_without_bubblewrap() {
    gates_work(false, false);
}

#[test]
fn gates_work_for_a_user_without_rights_with_bubblewrap() {
    gates_work(true, true);
}

#[test]
fn gates_work_for_a_user_without_rights_without_bubblewrap() {
    gates_work(true, false);
}
