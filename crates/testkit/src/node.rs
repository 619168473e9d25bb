//! Packages of the JavaScript world for the tests that run the real runners.
//!
//! They are installed by npm once per build directory and shared by all test processes. A lock lets one process install while
//! the others wait; a marker that is written last tells a whole directory from one whose making was interrupted.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::pytest::{build_directory, set_up_command};

/// A directory with these packages in its `node_modules`, shared by all who ask for the same ones and not to be written to; or
/// why it cannot be had.
pub fn node_packages(requirements: &[&str]) -> Result<PathBuf, String> {
    node_packages_in(
        &build_directory().join("testkit/node"),
        requirements,
        install,
    )
}

fn node_packages_in(
    all: &Path,
    requirements: &[&str],
    install: fn(&Path, &[&str]) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    requirements.hash(&mut hasher);
    let name = format!("{:016x}", hasher.finish());
    fs::create_dir_all(all).expect("the build directory is writable");
    let lock = File::create(all.join(format!("{name}.lock"))).expect("the directory is writable");
    // Released with the file, even if this process is killed.
    lock.lock().expect("the file system has locks");
    let directory = all.join(name);
    let (complete, marker) = (directory.join("complete"), requirements.join(" "));
    if fs::read_to_string(&complete).is_ok_and(|content| content == marker) {
        return Ok(directory);
    }
    if directory.exists() {
        fs::remove_dir_all(&directory).expect("half-made, and ours to remove");
    }
    fs::create_dir(&directory).expect("the directory is writable");
    fs::write(directory.join("package.json"), "{\"private\": true}\n").expect("just made");
    install(&directory, requirements)?;
    fs::write(&complete, marker).expect("the directory is writable");
    Ok(directory)
}

fn install(directory: &Path, requirements: &[&str]) -> Result<(), String> {
    let configuration = std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        name.starts_with("npm_config_") || name == "node_extra_ca_certs"
    });
    let mut command = set_up_command("npm");
    command
        .current_dir(directory)
        .envs(configuration)
        .args([
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
        ])
        .args(["--fetch-retries=1"])
        .args(requirements);
    let output = command
        .output()
        .map_err(|error| format!("npm does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.trim().lines().collect();
    Err(lines[lines.len().saturating_sub(3)..].join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(directory: &Path, requirements: &[&str]) -> Result<(), String> {
        let mut names = requirements.iter();
        names.try_for_each(|name| {
            let made = fs::create_dir_all(directory.join("node_modules").join(name));
            made.map_err(|error| error.to_string())
        })
    }

    #[test]
    fn a_half_made_directory_is_made_anew_and_a_whole_one_is_kept() {
        let all = tempfile::tempdir().expect("a directory");
        let made = node_packages_in(all.path(), &["a"], make).expect("made");
        assert!(made.join("node_modules/a").is_dir());
        let kept = node_packages_in(all.path(), &["a"], |_, _| panic!("it is there already"));
        assert_eq!(kept.as_ref(), Ok(&made));
        fs::remove_file(made.join("complete")).expect("removed");
        fs::write(made.join("left-behind"), "").expect("written");
        let anew = node_packages_in(all.path(), &["a"], make).expect("made");
        assert!(!anew.join("left-behind").exists());
        let other = node_packages_in(all.path(), &["b"], make).expect("made");
        assert_ne!(other, made);
    }

    #[test]
    fn what_cannot_be_installed_is_said_and_tried_again() {
        let all = tempfile::tempdir().expect("a directory");
        let failed = node_packages_in(all.path(), &["a"], |_, _| Err("no network".to_owned()));
        assert_eq!(failed, Err("no network".to_owned()));
        assert!(node_packages_in(all.path(), &["a"], make).is_ok());
    }
}
