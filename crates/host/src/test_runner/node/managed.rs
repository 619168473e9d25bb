//! A vitest that Proctor keeps for itself, for `demo`: installed once by npm.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::RunnerError;
use crate::files::write_own;
use crate::process::{Tool, find_program, variable};
use crate::test_runner::cached::{cached, last_lines, name_of};

/// The installed package. A major version of vitest may change interfaces that the reporter relies on.
const REQUIREMENT: &str = "vitest@^4";

/// A directory in the cache whose `node_modules` has vitest, made if it does not exist; [`farm`](super::farm) gives it
/// to a project.
///
/// `environment` is the person's own, whole: it carries their configuration of npm.
pub fn managed_packages(
    cache_directory: &Path,
    environment: &[(OsString, OsString)],
) -> Result<PathBuf, RunnerError> {
    let path = variable(environment, "PATH").unwrap_or_default();
    let is_whole = |directory: &Path| directory.join("node_modules/vitest/package.json").is_file();
    let make = |directory: &Path| {
        let npm = find_program(Path::new("npm"), path, cache_directory);
        let npm = npm.ok_or(RunnerError::NoNpm)?;
        let manifest = directory.join("package.json");
        write_own(&manifest, b"{\"private\": true}\n")
            .map_err(|error| RunnerError::file("write", &manifest, error))?;
        let output = Tool::new(npm, directory)
            .arguments(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .arguments(["--loglevel=error", REQUIREMENT])
            .variables(environment.iter().cloned())
            .capture()?;
        if output.success() {
            return Ok(());
        }
        Err(RunnerError::Packages {
            directory: directory.to_owned(),
            reason: last_lines(&output),
        })
    };
    let name = name_of("vitest", [REQUIREMENT.as_bytes()]);
    cached(cache_directory, &name, is_whole, make)
}
