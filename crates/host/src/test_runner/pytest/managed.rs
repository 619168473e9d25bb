//! A virtual environment with pytest that Proctor keeps for itself.
//!
//! For projects without one of their own, for `demo` and for Proctor's tests. It is made once per
//! interpreter and shared by every process of the machine: a lock file keeps two of them from
//! making it at once, and a marker written last tells a finished one from one that was cut off.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::process::{Tool, ToolOutput};

use super::RunnerError;

/// What is installed. A major version of pytest may change what the plugin relies on.
const REQUIREMENT: &str = "pytest>=8,<10";
/// Written last.
const MARKER: &str = "proctor-complete";

/// The Python of a cached environment with pytest, made if it is not there.
///
/// `environment` is the person's own, whole: it carries their configuration of pip.
pub fn managed_environment(
    cache_dir: &Path,
    python: &Path,
    environment: &[(OsString, OsString)],
) -> Result<PathBuf, RunnerError> {
    fs::create_dir_all(cache_dir).map_err(|error| RunnerError::file("write", cache_dir, error))?;
    let cache_dir = &fs::canonicalize(cache_dir)
        .map_err(|error| RunnerError::file("read", cache_dir, error))?;
    let directory = cache_dir.join(name_for(python));
    let lock_path = directory.with_extension("lock");
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock_path)
        .map_err(|error| RunnerError::file("write", &lock_path, error))?;
    // Held until this function returns; the system releases it if the process dies.
    lock.lock()
        .map_err(|error| RunnerError::file("lock", &lock_path, error))?;
    let made = directory.join("bin/python");
    let marker = directory.join(MARKER);
    if marker.is_file() && made.is_file() {
        return Ok(made);
    }
    remove_unfinished(&directory)?;
    let failed = |output: &ToolOutput| RunnerError::Environment {
        directory: directory.clone(),
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
    let output = run(&made, &["-m", "pip", "install", "--quiet", REQUIREMENT])?;
    if !output.success() {
        return Err(failed(&output));
    }
    complete(&marker)?;
    Ok(made)
}

/// One directory for each interpreter and requirement.
fn name_for(python: &Path) -> String {
    let mut digest = Sha256::new();
    digest.update(python.as_os_str().as_encoded_bytes());
    digest.update([0]);
    digest.update(REQUIREMENT);
    let hash = digest.finalize();
    let short = hash
        .iter()
        .take(6)
        .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    format!("pytest-{short:012x}")
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

fn last_lines(output: &ToolOutput) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let text = if text.trim().is_empty() {
        String::from_utf8_lossy(&output.stdout)
    } else {
        text
    };
    let lines: Vec<&str> = text.trim().lines().collect();
    lines[lines.len().saturating_sub(5)..].join("; ")
}

#[expect(
    clippy::disallowed_methods,
    reason = "a cache of Proctor's own, outside every tree: the safe write does not apply"
)]
fn remove_unfinished(directory: &Path) -> Result<(), RunnerError> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(RunnerError::file("remove", directory, error))
        }
        _ => Ok(()),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a cache of Proctor's own, outside every tree: the safe write does not apply"
)]
fn complete(marker: &Path) -> Result<(), RunnerError> {
    fs::write(marker, REQUIREMENT).map_err(|error| RunnerError::file("write", marker, error))
}
