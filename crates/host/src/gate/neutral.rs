//! What of a project may read a file that looks as if nothing did.

use proctor_core::gate::Readers;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;

use crate::git::{ChangedFile, GitError, Repository};

/// The Python files and test configuration of a tree.
#[derive(Debug, Default)]
pub(super) struct ProjectTexts(Vec<(ProjectPath, String)>);

impl ProjectTexts {
    /// Reads them, if a file differs of which only they can tell what it means.
    pub(super) fn read(
        repository: &Repository,
        tree: &TreeId,
        changed: &[ChangedFile],
    ) -> Result<Self, GitError> {
        if changed.iter().all(|file| file.path.ends_with(b".py")) {
            return Ok(Self::default());
        }
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
