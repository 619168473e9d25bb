//! Finding the project's own Python.
//!
//! The tests need the project's dependencies, so they run with the interpreter that its developers use: the configured
//! command, the active virtual environment, the one in the checkout, the one that its lock file's tool keeps, and only
//! then the one on the search path.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::git::Repository;
use crate::process::{Environment, find_program, variable};

use super::packages::package_directories;
use super::{Inquiry, RunnerError, TestCommand};

/// Where to look.
#[derive(Debug, Clone)]
pub struct PythonSearch<'a> {
    /// The configured test command, already split into words; empty if none is configured.
    pub configured: &'a [String],
    /// The person's checkout, where virtual environments and lock files are.
    pub checkout: &'a Path,
    /// How tools are asked.
    pub inquiry: Inquiry<'a>,
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
    let active = variable(search.inquiry.environment, "VIRTUAL_ENV").map(PathBuf::from);
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

impl PythonSearch<'_> {
    fn on_path(&self, name: &str) -> Option<PathBuf> {
        let path = variable(self.inquiry.environment, "PATH").unwrap_or_default();
        find_program(Path::new(name), path, self.checkout)
    }

    /// Asks a tool once which interpreter it keeps for the checkout, so that the tests run without
    /// the tool in between: it would look for a project in the judged tree and write there.
    fn python_of(&self, program: &Path, tool: &str) -> Result<OsString, RunnerError> {
        let arguments: &[&str] = match tool {
            "uv" => &["run", "--no-sync", "python"],
            _ => &["run", "python"],
        };
        let arguments = arguments.iter().copied();
        let question = ["-c", "import sys; print(sys.executable)"];
        let words = arguments.chain(question).map(OsString::from).collect();
        let answer = self.inquiry.ask(program, words, self.checkout)?;
        match answer.printed.lines().last().map(str::trim) {
            Some(python) if answer.success && Path::new(python).is_absolute() => Ok(python.into()),
            _ => Err(RunnerError::Command(format!(
                "{tool} does not name this project's python: {}",
                answer.complaints.trim()
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

/// The variables that a child needs to find and start the project's Python, from Proctor's own: the search path, the
/// home directory, and the variables of version managers' shims.
pub(in crate::test_runner) fn start_environment(environment: &Environment) -> Environment {
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

/// The variables that start Python, without any that names the person's checkout; the programs that start `program` are
/// still found.
pub fn judged_environment(
    environment: &Environment,
    checkout: Option<&Path>,
    program: &Path,
) -> Environment {
    let mut environment = start_environment(environment);
    let Some(checkout) = checkout.map(|path| path.as_os_str().as_encoded_bytes()) else {
        return environment;
    };
    let names = |value: &OsStr| {
        let mut windows = value.as_encoded_bytes().windows(checkout.len());
        windows.any(|window| window == checkout)
    };
    environment.retain_mut(|(name, value)| {
        if name == "PATH" {
            let own = program.parent();
            let entries = std::env::split_paths(value)
                .filter(|entry| Some(entry.as_path()) == own || !names(entry.as_os_str()));
            // An entry that was split at colons contains none.
            *value = std::env::join_paths(entries).unwrap_or_default();
            return true;
        }
        !names(value)
    });
    environment
}

/// The words that start the project's tests, once they are known to start a pytest.
pub(in crate::test_runner) fn pytest_command(
    repository: &Repository,
    directory: &Path,
    configured: &[String],
    inquiry: Inquiry<'_>,
) -> Result<TestCommand, RunnerError> {
    let words = if configured.is_empty() {
        own_python(repository, directory, inquiry)?
    } else {
        // A person has trusted these words.
        find_python(&PythonSearch {
            configured,
            checkout: repository.top(),
            inquiry,
        })?
    };
    Ok(TestCommand::Pytest(verify_pytest(
        words, directory, inquiry,
    )?))
}

/// The Python that is found where none is configured. It is the person's: one that the repository brings could report
/// any result for every test.
pub fn own_python(
    repository: &Repository,
    directory: &Path,
    inquiry: Inquiry<'_>,
) -> Result<Vec<OsString>, RunnerError> {
    let search = |checkout| {
        find_python(&PythonSearch {
            configured: &[],
            checkout,
            inquiry,
        })
    };
    let words = search(directory)?;
    let parts = words.first().map(|word| parts_of(Path::new(word)));
    let inside = parts.unwrap_or_default().into_iter();
    let inside = inside.filter_map(|part| Some(part.strip_prefix(repository.top()).ok()?.into()));
    let tracked = repository
        .checkout()?
        .tracked(&inside.collect::<Vec<_>>())?;
    match tracked {
        Some(path) => Err(RunnerError::Tracked(path)),
        None => Ok(words),
    }
}

/// As many links as the system itself would follow.
const LONGEST_CHAIN: usize = 40;

/// A Python's files: the program, the target of its link, and the additions of a virtual environment to each.
fn parts_of(program: &Path) -> Vec<PathBuf> {
    let mut parts = Vec::new();
    let mut next = Some(program.to_owned());
    for _ in 0..LONGEST_CHAIN {
        let Some(file) = next else { break };
        let directory = file.parent().unwrap_or(Path::new("/"));
        let directory = directory
            .canonicalize()
            .unwrap_or_else(|_| directory.to_owned());
        let file = directory.join(file.file_name().unwrap_or_default());
        if let Some(prefix) = directory.parent().filter(|_| is_in_environment(&file)) {
            parts.push(directory.clone());
            parts.extend(["lib", "lib64", "pyvenv.cfg"].map(|name| prefix.join(name)));
        }
        next = file.read_link().ok().map(|target| directory.join(target));
        parts.push(file);
    }
    parts
}

/// The source directories of packages that a Python's environment has as links.
pub fn editable_packages(program: &Path) -> Vec<PathBuf> {
    let Some(prefix) = program.parent().and_then(Path::parent) else {
        return Vec::new();
    };
    let entries = |directory: &Path| {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let directories = package_directories(&prefix.join("lib")).into_iter();
    let packages = directories.flat_map(|directory| entries(&directory));
    let mut found = Vec::new();
    for path in packages {
        if path.extension().is_some_and(|extension| extension == "pth") {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            found.extend(
                text.lines()
                    .map(PathBuf::from)
                    .filter(|line| line.is_absolute()),
            );
        } else if let Ok(text) = std::fs::read_to_string(path.join("direct_url.json")) {
            let origin: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let url = origin["url"]
                .as_str()
                .filter(|_| origin["dir_info"]["editable"] == true);
            found.extend(
                url.and_then(|url| url.strip_prefix("file://"))
                    .map(PathBuf::from),
            );
        }
    }
    found
}

/// Exits with 0 if pytest is installed, without the time that importing it takes, and prints the interpreter.
const FIND_PYTEST: &str = "import importlib.util, sys; print(sys.executable); \
     sys.exit(importlib.util.find_spec('pytest') is None)";

/// Asks the command once whether it has pytest. The result starts the same Python, without a version manager's shim in
/// between, which would choose again at every start and take longer than many suites.
pub fn verify_pytest(
    words: Vec<OsString>,
    directory: &Path,
    inquiry: Inquiry<'_>,
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
    let arguments = arguments.iter().map(OsString::from);
    let arguments = rest.iter().cloned().chain(arguments).collect();
    let answer = inquiry.ask(Path::new(program), arguments, directory)?;
    if answer.success {
        let named = Path::new(answer.printed.trim());
        let is_shim = rest.is_empty() && is_shim(Path::new(program)) && named.is_absolute();
        return Ok(if is_shim { vec![named.into()] } else { words });
    }
    let python = shown(&words);
    let hint = if rest.is_empty() && ends_in_python(&words) && !is_in_environment(program) {
        // Many systems refuse to install anything into a Python of their own.
        format!(
            "make an environment with it: `{python} -m venv .venv && .venv/bin/python -m pip install pytest`"
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
    let mut packages = package_directories(&directory.join("lib")).into_iter();
    directory.join("pyvenv.cfg").is_file()
        && packages.any(|packages| packages.join("pytest/__init__.py").is_file())
}

/// A command as a person would type it.
pub(super) fn shown(words: &[OsString]) -> String {
    shell_words::join(words.iter().map(|word| word.to_string_lossy()))
}
