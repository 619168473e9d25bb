//! Finding a program on a given search path.
//!
//! The search is done here and not by the operating system because the child's `PATH` differs
//! from Proctor's own, and because a program that is missing has to be told apart from one that
//! exits with 127.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The file that `program` names: itself if it has a directory part (taken from `directory` when
/// relative), otherwise the first executable of that name on `path`.
///
/// Symbolic links are kept as they are: a virtual environment's `python` is known by the place it
/// is called from, and a version manager's shim by its name.
pub fn find_program(program: &Path, path: &OsStr, directory: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 || program.is_absolute() {
        let file = directory.join(program);
        return is_executable(&file).then_some(file);
    }
    std::env::split_paths(path)
        .filter(|entry| entry.is_absolute())
        .map(|entry| entry.join(program))
        .find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
