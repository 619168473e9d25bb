//! Every file that differs between two trees, with both versions and git's own line counts.
//!
//! Three processes whatever the number of files: what differs, how large it is, and the contents.

use std::collections::{BTreeMap, BTreeSet};

use proctor_core::diff::{LineDiff, is_binary};
use proctor_core::review_gate::{FileMode, Label, ReviewedFile, Version};
use proctor_core::workflow::{BlobId, TreeId};

use super::GitError;
use super::invocation::{PrivateIndex, Repository, unexpected};
use super::objects::{ChangedFile, parse_raw};

/// What git calls binary is only held in memory up to this size; nobody is shown more of it than its size.
const LARGEST_BINARY: u64 = 1 << 20;

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
        let (changed, counts) = self.counted_changes(before, after)?;
        let counted = |file: &ChangedFile| counts.get(&file.path).copied().flatten();
        let blobs_of = |file: &ChangedFile| -> Vec<BlobId> {
            let sides = [&file.before, &file.after].into_iter().flatten();
            let blobs = sides.filter(|(mode, _)| *mode != FileMode::Submodule);
            blobs.map(|(_, id)| id.clone()).collect()
        };
        let ids: Vec<BlobId> = changed.iter().flat_map(blobs_of).collect();
        let sizes = self.blob_sizes(&ids)?;
        let too_large = |file: &ChangedFile, id: &BlobId| {
            counted(file).is_none() && sizes.get(id).is_some_and(|size| *size > LARGEST_BINARY)
        };
        let wanted: BTreeSet<BlobId> = changed
            .iter()
            .flat_map(|file| blobs_of(file).into_iter().filter(|id| !too_large(file, id)))
            .collect();
        let wanted: Vec<BlobId> = wanted.into_iter().collect();
        let contents = self.blobs(&wanted)?;
        let mut contents: BTreeMap<BlobId, Vec<u8>> = wanted.into_iter().zip(contents).collect();
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

    fn counted_changes(
        &self,
        before: &TreeId,
        after: &TreeId,
    ) -> Result<(Vec<ChangedFile>, Counts), GitError> {
        let index = PrivateIndex::new()?;
        let bytes = self
            .call(&index, "diff-tree")
            .arguments(["-r", "-z", "--raw", "--numstat", "--no-renames"])
            .arguments(["--no-ext-diff", "--no-textconv", "--no-abbrev"])
            // The user's own choice of algorithm would give other counts than the diff that is shown.
            .arguments(["--diff-algorithm=myers", before.as_str(), after.as_str()])
            .bytes()?;
        let mut fields = bytes.split(|byte| *byte == 0).peekable();
        let mut changed = Vec::new();
        while fields.peek().is_some_and(|field| field.starts_with(b":")) {
            if let (Some(meta), Some(path)) = (fields.next(), fields.next()) {
                changed.push(parse_raw(meta, path)?);
            }
        }
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
        Ok((changed, counts))
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
