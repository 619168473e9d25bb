//! The design document of an issue: writing a new one, finding the one there is.

use proctor_core::failure::{Explained, Kind};
use proctor_core::lld::{DOCUMENTS, NewDocument, is_document_of, new_document};
use proctor_core::object_id::CommitId;
use proctor_core::path::ProjectPath;
use thiserror::Error;

use super::IntakeError;
use crate::files::{FileError, Root, matching};
use crate::git::Repository;

/// Why there is no design document to work with.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// None is named after the issue.
    #[error("issue {0} has no design document: no file {DOCUMENTS}/**/{0}*.md")]
    None(String),
    /// More than one is.
    #[error("issue {issue} has several design documents: {}", names(found))]
    Several {
        /// The issue's id.
        issue: String,
        /// All of them.
        found: Vec<ProjectPath>,
    },
    /// The repository cannot be looked at.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// The new document cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

fn names(found: &[ProjectPath]) -> String {
    let names: Vec<&str> = found.iter().map(ProjectPath::as_str).collect();
    names.join(", ")
}

impl Explained for DocumentError {
    fn kind(&self) -> Kind {
        match self {
            Self::None(_) | Self::Several { .. } => Kind::Usage,
            Self::Intake(error) => error.kind(),
            Self::File(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::None(issue) => vec![format!(
                "write one with `proctor new {issue} \"TITLE\"`, or name it with --lld FILE"
            )],
            Self::Several { .. } => vec!["name the one that is meant with --lld FILE".to_owned()],
            Self::Intake(error) => error.hints(),
            Self::File(error) => error.hints(),
        }
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for DocumentError {
    fn samples() -> Vec<Self> {
        let path = |name| ProjectPath::parse(name).expect("a plain name");
        vec![
            Self::None("ISSUE".to_owned()),
            Self::Several {
                issue: "ISSUE".to_owned(),
                found: vec![path("PATH1"), path("PATH2")],
            },
        ]
    }
}

/// The one document below [`DOCUMENTS`] that is named after an issue; see [`is_issue`](super::is_issue).
pub fn find_document(repository: &Repository, issue: &str) -> Result<ProjectPath, DocumentError> {
    let root = Root::open(repository.top()).map_err(IntakeError::Root)?;
    let mut found = matching(&root, &format!("{DOCUMENTS}/**/{issue}*.md"));
    found.retain(|path| is_document_of(issue, path.file_name()));
    match found.len() {
        0 => Err(DocumentError::None(issue.to_owned())),
        1 => Ok(found.remove(0)),
        _ => Err(DocumentError::Several {
            issue: issue.to_owned(),
            found,
        }),
    }
}

/// Writes a document to start from, never over an existing file.
pub fn write_document(
    repository: &Repository,
    base: Option<&CommitId>,
    issue: &str,
    title: &str,
) -> Result<NewDocument, DocumentError> {
    let root = Root::open(repository.top()).map_err(IntakeError::Root)?;
    let objects = repository.objects();
    let entries = match base {
        Some(base) => objects
            .tree_of(base)
            .and_then(|tree| objects.entries(&tree))
            .map_err(IntakeError::Git)?,
        None => std::sync::Arc::default(),
    };
    let document = new_document(issue, title, entries.keys().map(String::as_str));
    root.write_over(&document.path, None, document.text.as_bytes())?;
    Ok(document)
}
