//! Every file that differs between two trees, with both versions and git's own line counts.
//!
//! Two processes whatever the number of files: one counts while the other prints the contents.

use std::collections::{BTreeMap, BTreeSet};

use proctor_core::object_id::{BlobId, TreeId};
use proctor_core::review_gate::{FileMode, ReviewedFile, Version};

use super::GitError;
use super::contents::{Held, Object};
use super::error::unexpected;
use super::invocation::Repository;
use super::objects::ChangedFile;
use super::private_index::PrivateIndex;
use crate::process::joined;

/// Lines added and deleted by path; nothing where git counts none.
type Counts = BTreeMap<Vec<u8>, Option<(usize, usize)>>;

impl Repository {
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
        let (counts, read) = std::thread::scope(|scope| {
            let counts = scope.spawn(|| self.line_counts(before, after));
            let read = self.objects(&wanted, Held::Readable);
            (joined(counts), read)
        });
        let counts = counts?;
        let mut objects: BTreeMap<BlobId, Object> = wanted.into_iter().zip(read?).collect();
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

/// What there is to read of a file; a submodule is only a name.
fn blobs_of(file: &ChangedFile) -> Vec<BlobId> {
    let sides = [&file.before, &file.after].into_iter().flatten();
    let blobs = sides.filter(|(mode, _)| *mode != FileMode::Submodule);
    blobs.map(|(_, id)| id.clone()).collect()
}
