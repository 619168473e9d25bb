//! Starting a run.

use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::CommitId;
use proctor_core::permission::Autonomy;
use proctor_core::workflow::Started;
use thiserror::Error;

use super::Inputs;
#[cfg(feature = "samples")]
use crate::git::GitError;
use crate::git::{Repository, WorktreeError, resolved};
use crate::journal::{Journal, JournalError, NewRun, RunId, RunLock, RunRow};
use crate::run_data::{worktree_of, worktrees_directory};
use crate::surroundings::Surroundings;

/// A request to start a run.
#[derive(Debug)]
pub struct StartRequest<'a> {
    /// The issue; see [`is_issue`].
    pub issue: &'a str,
    /// The branch to merge into.
    pub base_branch: &'a str,
    /// Its tip.
    pub base: CommitId,
    /// The permissions by flags.
    pub autonomy: Autonomy,
    /// Document, context, settings.
    pub inputs: &'a Inputs,
}

/// Why it did not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no place for worktrees.
    #[error("there is no directory for worktrees: HOME is not set")]
    NoStateDirectory,
    /// Worktrees would be in the repository.
    #[error("the directory for worktrees, {}, is inside the repository", .0.display())]
    StateInRepository(PathBuf),
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The branch is not free.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
}

impl Explained for StartError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoStateDirectory => Kind::Environment,
            Self::StateInRepository(_) => Kind::Usage,
            Self::Journal(error) => error.kind(),
            Self::Worktree(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::NoStateDirectory => "set PROCTOR_STATE_DIR to a directory of your own",
                Self::StateInRepository(_) => {
                    "choose a directory outside: PROCTOR_STATE_DIR or `[worktree] directory`"
                }
                Self::Journal(error) => return error.hints(),
                Self::Worktree(error) => return error.hints(),
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for StartError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(StartError {
            StartError::NoStateDirectory => StartError::NoStateDirectory,
            StartError::StateInRepository(_) => StartError::StateInRepository("PATH".into()),
            StartError::Journal(_) => StartError::Journal(JournalError::NoSuchRun("RUN".to_owned())),
            StartError::Worktree(_) => StartError::Worktree(WorktreeError::Git(GitError::sample())),
        })
    }
}

/// Whether a text can be an issue: it becomes part of a branch name and of file names.
pub fn is_issue(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let ends_well = text
        .bytes()
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric());
    let starts_well = text
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_alphanumeric());
    text.len() <= 64
        && starts_well
        && ends_well
        && text.bytes().all(allowed)
        && !text.contains("..")
        && Path::new(text)
            .extension()
            .is_none_or(|extension| extension != "lock")
}

/// The branch that a run of this issue works on.
pub fn branch_name(issue: &str) -> String {
    format!("feat/issue-{issue}")
}

/// Whether [`start`] and the first step of the run would succeed, checked without making anything.
pub fn could_start(
    repository: &Repository,
    journal: Option<&Journal>,
    surroundings: &Surroundings,
    request: &StartRequest<'_>,
) -> Result<(), StartError> {
    directory(repository, surroundings, request)?;
    let open = journal.map(|journal| journal.open_run(request.issue));
    if let Some(run) = open.transpose()?.flatten() {
        let issue = request.issue.to_owned();
        return Err(JournalError::OpenRun { issue, run }.into());
    }
    let branch = branch_name(request.issue);
    repository.worktrees().free_branch(&branch, &request.base)?;
    Ok(())
}

/// Registers a run and takes it for this process.
pub fn start(
    repository: &Repository,
    journal: &mut Journal,
    surroundings: &Surroundings,
    request: &StartRequest<'_>,
) -> Result<(RunRow, RunLock), StartError> {
    let directory = directory(repository, surroundings, request)?;
    let id = RunId::new(request.issue, random());
    let worktree = worktree_of(&directory, repository, &id);
    // Taken before the run can be seen, so that no other process resumes it first.
    let lock = journal.lock(&id)?;
    journal.register(&NewRun {
        id: id.clone(),
        branch: branch_name(request.issue),
        worktree,
        started: Started {
            issue: request.issue.to_owned(),
            base_branch: request.base_branch.to_owned(),
            base: request.base.clone(),
            autonomy: request.autonomy,
        },
        inputs: serde_json::to_string(request.inputs).expect("plain fields always serialise"),
    })?;
    Ok((journal.run(id.as_str())?, lock))
}

/// Where worktrees go.
fn directory(
    repository: &Repository,
    surroundings: &Surroundings,
    request: &StartRequest<'_>,
) -> Result<PathBuf, StartError> {
    let settings = &request.inputs.settings.worktree;
    let directory = worktrees_directory(Some(repository), settings, surroundings)
        .ok_or(StartError::NoStateDirectory)?;
    // Links and `..` in the setting must not make it look like another place.
    let directory = resolved(&directory);
    let inside = |place: &Path| directory.starts_with(resolved(place));
    if inside(repository.top()) || inside(repository.common_directory()) {
        return Err(StartError::StateInRepository(directory));
    }
    Ok(directory)
}

fn random() -> [u8; 6] {
    // The standard library's hasher is keyed at random; collisions only cost a refused registration.
    let number = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
        .to_le_bytes();
    [
        number[0], number[1], number[2], number[3], number[4], number[5],
    ]
}

#[cfg(test)]
mod tests {
    use super::is_issue;

    #[test]
    fn an_issue_is_what_branch_and_file_names_can_carry() {
        for yes in ["87", "PROJ-123", "a.b_c", "x"] {
            assert!(is_issue(yes), "{yes}");
        }
        let long = "9".repeat(65);
        for no in [
            "", "-1", "1-", "a b", "a/b", "..", "a..b", "x.lock", "é", "a~1", "a^", "a:b", "@{",
            "#87", "a\n", "$(x)", &long,
        ] {
            assert!(!is_issue(no), "{no}");
        }
    }
}
