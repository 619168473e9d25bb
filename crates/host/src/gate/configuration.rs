//! Test configuration is the base commit's while a tree is judged, regardless of the tree.

use proctor_core::dialect;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;

use super::GateError;
use super::arbiter::Sitting;

/// A file that is checked out differently from the tree.
pub(super) type Held = (ProjectPath, Option<Vec<u8>>);

impl Sitting<'_, '_> {
    /// Checks out a tree with the base's test configuration.
    pub(super) fn show_held(&mut self, tree: &TreeId) -> Result<(), GateError> {
        let held = self.held(tree)?;
        self.show(tree)?;
        for (path, content) in held {
            self.bench().alter(&path, content.as_deref())?;
        }
        Ok(())
    }

    /// The files that are the base's while a tree is judged, and their contents; none if they do not exist.
    pub(super) fn held(&self, tree: &TreeId) -> Result<Vec<Held>, GateError> {
        let (repository, base) = (self.arbiter.place.repository, self.base);
        let mut held = Vec::new();
        for file in repository.objects().changed_files(base, tree)? {
            let Some(path) = std::str::from_utf8(&file.path)
                .ok()
                .and_then(|path| ProjectPath::parse(path).ok())
                .filter(dialect::is_test_configuration)
            else {
                continue;
            };
            let at = |tree| repository.objects().files_at(tree, &[path.as_str()]);
            let before = at(base)?.pop().flatten();
            let after = at(tree)?.pop().flatten();
            let content = dialect::held(&path, before.as_deref(), after.as_deref());
            held.push((path, content));
        }
        Ok(held)
    }
}
