//! The files of this repository, for tests about what they say.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::canonicalize(root).expect("the testkit lies in the workspace")
}

/// Every text file, neither built nor git's own, in the order of their paths from the root.
pub fn text_files() -> Vec<(PathBuf, String)> {
    let root = workspace();
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the repository is readable") {
            let entry = entry.expect("the repository is readable");
            let kind = entry.file_type().expect("the entry was just listed");
            let name = entry.file_name();
            if kind.is_dir() && name != "target" && name != ".git" {
                folders.push(entry.path());
            } else if kind.is_file()
                && name != ".git"
                && let Ok(text) = fs::read_to_string(entry.path())
            {
                let path = entry.path();
                let relative = path.strip_prefix(&root).expect("it lies in the root");
                files.push((relative.to_path_buf(), text));
            }
        }
    }
    files.sort();
    files
}
