//! From what the document lists to what a run does.

use serde::{Deserialize, Serialize};

use super::{ChangeType, EntryKind, LowLevelDesign};
use crate::path::ProjectPath;

/// A file that a run works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFile {
    /// Its checked path.
    pub path: ProjectPath,
    /// What happens to it, given what exists.
    #[serde(rename = "change_type")]
    pub change: ChangeType,
    /// What the document says about it.
    pub description: String,
}

/// Settles each listed file against what exists; `exists` says what there is at a path.
///
/// What exists decides between Add and Modify, whatever the document says, so that nothing is
/// overwritten as new and nothing absent is edited. Directories (made when needed), invalid paths,
/// and files to delete that are not there are left out; [`check`](super::check) reports them.
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
