//! Every file that differs between two trees, with both versions and git's own line counts.
//!
//! A handful of processes whatever the number of files: git counts while the contents are read.

use std::collections::{BTreeMap, BTreeSet};

use proctor_core::diff::{LineDiff, is_binary};
use proctor_core::review_gate::{FileMode, Label, ReviewedFile, Version};
use proctor_core::workflow::{BlobId, TreeId};

use super::GitError;
use super::contents::{Held, Object};
use super::error::unexpected;
use super::invocation::Repository;
use super::objects::ChangedFile;
use super::private_index::PrivateIndex;
use crate::process::joined;

/// Fewer contents than this are not worth a second process.
const WORTH_TWO: usize = 100;

/// Lines added and deleted; nothing where git counts none.
type Counts = BTreeMap<Vec<u8>, Option<(usize, usize)>>;

type Objects = BTreeMap<BlobId, Object>;

impl Repository {
    /// What differs between two trees; `labels` says what is known of a name.
    pub fn reviewed_files(
        &self,
        before: &TreeId,
        after: &TreeId,
        mut labels: impl FnMut(&[u8]) -> BTreeSet<Label>,
    ) -> Result<Vec<ReviewedFile>, GitError> {
        let (counts, read) = std::thread::scope(|scope| {
            let counts = scope.spawn(|| self.counts(before, after));
            let read = self.both_versions(before, after);
            (joined(counts), read)
        });
        let (counts, (changed, mut objects)) = (counts?, read?);
        let counted = |file: &ChangedFile| counts.get(&file.path).copied().flatten();
        let is_missing = |id: &BlobId| objects.get(id).is_some_and(|one| one.content.is_none());
        // An attribute may have told git that it is text.
        let text = changed.iter().filter(|file| counted(file).is_some());
        let large: BTreeSet<BlobId> = text.flat_map(blobs_of).filter(is_missing).collect();
        objects.extend(self.in_halves(large, Held::Everything)?);
        let ids = changed.iter().flat_map(blobs_of);
        let mut uses: BTreeMap<BlobId, usize> = BTreeMap::new();
        for id in ids {
            *uses.entry(id).or_default() += 1;
        }
        // The last one who needs a content gets it; only files that are the same as another one are copied.
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
                let (added, deleted) =
                    counted(file).unwrap_or_else(|| own_count(old.as_ref(), new.as_ref()));
                ReviewedFile {
                    labels: labels(&file.path),
                    path: file.path.clone(),
                    before: old,
                    after: new,
                    added,
                    deleted,
                }
            })
            .collect())
    }

    /// What differs, and both versions of it.
    fn both_versions(
        &self,
        before: &TreeId,
        after: &TreeId,
    ) -> Result<(Vec<ChangedFile>, Objects), GitError> {
        let changed = self.changed_files(before, after)?;
        let wanted = changed.iter().flat_map(blobs_of).collect();
        let objects = self.in_halves(wanted, Held::Readable)?;
        Ok((changed, objects))
    }

    /// Objects by their names; many are asked for in two halves, side by side.
    fn in_halves(&self, wanted: BTreeSet<BlobId>, held: Held) -> Result<Objects, GitError> {
        let wanted: Vec<BlobId> = wanted.into_iter().collect();
        let middle = if wanted.len() < WORTH_TWO {
            wanted.len()
        } else {
            wanted.len() / 2
        };
        let (first, second) = wanted.split_at(middle);
        let (first, second) = std::thread::scope(|scope| {
            let second = (!second.is_empty()).then(|| scope.spawn(|| self.objects(second, held)));
            let first = self.objects(first, held);
            (first, second.map_or(Ok(Vec::new()), joined))
        });
        let objects: Vec<Object> = first?.into_iter().chain(second?).collect();
        Ok(wanted.into_iter().zip(objects).collect())
    }

    /// Git's own counts.
    fn counts(&self, before: &TreeId, after: &TreeId) -> Result<Counts, GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .call(&index, "diff-tree")
            .arguments(["-r", "-z", "--numstat", "--no-renames"])
            .arguments(["--no-ext-diff", "--no-textconv", "--no-abbrev"])
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

/// What there is to read of a file; a submodule is only a name.
fn blobs_of(file: &ChangedFile) -> Vec<BlobId> {
    let sides = [&file.before, &file.after].into_iter().flatten();
    let blobs = sides.filter(|(mode, _)| *mode != FileMode::Submodule);
    blobs.map(|(_, id)| id.clone()).collect()
}

/// Where git counts nothing although it is text: an attribute may have told it not to look.
fn own_count(before: Option<&Version>, after: Option<&Version>) -> (usize, usize) {
    fn content(side: Option<&Version>) -> Option<&[u8]> {
        match side {
            None => Some(b""),
            Some(version) => version.content.as_deref().filter(|bytes| !is_binary(bytes)),
        }
    }
    match (content(before), content(after)) {
        (Some(before), Some(after)) => {
            let difference = LineDiff::between(before, after);
            (difference.added, difference.deleted)
        }
        _ => (0, 0),
    }
}
