//! The root of a job's file system, in which some places do not even have a name.
//!
//! A place that is covered with an empty one is still listed by the directory above it and by `/proc/self/mountinfo`.
//! So every directory above it is made again, out of its other entries.

use std::collections::BTreeSet;
use std::fs::{read_dir, read_link, symlink_metadata};
use std::path::{Path, PathBuf};

use super::view::{Access, View};

/// With more than this beside it a place is covered after all: each entry is a mount, and the list
/// of all mounts is read again for each of them.
const MOST_BESIDE: usize = 200;

/// Directories that the level with namespaces provides itself.
const MADE_ELSEWHERE: [&str; 2] = ["/dev", "/proc"];

/// The pieces of a root, directories before their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// An existing path, with everything below.
    Place(PathBuf),
    /// A directory that is made for the job.
    Directory(PathBuf),
    /// A symbolic link that is made for the job.
    Link { target: PathBuf, path: PathBuf },
}

/// A root, and the names that it lacks.
#[derive(Debug, Default)]
pub(super) struct Root {
    pub(super) pieces: Vec<Piece>,
    absent: BTreeSet<PathBuf>,
}

impl Root {
    /// The root after `view`. A place that lies in a hidden one already has no name there.
    pub(super) fn of(view: &View) -> Self {
        let mut absent = BTreeSet::new();
        let mut again = BTreeSet::new();
        for (path, _) in view.rules().filter(|(_, access)| *access == Access::Absent) {
            let above: Vec<&Path> = path.ancestors().skip(1).collect();
            let readable =
                |directory: &&Path| matches!(view.rule(directory), None | Some(Access::ReadOnly));
            if above.iter().all(readable) && above.iter().all(|directory| has_few(directory)) {
                absent.insert(path.to_owned());
                again.extend(above.into_iter().map(Path::to_owned));
            }
        }
        let mut root = Self {
            pieces: Vec::new(),
            absent,
        };
        root.lay(PathBuf::from("/"), &again);
        root
    }

    /// Whether it was made for the job: only a rule for the whole of it keeps it from being written to.
    pub(super) fn is_recreated(&self) -> bool {
        !self.absent.is_empty()
    }

    /// Whether there is no such name in it.
    pub(super) fn lacks(&self, path: &Path) -> bool {
        self.absent.contains(path)
    }

    fn lay(&mut self, path: PathBuf, again: &BTreeSet<PathBuf>) {
        if self.lacks(&path) || MADE_ELSEWHERE.iter().any(|made| path == Path::new(made)) {
            return;
        }
        if again.contains(&path) {
            let mut entries = entries(&path);
            entries.sort();
            if path.parent().is_some() {
                self.pieces.push(Piece::Directory(path));
            }
            for entry in entries {
                self.lay(entry, again);
            }
        } else if let Ok(target) = read_link(&path) {
            self.pieces.push(Piece::Link { target, path });
        } else if symlink_metadata(&path).is_ok() {
            // A path that cannot be inspected here, such as another user's mount, cannot be inspected by the job.
            self.pieces.push(Piece::Place(path));
        }
    }
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// A directory that cannot be listed cannot be made again.
fn has_few(directory: &Path) -> bool {
    read_dir(directory).is_ok_and(|entries| entries.take(MOST_BESIDE + 1).count() <= MOST_BESIDE)
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "test data, not a project's files"
)]
mod tests {
    use std::fs::{canonicalize, create_dir_all, write};

    use super::*;

    /// A directory of the tests' own with a checkout and its siblings.
    fn place() -> (tempfile::TempDir, PathBuf) {
        // Beside the usual directory for temporary files, where many programs leave theirs.
        let directory = tempfile::tempdir_in("/var/tmp").unwrap();
        let root = canonicalize(directory.path()).unwrap();
        for name in ["work/checkout/src", "work/other", "data"] {
            create_dir_all(root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink("checkout", root.join("work/link")).unwrap();
        (directory, root)
    }

    #[test]
    fn what_lies_beside_an_absent_place_stays_and_the_place_has_no_name() {
        let (_directory, root) = place();
        let mut view = View::default();
        view.leave_out([root.join("work/checkout")]);
        let made = Root::of(&view);
        assert!(made.is_recreated() && made.lacks(&root.join("work/checkout")));
        let below = made.pieces.iter().filter(|piece| match piece {
            Piece::Place(path) | Piece::Directory(path) | Piece::Link { path, .. } => {
                path.starts_with(&root)
            }
        });
        let expected = [
            Piece::Directory(root.clone()),
            Piece::Place(root.join("data")),
            Piece::Directory(root.join("work")),
            Piece::Link {
                target: "checkout".into(),
                path: root.join("work/link"),
            },
            Piece::Place(root.join("work/other")),
        ];
        assert_eq!(below.cloned().collect::<Vec<_>>(), expected);
        let named = |path: &str| made.pieces.contains(&Piece::Place(path.into()));
        assert!(named("/etc") && !named("/proc") && !named("/"));
    }

    #[test]
    fn a_place_in_a_hidden_one_or_among_too_many_is_not_recreated() {
        let (_directory, root) = place();
        let whole = [Piece::Place("/".into())];
        let mut hidden = View::default();
        hidden.hide([root.clone()]);
        hidden.leave_out([root.join("work/checkout")]);
        assert_eq!(Root::of(&hidden).pieces, whole);
        for number in 0..MOST_BESIDE {
            write(root.join(format!("work/{number}")), "").unwrap();
        }
        let mut crowded = View::default();
        crowded.leave_out([root.join("work/checkout")]);
        let made = Root::of(&crowded);
        assert_eq!(made.pieces, whole);
        assert!(!made.lacks(&root.join("work/checkout")));
    }
}
