//! The person's checkout, which judged code does not see.

use std::io::Write as _;

use proctor_testkit::{Repository, RunOutput, TestEnvironment};
use tempfile::TempDir;

use crate::own_interpreter::own_environment;
use crate::project::text;

const SECRET: &str = "a value that only the person has";

/// A checkout in no temporary directory, where everything is hidden anyway, with a file that git ignores.
struct Desk {
    environment: TestEnvironment,
    _place: TempDir,
    repository: Repository,
    mode: &'static str,
}

impl Desk {
    fn new(mode: &'static str) -> Self {
        let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
        let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        environment.use_pytest();
        let repository = environment.init_repository_at(place.path().join("checkout"));
        repository.write("src/pkg/__init__.py", "WHERE = 'the judged tree'\n");
        repository.write(".gitignore", ".env*\n.venv\n");
        repository.write("proctor.toml", format!("[sandbox]\nmode = \"{mode}\"\n"));
        repository.commit_all("A project");
        repository.write(".env", format!("{SECRET}\n"));
        Self {
            environment,
            _place: place,
            repository,
            mode,
        }
    }

    fn gate(&self, colour: &str) -> RunOutput {
        let top = self.repository.path().display().to_string();
        let words = ["-C", &top, "gate", colour, "--format", "json"];
        self.environment.proctor(words)
    }

    /// Whether the level is to be had on this machine; says so if not.
    fn holds(&self, output: &RunOutput) -> bool {
        let refused = output.code == 5 && output.stdout.contains("cannot be confined here");
        if refused {
            let mut screen = std::io::stderr();
            let _ = writeln!(screen, "SKIPPED: {} does not hold here", self.mode);
        }
        !refused
    }
}

const LEVELS: [&str; 2] = ["bubblewrap", "landlock"];

#[test]
fn a_test_cannot_read_the_checkout_or_learn_from_its_environment_where_it_is() {
    for mode in LEVELS {
        let mut desk = Desk::new(mode);
        let top = desk.repository.path().display().to_string();
        let path = std::env::var("PATH").unwrap();
        desk.environment.use_pytest();
        desk.environment
            .set_variable("UV_PROJECT_ENVIRONMENT", format!("{top}/.other"));
        let python = proctor_testkit::pytest_python();
        let programs = python.parent().unwrap().display().to_string();
        desk.environment
            .set_variable("PATH", format!("{top}/bin:{programs}:{path}"));
        desk.repository.write(
            "tests/test_curious.py",
            format!(
                "import os\nimport pkg\n\n\ndef test_reads():\n    assert open({top:?} + '/.env').read() == pkg.WHERE\n\n\n\
                 def test_reads_git():\n    assert open({top:?} + '/.git/config').read() == pkg.WHERE\n\n\n\
                 def test_lists():\n    assert '.env' not in os.listdir({top:?}) and pkg.WHERE == ''\n\n\n\
                 def test_environment():\n    found = [name for name, value in os.environ.items() if {top:?} in value]\n    \
                 raise LookupError(f'found {{found}}')\n"
            ),
        );
        let output = desk.gate("red");
        if !desk.holds(&output) {
            continue;
        }
        let document = output.json();
        assert_eq!(document["sandbox"], mode, "{document:#}");
        assert!(!output.stdout.contains(SECRET), "{document:#}");
        let reason = |name: &str| {
            let tests = document["tests"].as_array().unwrap().iter();
            let mut tests = tests.filter(|test| text(&test["id"]).ends_with(name));
            text(&tests.next().unwrap_or_else(|| panic!("{document:#}"))["reason"])
        };
        for name in ["::test_reads", "::test_reads_git"] {
            let said = reason(name);
            assert!(
                said.contains("FileNotFoundError") || said.contains("PermissionError"),
                "{mode}: {name}: {said}"
            );
        }
        let environment = reason("::test_environment");
        assert!(environment.contains("found []"), "{mode}: {environment}");
    }
}

#[test]
fn an_editable_install_in_the_checkouts_own_environment_still_works() {
    for mode in LEVELS {
        let mut desk = Desk::new(mode);
        desk.environment.remove_variable("VIRTUAL_ENV");
        let packages = own_environment(&desk.repository);
        let source = desk.repository.path().join("src");
        std::fs::write(packages.join("editable.pth"), source.display().to_string()).unwrap();
        let test = "from pkg import WHERE\nfrom pkg.more import LINES\n\n\n\
                    def test_where():\n    assert (WHERE, LINES) == ('the judged tree', 3)\n";
        desk.repository.write("tests/test_where.py", test);
        let red = desk.gate("red");
        if !desk.holds(&red) {
            continue;
        }
        assert_eq!(red.json()["verdict"], "valid_red", "{:#}", red.json());
        desk.repository.write("src/pkg/more.py", "LINES = 3\n");
        let green = desk.gate("green");
        assert_eq!(green.json()["verdict"], "valid_green", "{:#}", green.json());
    }
}
