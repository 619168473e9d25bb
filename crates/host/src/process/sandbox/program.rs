//! The paths that a program has to read to start at all.

use std::fs::{canonicalize, read_link, read_to_string};
use std::path::{Path, PathBuf};

use super::view::View;

/// As many as the system itself would follow.
const LONGEST_CHAIN: usize = 40;

/// Makes a program readable, with the environment it is installed in, wherever that is.
///
/// A virtual environment's `python` is a link to another one, perhaps by way of a third, and each finds its modules
/// from its own place; so does the one that `pyvenv.cfg` names.
pub(super) fn expose(view: &mut View, program: &Path) {
    let mut next = Some(program.to_owned());
    for _ in 0..LONGEST_CHAIN {
        let Some(file) = next.and_then(|file| in_canonical_directory(&file)) else {
            return;
        };
        match environment_of(&file) {
            // A rule about exactly this directory is about more than the program.
            Some(prefix) if view.rule(&prefix).is_none() => {
                let home = home_of(&prefix);
                view.expose_hidden(
                    [Some(prefix.as_path()), home.as_deref()]
                        .into_iter()
                        .flatten(),
                );
            }
            _ => view.expose_hidden([file.as_path()]),
        }
        next = read_link(&file)
            .ok()
            .map(|target| file.parent().unwrap_or(Path::new("/")).join(target));
    }
}

/// The file's own name in the directory's true one: the file itself may be a link.
pub(super) fn in_canonical_directory(file: &Path) -> Option<PathBuf> {
    Some(canonicalize(file.parent()?).ok()?.join(file.file_name()?))
}

/// The directory whose `bin` holds the program.
fn environment_of(program: &Path) -> Option<PathBuf> {
    let directory = program.parent()?;
    let prefix = directory.parent()?;
    (directory.file_name()? == "bin" && prefix.parent().is_some()).then(|| prefix.to_owned())
}

/// The environment that a virtual one was made from.
fn home_of(environment: &Path) -> Option<PathBuf> {
    let text = read_to_string(environment.join("pyvenv.cfg")).ok()?;
    let value = text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "home").then(|| value.trim().to_owned())
    })?;
    let home = canonicalize(value).ok()?;
    environment_of(&home.join("python"))
}
