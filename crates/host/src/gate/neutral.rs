//! The parts of a project that may read a file that looks unused.

use proctor_core::dialect::is_code;
use proctor_core::gate::Readers;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;

use super::change::own_test_files;
use crate::git::{ChangedFile, GitError, Repository};
use crate::settings::Settings;

/// The Python files and test configuration of a tree.
#[derive(Debug, Default)]
pub(super) struct ProjectTexts(Vec<(ProjectPath, String)>);

impl ProjectTexts {
    /// Reads them, if a file differs whose role only they can tell.
    pub(super) fn read(
        repository: &Repository,
        tree: &TreeId,
        changed: &[ChangedFile],
    ) -> Result<Self, GitError> {
        if changed.iter().all(|file| file.path.ends_with(b".py")) {
            return Ok(Self::default());
        }
        Self::of_tree(repository, tree)
    }

    /// Reads them from a tree.
    pub(super) fn of_tree(repository: &Repository, tree: &TreeId) -> Result<Self, GitError> {
        let entries = repository.objects().entries(tree)?;
        let paths = entries
            .keys()
            .filter_map(|name| ProjectPath::parse(name).ok());
        let paths: Vec<ProjectPath> = paths.filter(Readers::wants).collect();
        let names: Vec<&str> = paths.iter().map(ProjectPath::as_str).collect();
        let contents = repository.objects().files_at(tree, &names)?;
        let text = |content: Option<Vec<u8>>| {
            String::from_utf8_lossy(&content.unwrap_or_default()).into_owned()
        };
        let texts = contents.into_iter().map(text);
        Ok(Self(paths.into_iter().zip(texts).collect()))
    }

    /// As the rule takes them.
    pub(super) fn readers(&self, test_paths: &[String]) -> Readers<'_> {
        let files = self.0.iter().map(|(path, text)| (path, text.as_str()));
        Readers::new(files, test_paths)
    }
}

/// The roles of a tree's files, by their names and by their readers.
#[derive(Debug)]
pub struct Naming<'a> {
    repository: &'a Repository,
    tree: &'a TreeId,
    test_paths: Vec<String>,
}

impl<'a> Naming<'a> {
    /// By the settings of the tree, for these paths.
    pub fn new(
        repository: &'a Repository,
        tree: &'a TreeId,
        settings: &Settings,
        paths: &[&str],
    ) -> Result<Self, GitError> {
        let mut test_paths: Vec<String> = settings
            .parts()
            .flat_map(|part| part.whole_paths().collect::<Vec<_>>())
            .collect();
        test_paths.extend(own_test_files(repository, tree, paths)?);
        Ok(Self {
            repository,
            tree,
            test_paths,
        })
    }

    /// Test paths besides the usual places.
    pub fn test_paths(&self) -> &[String] {
        &self.test_paths
    }

    /// Whether nothing of the tree imports, collects or reads a file.
    pub fn is_neutral(&self, path: &ProjectPath) -> Result<bool, GitError> {
        if is_code(path) {
            return Ok(false);
        }
        let texts = ProjectTexts::of_tree(self.repository, self.tree)?;
        Ok(texts.readers(&self.test_paths).is_neutral(path))
    }
}
