//! Everything in a worktree as a tree: before it is shown, before it is judged, before the worktree goes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::{CommitId, TreeId};
use thiserror::Error;

use super::untracked::Untracked;
use crate::git::error::unexpected;
use crate::git::private_index::PrivateIndex;
use crate::git::repository::Repository;
use crate::git::{FileMode, GitError};
use crate::process::{ToolOutput, joined};

/// Why something cannot be taken whole.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// Something in it can be neither read nor left out.
    #[error("{path} cannot be looked at: {problem}")]
    Unreadable {
        /// The file's name.
        path: String,
        /// The reason.
        problem: String,
    },
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Explained for SnapshotError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Unreadable { .. } => vec![
                "move it away, let it be read, or rule it out in a .gitignore; nothing was changed"
                    .to_owned(),
            ],
            Self::Git(error) => error.hints(),
        }
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for SnapshotError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(SnapshotError {
            SnapshotError::Unreadable { .. } => SnapshotError::Unreadable { path: "PATH".to_owned(), problem: "REASON".to_owned() },
            SnapshotError::Git(_) => SnapshotError::Git(GitError::sample()),
        })
    }
}

/// How much of a populated submodule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::git) enum Submodules {
    /// The commit that is checked out there, as for git itself.
    TheirCommit,
    /// All of it, so that it cannot be removed: its contents would be lost.
    Everything,
}

/// A line of an index.
pub(super) struct Entry {
    pub(super) mode: FileMode,
    pub(super) id: String,
    /// Whether no bit of the entry tells git not to look at the file.
    honest: bool,
    /// Whether the file need not be there: the checkout is a sparse one.
    may_be_absent: bool,
}

pub(super) type Index = BTreeMap<Vec<u8>, Entry>;

/// Everything in a worktree.
#[derive(Debug)]
pub struct Snapshot {
    /// As a tree.
    pub tree: TreeId,
    /// Names in it that a list inside the git directory hides from git's eyes.
    pub hidden: BTreeSet<Vec<u8>>,
    /// Directories that are not in it because such a list hides everything in them, and how many files they have.
    pub left_out: BTreeMap<Vec<u8>, usize>,
}

impl Snapshot {
    /// A tree of which nothing else is known.
    pub fn of(tree: TreeId) -> Self {
        Self {
            tree,
            hidden: BTreeSet::new(),
            left_out: BTreeMap::new(),
        }
    }
}

/// The files of a checkout, including those that git was told to overlook: read by us, so that no filter runs, no index
/// bit and no list inside the git directory hides anything.
#[derive(Debug, Clone, Copy)]
pub(in crate::git) struct WorkingFiles<'a> {
    pub(in crate::git) repository: &'a Repository,
    pub(in crate::git) top: &'a Path,
}

impl WorkingFiles<'_> {
    /// Everything that no `.gitignore` excludes, byte for byte. Files that git itself checked out and that are
    /// untouched since count as committed, even where line endings were converted on the way. `committed` says which
    /// files are tracked, so that they count even where an ignore rule names them. The files about to be read are
    /// announced, with whether each is new.
    pub(in crate::git) fn snapshot(
        &self,
        committed: &TreeId,
        submodules: Submodules,
        announce: impl FnOnce(&[(bool, &[u8])]),
    ) -> Result<Snapshot, SnapshotError> {
        let index = PrivateIndex::new()?;
        // The commit and the checkout are read side by side.
        let (checked_out, listed) = std::thread::scope(|scope| {
            let checked_out = scope.spawn(|| self.checked_out());
            let listed = self.committed_and_untracked(&index, committed);
            (joined(checked_out), listed)
        });
        let (checked_out, untouched) = checked_out?;
        let (mut tracked, mut untracked) = listed?;
        tracked.extend(checked_out);
        let left_out = untracked.take_directories(|directory| {
            let next = tracked.range(directory.to_vec()..).next();
            next.is_some_and(|(name, _)| name.starts_with(directory))
        });
        let mut names = untracked.names;
        names.extend(tracked.keys().cloned());

        let (mut regular, mut symlinks) = (Vec::new(), Vec::new());
        let mut lines = Vec::new();
        for name in names {
            let found = look(self.top, &name, tracked.get(&name))?;
            match (found, tracked.get(&name)) {
                (Found::Nothing, Some(entry)) if entry.may_be_absent => {
                    push_line(&mut lines, entry.mode, &entry.id, &name);
                }
                (Found::Nothing, _) => {}
                (Found::EmptySubmodule, Some(entry)) => {
                    push_line(&mut lines, FileMode::Submodule, &entry.id, &name);
                }
                (Found::FilledSubmodule, Some(_)) if submodules == Submodules::TheirCommit => {
                    let commit = self.commit_in_submodule(&name)?;
                    push_line(&mut lines, FileMode::Submodule, commit.as_str(), &name);
                }
                (Found::FilledSubmodule, Some(_)) => {
                    return Err(unreadable(&name, "it is a submodule with files in it"));
                }
                (Found::Link(_), Some(entry))
                    if entry.mode == FileMode::Symlink && untouched.contains(&name) =>
                {
                    push_line(&mut lines, entry.mode, &entry.id, &name);
                }
                (Found::File(mode), Some(entry))
                    if entry.mode == mode && untouched.contains(&name) =>
                {
                    push_line(&mut lines, entry.mode, &entry.id, &name);
                }
                (Found::Link(target), _) => symlinks.push((target, name)),
                (Found::File(mode), _) => regular.push((mode, name)),
                (Found::EmptySubmodule | Found::FilledSubmodule, None) => {
                    return Err(unreadable(&name, OF_ITS_OWN));
                }
            }
        }
        let files = regular.iter().map(|(_, name)| name);
        let names: Vec<(bool, &[u8])> = files
            .chain(symlinks.iter().map(|(_, name)| name))
            .map(|name| (!tracked.contains_key(name), name.as_slice()))
            .collect();
        // Before anything is hashed: that may take long, and the user may want to stop it.
        announce(&names);
        for (target, name) in &symlinks {
            let blob = self.repository.objects().write_blob(&index, target)?;
            push_line(&mut lines, FileMode::Symlink, blob.as_str(), name);
        }
        let blobs = self.hash_files(&index, &regular)?;
        for ((mode, name), blob) in regular.iter().zip(&blobs) {
            push_line(&mut lines, *mode, blob, name);
        }
        let fresh = PrivateIndex::new()?;
        let mut hidden = untracked.hidden;
        hidden.retain(|name| !tracked.contains_key(name));
        Ok(Snapshot {
            tree: self.repository.objects().write_index(&fresh, lines)?,
            hidden,
            left_out,
        })
    }

    /// The files of a tree, which the index gets, and the untracked ones.
    fn committed_and_untracked(
        &self,
        index: &PrivateIndex,
        committed: &TreeId,
    ) -> Result<(Index, Untracked), SnapshotError> {
        let git = &self.repository.git;
        git.call(index, "read-tree")
            .arguments([committed.as_str()])
            .bytes()?;
        let listing = git
            .call(index, "ls-files")
            .arguments(["-z", "--stage", "-v"])
            .bytes()?;
        Ok((parse_index(&listing), self.untracked(index)?))
    }

    /// The worktree's own index, and those of its files that are as git wrote them. Both are empty where
    /// the index cannot be read: every file is then saved as it is.
    fn checked_out(&self) -> Result<(Index, BTreeSet<Vec<u8>>), GitError> {
        let Ok(git_directory) = self.repository.git_directory_of(self.top) else {
            return Ok((Index::new(), BTreeSet::new()));
        };
        let ask = |command: &str, arguments: &[&str]| -> Result<ToolOutput, GitError> {
            self.repository
                .git
                .call_in_checkout(&git_directory, self.top, command)
                .arguments(arguments)
                .output()
        };
        let listing = ask("ls-files", &["-z", "--stage", "-v"])?;
        // A submodule would be looked into with its own configuration.
        let touched = ask(
            "diff-files",
            &[
                "-z",
                "--name-only",
                "--no-ext-diff",
                "--ignore-submodules=all",
            ],
        )?;
        if !listing.success() || !touched.success() {
            return Ok((Index::new(), BTreeSet::new()));
        }
        let index = parse_index(&listing.stdout);
        let touched: BTreeSet<&[u8]> = touched.stdout.split(|byte| *byte == 0).collect();
        let untouched = index
            .iter()
            .filter(|(name, entry)| entry.honest && !touched.contains(name.as_slice()))
            .map(|(name, _)| name.clone())
            .collect();
        Ok((index, untouched))
    }

    /// The commit that a submodule has checked out.
    fn commit_in_submodule(&self, name: &[u8]) -> Result<CommitId, SnapshotError> {
        let directory = self.top.join(OsStr::from_bytes(name)).join(".git");
        // Without it git would answer for the repository around it.
        if directory.symlink_metadata().is_err() {
            return Err(unreadable(
                name,
                "there are files in the place of a submodule",
            ));
        }
        let output = self
            .repository
            .git
            .call_as_user("rev-parse")
            .variable("GIT_DIR", directory)
            .arguments(["--verify", "--quiet", "HEAD^{commit}"])
            .output()?;
        CommitId::parse(String::from_utf8_lossy(&output.stdout).trim())
            .map_err(|_| unreadable(name, "it is a submodule with no commit checked out"))
    }

    fn hash_files(
        &self,
        index: &PrivateIndex,
        files: &[(FileMode, Vec<u8>)],
    ) -> Result<Vec<String>, GitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for (_, name) in files {
            push_quoted(&mut names, name);
            names.push(b'\n');
        }
        let text = self
            .repository
            .git
            .call_on_files(self.top, index, "hash-object")
            .arguments(["-w", "--no-filters", "--stdin-paths"])
            .input(names)
            .text()?;
        let blobs: Vec<String> = text.lines().map(str::to_owned).collect();
        if blobs.len() == files.len() {
            Ok(blobs)
        } else {
            Err(unexpected("hash-object", text.as_bytes()))
        }
    }
}

/// The entry at a name.
enum Found {
    Nothing,
    File(FileMode),
    Link(Vec<u8>),
    /// The empty directory of a submodule.
    EmptySubmodule,
    /// A submodule that is checked out.
    FilledSubmodule,
}

const OF_ITS_OWN: &str = "it is a repository of its own";

fn look(top: &Path, name: &[u8], entry: Option<&Entry>) -> Result<Found, SnapshotError> {
    let full = top.join(OsStr::from_bytes(name));
    if leads_through_link(top, &full) {
        // The file is gone; the link that took its directory's place has a name of its own.
        return Ok(Found::Nothing);
    }
    let metadata = match full.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Found::Nothing);
        }
        Err(error) => return Err(unreadable(name, &error.to_string())),
    };
    if metadata.is_symlink() {
        let target = full.read_link();
        let target = target.map_err(|error| unreadable(name, &error.to_string()))?;
        Ok(Found::Link(target.as_os_str().as_bytes().to_vec()))
    } else if metadata.is_file() {
        let executable = metadata.permissions().mode() & 0o100 != 0;
        Ok(Found::File(if executable {
            FileMode::Executable
        } else {
            FileMode::Regular
        }))
    } else if !metadata.is_dir() {
        Err(unreadable(name, "it is neither a file nor a link"))
    } else if name.ends_with(b"/") {
        // Git does not look into it because it has a `.git` of its own.
        Err(unreadable(name, OF_ITS_OWN))
    } else if entry.is_none_or(|entry| entry.mode != FileMode::Submodule) {
        // A directory in the place of a file; its files have names of their own.
        Ok(Found::Nothing)
    } else {
        // Proctor never populates a submodule, but the user may have.
        let mut inside =
            std::fs::read_dir(&full).map_err(|error| unreadable(name, &error.to_string()))?;
        Ok(match inside.next() {
            Some(_) => Found::FilledSubmodule,
            None => Found::EmptySubmodule,
        })
    }
}

fn leads_through_link(top: &Path, full: &Path) -> bool {
    full.ancestors()
        .skip(1)
        .take_while(|directory| *directory != top)
        .any(Path::is_symlink)
}

/// `TAG MODE ID STAGE<tab>NAME`, as `ls-files -z --stage -v` has it.
pub(super) fn parse_index(listing: &[u8]) -> Index {
    let mut index = Index::new();
    for line in listing.split(|byte| *byte == 0) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else {
            continue;
        };
        let meta = String::from_utf8_lossy(&line[..tab]);
        if let [tag, mode, id, stage] = meta.split(' ').collect::<Vec<_>>()[..]
            && let Some(mode) = FileMode::parse(mode)
        {
            let entry = Entry {
                mode,
                id: id.to_owned(),
                honest: tag == "H" && stage == "0",
                may_be_absent: tag.eq_ignore_ascii_case("S") && stage == "0",
            };
            index.insert(line[tab + 1..].to_vec(), entry);
        }
    }
    index
}

pub(super) fn unreadable(name: &[u8], problem: &str) -> SnapshotError {
    SnapshotError::Unreadable {
        path: String::from_utf8_lossy(name).into_owned(),
        problem: problem.to_owned(),
    }
}

fn push_line(lines: &mut Vec<u8>, mode: FileMode, blob: &str, name: &[u8]) {
    lines.extend_from_slice(format!("{} {blob}\t", mode.octal()).as_bytes());
    lines.extend_from_slice(name);
    lines.push(0);
}

/// `--stdin-paths` reads a line: one that starts with a quote is unquoted, and a carriage return at its
/// end is dropped.
fn push_quoted(names: &mut Vec<u8>, name: &[u8]) {
    if !name.starts_with(b"\"") && !name.contains(&b'\n') && !name.ends_with(b"\r") {
        names.extend_from_slice(name);
        return;
    }
    names.push(b'"');
    for byte in name {
        match byte {
            b'"' | b'\\' => names.extend_from_slice(&[b'\\', *byte]),
            b'\n' => names.extend_from_slice(b"\\n"),
            b'\r' => names.extend_from_slice(b"\\r"),
            other => names.push(*other),
        }
    }
    names.push(b'"');
}
