//! Telling one state of a virtual environment from another, without starting its Python.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::environment::ends_in_python;
use super::run::virtual_environment;

/// The interpreter and its installed packages, as names, sizes and times. None where tests can load code that this does
/// not show: from outside of a virtual environment, through a command of the project's own, or by a link to code that
/// lies neither there nor in the checkout.
pub fn installed(command: &[OsString], checkout: &Path) -> Option<String> {
    if command.len() != 1 || !ends_in_python(command) {
        return None;
    }
    let directory = virtual_environment(command)?;
    let configuration = fs::read_to_string(directory.join("pyvenv.cfg")).ok()?;
    if has_system_packages(&configuration) {
        return None;
    }
    let python = fs::canonicalize(command.first()?).ok()?;
    let mut told = format!("{configuration}\n{} ", python.display());
    tell(&mut told, &fs::metadata(&python).ok()?);
    for library in sorted(&directory.join("lib"))? {
        let packages = directory.join("lib").join(library).join("site-packages");
        for name in sorted(&packages).unwrap_or_default() {
            let path = packages.join(&name);
            let _ = write!(told, "{} ", name.display());
            tell(&mut told, &fs::metadata(&path).ok()?);
            if is_link(&name.to_string_lossy()) {
                let text = fs::read_to_string(&path).ok()?;
                if leads_elsewhere(&text, checkout) {
                    return None;
                }
                told.push_str(&text);
            }
        }
    }
    Some(told)
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

/// Whether such a file names a place outside of the checkout.
fn leads_elsewhere(text: &str, checkout: &Path) -> bool {
    text.split(|character: char| character.is_whitespace() || "'\"".contains(character))
        .filter(|word| word.starts_with('/'))
        .any(|word| !Path::new(word).starts_with(checkout))
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
            installed(&[python.into()], &self.0.path().join("checkout"))
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
    fn packages_of_the_system_and_commands_of_the_projects_own_are_not_known() {
        let environment = Environment::new();
        let python = environment.0.path().join("venv/bin/python");
        let checkout = environment.0.path();
        assert!(installed(&[python.clone().into(), "-X".into()], checkout).is_none());
        assert!(installed(&["/usr/bin/python3".into()], checkout).is_none());
        environment.write(
            "venv/pyvenv.cfg",
            "home = /usr/bin\ninclude-system-site-packages = true\n",
        );
        assert!(environment.installed().is_none());
    }
}
