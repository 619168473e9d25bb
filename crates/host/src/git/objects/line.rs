//! The line of first parents: a branch's history, commit by commit.

use proctor_core::object_id::{CommitId, TreeId};

use super::Objects;
use crate::git::GitError;
use crate::git::error::unexpected;
use crate::git::private_index::PrivateIndex;

/// One commit of it. All but the ids is its creator's claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCommit {
    /// The commit's id.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// The commit before it; none for the first, or where a shallow clone ends.
    pub parent: Option<CommitId>,
    /// The author's address.
    pub author: String,
    /// The committer's address.
    pub committer: String,
    /// When it was committed, in seconds since 1970.
    pub seconds: i64,
}

/// Separated by a byte that no field can contain.
const FORMAT: &str = "--format=%H%x00%T%x00%P%x00%ae%x00%ce%x00%ct";

/// One commit a line, as [`FORMAT`] writes it.
fn commits(bytes: &[u8]) -> Result<Vec<LineCommit>, GitError> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| read(line).ok_or_else(|| unexpected("rev-list", line)))
        .collect()
}

impl Objects<'_> {
    /// The first parents of a commit, itself first, without everything that `until` has in its history.
    pub fn line(
        &self,
        tip: &CommitId,
        until: Option<&CommitId>,
    ) -> Result<Vec<LineCommit>, GitError> {
        let index = PrivateIndex::new()?;
        let not = until.map(|commit| format!("^{commit}"));
        let bytes = self
            .git
            .call(&index, "rev-list")
            .arguments(["--first-parent", "--no-commit-header", FORMAT])
            .arguments([tip.as_str()])
            .arguments(not)
            .bytes()?;
        commits(&bytes)
    }

    /// Every commit of a history that none of these know: names of commits, `--branches`, `--remotes`.
    pub fn unknown_to(&self, tip: &CommitId, known: &[&str]) -> Result<Vec<LineCommit>, GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .git
            .call(&index, "rev-list")
            .arguments(["--no-commit-header", FORMAT, tip.as_str(), "--not"])
            .arguments(known.iter().copied())
            .bytes()?;
        commits(&bytes)
    }

    /// When a commit was made, in seconds since 1970.
    pub fn seconds_of(&self, commit: &CommitId) -> Result<i64, GitError> {
        let index = PrivateIndex::new()?;
        let text = self
            .git
            .call(&index, "rev-list")
            .arguments(["--max-count=1", "--no-commit-header", "--format=%ct"])
            .arguments([commit.as_str()])
            .text()?;
        text.parse()
            .map_err(|_| unexpected("rev-list", text.as_bytes()))
    }

    /// Whether history was cut off when the repository was cloned.
    pub fn is_shallow(&self) -> bool {
        self.git.common.join("shallow").is_file()
    }
}

fn read(line: &[u8]) -> Option<LineCommit> {
    let fields: Vec<String> = line
        .split(|byte| *byte == 0)
        .map(|field| String::from_utf8_lossy(field).into_owned())
        .collect();
    let [commit, tree, parents, author, committer, seconds] = &fields[..] else {
        return None;
    };
    let parent = match parents.split(' ').next() {
        None | Some("") => None,
        Some(first) => Some(CommitId::parse(first).ok()?),
    };
    Some(LineCommit {
        commit: CommitId::parse(commit).ok()?,
        tree: TreeId::parse(tree).ok()?,
        parent,
        author: author.clone(),
        committer: committer.clone(),
        seconds: seconds.parse().ok()?,
    })
}
