//! The repository that a command works in, with the journal of its runs.

use std::path::Path;

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::{CommitId, TreeId};
use thiserror::Error;

use crate::clock::Clock;
use crate::git::{CommitMessage, Discovery, GitError, Person, Repository, resolved};
use crate::journal::{Journal, JournalError, RunRow};
use crate::run_data::{RunData, data_directory};
use crate::settings::{FILE_NAME, SettingsError, SettingsFile};
use crate::surroundings::Surroundings;

/// A person's repository and Proctor's data in it.
#[derive(Debug)]
pub struct Workspace {
    repository: Repository,
    clock: Clock,
}

/// The branch that a run works from and merges into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseBranch {
    /// Its name.
    pub name: String,
    /// Its last commit.
    pub tip: CommitId,
}

/// Why there is no branch to start from.
#[derive(Debug, Error)]
pub enum BaseError {
    /// No branch is checked out and none is named.
    #[error("HEAD is detached, so there is no branch to merge into")]
    Detached,
    /// There is none of that name.
    #[error("there is no branch {0:?}")]
    NoBranch(String),
    /// There is nothing to start from.
    #[error("branch {0} has no commit yet")]
    NoCommitYet(String),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Explained for BaseError {
    fn kind(&self) -> Kind {
        match self {
            Self::Detached | Self::NoBranch(_) => Kind::Usage,
            Self::NoCommitYet(_) => Kind::Environment,
            Self::Git(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![
            match self {
                Self::Detached => "name one with --base BRANCH",
                Self::NoBranch(_) => "`git branch --list` shows the branches",
                Self::NoCommitYet(_) => "make a first commit: a run needs something to start from",
                Self::Git(error) => return error.hints(),
            }
            .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for BaseError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(BaseError {
            BaseError::Detached => BaseError::Detached,
            BaseError::NoBranch(_) => BaseError::NoBranch("BRANCH".to_owned()),
            BaseError::NoCommitYet(_) => BaseError::NoCommitYet("BRANCH".to_owned()),
            BaseError::Git(_) => BaseError::Git(GitError::sample()),
        })
    }
}

/// Why the settings of a commit cannot be used.
#[derive(Debug, Error)]
pub enum CommittedSettingsError {
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// They are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

impl Explained for CommittedSettingsError {
    fn kind(&self) -> Kind {
        match self {
            Self::Git(error) => error.kind(),
            Self::Settings(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Git(error) => error.hints(),
            Self::Settings(error) => error.hints(),
        }
    }
}

impl Workspace {
    /// The repository around a directory.
    pub fn discover(
        directory: &Path,
        surroundings: &Surroundings,
        clock: Clock,
    ) -> Result<Self, Discovery> {
        let repository = Repository::discover(directory, surroundings)?;
        Ok(Self { repository, clock })
    }

    /// The same for reading history alone, for which a bare repository will do.
    pub fn discover_history(
        directory: &Path,
        surroundings: &Surroundings,
        clock: Clock,
    ) -> Result<Self, Discovery> {
        let repository = Repository::discover_history(directory, surroundings)?;
        Ok(Self { repository, clock })
    }

    /// A new repository with one commit on `main`; `person` made it, where git does not know the user.
    pub fn init(
        directory: &Path,
        surroundings: &Surroundings,
        clock: Clock,
        first: &FirstCommit<'_>,
    ) -> Result<Self, Discovery> {
        let person = Person {
            name: first.name.to_owned(),
            email: first.email.to_owned(),
        };
        let repository = Repository::init(
            directory,
            surroundings,
            first.files,
            CommitMessage {
                text: first.message,
                person: &person,
                seconds: clock.seconds(),
            },
        )?;
        Ok(Self { repository, clock })
    }

    /// The repository itself, for the rest of the host.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Whether both are checkouts of one repository.
    pub fn is_of_the_same_repository(&self, other: &Self) -> bool {
        let common = |it: &Self| resolved(it.repository.common_directory());
        common(self) == common(other)
    }

    /// The top of the checkout.
    pub fn top(&self) -> &Path {
        self.repository.top()
    }

    /// The journal; made if there is none.
    pub fn journal(&self) -> Result<Journal, JournalError> {
        Journal::open(&data_directory(&self.repository), self.clock)
    }

    /// The journal, if anything was ever recorded here.
    pub fn existing_journal(&self) -> Result<Option<Journal>, JournalError> {
        Journal::open_existing(&data_directory(&self.repository), self.clock)
    }

    /// The data of a run.
    pub fn run_data<'a>(&'a self, row: &'a RunRow) -> RunData<'a> {
        RunData::of(&self.repository, row)
    }

    /// The user's identity, if git has one.
    pub fn person(&self) -> Result<Option<Person>, GitError> {
        self.repository.person()
    }

    /// The settings of the checkout, and those of the last commit where they differ: changes are judged by the latter.
    pub fn settings_files(&self) -> Result<Vec<SettingsFile>, CommittedSettingsError> {
        let mut files = vec![SettingsFile::read(self.top())?];
        if let Some(commit) = self.current_commit()? {
            let tree = self.repository.objects().tree_of(&commit)?;
            let committed = settings_at(&self.repository, &tree)?;
            if committed.digest() != files[0].digest() {
                files.push(committed);
            }
        }
        Ok(files)
    }

    /// The branch that is checked out.
    pub fn current_branch(&self) -> Result<Option<String>, GitError> {
        self.repository.checkout()?.branch()
    }

    /// The checked-out commit.
    pub fn current_commit(&self) -> Result<Option<CommitId>, GitError> {
        match self.current_branch()? {
            Some(branch) => self.tip(&branch),
            None => self.repository.refs().commit("HEAD"),
        }
    }

    /// The named branch, or the one that is checked out.
    pub fn base(&self, wanted: Option<&str>) -> Result<BaseBranch, BaseError> {
        let name = match wanted {
            Some(branch) => branch.to_owned(),
            None => self.current_branch()?.ok_or(BaseError::Detached)?,
        };
        match self.tip(&name)? {
            Some(tip) => Ok(BaseBranch { name, tip }),
            None if wanted.is_some() => Err(BaseError::NoBranch(name)),
            None => Err(BaseError::NoCommitYet(name)),
        }
    }

    fn tip(&self, branch: &str) -> Result<Option<CommitId>, GitError> {
        let reference = format!("refs/heads/{branch}");
        self.repository.refs().commit(&reference)
    }
}

/// The settings of a commit: changes that are judged or reviewed do not say how.
pub fn settings_at(
    repository: &Repository,
    tree: &TreeId,
) -> Result<SettingsFile, CommittedSettingsError> {
    let files = repository.objects().files_at(tree, &[FILE_NAME])?;
    let text = files.into_iter().next().flatten();
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(SettingsFile::parse(&text.unwrap_or_default())?)
}

/// The contents of a new repository's first commit.
#[derive(Debug)]
pub struct FirstCommit<'a> {
    /// Whose commit it is, where git does not know the user.
    pub name: &'a str,
    /// Their address.
    pub email: &'a str,
    /// Its files.
    pub files: &'a [(proctor_core::path::ProjectPath, &'a [u8])],
    /// Its message.
    pub message: &'a str,
}
