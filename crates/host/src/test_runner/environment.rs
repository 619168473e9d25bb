//! Finding the project's own Python.
//!
//! The tests need the project's dependencies, so they run with the interpreter that its people
//! use: the configured command, the active virtual environment, the one in the checkout, the one
//! that its lock file's tool keeps, and only then whatever is on the search path.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::process::{Environment, Tool, find_program, variable};

use super::RunnerError;

/// Where to look.
#[derive(Debug, Clone)]
pub struct PythonSearch<'a> {
    /// The configured test command, already split into words; empty if none is configured.
    pub configured: &'a [String],
    /// The person's checkout, where virtual environments and lock files are.
    pub checkout: &'a Path,
    /// The environment Proctor was started with.
    pub environment: &'a Environment,
}

/// The words of a command that starts Python (`…/python`) or pytest (`uv run pytest`), as
/// [`PytestRun`](super::PytestRun) takes them.
///
/// A result that ends in a Python is completed with `-m pytest` there.
pub fn find_python(search: &PythonSearch<'_>) -> Result<Vec<OsString>, RunnerError> {
    if let Some(first) = search.configured.first() {
        if first.is_empty() {
            return Err(RunnerError::Command("its first word is empty".to_owned()));
        }
        let mut words: Vec<OsString> = search.configured.iter().map(OsString::from).collect();
        // A path in the configuration is meant from the checkout, where ignored files such as a
        // virtual environment are; the judged tree does not have them.
        if Path::new(first).components().count() > 1 {
            words[0] = search.checkout.join(first).into();
        }
        return Ok(words);
    }
    let active = variable(search.environment, "VIRTUAL_ENV").map(PathBuf::from);
    let local = [".venv", "venv"].map(|name| search.checkout.join(name));
    for directory in active.into_iter().chain(local) {
        let python = directory.join("bin/python");
        if python.is_file() {
            return Ok(vec![python.into()]);
        }
    }
    for (lock, tool) in [("uv.lock", "uv"), ("poetry.lock", "poetry")] {
        if search.checkout.join(lock).is_file()
            && let Some(program) = search.on_path(tool)
        {
            return search.python_of(&program, tool).map(|python| vec![python]);
        }
    }
    ["python3", "python"]
        .into_iter()
        .find_map(|name| search.on_path(name))
        .map(|python| vec![python.into()])
        .ok_or(RunnerError::NoPython)
}

/// The words of a command as they are stored and shown; what is not text in them is shown as such.
pub fn as_text(words: Vec<OsString>) -> Vec<String> {
    let text = |word: OsString| word.to_string_lossy().into_owned();
    words.into_iter().map(text).collect()
}

impl PythonSearch<'_> {
    fn on_path(&self, name: &str) -> Option<PathBuf> {
        let path = variable(self.environment, "PATH").unwrap_or_default();
        find_program(Path::new(name), path, self.checkout)
    }

    /// Asks a tool once which interpreter it keeps for the checkout, so that the tests run without
    /// the tool in between: it would look for a project in the judged tree and write there.
    fn python_of(&self, program: &Path, tool: &str) -> Result<OsString, RunnerError> {
        let arguments: &[&str] = match tool {
            "uv" => &["run", "--no-sync", "python"],
            _ => &["run", "python"],
        };
        let output = Tool::new(program, self.checkout)
            .arguments(arguments)
            .arguments(["-c", "import sys; print(sys.executable)"])
            .variables(self.environment.iter().cloned())
            .capture()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        match printed.lines().last().map(str::trim) {
            Some(python) if output.success() && Path::new(python).is_absolute() => {
                Ok(python.into())
            }
            _ => Err(RunnerError::Command(format!(
                "{tool} does not name this project's python: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            ))),
        }
    }
}

/// Whether a command's last word starts a Python, which then needs `-m pytest`.
pub(super) fn ends_in_python(words: &[OsString]) -> bool {
    let name = words.last().and_then(|word| Path::new(word).file_name());
    let Some(name) = name.and_then(OsStr::to_str) else {
        return false;
    };
    name.strip_prefix("python").is_some_and(|version| {
        version
            .chars()
            .all(|character| character.is_ascii_digit() || character == '.')
    })
}

/// The variables that a child needs to find and start the project's Python, from the ones Proctor
/// was started with: the search path, the home directory, and what version managers' shims read.
pub fn start_environment(environment: &Environment) -> Environment {
    environment
        .iter()
        .filter(|(name, _)| {
            let name = name.to_string_lossy();
            matches!(
                name.as_ref(),
                "PATH" | "HOME" | "LD_LIBRARY_PATH" | "DYLD_LIBRARY_PATH"
            ) || ["PYENV_", "ASDF_", "MISE_", "UV_", "POETRY_", "CONDA_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        })
        .cloned()
        .collect()
}

/// The words that start the project's tests, once they are known to start a pytest.
pub fn test_command(
    configured: &[String],
    checkout: &Path,
    environment: &Environment,
) -> Result<Vec<OsString>, RunnerError> {
    let words = find_python(&PythonSearch {
        configured,
        checkout,
        environment,
    })?;
    verify_pytest(words, checkout, environment)
}

/// Ends with 0 if pytest is there, without the time that importing it takes, and says which Python that is.
const FIND_PYTEST: &str = "import importlib.util, sys; print(sys.executable); \
     sys.exit(importlib.util.find_spec('pytest') is None)";

/// Asks the command once whether it has pytest. What comes back starts the same Python, without a version
/// manager's shim in between: it would choose anew at every start, for longer than many suites take.
pub fn verify_pytest(
    words: Vec<OsString>,
    directory: &Path,
    environment: &Environment,
) -> Result<Vec<OsString>, RunnerError> {
    let (program, rest) = words.split_first().ok_or(RunnerError::NoPython)?;
    if rest.is_empty() && is_in_virtual_environment(Path::new(program)) {
        return Ok(words);
    }
    let arguments: &[&str] = if ends_in_python(&words) {
        &["-c", FIND_PYTEST]
    } else {
        &["--version"]
    };
    let output = Tool::new(program, directory)
        .arguments(rest.iter().cloned())
        .arguments(arguments)
        .variables(start_environment(environment))
        .variable("PYTHONDONTWRITEBYTECODE", "1")
        .variable("PYTHONSAFEPATH", "1")
        .capture()?;
    if output.success() {
        let named = String::from_utf8_lossy(&output.stdout);
        let named = Path::new(named.trim());
        let is_shim = rest.is_empty() && is_shim(Path::new(program)) && named.is_absolute();
        return Ok(if is_shim { vec![named.into()] } else { words });
    }
    let python = shown(&words);
    let hint = if rest.is_empty() && ends_in_python(&words) && !is_in_environment(program) {
        // Many systems refuse to install anything into a Python of their own.
        format!(
            "make an environment with it: {python} -m venv .venv && .venv/bin/python -m pip install pytest"
        )
    } else if ends_in_python(&words) {
        format!("install it with: {python} -m pip install pytest")
    } else {
        "check `[test] command` in proctor.toml".to_owned()
    };
    Err(RunnerError::PytestMissing { python, hint })
}

/// Whether a Python belongs to a virtual environment.
fn is_in_environment(program: impl AsRef<Path>) -> bool {
    let environment = program.as_ref().parent().and_then(Path::parent);
    environment.is_some_and(|directory| directory.join("pyvenv.cfg").is_file())
}

/// Whether a version manager put a small program there that looks for the Python to start: pyenv, asdf and
/// mise keep theirs in a directory of that name. Other programs in a Python's place may have set something
/// up for it, and stay.
fn is_shim(program: &Path) -> bool {
    let directory = program.parent().and_then(Path::file_name);
    directory.is_some_and(|name| name == "shims")
}

/// Whether a virtual environment's own packages have pytest; seen without starting its Python, which
/// takes longer than everything else before the first model call.
fn is_in_virtual_environment(python: &Path) -> bool {
    let Some(directory) = python.parent().and_then(Path::parent) else {
        return false;
    };
    let versions = std::fs::read_dir(directory.join("lib"))
        .into_iter()
        .flatten()
        .flatten();
    let mut packages = versions.map(|version| version.path().join("site-packages"));
    directory.join("pyvenv.cfg").is_file()
        && packages.any(|packages| packages.join("pytest/__init__.py").is_file())
}

/// A command as a person would type it.
pub(super) fn shown(words: &[OsString]) -> String {
    shell_words::join(words.iter().map(|word| word.to_string_lossy()))
}
