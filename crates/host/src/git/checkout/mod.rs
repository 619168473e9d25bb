//! A person's own changes as a tree, and that tree as the next commit of their branch.
//!
//! What was shown is a tree; what is committed is that tree. Neither the index nor the files are read again in
//! between.

use std::path::{Path, PathBuf};

use proctor_core::object_id::{CommitId, TreeId};
use thiserror::Error;

use super::error::failure;
use super::invocation::Repository;
use super::objects::ChangedFile;
use super::private_index::PrivateIndex;
use super::snapshot::{Index, parse_index};
use super::{GitError, Person};
use crate::files::LockFile;
use crate::process::{Tool, ToolOutput};

/// What git is in the middle of, by the file or directory that says so.
const UNDER_WAY: [(&str, &str); 6] = [
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("sequencer", "a cherry-pick or revert of several commits"),
];

/// Where the next commit goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The branch by its full name, or `HEAD` itself where none is checked out.
    pub reference: String,
    /// The last commit; none in a new repository.
    pub commit: Option<CommitId>,
}

/// Why a commit was not made, or not finished.
#[derive(Debug, Error)]
pub enum OwnCommitError {
    /// Another process is about to change the index; nothing was committed.
    #[error("another git process works in this repository: {} is there", path.display())]
    IndexLocked {
        /// Its lock.
        path: PathBuf,
    },
    /// Git failed; nothing was committed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The branch has the commit, but what follows failed.
    #[error("committed as {}, but that could not be finished: {source}", commit.short())]
    Unfinished {
        /// The commit.
        commit: CommitId,
        /// What failed.
        source: GitError,
    },
}

/// A commit to be made of a tree.
#[derive(Debug)]
pub struct OwnCommit<'a> {
    /// Where it goes, as it was when the tree was shown.
    pub head: &'a Head,
    /// The tree of `head`.
    pub before: &'a TreeId,
    /// The approved tree.
    pub tree: &'a TreeId,
    /// Who approved.
    pub person: &'a Person,
    /// When, in seconds since 1970.
    pub seconds: i64,
    /// The message with its trailers.
    pub message: &'a str,
}

impl Repository {
    /// What git is in the middle of here, if anything; a commit now would be part of it.
    pub fn under_way(&self) -> Result<Option<&'static str>, GitError> {
        let directory = self.git_directory_of(&self.top)?;
        let found = UNDER_WAY
            .iter()
            .find(|(name, _)| directory.join(name).exists());
        Ok(found.map(|(_, words)| *words))
    }

    /// Where the next commit goes.
    pub fn head(&self) -> Result<Head, GitError> {
        let ask = |command: &str, arguments: &[&str]| -> Result<ToolOutput, GitError> {
            self.call_as_user(command)
                .variable("GIT_DIR", self.git_directory_of(&self.top)?)
                .arguments(arguments)
                .output()
        };
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
            self.remember_tree(&commit, tree);
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
            return self.tree_of(commit);
        }
        let index = PrivateIndex::new()?;
        self.write_index(&index, Vec::new())
    }

    /// The tree of what is staged, from a copy of the index; the error says so if files are in conflict.
    pub fn staged_tree(&self) -> Result<TreeId, GitError> {
        let index = Self::copy_of_index(&self.git_directory_of(&self.top)?)?;
        let output = self.call(&index, "write-tree").output()?;
        if !output.success() {
            return Err(failure("write-tree", &output));
        }
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        TreeId::parse(&text).map_err(|_| failure("write-tree", &output))
    }

    fn copy_of_index(git_directory: &Path) -> Result<PrivateIndex, GitError> {
        let index = PrivateIndex::new()?;
        match std::fs::read(git_directory.join("index")) {
            Ok(bytes) => index.fill(&bytes)?,
            // A new repository.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        Ok(index)
    }

    /// Runs the user's pre-commit hook, if there is one, as git would; its words, or the error with them.
    pub fn run_pre_commit_hook(&self) -> Result<String, GitError> {
        let output = Tool::new(&self.program, &self.top)
            .variables(self.user_environment.clone())
            .arguments(["hook", "run", "--ignore-missing", "pre-commit"])
            .capture()?;
        if !output.success() {
            return Err(failure("hook run pre-commit", &output));
        }
        let words = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
        Ok(String::from_utf8_lossy(&words).trim().to_owned())
    }

    /// Makes the commit and moves the branch, if it is still where it was; then has the index of the
    /// checkout know the files of the commit that it did not know.
    pub fn commit_own(&self, request: &OwnCommit<'_>) -> Result<CommitId, OwnCommitError> {
        let head = request.head;
        let commit = self.write_commit(
            request.tree,
            head.commit.as_ref(),
            request.person,
            request.seconds,
            request.message,
        )?;
        let known: Vec<&str> = head.commit.iter().map(CommitId::as_str).collect();
        self.flush_objects(&commit, &known)?;
        let changed = self.changed_files(request.before, request.tree)?;
        let git_directory = self.git_directory_of(&self.top)?;
        // As git does it: the index is locked before the branch moves, and replaced after that.
        let index = self.next_index(&git_directory, &changed)?;
        let old = head.commit.as_ref().map_or_else(
            || "0".repeat(commit.as_str().len()),
            |commit| commit.as_str().to_owned(),
        );
        self.call_in_checkout(&git_directory, &self.top, "update-ref")
            // For the reflog.
            .variable("GIT_COMMITTER_NAME", &request.person.name)
            .variable("GIT_COMMITTER_EMAIL", &request.person.email)
            .arguments(["-m", "proctor: commit what was approved", "--create-reflog"])
            .arguments([head.reference.as_str(), commit.as_str(), old.as_str()])
            .bytes()?;
        let finished = index.put().map_err(GitError::from).and_then(|()| {
            if head.reference == "HEAD" {
                flush_head(&git_directory)
            } else {
                self.flush_reference(&head.reference)
            }
        });
        match finished {
            Ok(()) => Ok(commit),
            Err(source) => Err(OwnCommitError::Unfinished { commit, source }),
        }
    }

    /// The checkout's index with what is to be committed, behind its lock. A file that was staged otherwise in the
    /// meantime is left as it is there.
    fn next_index(
        &self,
        git_directory: &Path,
        changed: &[ChangedFile],
    ) -> Result<LockFile, OwnCommitError> {
        let path = git_directory.join("index");
        let lock = LockFile::take(&path).map_err(GitError::from)?;
        let mut lock = lock.ok_or_else(|| OwnCommitError::IndexLocked {
            path: git_directory.join("index.lock"),
        })?;
        let index = Self::copy_of_index(git_directory)?;
        let call = |command: &str| {
            self.call_in_checkout(git_directory, &self.top, command)
                .variable("GIT_INDEX_FILE", index.file())
        };
        let listing = call("ls-files")
            .arguments(["-z", "--stage", "-v"])
            .bytes()?;
        let lines = self.lines_for(changed, &parse_index(&listing));
        call("update-index")
            .arguments(["-z", "--index-info"])
            .input(lines)
            .bytes()?;
        lock.fill(&index.bytes()?).map_err(GitError::from)?;
        Ok(lock)
    }

    /// What `update-index` has to be told so that an index has these changes.
    fn lines_for(&self, changed: &[ChangedFile], staged: &Index) -> Vec<u8> {
        let mut lines = Vec::new();
        for file in changed {
            let now = staged.get(&file.path);
            let as_before = match (&file.before, now) {
                (None, None) => true,
                (Some((mode, id)), Some(entry)) => *mode == entry.mode && id.as_str() == entry.id,
                _ => false,
            };
            if !as_before {
                continue;
            }
            let (mode, id) = match &file.after {
                Some((mode, id)) => (mode.octal(), id.as_str().to_owned()),
                None => ("0", "0".repeat(self.empty_tree.len())),
            };
            lines.extend_from_slice(format!("{mode} {id}\t").as_bytes());
            lines.extend_from_slice(&file.path);
            lines.push(0);
        }
        lines
    }
}

fn flush_head(git_directory: &Path) -> Result<(), GitError> {
    std::fs::File::open(git_directory.join("HEAD"))?.sync_all()?;
    std::fs::File::open(git_directory)?.sync_all()?;
    Ok(())
}
