//! Problems with a design document, found without understanding it.
//!
//! Each problem says where it is and how to fix it. Only a document without any usable file list, or with a name in it
//! that no file of the project can have, stops a run; the rest is for the person who reads the plan.

use std::collections::BTreeSet;

use super::coverage::uncovered;
use super::cross_references::check_cross_references;
use super::{ChangeType, DeclaredFile, LowLevelDesign};
use crate::limits::{ContextProblem, ProblemKind};
use crate::path::ProjectPath;

/// The kind of entry at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Something else, such as a link or a device.
    Other,
}

/// One problem with a design document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LldProblem {
    /// The kind of problem; always one of those about design documents.
    pub kind: ProblemKind,
    /// The finding and how to fix it.
    pub message: String,
    /// Number of the line it is about, from 1.
    pub line: usize,
}

impl LldProblem {
    /// Whether no run can start with this document: it lists nothing, or names that no file of the project can have,
    /// which a run would silently leave out.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self.kind,
            ProblemKind::LldNoFiles | ProblemKind::LldInvalidPath
        )
    }

    /// The problem as `check` reports it, with the document's path as it was given.
    pub fn into_context_problem(self, document: &str) -> ContextProblem {
        ContextProblem {
            kind: self.kind,
            message: format!("line {}: {}", self.line, self.message),
            location: document.to_owned(),
        }
    }
}

/// Finds every mechanical problem; `exists` returns the kind of entry at a path below the root.
pub fn check(
    design: &LowLevelDesign,
    exists: &dyn Fn(&str) -> Option<EntryKind>,
) -> Vec<LldProblem> {
    let mut problems = Vec::new();
    let mut usable = 0;
    let mut reported_parents = BTreeSet::new();
    let added = added_directories(design);
    for file in &design.files {
        let path = match ProjectPath::parse(&file.path) {
            Ok(path) => path,
            Err(problem) => {
                let message = format!("{problem}; correct it in the table of files");
                problems.push(about(file, ProblemKind::LldInvalidPath, message));
                continue;
            }
        };
        usable += usize::from(!file.is_directory);
        let found = exists(path.as_str());
        problems.extend(check_target(file, found));
        if found.is_none()
            && !matches!(file.change, Some(ChangeType::Modify | ChangeType::Delete))
            && let Some(parent) = path.parent()
            && exists(parent) != Some(EntryKind::Directory)
            && !added.contains(parent)
            && reported_parents.insert(parent.to_owned())
        {
            let message = format!(
                "the directory {parent:?} of {path:?} does not exist and is not added; add a row \
                 for it, or correct the path",
                path = file.path
            );
            problems.push(about(file, ProblemKind::LldMissingParent, message));
        }
    }
    if usable == 0 {
        problems.insert(0, no_files(design));
    }
    problems.extend(check_scenarios(design));
    problems.extend(check_cross_references(design));
    problems
}

/// Whether the existing entry fits the planned change.
fn check_target(file: &DeclaredFile, found: Option<EntryKind>) -> Option<LldProblem> {
    let path = &file.path;
    let expected = if file.is_directory {
        EntryKind::Directory
    } else {
        EntryKind::File
    };
    match (file.change, found) {
        (Some(change @ (ChangeType::Modify | ChangeType::Delete)), None) => Some(about(
            file,
            ProblemKind::LldMissingTarget,
            format!(
                "the file to {change}, {path:?}, does not exist; correct the path or the change \
                 type"
            ),
        )),
        (_, Some(found)) if found != expected => {
            let wanted = if file.is_directory {
                "directory"
            } else {
                "regular file"
            };
            let message = format!("{path:?} exists but is not a {wanted}; correct the path");
            Some(about(file, ProblemKind::LldNotAFile, message))
        }
        _ => None,
    }
}

/// Directories that the document adds: those it lists, and packages whose `__init__.py` it lists.
fn added_directories(design: &LowLevelDesign) -> BTreeSet<&str> {
    let listed = design
        .files
        .iter()
        .filter(|file| file.change != Some(ChangeType::Delete));
    listed
        .filter_map(|file| {
            if file.is_directory {
                Some(file.path.as_str())
            } else {
                file.path.strip_suffix("/__init__.py")
            }
        })
        .collect()
}

fn no_files(design: &LowLevelDesign) -> LldProblem {
    let section = design.sections.iter().find(|section| {
        let heading = section.heading.to_lowercase();
        heading.contains("file") || heading.starts_with("2.1")
    });
    LldProblem {
        kind: ProblemKind::LldNoFiles,
        message: "the document lists no file to work on; add a table with the columns File, \
                  Change Type and Description under the heading \"2.1 Files Changed\""
            .to_owned(),
        line: section.map_or(1, |section| section.line),
    }
}

fn check_scenarios(design: &LowLevelDesign) -> Vec<LldProblem> {
    let line_of = |word: &str| {
        let is_about = |heading: &str| heading.to_lowercase().contains(word);
        let mut sections = design.sections.iter();
        sections
            .find(|section| is_about(&section.heading))
            .map_or(1, |section| section.line)
    };
    if design.scenarios.is_empty() {
        return vec![LldProblem {
            kind: ProblemKind::LldNoScenarios,
            message: "the document has no test scenarios; add a table with the columns ID and \
                      Scenario under the heading \"10.1 Test Scenarios\""
                .to_owned(),
            line: line_of("test"),
        }];
    }
    let missing = uncovered(&design.requirements, &design.scenarios);
    missing
        .into_iter()
        .map(|index| LldProblem {
            kind: ProblemKind::LldUncoveredRequirement,
            message: format!(
                "no test scenario speaks of requirement {}, {:?}; add one or name the requirement \
                 in one",
                index + 1,
                design.requirements[index]
            ),
            line: line_of("requirement"),
        })
        .collect()
}

fn about(file: &DeclaredFile, kind: ProblemKind, message: String) -> LldProblem {
    LldProblem {
        kind,
        message,
        line: file.line,
    }
}
