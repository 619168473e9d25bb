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

    /// Whether the level is available on this machine; says so if not.
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

/// Looks for a path, spelled backwards so that no file of the tests contains it, wherever a process can.
const SEARCH: &str = "\
import glob
import os
import sys

import pkg

TOP = 'BACKWARDS'[::-1]


def read(path):
    try:
        with open(path, 'rb') as file:
            return os.fsdecode(file.read())
    except OSError:
        return ''


def entries(directory):
    try:
        return [os.path.join(directory, name) for name in os.listdir(directory)]
    except OSError:
        return []


def test_learns():
    places = {name: read('/proc/self/' + name) for name in ('mountinfo', 'mounts', 'mountstats', 'maps', 'environ', 'cmdline')}
    # The processes that started this one, as far as they are visible.
    for number, said in enumerate(map(read, glob.glob('/proc/[0-9]*/cmdline'))):
        if '\\0__exec\\0' in said or 'bwrap' in said:
            places['words of a parent %d' % number] = said
    places['environment'] = repr(dict(os.environ))
    places['working directory'] = os.getcwd()
    places['path of modules'] = repr(sys.path)
    places['beside'] = repr(entries(os.path.dirname(TOP)))
    places['modules'] = repr([getattr(module, '__file__', '') for module in list(sys.modules.values())])
    found = [name for name, said in sorted(places.items()) if TOP in said]
    raise LookupError('found %s' % found)


def test_reads_what_lies_beside():
    raise LookupError(pkg.WHERE + ' and ' + read(os.path.dirname(TOP) + '/beside.txt'))


def test_writes_where_directories_are_recreated():
    written = []
    for directory in ['/', '/' + TOP.split('/')[1], os.path.dirname(TOP)]:
        try:
            open(os.path.join(directory, 'written'), 'w').close()
            written.append(directory)
        except OSError:
            pass
    raise LookupError('written %s' % written)
";

#[test]
fn a_test_cannot_learn_where_the_checkout_is_and_sees_what_lies_beside_it() {
    for mode in LEVELS {
        let desk = Desk::new(mode);
        let top = desk.repository.path().display().to_string();
        let beside = desk.repository.path().with_file_name("beside.txt");
        std::fs::write(beside, "what lies beside").unwrap();
        let backwards: String = top.chars().rev().collect();
        let search = SEARCH.replace("BACKWARDS", &backwards);
        desk.repository.write("tests/test_search.py", search);
        let output = desk.gate("red");
        if !desk.holds(&output) {
            continue;
        }
        let document = output.json();
        assert_eq!(document["sandbox"], mode, "{document:#}");
        let reason = |name: &str| {
            let tests = document["tests"].as_array().unwrap().iter();
            let mut tests = tests.filter(|test| text(&test["id"]).ends_with(name));
            text(&tests.next().unwrap_or_else(|| panic!("{document:#}"))["reason"])
        };
        let learned = reason("::test_learns");
        assert!(learned.contains("found []"), "{mode}: {learned}");
        let read = reason("::test_reads_what_lies_beside");
        let expected = "the judged tree and what lies beside";
        assert!(read.contains(expected), "{mode}: {read}");
        let written = reason("::test_writes_where_directories_are_recreated");
        assert!(written.contains("written []"), "{mode}: {written}");
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
