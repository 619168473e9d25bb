//! Names that lead to objects.

use std::path::Path;

use proctor_core::object_id::CommitId;

use super::GitError;
use super::durable::{flush, flush_everything};
use super::invocation::Git;
use super::private_index::PrivateIndex;

/// The repository's refs. Unlike an object, a name's target may change between two lookups.
#[derive(Debug)]
pub struct Refs<'a> {
    pub(super) git: &'a Git,
}

impl Refs<'_> {
    /// The commit that a branch, or anything else git can name, points at.
    pub fn commit(&self, revision: &str) -> Result<Option<CommitId>, GitError> {
        let found = self.git.resolve(&format!("{revision}^{{commit}}"))?;
        Ok(found.and_then(|id| CommitId::parse(&id).ok()))
    }

    /// Points a ref at an object, so that no clean-up of git's removes it.
    pub fn keep(&self, reference: &str, object: &str) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        self.git
            .call(&index, "update-ref")
            .arguments([reference, object])
            .bytes()
            .map(drop)
    }

    /// The same, and the ref is on the disk when this returns. The object has to be there before.
    pub fn keep_on_disk(&self, reference: &str, object: &str) -> Result<(), GitError> {
        self.keep(reference, object)?;
        self.flush(reference)
    }

    /// The refs below a name that ends with a slash, each with the object that it leads to.
    pub fn below(&self, prefix: &str) -> Result<Vec<(String, String)>, GitError> {
        let index = PrivateIndex::new()?;
        let text = self
            .git
            .call(&index, "for-each-ref")
            .arguments(["--format=%(refname) %(objectname)", prefix])
            .text()?;
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        Ok(pairs
            .map(|(name, object)| (name.to_owned(), object.to_owned()))
            .collect())
    }

    /// The branch that the repository's own HEAD names, by its full name: in a bare repository its main branch.
    pub fn head_branch(&self) -> Result<Option<String>, GitError> {
        let index = PrivateIndex::new()?;
        let output = self
            .git
            .call(&index, "symbolic-ref")
            .arguments(["--quiet", "HEAD"])
            .output()?;
        let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(Some(name).filter(|name| output.success() && !name.is_empty()))
    }

    /// Removes refs, if they exist.
    pub fn forget(&self, references: &[String]) -> Result<(), GitError> {
        let index = PrivateIndex::new()?;
        let lines: Vec<String> = references
            .iter()
            .map(|name| format!("delete {name}\n"))
            .collect();
        self.git
            .call(&index, "update-ref")
            .arguments(["--stdin"])
            .input(lines.concat())
            .bytes()
            .map(drop)
    }

    /// The refs whose history has a commit.
    pub(super) fn that_contain(&self, commit: &CommitId) -> Result<Vec<String>, GitError> {
        let index = PrivateIndex::new()?;
        let names = self
            .git
            .call(&index, "for-each-ref")
            .arguments(["--format=%(refname)", "--contains", commit.as_str()])
            .text()?;
        Ok(names.lines().map(str::to_owned).collect())
    }

    /// Flushes a ref that was just written, and the directories that lead to it.
    pub(super) fn flush(&self, reference: &str) -> Result<(), GitError> {
        let common: &Path = &self.git.common;
        let file = common.join(reference);
        if !flush(&file)? {
            // Refs are kept some other way (one table for all of them).
            return flush_everything(common);
        }
        for directory in file.ancestors().skip(1) {
            flush(directory)?;
            if directory == common {
                break;
            }
        }
        Ok(())
    }
}
