//! Directories that Proctor makes once in its cache and keeps.
//!
//! They are shared by every process of the machine: a lock file keeps two of them from making one at once, and a marker
//! written last tells a finished one from one that was cut off.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::RunnerError;
use crate::process::ToolOutput;

/// Written last.
const MARKER: &str = "proctor-complete";

/// A directory of this name in the cache; made by `make`, which finds nothing at its place, unless it exists and
/// `is_whole` accepts it.
pub(super) fn cached(
    cache_directory: &Path,
    name: &str,
    is_whole: impl FnOnce(&Path) -> bool,
    make: impl FnOnce(&Path) -> Result<(), RunnerError>,
) -> Result<PathBuf, RunnerError> {
    fs::create_dir_all(cache_directory)
        .map_err(|error| RunnerError::file("write", cache_directory, error))?;
    let cache_directory = fs::canonicalize(cache_directory)
        .map_err(|error| RunnerError::file("read", cache_directory, error))?;
    let directory = cache_directory.join(name);
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
    let marker = directory.join(MARKER);
    if marker.is_file() && is_whole(&directory) {
        return Ok(directory);
    }
    remove_unfinished(&directory)?;
    make(&directory)?;
    complete(&marker)?;
    Ok(directory)
}

/// A name that differs with every word.
pub(super) fn name_of<'w>(what: &str, words: impl IntoIterator<Item = &'w [u8]>) -> String {
    let mut digest = Sha256::new();
    for (index, word) in words.into_iter().enumerate() {
        if index > 0 {
            digest.update([0]);
        }
        digest.update(word);
    }
    let hash = digest.finalize();
    let short = hash
        .iter()
        .take(6)
        .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    format!("{what}-{short:012x}")
}

/// A tool's last lines.
pub(super) fn last_lines(output: &ToolOutput) -> String {
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
    fs::write(marker, "").map_err(|error| RunnerError::file("write", marker, error))
}
