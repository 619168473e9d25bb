//! The user's checkout that Proctor was started in.

mod following;
mod own_commit;
mod snapshot;
mod untracked;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use proctor_core::object_id::{CommitId, TreeId};

use super::GitError;
use super::error::failure;
use super::private_index::PrivateIndex;
use super::repository::Repository;
use crate::process::{Tool, ToolOutput};

pub(super) use following::Following;
pub use own_commit::{OwnCommit, OwnCommitError};
pub use snapshot::{Snapshot, SnapshotError};
pub(super) use snapshot::{Submodules, WorkingFiles};
pub(super) use untracked::Excludes;

/// Where the next commit goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The branch by its full name, or `HEAD` itself where none is checked out.
    pub reference: String,
    /// The last commit; none in a new repository.
    pub commit: Option<CommitId>,
}

/// A checkout as it is now. Nothing here changes a file of it: a commit moves the branch and tells the index.
#[derive(Debug, Clone)]
pub struct Checkout<'a> {
    pub(super) repository: &'a Repository,
    pub(super) git_directory: PathBuf,
}

impl Checkout<'_> {
    /// The short name of the branch that is checked out, or `None` for a detached HEAD.
    pub fn branch(&self) -> Result<Option<String>, GitError> {
        // Not `--short`: that gives `heads/main` where a tag is called `main` too.
        let output = self.ask("symbolic-ref", &["--quiet", "HEAD"])?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let branch = text.strip_prefix("refs/heads/").map(str::to_owned);
        Ok(branch.filter(|_| output.success()))
    }

    /// A question that the common directory cannot answer.
    fn ask(&self, command: &str, arguments: &[&str]) -> Result<ToolOutput, GitError> {
        self.repository
            .git
            .call_as_user(command)
            .variable("GIT_DIR", &self.git_directory)
            .arguments(arguments)
            .output()
    }

    /// The first file that git tracks, of these files and those below these directories. The paths are relative to the
    /// checkout's root.
    pub fn tracked(&self, paths: &[PathBuf]) -> Result<Option<PathBuf>, GitError> {
        if paths.is_empty() {
            return Ok(None);
        }
        let git = &self.repository.git;
        let listing = git
            .call_in_checkout(&self.git_directory, &git.top, "ls-files")
            .arguments(["-z", "--cached", "--"])
            .arguments(paths)
            .bytes()?;
        let first = listing.split(|byte| *byte == 0).next();
        let first = first.filter(|name| !name.is_empty());
        Ok(first.map(|name| PathBuf::from(OsStr::from_bytes(name))))
    }

    /// The operation that git is in the middle of here, if any; a commit now would be part of it.
    pub fn under_way(&self) -> Option<&'static str> {
        let several = ("sequencer", "a cherry-pick or revert of several commits");
        under_way(&self.git_directory, several)
    }

    /// Whether tracked files differ from the commit. Such changes are not part of a run, which starts from the commit.
    pub fn has_local_changes(&self) -> Result<bool, GitError> {
        let git = &self.repository.git;
        let changes = git
            .call_in_checkout(&self.git_directory, &git.top, "status")
            .arguments([
                "--porcelain",
                "-z",
                "--untracked-files=no",
                "--ignore-submodules=all",
            ])
            .bytes()?;
        Ok(!changes.is_empty())
    }

    /// Everything in it that is not ignored, byte for byte. `announce` gets the names of the files that are about to be
    /// read; most of them differ from the commit.
    pub fn snapshot(
        &self,
        committed: &TreeId,
        announce: impl FnOnce(&[(bool, &[u8])]),
    ) -> Result<Snapshot, SnapshotError> {
        let files = WorkingFiles {
            repository: self.repository,
            top: self.repository.top(),
        };
        files.snapshot(committed, Submodules::TheirCommit, announce)
    }

    /// Where the next commit goes.
    pub fn head(&self) -> Result<Head, GitError> {
        let ask = |command: &str, arguments: &[&str]| self.ask(command, arguments);
        // All at once; the tree is asked for next.
        let words = [
            "HEAD^{commit}",
            "HEAD^{tree}",
            "--symbolic-full-name",
            "HEAD",
        ];
        let output = ask("rev-parse", &words)?;
        let text = String::from_utf8_lossy(&output.stdout);
        if let [commit, tree, name] = text.lines().collect::<Vec<_>>()[..]
            && let (Ok(commit), Ok(tree)) = (CommitId::parse(commit), TreeId::parse(tree))
            && output.success()
        {
            self.repository.objects().remember_tree(&commit, tree);
            let branch = name.starts_with("refs/heads/");
            return Ok(Head {
                reference: if branch { name } else { "HEAD" }.to_owned(),
                commit: Some(commit),
            });
        }
        // There is no commit yet, or a branch is called HEAD as well.
        let output = ask("symbolic-ref", &["--quiet", "HEAD"])?;
        let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let branch = output.success() && name.starts_with("refs/heads/");
        let output = ask("rev-parse", &["--verify", "--quiet", "HEAD^{commit}"])?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(Head {
            reference: if branch { name } else { "HEAD".to_owned() },
            commit: CommitId::parse(&commit).ok(),
        })
    }

    /// The tree of a head; the empty one in a new repository.
    pub fn tree_of_head(&self, head: &Head) -> Result<TreeId, GitError> {
        if let Some(commit) = &head.commit {
            return self.repository.objects().tree_of(commit);
        }
        let index = PrivateIndex::new()?;
        self.repository.objects().write_index(&index, Vec::new())
    }

    /// The tree of the staged files, from a copy of the index; files in conflict are an error.
    pub fn staged_tree(&self) -> Result<TreeId, GitError> {
        let index = self.copy_of_index()?;
        let output = self.repository.git.call(&index, "write-tree").output()?;
        if !output.success() {
            return Err(failure("write-tree", &output));
        }
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        TreeId::parse(&text).map_err(|_| failure("write-tree", &output))
    }

    fn copy_of_index(&self) -> Result<PrivateIndex, GitError> {
        let index = PrivateIndex::new()?;
        match std::fs::read(self.git_directory.join("index")) {
            Ok(bytes) => index.fill(&bytes)?,
            // A new repository.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        Ok(index)
    }

    /// Runs the user's pre-commit hook, if there is one, as git would; its words, or the error with them.
    pub fn run_pre_commit_hook(&self) -> Result<String, GitError> {
        let git = &self.repository.git;
        let output = Tool::new(&git.program, &git.top)
            .variables(git.user_environment.clone())
            .arguments(["hook", "run", "--ignore-missing", "pre-commit"])
            .capture()?;
        if !output.success() {
            return Err(failure("hook run pre-commit", &output));
        }
        let words = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
        Ok(String::from_utf8_lossy(&words).trim().to_owned())
    }
}

/// Git's operations in progress, by the file or directory in its git directory that marks each.
const UNDER_WAY: [(&str, &str); 5] = [
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    // Whichever branch it is of.
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
];

/// The operation in progress in a checkout; `also` counts for the caller alone.
fn under_way(git_directory: &Path, also: (&'static str, &'static str)) -> Option<&'static str> {
    let mut all = UNDER_WAY.into_iter().chain([also]);
    all.find(|(name, _)| git_directory.join(name).exists())
        .map(|(_, words)| words)
}
