//! Programs that have to work in a sandbox.

use std::time::Duration;

use proctor_core::gate::Baseline;
use proctor_host::process::{Confinement, Interrupt, RecordStream, SandboxLevel};
use proctor_host::test_runner::{PytestRun, Variant, Watched};

use crate::world::{World, environment, launcher, python_with_pytest, run, skipped};

pub(crate) fn records_arrive_and_cannot_be_read_back(world: &World) {
    let mut job = world.python(
        "
number = int(os.environ['STREAM'])
os.write(number, b'first ')
print(os.read(number, 100))
try:
    print(os.read(os.open('/proc/self/fd/%d' % number, os.O_RDONLY), 100))
except OSError as error:
    print(type(error).__name__)
try:
    os.ftruncate(number, 0)
except OSError as error:
    print(type(error).__name__)
os.write(number, b'second')",
    );
    job.stream = Some(RecordStream {
        variable: "STREAM".into(),
        longest: 100,
        word: "a word".to_owned(),
    });
    let finished = run(&job);
    assert_eq!(finished.output.text(), "b'a word'\nOSError\nOSError\n");
    assert_eq!(finished.records.text(), "first second");
    job.stream.as_mut().expect("just given").longest = 10;
    assert!(!run(&job).records.is_complete());
}

pub(crate) fn input_arrives(world: &World) {
    let mut job = world.job("cat".as_ref(), &[]);
    assert_eq!(run(&job).output.text(), "");
    job.input = Some(b"input".to_vec());
    assert_eq!(run(&job).output.text(), "input");
}

/// Neither it nor the directory it lies in is named to the sandbox.
pub(crate) fn a_virtual_environment_in_the_temporary_directory_works(world: &World) {
    let place = tempfile::tempdir().expect("temporary directory");
    let place = std::fs::canonicalize(place.path()).map(|path| (place, path));
    let (_kept, place) = place.expect("it exists");
    let target = place.join("environment");
    let mut job = world.python("");
    job.arguments = ["-m", "venv", "--without-pip"].map(Into::into).to_vec();
    job.arguments.push(target.clone().into());
    job.confinement = None;
    assert_eq!(run(&job).exit.code(), Some(0));
    let mut job = world.python("print(sys.prefix)");
    job.program = target.join("bin/python");
    let confinement = job.confinement.as_mut().expect("it is confined");
    confinement.read_only.clear();
    confinement.hidden.push(place);
    let finished = run(&job);
    assert_eq!(finished.output.text(), format!("{}\n", target.display()));
}

const TEST: &str = "\
import multiprocessing, os, subprocess, sys, threading
import pytest

def test_temporary_files(tmp_path):
    (tmp_path / 'file').write_text('x')

def test_processes_and_threads():
    with multiprocessing.get_context('fork').Pool(2) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    assert subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True).stdout == b'1\\n'

def test_own_tree_is_what_was_given():
    if os.path.exists('unconfined'):
        return
    for path in (__file__, 'new'):
        with pytest.raises(OSError):
            open(path, 'a')
";

#[expect(
    clippy::disallowed_methods,
    reason = "test data, not a project's files"
)]
pub(crate) fn pytest_runs_and_its_records_arrive(world: &World) {
    let Some(python) = python_with_pytest() else {
        skipped("pytest in the sandbox: this user cannot run the python that has pytest");
        return;
    };
    let tree = world.root.join("tree");
    std::fs::write(tree.join("test_a.py"), TEST).expect("file written");
    if world.level() == SandboxLevel::Off {
        std::fs::write(tree.join("unconfined"), "").expect("file written");
    }
    let run = PytestRun {
        root: String::new(),
        command: vec![python.into()],
        tree,
        checkout: None,
        timeout: Duration::from_mins(1),
        select: Vec::new(),
        plugins: None,
        variant: Variant::Plain,
        watched: Watched::Nothing,
        programs: None,
        environment: environment(Some(&world.root.join("home"))),
        confinement: Some(Confinement {
            hidden: vec![world.root.clone()],
            ..Confinement::new(world.sandbox.clone())
        }),
    };
    let outcome = run
        .run_within(None, &launcher(), &Interrupt::never(), &mut |_| {})
        .expect("pytest runs");
    let report = outcome.observation.report.as_ref().expect("a report");
    let passed = Baseline::from_observation(&outcome.observation).expect("a suite that ran");
    assert_eq!(
        (report.collected.len(), passed.passed().count()),
        (3, 3),
        "{}",
        outcome.observation.output
    );
}
