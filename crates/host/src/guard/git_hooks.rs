//! Git's own hooks: nothing becomes part of a branch that no gate has accepted.
//!
//! `reference-transaction` runs for every way in which git moves a branch, `--no-verify` and plumbing included. A
//! program that does not use git, or disables its hooks, bypasses it: see `docs/other-agents.md`.

use std::fs;
use std::path::PathBuf;

use proctor_core::object_id::CommitId;

use super::{Guard, GuardError};
use crate::git::Repository;
use crate::run_data::guard_beginning;

/// The git hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitHook {
    /// Before refs are moved.
    ReferenceTransaction,
    /// Before commits go elsewhere.
    PrePush,
}

impl GitHook {
    /// Both hooks.
    pub const ALL: [Self; 2] = [Self::ReferenceTransaction, Self::PrePush];

    /// Git's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReferenceTransaction => "reference-transaction",
            Self::PrePush => "pre-push",
        }
    }

    /// The line that does it.
    pub fn line(self) -> String {
        format!("proctor guard hook git {} \"$@\"", self.name())
    }

    /// The whole hook. Only `prepared` can still be refused, and git asks often.
    pub(super) fn script(self) -> String {
        let early = match self {
            Self::ReferenceTransaction => "[ \"$1\" = prepared ] || exit 0\n",
            Self::PrePush => "",
        };
        format!(
            "#!/bin/sh\n# Proctor's guard; `proctor guard uninstall` removes it.\n{early}exec {}\n",
            self.line()
        )
    }

    /// Where git looks for it.
    pub(super) fn path(self, repository: &Repository) -> Result<PathBuf, GuardError> {
        Ok(repository.hooks_directory()?.join(self.name()))
    }
}

/// Whether git's hooks are Proctor's.
pub fn git_hooks_installed(repository: &Repository) -> Result<bool, GuardError> {
    for hook in GitHook::ALL {
        let path = hook.path(repository)?;
        let text = fs::read_to_string(path).unwrap_or_default();
        if !text.contains(&format!("proctor guard hook git {}", hook.name())) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A ref that is about to move, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The ref's full name.
    pub reference: String,
    /// The commit that it is to lead to.
    pub commit: CommitId,
}

impl Update {
    /// Reads a hook's standard input. Only branches count; the deletion of a branch needs no verdict.
    pub fn read(hook: GitHook, input: &str) -> Vec<Self> {
        let updates = input.lines().filter_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let (commit, reference) = match (hook, &words[..]) {
                (GitHook::ReferenceTransaction, [_, new, reference]) => (new, reference),
                (GitHook::PrePush, [_, new, remote, _]) => (new, remote),
                _ => return None,
            };
            let is_branch = reference.starts_with("refs/heads/") || *reference == "HEAD";
            let counts = is_branch || hook == GitHook::PrePush;
            let commit = CommitId::parse(commit).ok().filter(|_| counts)?;
            let gone = commit.as_str().bytes().all(|byte| byte == b'0');
            (!gone).then(|| Self {
                reference: (*reference).to_owned(),
                commit,
            })
        });
        updates.collect()
    }
}

impl Guard<'_> {
    /// Commits that would become part of a branch, or be pushed, and that were not accepted; a line each.
    pub fn declined(&self, hook: GitHook, updates: &[Update]) -> Result<Vec<String>, GuardError> {
        let refs = self.place.repository.refs();
        let beginning = fs::read_to_string(guard_beginning(self.place.repository));
        let beginning = beginning.unwrap_or_default();
        let mut known = vec!["--remotes"];
        if hook == GitHook::ReferenceTransaction {
            known.push("--branches");
        }
        for commit in beginning.lines() {
            if refs.commit(commit)?.is_some() {
                known.push(commit);
            }
        }
        let mut lines: Vec<String> = Vec::new();
        for update in updates {
            // A tag may name an object that is not a commit.
            let commit = self
                .place
                .repository
                .refs()
                .commit(update.commit.as_str())?;
            let Some(commit) = commit else { continue };
            for line in self.unjudged(&commit, &known)? {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }
}
