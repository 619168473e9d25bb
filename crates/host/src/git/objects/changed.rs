//! The differences between two trees: names, and for a review both versions and git's own line counts.

use std::collections::{BTreeMap, BTreeSet};

use proctor_core::file_mode::FileMode;
use proctor_core::object_id::{BlobId, TreeId};
use proctor_core::review_gate::{ReviewedFile, Version};

use super::Objects;
use super::contents::{Held, Object};
use crate::git::GitError;
use crate::git::error::unexpected;
use crate::git::private_index::PrivateIndex;
use crate::process::joined;

/// A path that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its name, in bytes as git has it.
    pub path: Vec<u8>,
    /// Mode and content before, if it was there.
    pub before: Option<(FileMode, BlobId)>,
    /// Mode and content after, if it still is.
    pub after: Option<(FileMode, BlobId)>,
}

/// Fewer contents than this are not worth a second process.
const WORTH_TWO: usize = 100;

/// Lines added and deleted by path; nothing where git counts none.
type Counts = BTreeMap<Vec<u8>, Option<(usize, usize)>>;

impl Objects<'_> {
    /// The differences between two trees. Renames are shown as one file deleted and one added.
    pub fn changed_files(
        &self,
        before: &TreeId,
        after: &TreeId,
    ) -> Result<Vec<ChangedFile>, GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .git
            .call(&index, "diff-tree")
            .arguments([
                "-r",
                "-z",
                "--raw",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
            ])
            .arguments(["--no-abbrev", before.as_str(), after.as_str()])
            .bytes()?;
        let mut fields = bytes.split(|byte| *byte == 0);
        let mut files = Vec::new();
        while let (Some(meta), Some(path)) = (fields.next(), fields.next()) {
            files.push(parse_raw(meta, path)?);
        }
        Ok(files)
    }

    /// The files in `changed`, which differ between the two trees, with all that there is to read of them, but without
    /// labels.
    pub fn reviewed_files(
        &self,
        before: &TreeId,
        after: &TreeId,
        changed: &[ChangedFile],
    ) -> Result<Vec<ReviewedFile>, GitError> {
        let mut uses: BTreeMap<BlobId, usize> = BTreeMap::new();
        for id in changed.iter().flat_map(blobs_of) {
            *uses.entry(id).or_default() += 1;
        }
        let wanted: Vec<BlobId> = uses.keys().cloned().collect();
        let middle = if wanted.len() < WORTH_TWO {
            wanted.len()
        } else {
            wanted.len() / 2
        };
        let (first, second) = wanted.split_at(middle);
        let (counts, first, second) = std::thread::scope(|scope| {
            let counts = scope.spawn(|| self.line_counts(before, after));
            let second = scope.spawn(|| self.read(second, Held::Readable));
            let first = self.read(first, Held::Readable);
            (joined(counts), first, joined(second))
        });
        let (counts, read) = (counts?, first?.into_iter().chain(second?));
        let mut objects: BTreeMap<BlobId, Object> = wanted.iter().cloned().zip(read).collect();
        // The last user of a content gets it; only files that are the same as another one are copied.
        let mut take = |id: &BlobId| {
            let left = uses.get_mut(id)?;
            *left -= 1;
            if *left == 0 {
                objects.remove(id)
            } else {
                objects.get(id).cloned()
            }
        };
        let mut version = |side: &Option<(FileMode, BlobId)>| {
            side.as_ref().map(|(mode, id)| {
                if *mode == FileMode::Submodule {
                    return Version::whole(*mode, id.as_str().as_bytes().to_vec());
                }
                let object = take(id);
                Version {
                    mode: *mode,
                    size: object.as_ref().map_or(0, |object| object.size),
                    content: object.and_then(|object| object.content),
                }
            })
        };
        Ok(changed
            .iter()
            .map(|file| {
                let (old, new) = (version(&file.before), version(&file.after));
                let counted = counts.get(&file.path).copied().flatten();
                let (added, deleted) = counted.unwrap_or_default();
                ReviewedFile {
                    labels: BTreeSet::new(),
                    path: file.path.clone(),
                    before: old,
                    after: new,
                    added,
                    deleted,
                }
            })
            .collect())
    }

    /// Git's own counts. The repository's attributes have no say: they could call a text binary.
    fn line_counts(&self, before: &TreeId, after: &TreeId) -> Result<Counts, GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .git
            .call_on_objects(&index, "diff-tree")?
            .arguments(["-r", "-z", "--numstat", "--no-renames"])
            .arguments(["--no-ext-diff", "--no-textconv"])
            // The user's own choice of algorithm would give other counts than the diff that is shown.
            .arguments(["--diff-algorithm=myers", before.as_str(), after.as_str()])
            .bytes()?;
        let fields = bytes.split(|byte| *byte == 0);
        let mut counts = Counts::new();
        for field in fields.filter(|field| !field.is_empty()) {
            let mut parts = field.splitn(3, |byte| *byte == b'\t');
            let (Some(added), Some(deleted), Some(path)) =
                (parts.next(), parts.next(), parts.next())
            else {
                return Err(unexpected("diff-tree", field));
            };
            let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
            counts.insert(path.to_vec(), number(added).zip(number(deleted)));
        }
        Ok(counts)
    }
}

/// The readable objects of a file; a submodule is only a name.
fn blobs_of(file: &ChangedFile) -> Vec<BlobId> {
    let sides = [&file.before, &file.after].into_iter().flatten();
    let blobs = sides.filter(|(mode, _)| *mode != FileMode::Submodule);
    blobs.map(|(_, id)| id.clone()).collect()
}

/// One record of `diff-tree --raw -z`.
fn parse_raw(meta: &[u8], path: &[u8]) -> Result<ChangedFile, GitError> {
    let text = String::from_utf8_lossy(meta);
    let parts: Vec<&str> = text.trim_start_matches(':').split(' ').collect();
    let [old_mode, new_mode, old, new, _status] = parts.as_slice() else {
        return Err(unexpected("diff-tree", meta));
    };
    let side = |mode: &str, id: &str| FileMode::parse(mode).zip(BlobId::parse(id).ok());
    Ok(ChangedFile {
        path: path.to_vec(),
        before: side(old_mode, old),
        after: side(new_mode, new),
    })
}
