//! What a person should know about their repository before a run begins.

use proctor_core::object_id::TreeId;

use super::invocation::Repository;
use super::{Entries, GitError};

impl Repository {
    /// Whether tracked files of the user's checkout differ from its commit. Such changes are no part of
    /// a run, which starts from the commit.
    pub fn has_local_changes(&self) -> Result<bool, GitError> {
        let directory = self.git_directory_of(&self.top)?;
        let changes = self
            .call_in_checkout(&directory, &self.top, "status")
            .arguments([
                "--porcelain",
                "-z",
                "--untracked-files=no",
                "--ignore-submodules=all",
            ])
            .bytes()?;
        Ok(!changes.is_empty())
    }

    /// The attribute files of a tree that hand files to a filter program, such as large-file storage.
    /// The tests see those files as git stores them.
    pub fn filtered_by(&self, tree: &TreeId, entries: &Entries) -> Result<Vec<String>, GitError> {
        let is_attributes =
            |path: &&str| *path == ".gitattributes" || path.ends_with("/.gitattributes");
        let paths: Vec<&str> = entries
            .keys()
            .map(String::as_str)
            .filter(is_attributes)
            .collect();
        let contents = self.files_at(tree, &paths)?;
        let found = paths.into_iter().zip(contents).filter(|(_, content)| {
            let text = String::from_utf8_lossy(content.as_deref().unwrap_or_default()).into_owned();
            text.lines()
                .any(|line| !line.trim_start().starts_with('#') && line.contains("filter="))
        });
        Ok(found.map(|(path, _)| path.to_owned()).collect())
    }
}
