//! Every file that differs between two trees, with both versions and git's own line counts.
//!
//! A handful of processes whatever the number of files: what differs, how large it is, git's counts beside the
//! contents, which do not wait for each other.

use std::collections::{BTreeMap, BTreeSet};

use proctor_core::diff::{LineDiff, is_binary};
use proctor_core::review_gate::{FileMode, Label, ReviewedFile, Version};
use proctor_core::workflow::{BlobId, TreeId};

use super::GitError;
use super::invocation::{PrivateIndex, Repository, unexpected};
use super::objects::ChangedFile;
use crate::process::joined;

/// What git calls binary is only held in memory up to this size; nobody is shown more of it than its size.
const LARGEST_BINARY: u64 = 1 << 20;

/// Fewer contents than this are not worth a second process.
const WORTH_TWO: usize = 100;

/// Lines added and deleted; nothing where git counts none.
type Counts = BTreeMap<Vec<u8>, Option<(usize, usize)>>;

impl Repository {
    /// What differs between two trees; `labels` says what is known of a name.
    pub fn reviewed_files(
        &self,
        before: &TreeId,
        after: &TreeId,
        mut labels: impl FnMut(&[u8]) -> BTreeSet<Label>,
    ) -> Result<Vec<ReviewedFile>, GitError> {
        let changed = self.changed_files(before, after)?;
        let blobs_of = |file: &ChangedFile| -> Vec<BlobId> {
            let sides = [&file.before, &file.after].into_iter().flatten();
            let blobs = sides.filter(|(mode, _)| *mode != FileMode::Submodule);
            blobs.map(|(_, id)| id.clone()).collect()
        };
        let ids: Vec<BlobId> = changed.iter().flat_map(blobs_of).collect();
        let (counts, sizes, mut contents) = std::thread::scope(|scope| {
            let counts = scope.spawn(|| self.counts(before, after));
            let sizes = self.blob_sizes(&ids)?;
            let is_small = |id: &&BlobId| sizes.get(id).is_none_or(|size| *size <= LARGEST_BINARY);
            let small: BTreeSet<BlobId> = ids.iter().filter(is_small).cloned().collect();
            let contents = self.contents(small)?;
            Ok::<_, GitError>((joined(counts)?, sizes, contents))
        })?;
        let counted = |file: &ChangedFile| counts.get(&file.path).copied().flatten();
        let text = changed.iter().filter(|file| counted(file).is_some());
        let large = text
            .flat_map(blobs_of)
            .filter(|id| !contents.contains_key(id));
        let large: BTreeSet<BlobId> = large.collect();
        contents.extend(self.contents(large)?);
        let mut uses: BTreeMap<BlobId, usize> = BTreeMap::new();
        for id in ids {
            *uses.entry(id).or_default() += 1;
        }
        // The last one who needs a content gets it; only files that are the same as another one are copied.
        let mut take = |id: &BlobId| {
            let left = uses.get_mut(id)?;
            *left -= 1;
            if *left == 0 {
                contents.remove(id)
            } else {
                contents.get(id).cloned()
            }
        };
        let mut version = |side: &Option<(FileMode, BlobId)>| {
            side.as_ref().map(|(mode, id)| match mode {
                FileMode::Submodule => Version::whole(*mode, id.as_str().as_bytes().to_vec()),
                _ => Version {
                    mode: *mode,
                    size: sizes.get(id).copied().unwrap_or_default(),
                    content: take(id),
                },
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

    /// The contents by their names; many are asked for in two halves.
    fn contents(&self, wanted: BTreeSet<BlobId>) -> Result<BTreeMap<BlobId, Vec<u8>>, GitError> {
        let wanted: Vec<BlobId> = wanted.into_iter().collect();
        let middle = if wanted.len() < WORTH_TWO {
            wanted.len()
        } else {
            wanted.len() / 2
        };
        let (first, second) = wanted.split_at(middle);
        let (first, second) = std::thread::scope(|scope| {
            let second = (!second.is_empty()).then(|| scope.spawn(|| self.blobs(second)));
            let first = self.blobs(first);
            (first, second.map_or(Ok(Vec::new()), joined))
        });
        let contents: Vec<Vec<u8>> = first?.into_iter().chain(second?).collect();
        Ok(wanted.into_iter().zip(contents).collect())
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

    /// How many bytes each object has, with one process.
    fn blob_sizes(&self, ids: &[BlobId]) -> Result<BTreeMap<BlobId, u64>, GitError> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let index = PrivateIndex::new()?;
        let names: Vec<&str> = ids.iter().map(BlobId::as_str).collect();
        let input = names.join("\n") + "\n";
        let text = self
            .call(&index, "cat-file")
            .arguments(["--batch-check=%(objectsize)"])
            .input(input)
            .text()?;
        let sizes: Vec<Option<u64>> = text.lines().map(|line| line.trim().parse().ok()).collect();
        if sizes.len() != ids.len() {
            return Err(unexpected("cat-file", text.as_bytes()));
        }
        let known = ids.iter().cloned().zip(sizes);
        Ok(known.filter_map(|(id, size)| Some((id, size?))).collect())
    }
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
