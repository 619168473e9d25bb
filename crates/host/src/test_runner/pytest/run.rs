//! One run of pytest in a tree.
//!
//! The runner is started so that only the tree decides what is tested and nothing else decides how: an environment made
//! from nothing, the project's own configuration but none from directories above it, every file that pytest or Python
//! would leave behind in a private directory.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use proctor_core::pytest::{exit_meaning, parse_report};
use proctor_core::test_outcome::{JUnit, JUnitError, Observation, parse_junit};
use rustix::fs::{Mode, OFlags};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::process::{Confinement, Environment, Interrupt, Job, Launcher, RecordStream, watch};

use super::super::stream::{records_of, secret_word};
use super::blind::Marker;
use super::environment::{ends_in_python, judged_environment, shown};
use super::limit::TestLimit;
use super::programs::{CompiledPrograms, Program};
use super::{RunOutcome, RunnerError, Variant, Watched};

/// The module that `-p` names. pytest rewrites and compiles such a file in every run, so it only takes the hooks out of
/// another.
const PLUGIN: &str = "\
from proctor_witness import hooks

globals().update(hooks)
del hooks
";
const PLUGIN_NAME: &str = "proctor_pytest_plugin";
/// The other module.
const WITNESS: &str = "proctor_witness";
/// The variable that tells the plugin which descriptor its records go to.
const STREAM_VARIABLE: &str = "PROCTOR_PYTEST_STREAM_FD";
/// The JUnit report, where the tests' process can write it.
const JUNIT: &str = "tmp/junit.xml";
/// The activity when a test was stopped.
const STOPPED: &str = "tmp/stopped.txt";
/// More files than this are not named one by one.
const MOST_WATCHED: usize = 500;
/// A stream longer than this is not read: it is not a report but an attack on memory.
const LONGEST_STREAM: usize = 64 * 1024 * 1024;

/// More of other files is not read.
const LONGEST_TEXT: u64 = 1024 * 1024;

/// The parameters of a run.
#[derive(Debug, Clone)]
pub struct PytestRun {
    /// The words that start Python or pytest, from [`find_python`](super::find_python).
    pub command: Vec<OsString>,
    /// The directory of the judged tree.
    pub tree: PathBuf,
    /// The directory in it whose tests are run; empty for all of it.
    pub root: String,
    /// The person's checkout, if the tree is another: an editable install points there, and modules loaded from there
    /// are not the judged ones.
    pub checkout: Option<PathBuf>,
    /// How long the whole suite may take.
    pub timeout: Duration,
    /// Files or ids to run; empty for the whole suite.
    pub select: Vec<String>,
    /// The plugins of its environment to load; without it, all of them.
    pub plugins: Option<Vec<String>>,
    /// The part of the suite to run, and how.
    pub variant: Variant,
    /// Source files whose executed lines are recorded for every test; for those that are not Python, whether it opens
    /// them.
    pub watched: Watched,
    /// Proctor's own programs, if they are compiled.
    pub programs: Option<Arc<CompiledPrograms>>,
    /// Proctor's own environment; only the variables that start Python are taken from it.
    pub environment: Environment,
    /// The sandbox, and its hidden paths; the tree and a place for temporary files are added to it. Without it the
    /// tests can do everything that their user can.
    pub confinement: Option<Confinement>,
}

/// In the plugin's terms; there is no room for very many names.
fn terms_of(watched: &Watched) -> Option<String> {
    match watched {
        Watched::Nothing => None,
        Watched::Files(files) if files.len() <= MOST_WATCHED => Some(files.join("\n")),
        Watched::Files(_) | Watched::Everything => Some("*".to_owned()),
    }
}

impl PytestRun {
    /// Runs the tests, with a limit for each; lines of output go to `on_line` as they appear.
    pub fn run_within(
        &self,
        limit: Option<&TestLimit>,
        launcher: &Launcher,
        interrupt: &Interrupt,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<RunOutcome, RunnerError> {
        let whole = fs::canonicalize(&self.tree)
            .map_err(|error| RunnerError::file("read", &self.tree, error))?;
        let tree = whole.join(&self.root);
        let private = Private::create(self.programs.as_deref())?;
        let mut words = self.command.clone();
        if ends_in_python(&words) {
            words.extend(["-m".into(), "pytest".into()]);
        }
        words.extend(arguments(&tree, &private));
        if self.variant == Variant::FirstFailure {
            words.push("--maxfail=1".into());
        }
        for name in self.plugins.iter().flatten() {
            words.extend(["-p".into(), name.into()]);
        }
        words.extend(self.select.iter().map(OsString::from));
        let command = shown(&words);
        let mut words = words.into_iter();
        let program = words.next().ok_or(RunnerError::NoPython)?;
        let mut job = Job::new(program, &tree, self.timeout);
        job.arguments = words.collect();
        job.environment = self.child_environment(&private);
        let word = secret_word();
        job.stream = Some(RecordStream {
            variable: STREAM_VARIABLE.into(),
            longest: LONGEST_STREAM,
            word: format!("{word} {}", self.terms(&tree, &private, limit)),
        });
        job.confinement = self.confinement.clone().map(|mut confinement| {
            let plugin = PathBuf::from(private.path("plugin"));
            confinement.read_only.extend([whole.clone(), plugin]);
            confinement.writable.push(private.path("tmp").into());
            confinement
        });
        let finished = watch(&job, launcher, interrupt, on_line)?;
        let written = records_of(&finished.records, &word);
        let sent = match (self.variant.marker(), &written) {
            (Some(_), Ok(written)) => written.clone(),
            _ => String::new(),
        };
        Ok(RunOutcome {
            sent,
            stopped: limit.and_then(|_| private.text(STOPPED)),
            observation: Observation {
                exit: finished.exit,
                meaning: exit_meaning(finished.exit),
                timeout_seconds: self.timeout.as_secs(),
                report: written.and_then(|records| parse_report(&records)),
                junit: private.junit(),
                output: finished.output.text(),
            },
            command,
            elapsed: finished.elapsed,
        })
    }

    /// How the plugin makes this run. Only the plugin receives this: code that can tell runs apart can behave
    /// differently in them.
    fn terms(&self, tree: &Path, private: &Private, limit: Option<&TestLimit>) -> String {
        let roots: Vec<String> = import_roots(tree).iter().map(|root| bytes(root)).collect();
        let checkout = self
            .checkout
            .as_deref()
            .filter(|checkout| *checkout != tree)
            .map(recognisable);
        let terms = json!({
            "tree": bytes(tree),
            "roots": roots,
            "checkout": checkout,
            "junit": bytes(Path::new(&private.path(JUNIT))),
            "reversed": self.variant.is_reversed(),
            "turned": self.variant.turned().is_some(),
            "marker": self.variant.marker().map(Marker::name),
            "lines": terms_of(&self.watched),
            "limit": limit.map(|limit| limit.terms(&bytes(Path::new(&private.path(STOPPED))))),
        });
        terms.to_string()
    }

    /// Everything the tests' process gets to see.
    fn child_environment(&self, private: &Private) -> Environment {
        let program = self.command.first().map_or(Path::new(""), Path::new);
        let mut environment =
            judged_environment(&self.environment, self.checkout.as_deref(), program);
        let mut set = |name: &str, value: OsString| environment.push((name.into(), value));
        set("LANG", "C.UTF-8".into());
        // Failure summaries are cut at the width of the terminal.
        set("COLUMNS", "200".into());
        set("TMPDIR", private.path("tmp"));
        // The same order of sets in every run.
        set("PYTHONHASHSEED", "0".into());
        set("PYTHONDONTWRITEBYTECODE", "1".into());
        // `-m` would put the tree before the standard library; the plugin adds it later.
        set("PYTHONSAFEPATH", "1".into());
        set("PYTHONPATH", private.path("plugin"));
        set("COVERAGE_FILE", private.path("tmp/coverage"));
        // With a socket for its standard input, `bash -c` believes that it was called over a network
        // and reads the person's configuration, unless another shell has called it.
        set("SHLVL", "1".into());
        if self.plugins.is_some() {
            set("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1".into());
        }
        if let Some(directory) = virtual_environment(&self.command) {
            set("VIRTUAL_ENV", directory.into());
        }
        environment
    }
}

/// pytest's arguments; each has its reason beside it.
fn arguments(tree: &Path, private: &Private) -> Vec<OsString> {
    let joined = |option: &str, path: OsString| {
        let mut word = OsString::from(option);
        word.push(path);
        word
    };
    let mut words: Vec<OsString> = vec![
        "-p".into(),
        PLUGIN_NAME.into(),
        // The cache stays usable for a project that configures `--ff` or a plugin that needs it,
        // but is empty and outside the tree.
        "-o".into(),
        joined("cache_dir=", private.path("tmp/cache")),
        // Every file's fate is wanted, not the first error's.
        "--continue-on-collection-errors".into(),
        // Undoes a configured `-x`.
        "--maxfail=0".into(),
        "--tb=short".into(),
        "-ra".into(),
        "--color=no".into(),
        joined("--rootdir=", tree.into()),
        // A conftest.py above the tree does not belong to the project.
        joined("--confcutdir=", tree.into()),
    ];
    if !has_configuration(tree) {
        // Without this pytest would keep looking in the directories above the tree.
        words.extend(["-c".into(), private.path("plugin/pytest.ini")]);
    }
    words
}

/// Whether the tree's root has a file that pytest takes its configuration from.
fn has_configuration(tree: &Path) -> bool {
    let always = ["pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"];
    let with_section = [
        ("pyproject.toml", "[tool.pytest"),
        ("tox.ini", "[pytest]"),
        ("setup.cfg", "[tool:pytest]"),
    ];
    always.iter().any(|name| tree.join(name).is_file())
        || with_section.iter().any(|(name, section)| {
            fs::read_to_string(tree.join(name)).is_ok_and(|text| text.contains(section))
        })
}

/// Where the project's modules are: the tree, and `src` unless it is a package itself, whose
/// modules might then shadow the standard library's.
fn import_roots(tree: &Path) -> Vec<PathBuf> {
    let source = tree.join("src");
    let mut roots = vec![tree.to_owned()];
    if source.is_dir() && !source.join("__init__.py").exists() {
        roots.insert(0, source);
    }
    roots
}

/// A path, a character a byte: not every path is text.
fn bytes(path: &Path) -> String {
    path.as_os_str()
        .as_bytes()
        .iter()
        .copied()
        .map(char::from)
        .collect()
}

/// A value by which a path can be recognised but not learned.
fn recognisable(path: &Path) -> serde_json::Value {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let salt = secret_word();
    let digest = Sha256::new()
        .chain_update(&salt)
        .chain_update(path.as_os_str().as_bytes());
    json!({"salt": salt, "digest": format!("{:x}", digest.finalize())})
}

/// The virtual environment that a command's interpreter belongs to.
pub(super) fn virtual_environment(command: &[OsString]) -> Option<PathBuf> {
    let directory = Path::new(command.first()?).parent()?.parent()?;
    directory
        .join("pyvenv.cfg")
        .is_file()
        .then(|| directory.to_owned())
}

/// A directory of this run's own: the plugin, and the tests' leftovers.
struct Private {
    directory: TempDir,
}

impl Private {
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory of Proctor's own, outside every tree: the safe write does not apply"
    )]
    fn create(programs: Option<&CompiledPrograms>) -> Result<Self, RunnerError> {
        let directory = tempfile::Builder::new()
            .prefix("proctor-tests-")
            .tempdir()
            .map_err(|error| RunnerError::file("write", &std::env::temp_dir(), error))?;
        let private = Self { directory };
        let at = |name: &str| private.directory.path().join(name);
        for name in ["plugin", "plugin/__pycache__", "tmp"] {
            fs::create_dir(at(name))
                .map_err(|error| RunnerError::file("write", &at(name), error))?;
        }
        let text = |text: &str| text.as_bytes().to_vec();
        let mut files = vec![
            (format!("{PLUGIN_NAME}.py"), text(PLUGIN)),
            (format!("{WITNESS}.py"), text(Program::Witness.text())),
            ("pytest.ini".to_owned(), text("[pytest]\n")),
        ];
        let compiled = programs.and_then(|programs| programs.module(Program::Witness, WITNESS));
        files.extend(compiled.map(|(name, code)| (format!("__pycache__/{name}"), code)));
        for (name, content) in files {
            let path = at("plugin").join(name);
            fs::write(&path, content).map_err(|error| RunnerError::file("write", &path, error))?;
        }
        Ok(private)
    }

    /// The content of the JUnit report.
    fn junit(&self) -> Result<JUnit, JUnitError> {
        let unreadable = |_: std::io::Error| JUnitError::Missing;
        let file = self.open(JUNIT).map_err(unreadable)?;
        if !file.metadata().is_ok_and(|facts| facts.is_file()) {
            return Err(JUnitError::NotFile);
        }
        let mut bytes = Vec::new();
        let longest = LONGEST_STREAM as u64;
        file.take(longest + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes.len() > LONGEST_STREAM {
            return Err(JUnitError::TooLong);
        }
        parse_junit(&String::from_utf8_lossy(&bytes))
    }

    /// The beginning of a file, if there is anything in it.
    fn text(&self, name: &str) -> Option<String> {
        let file = self.open(name).ok()?;
        if !file.metadata().is_ok_and(|facts| facts.is_file()) {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(LONGEST_TEXT).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The tests could have put anything there, a link or something that never ends.
    fn open(&self, name: &str) -> std::io::Result<fs::File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::open(Path::new(&self.path(name)), flags, Mode::empty());
        Ok(fs::File::from(opened?))
    }

    fn path(&self, name: &str) -> OsString {
        self.directory.path().join(name).into_os_string()
    }
}
