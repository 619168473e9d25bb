//! Every file that differs between two trees, with both versions and git's own line counts.
//!
//! A handful of processes whatever the number of files: git counts and shows the texts at once, and the rest is read as
//! objects.

use std::collections::{BTreeMap, BTreeSet};

use proctor_core::object_id::BlobId;
use proctor_core::review_gate::{FileMode, ReviewedFile, Version};

use super::GitError;
use super::contents::{Held, Object};
use super::invocation::Repository;
use super::objects::ChangedFile;

impl Repository {
    /// Files that differ, with all that there is to read of them, but without labels.
    pub fn reviewed_files(&self, changed: &[ChangedFile]) -> Result<Vec<ReviewedFile>, GitError> {
        let mut patches = self.patches(changed)?;
        let mut uses: BTreeMap<BlobId, usize> = BTreeMap::new();
        for id in changed.iter().flat_map(blobs_of) {
            *uses.entry(id).or_default() += 1;
        }
        let texts = std::mem::take(&mut patches.contents).into_iter();
        let mut objects: BTreeMap<BlobId, Object> = texts
            .map(|(id, content)| (id, Object::blob(content)))
            .collect();
        let left = uses.keys().filter(|id| !objects.contains_key(id));
        let left: Vec<BlobId> = left.cloned().collect();
        let read = self.objects(&left, Held::Readable)?;
        objects.extend(left.into_iter().zip(read));
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
                let (added, deleted) = patches.counts_of(file).unwrap_or_default();
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
}

/// What there is to read of a file; a submodule is only a name.
fn blobs_of(file: &ChangedFile) -> Vec<BlobId> {
    let sides = [&file.before, &file.after].into_iter().flatten();
    let blobs = sides.filter(|(mode, _)| *mode != FileMode::Submodule);
    blobs.map(|(_, id)| id.clone()).collect()
}
