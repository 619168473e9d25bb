//! From the document's list to a run's files.

use serde::{Deserialize, Serialize};

use super::{ChangeType, EntryKind, LowLevelDesign};
use crate::path::ProjectPath;

/// A file that a run works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFile {
    /// Its checked path.
    pub path: ProjectPath,
    /// The change to it, given the existing files.
    #[serde(rename = "change_type")]
    pub change: ChangeType,
    /// The document's description of it.
    pub description: String,
}

/// Settles each listed file against the existing ones; `exists` returns the kind of entry at a path.
///
/// The existing files decide between Add and Modify, whatever the document says, so that nothing is overwritten as new
/// and nothing absent is edited. Directories (made when needed), invalid paths, and files to delete that do not exist
/// are left out; [`check`](super::check) reports them.
pub fn resolve(
    design: &LowLevelDesign,
    exists: &dyn Fn(&str) -> Option<EntryKind>,
) -> Vec<PlannedFile> {
    let mut planned: Vec<PlannedFile> = Vec::new();
    for file in design.files.iter().filter(|file| !file.is_directory) {
        let Ok(path) = ProjectPath::parse(&file.path) else {
            continue;
        };
        let found = exists(path.as_str());
        let change = match (file.change, found) {
            (_, Some(EntryKind::Directory)) | (Some(ChangeType::Delete), None) => continue,
            (Some(ChangeType::Delete), Some(_)) => ChangeType::Delete,
            (_, Some(_)) => ChangeType::Modify,
            (_, None) => ChangeType::Add,
        };
        // Parsing merged duplicates; a design built by hand may still have some.
        if planned.iter().all(|known| known.path != path) {
            planned.push(PlannedFile {
                path,
                change,
                description: file.description.clone(),
            });
        }
    }
    planned
}
