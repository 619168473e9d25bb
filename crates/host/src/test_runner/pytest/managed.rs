//! A virtual environment with pytest that Proctor keeps for itself.
//!
//! For projects without one of their own, for `demo` and for Proctor's tests. It is made once per
//! interpreter.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::process::{Tool, ToolOutput};

use super::RunnerError;
use crate::test_runner::cached::{cached, last_lines, name_of};

/// The installed package. A major version of pytest may change interfaces that the plugin relies on.
const REQUIREMENT: &str = "pytest>=8,<10";
/// Its interpreter.
const PYTHON: &str = "bin/python";

/// The Python of a cached environment with pytest, made if it does not exist.
///
/// `environment` is the person's own, whole: it carries their configuration of pip.
pub fn managed_environment(
    cache_dir: &Path,
    python: &Path,
    environment: &[(OsString, OsString)],
) -> Result<PathBuf, RunnerError> {
    let words = [
        python.as_os_str().as_encoded_bytes(),
        REQUIREMENT.as_bytes(),
    ];
    let is_whole = |directory: &Path| directory.join(PYTHON).is_file();
    let make = |directory: &Path| {
        let failed = |output: &ToolOutput| RunnerError::Environment {
            directory: directory.to_owned(),
            reason: last_lines(output),
        };
        let run = |program: &Path, arguments: &[&str]| {
            Tool::new(program, cache_dir)
                .arguments(arguments.iter().copied())
                .variables(usable(environment))
                .capture()
        };
        let target = directory.display().to_string();
        let output = run(python, &["-m", "venv", &target])?;
        if !output.success() {
            return Err(failed(&output));
        }
        let made = directory.join(PYTHON);
        let output = run(&made, &["-m", "pip", "install", "--quiet", REQUIREMENT])?;
        if output.success() {
            Ok(())
        } else {
            Err(failed(&output))
        }
    };
    let directory = cached(cache_dir, &name_of("pytest", words), is_whole, make)?;
    Ok(directory.join(PYTHON))
}

/// An active virtual environment or module path would leak into the new one.
fn usable(environment: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    environment
        .iter()
        .filter(|(name, _)| {
            let name = name.to_string_lossy();
            !name.starts_with("PYTHON") && name != "VIRTUAL_ENV" && name != "PIP_TARGET"
        })
        .cloned()
        .collect()
}
