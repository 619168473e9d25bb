//! A new repository with one commit, for `proctor demo`.

use std::path::Path;

use proctor_core::path::ProjectPath;

use super::error::failure;
use super::repository::Repository;
use super::{Change, CommitMessage, Discovery, FileMode, GitError};
use crate::files::Root;
use crate::process::Tool;
use crate::surroundings::Surroundings;

impl Repository {
    /// Makes a repository with branch `main` in an empty directory and commits `files`. Where git does
    /// not know the user, the message's person is written into the new repository's own configuration.
    pub fn init(
        directory: &Path,
        surroundings: &Surroundings,
        files: &[(ProjectPath, &[u8])],
        message: CommitMessage<'_>,
    ) -> Result<Self, Discovery> {
        let program = surroundings.find_program("git").ok_or(Discovery::NoGit)?;
        let output = Tool::new(program, directory)
            .variables(surroundings.only(&["PATH", "HOME", "XDG_CONFIG_HOME"]))
            .arguments(["init", "--quiet", "--initial-branch=main", "--template="])
            .capture()
            .map_err(GitError::from)?;
        if !output.success() {
            return Err(failure("init", &output).into());
        }
        let repository = Self::discover(directory, surroundings)?;
        repository.first_commit(files, message)?;
        Ok(repository)
    }

    fn first_commit(
        &self,
        files: &[(ProjectPath, &[u8])],
        message: CommitMessage<'_>,
    ) -> Result<(), GitError> {
        let CommitMessage { person, .. } = message;
        let person = if let Some(known) = self.person()? {
            known
        } else {
            for (key, value) in [("user.name", &person.name), ("user.email", &person.email)] {
                self.git
                    .call_as_user("config")
                    .arguments([key, value.as_str()])
                    .bytes()?;
            }
            person.clone()
        };
        let root = Root::open(self.top())?;
        let mut changes = Vec::new();
        for (path, content) in files {
            root.write(path, content, false)
                .map_err(|error| std::io::Error::other(error.to_string()))?;
            changes.push(Change::Write {
                path: path.clone(),
                content: content.to_vec(),
                mode: FileMode::Regular,
            });
        }
        let message = CommitMessage {
            person: &person,
            ..message
        };
        let empty = self.objects().empty_tree()?;
        let tree = self.objects().write_tree(&empty, &changes)?;
        let commit = self.objects().write_commit(&tree, &[], message)?;
        self.refs().keep("refs/heads/main", commit.as_str())?;
        self.git
            .call_in_checkout(self.common_directory(), self.top(), "read-tree")
            .arguments([commit.as_str()])
            .bytes()?;
        Ok(())
    }
}
