//! Telling one state of a Python and its packages from another, without starting it.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::environment::ends_in_python;
use super::run::virtual_environment;

/// The interpreter and its installed packages, as names, sizes and times. None where tests can load code that this does
/// not show: through a command of the project's own, or by a link to code that lies neither there nor in the checkout.
pub fn installed(command: &[OsString], checkout: &Path, home: Option<&Path>) -> Option<String> {
    if command.len() != 1 || !ends_in_python(command) {
        return None;
    }
    let python = fs::canonicalize(command.first()?).ok()?;
    let mut told = format!("{} ", python.display());
    tell(&mut told, &fs::metadata(&python).ok()?);
    let mut libraries = Vec::new();
    let has_base = if let Some(directory) = virtual_environment(command) {
        let configuration = fs::read_to_string(directory.join("pyvenv.cfg")).ok()?;
        told.push_str(&configuration);
        libraries.push(directory.join("lib"));
        has_system_packages(&configuration)
    } else {
        true
    };
    if has_base {
        libraries.extend(base_libraries(&python, home)?);
    }
    for library in libraries {
        for directory in package_directories(&library) {
            let _ = writeln!(told, "{}", directory.display());
            tell_packages(&mut told, &directory, checkout)?;
        }
    }
    Some(told)
}

/// Where a Python outside of a virtual environment finds packages: beside itself, what an administrator added to the
/// system's, and the user's own.
fn base_libraries(python: &Path, home: Option<&Path>) -> Option<Vec<PathBuf>> {
    let prefix = python.parent().filter(|parent| parent.ends_with("bin"))?;
    let prefix = prefix.parent()?;
    let mut libraries = vec![prefix.join("lib"), prefix.join("local/lib")];
    libraries.extend(home.map(|home| home.join(".local/lib")));
    Some(libraries)
}

/// The directories of packages of every version of Python in a library, in a fixed order.
pub(super) fn package_directories(library: &Path) -> Vec<PathBuf> {
    let versions = sorted(library).unwrap_or_default().into_iter();
    let versions = versions.filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("python") || name.starts_with("pypy")
    });
    versions
        .flat_map(|version| {
            let version = library.join(version);
            ["site-packages", "dist-packages"].map(|name| version.join(name))
        })
        .filter(|directory| directory.is_dir())
        .collect()
}

fn tell_packages(told: &mut String, packages: &Path, checkout: &Path) -> Option<()> {
    // Bytecode that Python adds is nothing new.
    for name in sorted(packages)?
        .into_iter()
        .filter(|name| name != "__pycache__")
    {
        let path = packages.join(&name);
        let _ = write!(told, "{} ", name.display());
        // The system's packages may have links that lead nowhere.
        let facts = fs::metadata(&path).or_else(|_| fs::symlink_metadata(&path));
        tell(told, &facts.ok()?);
        if is_link(&name.to_string_lossy()) {
            let text = fs::read_to_string(&path).ok()?;
            if leads_elsewhere(&text, checkout) {
                return None;
            }
            told.push_str(&text);
        }
    }
    Some(())
}

fn has_system_packages(configuration: &str) -> bool {
    configuration.lines().any(|line| {
        line.split_once('=').is_some_and(|(key, value)| {
            key.trim() == "include-system-site-packages" && value.trim() != "false"
        })
    })
}

/// Whether a file of this name makes Python look for modules in other places.
fn is_link(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension == "pth" || extension == "egg-link")
        || name.starts_with("__editable__")
}

/// Whether such a file names a place outside of the checkout from which Python could load code.
fn leads_elsewhere(text: &str, checkout: &Path) -> bool {
    text.split(|character: char| character.is_whitespace() || "'\"".contains(character))
        .filter(|word| word.starts_with('/'))
        .map(Path::new)
        .any(|path| !path.starts_with(checkout) && !is_plain_data(path))
}

/// Whether a path is a file that Python does not take for code, such as a certificate. A directory may hold code, and so
/// may anything that does not exist yet.
fn is_plain_data(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    path.is_file()
        && matches!(
            extension,
            Some("pem" | "crt" | "txt" | "json" | "cfg" | "toml" | "log")
        )
}

fn tell(told: &mut String, facts: &Metadata) {
    let (size, seconds, rest) = (facts.size(), facts.mtime(), facts.mtime_nsec());
    let _ = writeln!(told, "{size} {seconds}.{rest}");
}

fn sorted(directory: &Path) -> Option<Vec<OsString>> {
    let entries = fs::read_dir(directory).ok()?;
    let mut names: Vec<OsString> = entries
        .map(|entry| Some(entry.ok()?.file_name()))
        .collect::<Option<_>>()?;
    names.sort();
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_own;

    struct Environment(tempfile::TempDir);

    impl Environment {
        fn new() -> Self {
            let made = Self(tempfile::tempdir().expect("a directory"));
            made.write(
                "venv/pyvenv.cfg",
                "home = /usr/bin\ninclude-system-site-packages = false\n",
            );
            made.write("venv/bin/python", "");
            made.write("venv/lib/python3.11/site-packages/a.py", "A = 1\n");
            made
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.path().join(name);
            write_own(&path, text.as_bytes()).expect("a file");
        }

        fn installed(&self) -> Option<String> {
            let python = self.0.path().join("venv/bin/python");
            installed(&[python.into()], &self.0.path().join("checkout"), None)
        }

        /// The same for the Python that the environment was made from.
        fn installed_in_base(&self) -> Option<String> {
            let root = self.0.path();
            let python = root.join("base/bin/python3");
            let home = root.join("home");
            installed(&[python.into()], &root.join("checkout"), Some(&home))
        }
    }

    #[test]
    fn what_is_installed_changes_with_every_package() {
        let environment = Environment::new();
        let before = environment.installed().expect("it can be told");
        assert_eq!(environment.installed(), Some(before.clone()));
        environment.write(
            "venv/lib/python3.11/site-packages/b-1.0.dist-info/METADATA",
            "",
        );
        assert_ne!(environment.installed(), Some(before));
    }

    #[test]
    fn packages_of_another_implementation_are_known_too() {
        let environment = Environment::new();
        let before = environment.installed().expect("it can be told");
        environment.write("venv/lib/pypy3.10/site-packages/b.py", "");
        assert_ne!(environment.installed(), Some(before));
    }

    #[test]
    fn a_link_into_the_checkout_is_known_and_one_to_elsewhere_is_not() {
        for (name, text, known) in [
            ("own.pth", "CHECKOUT/src\n", true),
            ("tool.pth", "import tool; tool.start()\n", true),
            (
                "__editable___own_finder.py",
                "MAPPING = {'own': 'CHECKOUT/own'}\n",
                true,
            ),
            ("other.pth", "/srv/other\n", false),
            (
                "__editable___other_finder.py",
                "MAPPING = {'other': '/srv/other'}\n",
                false,
            ),
        ] {
            let environment = Environment::new();
            let checkout = environment.0.path().join("checkout").display().to_string();
            let path = format!("venv/lib/python3.11/site-packages/{name}");
            environment.write(&path, &text.replace("CHECKOUT", &checkout));
            assert_eq!(environment.installed().is_some(), known, "{name}: {text}");
        }
    }

    #[test]
    fn a_link_line_may_name_a_certificate_and_not_a_module() {
        for (name, known) in [("own.pem", true), ("own.py", false), ("missing.pem", false)] {
            let environment = Environment::new();
            environment.write("outside/own.pem", "");
            environment.write("outside/own.py", "");
            let path = environment.0.path().join("outside").join(name);
            environment.write(
                "venv/lib/python3.11/site-packages/own.pth",
                &format!("import os; os.stat('{}')\n", path.display()),
            );
            assert_eq!(environment.installed().is_some(), known, "{name}");
        }
    }

    #[test]
    fn packages_of_a_python_without_an_environment_are_known_wherever_they_are() {
        let environment = Environment::new();
        environment.write("base/bin/python3", "");
        let mut before = environment.installed_in_base().expect("it can be told");
        for added in [
            "base/lib/python3.11/site-packages/a.py",
            "base/lib/python3/dist-packages/b.py",
            "base/local/lib/python3.11/dist-packages/c.py",
            "home/.local/lib/python3.11/site-packages/d.py",
        ] {
            environment.write(added, "");
            let after = environment.installed_in_base().expect("it can be told");
            assert_ne!(after, before, "{added}");
            before = after;
        }
        environment.write("base/lib/python3.11/site-packages/__pycache__/a.pyc", "");
        environment.write("base/lib/perl5/site-packages/a.pm", "");
        assert_eq!(environment.installed_in_base(), Some(before));
        environment.write(
            "base/lib/python3.11/site-packages/other.pth",
            "/srv/other\n",
        );
        assert_eq!(environment.installed_in_base(), None);
    }

    #[test]
    fn an_environment_with_the_packages_of_the_system_depends_on_those_too() {
        let environment = Environment::new();
        environment.write("base/bin/python3.11", "");
        let python = environment.0.path().join("venv/bin/python");
        crate::files::remove_own(&python).expect("a file");
        std::os::unix::fs::symlink(environment.0.path().join("base/bin/python3.11"), &python)
            .expect("a link");
        for (value, depends) in [("false", false), ("true", true)] {
            environment.write(
                "venv/pyvenv.cfg",
                &format!("include-system-site-packages = {value}\n"),
            );
            let before = environment.installed();
            assert!(before.is_some());
            let package = format!("base/lib/python3.11/site-packages/{value}.py");
            environment.write(&package, "");
            assert_eq!(environment.installed() != before, depends, "{value}");
        }
    }

    #[test]
    fn a_command_of_the_projects_own_is_not_known() {
        let environment = Environment::new();
        let python = environment.0.path().join("venv/bin/python");
        let checkout = environment.0.path();
        assert!(installed(&[python.into(), "-X".into()], checkout, None).is_none());
        assert!(installed(&["/usr/bin/true".into()], checkout, None).is_none());
    }
}
