//! A Python with pytest for the tests that run the real thing.
//!
//! It is made once per build directory and shared by all test processes, because making it takes
//! seconds and needs the package index. A lock lets one process make it while the others wait; a
//! marker that is written last tells a whole environment from one whose making was interrupted.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The installed package. It is also the marker's content, so that another version is another environment.
const REQUIREMENT: &str = "pytest>=8,<10";

/// Variables that the installation may need to reach a package index, besides all of `PIP_…`.
const NETWORK_VARIABLES: [&str; 12] = [
    "ALL_PROXY",
    "CURL_CA_BUNDLE",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "PATH",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "XDG_CACHE_HOME",
];

/// The path of a Python that has pytest.
pub fn pytest_python() -> PathBuf {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON
        .get_or_init(|| environment_in(&build_directory().join("testkit"), make))
        .clone()
}

pub(crate) fn build_directory() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let directory = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => workspace.join(directory),
        None => workspace.join("target"),
    };
    fs::create_dir_all(&directory).expect("the build directory is writable");
    fs::canonicalize(&directory).expect("the build directory exists")
}

/// Makes the environment unless it exists, and returns its Python.
fn environment_in(directory: &Path, make: fn(&Path)) -> PathBuf {
    fs::create_dir_all(directory).expect("the build directory is writable");
    let environment = directory.join("pytest");
    let python = environment.join("bin/python");
    let marker = environment.join("complete");

    let lock =
        File::create(directory.join("pytest.lock")).expect("the build directory is writable");
    // Released with the file, even if this process is killed.
    lock.lock().expect("the file system has locks");
    if fs::read_to_string(&marker).is_ok_and(|content| content == REQUIREMENT) && answers(&python) {
        return python;
    }
    if environment.exists() {
        fs::remove_dir_all(&environment).expect("the half-made environment is ours to remove");
    }
    make(&environment);
    fs::write(&marker, REQUIREMENT).expect("the build directory is writable");
    python
}

fn make(environment: &Path) {
    let python = environment.join("bin/python");
    run(set_up_command("python3")
        .args(["-m", "venv"])
        .arg(environment));
    run(set_up_command(&python).args(["-m", "pip", "install", "--quiet", REQUIREMENT]));
    run(set_up_command(&python).args(["-m", "pytest", "--version"]));
}

/// Whether the Python starts; it does not when the one it was made from has been removed since.
fn answers(python: &Path) -> bool {
    set_up_command(python)
        .args(["-c", "import pytest"])
        .output()
        .is_ok_and(|output| output.status.success())
}

pub(crate) fn set_up_command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| {
            let name = name.to_string_lossy().to_ascii_uppercase();
            name.starts_with("PIP_") || NETWORK_VARIABLES.contains(&name.as_str())
        }))
        .stdin(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(
        output.status.success(),
        "the environment with pytest could not be made: {command:?} failed\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_shared_python_has_a_pytest_that_answers() {
        assert!(answers(&pytest_python()));
    }

    /// Stands in for the real environment, which needs the package index: a Python that always answers.
    fn make_stand_in(environment: &Path) {
        fs::create_dir_all(environment.join("bin")).unwrap();
        symlink("/bin/true", environment.join("bin/python")).unwrap();
    }

    #[test]
    fn a_half_made_environment_is_recreated_and_a_whole_one_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let left_behind = directory.path().join("pytest/left-behind");
        fs::create_dir_all(left_behind.parent().unwrap()).unwrap();
        fs::write(&left_behind, "").unwrap();
        let python = environment_in(directory.path(), make_stand_in);
        assert!(answers(&python));
        assert!(!left_behind.exists());

        let kept = environment_in(directory.path(), |_| panic!("it is there already"));
        assert_eq!(kept, python);
    }

    #[test]
    fn an_environment_of_another_version_is_recreated() {
        let directory = tempfile::tempdir().unwrap();
        make_stand_in(&directory.path().join("pytest"));
        let marker = directory.path().join("pytest/complete");
        fs::write(&marker, "pytest>=1").unwrap();
        environment_in(directory.path(), make_stand_in);
        assert_eq!(fs::read_to_string(&marker).unwrap(), REQUIREMENT);
    }
}
