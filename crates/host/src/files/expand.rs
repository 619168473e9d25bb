//! From the arguments of `--context` to names of files beneath the root.
//!
//! A name of a file means that file. A directory means every file below it, and a pattern every file that it matches,
//! in both cases without files that `.gitignore` excludes. Only names are found here; whether a file may be sent is
//! decided when it is read.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;
use proctor_core::limits::{ContextProblem, ProblemKind};
use proctor_core::path::{PathProblem, ProjectPath};
use rustix::fs::FileType;

use super::context::kind_of;
use super::{FileError, Root};

/// A file to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// Where it is.
    pub(super) path: ProjectPath,
    /// The name that a problem is filed under: the path as given or, of a directory's or pattern's files, the path from
    /// the root.
    pub(super) given: String,
}

/// The files beneath a root that fit a pattern and that git does not ignore, by name; links are not followed.
pub fn matching(root: &Root, pattern: &str) -> Vec<ProjectPath> {
    let expansion = Expansion {
        root,
        here: root.path(),
    };
    let found = expansion.of(pattern).into_iter().flatten();
    found.map(|named| named.path).collect()
}

/// Finds files beneath a root for a person whose directory is `here`.
pub(super) struct Expansion<'a> {
    pub(super) root: &'a Root,
    pub(super) here: &'a Path,
}

impl Expansion<'_> {
    /// The files that `given` means, or its problem.
    pub(super) fn of(&self, given: &str) -> Vec<Result<Named, ContextProblem>> {
        let problem = |kind, message: &str| vec![Err(problem(given, kind, message))];
        let Some(inside) = self.inside(given) else {
            return problem(ProblemKind::Outside, OUTSIDE);
        };
        let Some(name) = inside.to_str() else {
            return problem(ProblemKind::Outside, "the path is not UTF-8 text");
        };
        if name.is_empty() {
            return self.below(given, &inside, None);
        }
        let path = match ProjectPath::parse(name) {
            Ok(path) => path,
            Err(PathProblem::ForbiddenCharacter(_)) if is_pattern(name) => {
                return self.matching(given, name);
            }
            Err(found) => return problem(ProblemKind::Outside, &found.to_string()),
        };
        match self.root.kind(&path) {
            Ok(FileType::Directory) => self.below(given, &inside, None),
            // A file may be called `[id].md`; only a name that does not exist counts as a pattern.
            Err(FileError::Missing { .. }) if is_pattern(name) => self.matching(given, name),
            // Anything else is noticed, and reported, when it is read.
            _ => vec![Ok(Named {
                path,
                given: given.to_owned(),
            })],
        }
    }

    /// The path from the root; `None` if it leads out. Nothing is looked up: the effect of `..` after a link does not
    /// matter, because no link is followed later.
    fn inside(&self, given: &str) -> Option<PathBuf> {
        if given.is_empty() {
            return None;
        }
        let mut inside = PathBuf::new();
        for component in self.here.join(given).components() {
            match component {
                Component::ParentDir => {
                    inside.pop();
                }
                Component::CurDir => {}
                other => inside.push(other),
            }
        }
        Some(inside.strip_prefix(self.root.path()).ok()?.to_owned())
    }

    fn matching(&self, given: &str, pattern: &str) -> Vec<Result<Named, ContextProblem>> {
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .backslash_escape(false)
            .build();
        let refused = |kind, message: &str| vec![Err(problem(given, kind, message))];
        let matcher = match glob {
            Ok(glob) => glob.compile_matcher(),
            Err(error) => {
                let message = format!("the pattern cannot be understood: {}", error.kind());
                return refused(ProblemKind::Missing, &message);
            }
        };
        let start = fixed_start(pattern);
        // Where the walk begins a link would be followed.
        let kind = match start.as_str() {
            "" => Ok(FileType::Directory),
            name => match ProjectPath::parse(name) {
                Ok(path) => self.root.kind(&path),
                Err(found) => return refused(ProblemKind::Outside, &found.to_string()),
            },
        };
        match kind {
            Ok(FileType::Directory) => self.below(given, Path::new(&start), Some(&matcher)),
            Ok(FileType::Symlink) => {
                let path = start.clone();
                refused(
                    ProblemKind::Symlink,
                    &FileError::Symlink { path }.to_string(),
                )
            }
            Ok(_) => refused(ProblemKind::Missing, NO_MATCH),
            Err(error) => refused(kind_of(&error), &error.to_string()),
        }
    }

    /// Every file below a directory that git does not ignore, by name.
    fn below(
        &self,
        given: &str,
        directory: &Path,
        pattern: Option<&GlobMatcher>,
    ) -> Vec<Result<Named, ContextProblem>> {
        let walk = WalkBuilder::new(self.root.path().join(directory))
            .hidden(false)
            .ignore(false)
            .same_file_system(true)
            .sort_by_file_name(std::cmp::Ord::cmp)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        let mut found = Vec::new();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found.push(Err(problem(
                        given,
                        ProblemKind::Missing,
                        &error.to_string(),
                    )));
                    continue;
                }
            };
            let inside = entry.path().strip_prefix(self.root.path());
            let inside = inside.unwrap_or(entry.path());
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            if is_directory || pattern.is_some_and(|pattern| !pattern.is_match(inside)) {
                continue;
            }
            let name = inside.to_string_lossy();
            found.push(match ProjectPath::parse(&name) {
                Ok(path) => Ok(Named {
                    given: path.to_string(),
                    path,
                }),
                Err(error) => Err(problem(&name, ProblemKind::Outside, &error.to_string())),
            });
        }
        if found.is_empty() {
            let message = match pattern {
                Some(_) => NO_MATCH,
                None => "the directory has no file that git does not ignore",
            };
            found.push(Err(problem(given, ProblemKind::Missing, message)));
        }
        found
    }
}

const NO_MATCH: &str = "no file that git does not ignore matches this pattern";
const OUTSIDE: &str = "the path resolves outside the project's root";

fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '[', '{'])
}

/// The directories of a pattern in front of the first component that is not plain: nothing outside them
/// can match.
fn fixed_start(pattern: &str) -> String {
    let (directories, _) = pattern.rsplit_once('/').unwrap_or_default();
    let plain: Vec<&str> = directories
        .split('/')
        .take_while(|component| !is_pattern(component))
        .collect();
    plain.join("/")
}

pub(super) fn problem(given: &str, kind: ProblemKind, message: &str) -> ContextProblem {
    ContextProblem {
        kind,
        message: message.to_owned(),
        location: given.to_owned(),
    }
}
