//! Packages of the JavaScript world for the tests that run the real runners.
//!
//! They are installed by npm once per build directory and shared by all test processes. A lock lets one process install while
//! the others wait; a marker that is written last tells a whole directory from one whose making was interrupted.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::pytest::{build_directory, set_up_command};

/// A directory with these packages in its `node_modules`, shared by all callers that ask for the same ones and not to
/// be written to; or why it is unavailable.
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

/// npm in a directory, with the registry settings of the person's environment.
pub(crate) fn npm(directory: &Path) -> Command {
    let configuration = std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        name.starts_with("npm_config_") || name == "node_extra_ca_certs"
    });
    let mut command = set_up_command("npm");
    command.current_dir(directory).envs(configuration);
    command
}

fn install(directory: &Path, requirements: &[&str]) -> Result<(), String> {
    let mut command = npm(directory);
    command
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

/// Puts everything that a project's `package.json` asks for into its `node_modules`: links to the installed packages
/// that it needs for development, and to its own packages that it lists as workspaces. Nothing to do where there is no
/// such file; why not, where it cannot be done.
pub fn link_packages(project: &Path) -> Result<(), String> {
    let Some(package) = package_of(project) else {
        return Ok(());
    };
    link_requirements(project, &requirements(&package))?;
    let places = package["workspaces"].as_array().into_iter().flatten();
    for place in places.filter_map(Value::as_str) {
        link_workspace(project, place);
    }
    Ok(())
}

/// The directory with the packages that a project needs for development, if it needs any; or why its tests cannot be run.
pub fn packages_of(project: &Path) -> Result<Option<PathBuf>, String> {
    let Some(package) = package_of(project) else {
        return Ok(None);
    };
    let requirements = requirements(&package);
    packages_for(&requirements)
}

/// The directory with these packages, if there are any; or why tests of JavaScript cannot be run.
fn packages_for(requirements: &[String]) -> Result<Option<PathBuf>, String> {
    if !has_program("node") {
        return Err("there is no node".to_owned());
    }
    let requirements: Vec<&str> = requirements.iter().map(String::as_str).collect();
    if requirements.is_empty() {
        return Ok(None);
    }
    node_packages(&requirements).map(Some)
}

/// Has these packages in a project's `node_modules`, as links; or says why not.
pub(crate) fn link_requirements(project: &Path, requirements: &[String]) -> Result<(), String> {
    if let Some(installed) = packages_for(requirements)? {
        link_entries(
            &installed.join("node_modules"),
            &project.join("node_modules"),
        );
    }
    Ok(())
}

fn package_of(directory: &Path) -> Option<Value> {
    let text = fs::read_to_string(directory.join("package.json")).ok()?;
    Some(serde_json::from_str(&text).expect("a package.json"))
}

fn has_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|place| place.join(name).is_file())
}

/// `name@range` of every package that is needed for development.
fn requirements(package: &Value) -> Vec<String> {
    let needed = package["devDependencies"].as_object().into_iter().flatten();
    needed
        .filter_map(|(name, range)| Some(format!("{name}@{}", range.as_str()?)))
        .collect()
}

/// A link for each package, so that the directory itself is the project's own.
fn link_entries(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the checkout is writable");
    for entry in fs::read_dir(from).expect("packages were installed") {
        let entry = entry.expect("readable");
        let place = to.join(entry.file_name());
        if entry.file_name().as_encoded_bytes().starts_with(b"@") {
            link_entries(&entry.path(), &place);
        } else {
            symlink(entry.path(), place).expect("the checkout is writable");
        }
    }
}

/// The link by which a package of the project's own is found, as npm makes it.
fn link_workspace(project: &Path, place: &str) {
    let package = package_of(&project.join(place)).expect("a package of the project's own");
    let name = package["name"].as_str().expect("a name");
    let link = project.join("node_modules").join(name);
    fs::create_dir_all(link.parent().expect("a parent")).expect("the checkout is writable");
    let up = "../".repeat(name.split('/').count());
    symlink(format!("{up}{place}"), link).expect("the checkout is writable");
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
    fn a_half_made_directory_is_recreated_and_a_whole_one_is_kept() {
        let all = tempfile::tempdir().expect("a directory");
        let made = node_packages_in(all.path(), &["a"], make).expect("made");
        assert!(made.join("node_modules/a").is_dir());
        let kept = node_packages_in(all.path(), &["a"], |_, _| panic!("it is there already"));
        assert_eq!(kept.as_ref(), Ok(&made));
        fs::remove_file(made.join("complete")).expect("removed");
        fs::write(made.join("left-behind"), "").expect("written");
        let again = node_packages_in(all.path(), &["a"], make).expect("made");
        assert!(!again.join("left-behind").exists());
        let other = node_packages_in(all.path(), &["b"], make).expect("made");
        assert_ne!(other, made);
    }

    #[test]
    fn a_project_gets_links_to_its_own_packages_and_nothing_without_a_file() {
        let project = tempfile::tempdir().expect("a directory");
        assert_eq!(link_packages(project.path()), Ok(()));
        assert!(!project.path().join("node_modules").exists());
        if !has_program("node") {
            return;
        }
        fs::create_dir_all(project.path().join("packages/text")).expect("made");
        let write = |path: &str, text: &str| fs::write(project.path().join(path), text);
        write("package.json", r#"{"workspaces":["packages/text"]}"#).expect("written");
        write("packages/text/package.json", r#"{"name":"@own/text"}"#).expect("written");
        assert_eq!(link_packages(project.path()), Ok(()));
        let link = fs::read_link(project.path().join("node_modules/@own/text"));
        assert_eq!(link.expect("a link"), Path::new("../../packages/text"));
        assert!(
            project
                .path()
                .join("node_modules/@own/text/package.json")
                .is_file()
        );
    }

    #[test]
    fn what_cannot_be_installed_is_said_and_tried_again() {
        let all = tempfile::tempdir().expect("a directory");
        let failed = node_packages_in(all.path(), &["a"], |_, _| Err("no network".to_owned()));
        assert_eq!(failed, Err("no network".to_owned()));
        assert!(node_packages_in(all.path(), &["a"], make).is_ok());
    }
}
