//! Public projects and the packages that their tests need, from the package registry.
//!
//! Downloads stay under the build directory, made once and shared by all test processes: a lock lets one of them fetch
//! while the others wait, and a marker that is written last shows that one is complete. Source distributions are pinned
//! by hash. A registry that cannot be reached is an error value, because a test can say that it was skipped; a file
//! with another hash than the pinned one is a panic.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::pytest::{build_directory, pytest_python, set_up_command};

/// One release of a project, as its authors published it.
#[derive(Debug, Clone)]
pub struct SourceDistribution {
    /// The project's name in the registry.
    pub name: String,
    /// The release's version.
    pub version: String,
    /// Of the archive, in hexadecimal digits.
    pub sha256: String,
}

impl SourceDistribution {
    /// The directory with its files, not to be written to; or why it cannot be had.
    pub fn unpacked(&self) -> Result<PathBuf, String> {
        let name = format!("{}-{}", self.name, self.version);
        made_once(&name, &self.sha256, |directory| {
            let requirement = directory.join("requirement.txt");
            let line = format!(
                "{}=={} --hash=sha256:{}\n",
                self.name, self.version, self.sha256
            );
            fs::write(&requirement, line).expect("the build directory is writable");
            run(pip()
                .args(["download", "--quiet", "--no-deps", "--no-binary"])
                .arg(&self.name)
                .args(["--require-hashes", "--requirement"])
                .arg(&requirement)
                .arg("--dest")
                .arg(directory))?;
            let archive = fs::read_dir(directory)
                .expect("just made")
                .map(|entry| entry.expect("readable").path())
                .find(|path| path.to_string_lossy().ends_with(".tar.gz"))
                .ok_or("the registry gave no source archive")?;
            unpack(&archive, &directory.join(FILES))
        })
        .map(|directory| directory.join(FILES))
    }
}

/// The Python of a virtual environment with these packages, shared by all callers that ask for the same ones; or why it
/// is unavailable.
pub fn python_with(requirements: &[String]) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    requirements.hash(&mut hasher);
    let name = format!("environment-{:016x}", hasher.finish());
    let directory = made_once(&name, &requirements.join(" "), |directory| {
        run(set_up_command("python3")
            .args(["-m", "venv"])
            .arg(directory))?;
        run(set_up_command(directory.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--retries=1"])
            .args(requirements))
    })?;
    Ok(directory.join("bin/python"))
}

/// The packages installed for tests of the lint stage.
const WITH_LINTERS: [&str; 3] = ["pytest>=8,<10", "ruff>=0.6,<1", "flake8>=7,<8"];

/// A Python that has pytest, ruff and flake8; the two are programs beside it.
pub fn python_with_linters() -> PathBuf {
    python_with(&WITH_LINTERS.map(str::to_owned))
        .unwrap_or_else(|problem| panic!("ruff and flake8 cannot be installed: {problem}"))
}

/// Makes `.venv` in a checkout, with a copy of another environment's packages and the project itself installed so that it
/// is loaded from the checkout; returns its Python.
pub fn install_editable(checkout: &Path, packages_of: &Path) -> Result<PathBuf, String> {
    let environment = checkout.join(".venv");
    run(set_up_command(packages_of)
        .args(["-m", "venv", "--without-pip"])
        .arg(&environment))?;
    let shared = packages_of
        .parent()
        .and_then(Path::parent)
        .expect("python lies in an environment");
    run(set_up_command("cp")
        .arg("-R")
        .arg(shared.join("lib"))
        .arg(&environment))?;
    let python = environment.join("bin/python");
    run(set_up_command(&python)
        .args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--no-build-isolation", "--editable"])
        .arg(checkout))?;
    Ok(python)
}

/// The shared pip, which does not spend minutes trying to reach an unreachable registry.
fn pip() -> Command {
    let mut command = set_up_command(pytest_python());
    command.args(["-m", "pip", "--retries=1"]);
    command
}

/// A directory that already exists with the same marker, or else is made from nothing.
pub(crate) fn made_once(
    name: &str,
    marker: &str,
    make: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let all = build_directory().join("testkit/registry");
    fs::create_dir_all(&all).expect("the build directory is writable");
    let directory = all.join(name);
    let lock = File::create(all.join(format!("{name}.lock"))).expect("the directory is writable");
    // Released with the file, even if this process is killed.
    lock.lock().expect("the file system has locks");
    let complete = directory.join("complete");
    if fs::read_to_string(&complete).is_ok_and(|content| content == marker) {
        return Ok(directory);
    }
    if directory.exists() {
        fs::remove_dir_all(&directory).expect("half-made, and ours to remove");
    }
    fs::create_dir(&directory).expect("the directory is writable");
    make(&directory)?;
    fs::write(&complete, marker).expect("the directory is writable");
    Ok(directory)
}

/// The directory of an archive's contents, beside it.
pub(crate) const FILES: &str = "files";

/// Unpacks an archive that has all of its files in one directory.
pub(crate) fn unpack(archive: &Path, into: &Path) -> Result<(), String> {
    fs::create_dir(into).expect("the build directory is writable");
    run(set_up_command("tar")
        .args(["--extract", "--gzip", "--strip-components=1", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(into))
}

pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| {
        format!(
            "{} does not start: {error}",
            command.get_program().display()
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !said.contains("DO NOT MATCH THE HASHES"),
        "the registry gave another file than the pinned one: {said}"
    );
    let lines: Vec<&str> = said.trim().lines().collect();
    Err(lines[lines.len().saturating_sub(3)..].join("; "))
}
