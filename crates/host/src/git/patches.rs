//! Both versions of every text that differs, and git's own line counts, without reading anything twice.
//!
//! Git has to read both versions to count their lines, so it prints them as well: a patch with all lines as context
//! holds the whole of both, and its signs are what `--numstat` counts. Reading the contents a second time from
//! `cat-file` takes longer than everything else in a review. What git compares are trees of our own, in a git
//! directory of our own, with numbers for names: so the work can be shared between processes, no name can look like
//! a part of a patch, and neither attributes nor configuration of the repository have a say. A content counts only
//! if it has the name that the patch gives it, which is its digest; whatever is left, binary files above all, is
//! read as an object.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use memchr::memchr_iter;
use proctor_core::object_id::BlobId;
use proctor_core::review_gate::FileMode;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::GitError;
use super::error::unexpected;
use super::invocation::{Call, Repository};
use super::objects::ChangedFile;
use super::private_index::PrivateIndex;
use super::snapshot::quoted;
use crate::journal::hexadecimal;

/// More lines than any text that git compares.
const ALL_LINES: &str = "-U1073741823";

/// Fewer files than this are not worth a second process.
const WORTH_TWO: usize = 50;

/// Both contents of a file by their names; none where the file is not there.
type Pair = (Option<BlobId>, Option<BlobId>);

/// Lines added and deleted.
type Counts = (usize, usize);

/// What git says about all files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patches {
    /// Nothing where git counts none.
    counts: BTreeMap<Pair, Option<Counts>>,
    /// Texts, by the name that they have.
    pub(super) contents: BTreeMap<BlobId, Vec<u8>>,
}

impl Repository {
    /// Counts for all files that differ, and their texts.
    pub(super) fn patches(&self, changed: &[ChangedFile]) -> Result<Patches, GitError> {
        let pairs: BTreeSet<Pair> = changed.iter().flat_map(pairs_of).collect();
        let pairs: Vec<Pair> = pairs.into_iter().collect();
        if pairs.is_empty() {
            return Ok(Patches::default());
        }
        let middle = if pairs.len() < WORTH_TWO {
            pairs.len()
        } else {
            pairs.len() / 2
        };
        let (first, second) = pairs.split_at(middle);
        let parts: Vec<&[Pair]> = [first, second]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let index = PrivateIndex::new()?;
        let trees = self.trees_of(&index, &parts)?;
        let calls = trees.iter().map(|trees| self.comparison(&index, trees));
        let calls: Vec<Call<'_>> = calls.collect::<Result<_, GitError>>()?;
        let mut readers: Vec<Reader> = calls.iter().map(|_| Reader::default()).collect();
        let mut patches = Patches::default();
        Call::side_by_side(calls, |number, piece| {
            readers[number].read(piece, &mut patches)
        })?;
        for mut reader in readers {
            reader.section.end(&mut patches);
        }
        Ok(patches)
    }

    /// A call that sees the repository's objects and writes into the private directory.
    fn call_beside(&self, index: &PrivateIndex, command: &str) -> Result<Call<'_>, GitError> {
        let private = index.directory().join("objects");
        std::fs::create_dir_all(&private)?;
        // A list that colons separate, so a name may not stand there as it is.
        let objects = quoted(self.common.join("objects").as_os_str().as_bytes());
        Ok(self
            .call_on_objects(index, command)?
            .variable("GIT_OBJECT_DIRECTORY", private)
            .variable(
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                OsString::from_vec(objects),
            ))
    }

    /// Each part as two trees, the old contents and the new ones under the same numbers.
    fn trees_of(
        &self,
        index: &PrivateIndex,
        parts: &[&[Pair]],
    ) -> Result<Vec<[String; 2]>, GitError> {
        let mut input = String::new();
        for part in parts {
            for side in [|pair: &Pair| pair.0.clone(), |pair: &Pair| pair.1.clone()] {
                for (number, pair) in part.iter().enumerate() {
                    if let Some(id) = side(pair) {
                        let _ = writeln!(input, "100644 blob {id}\t{number:08}");
                    }
                }
                input.push('\n');
            }
        }
        let text = self
            .call_beside(index, "mktree")?
            .arguments(["--missing", "--batch"])
            .input(input)
            .text()?;
        let trees: Vec<String> = text.lines().map(str::to_owned).collect();
        if trees.len() != 2 * parts.len() {
            return Err(unexpected("mktree", text.as_bytes()));
        }
        let pairs = trees.chunks_exact(2);
        Ok(pairs
            .map(|pair| [pair[0].clone(), pair[1].clone()])
            .collect())
    }

    fn comparison(&self, index: &PrivateIndex, trees: &[String; 2]) -> Result<Call<'_>, GitError> {
        Ok(self
            .call_beside(index, "diff-tree")?
            .arguments(["--patch", ALL_LINES, "--full-index", "--no-renames"])
            .arguments(["--no-color", "--no-ext-diff", "--no-textconv"])
            // The user's own choice of algorithm would give other counts than the diff that is shown.
            .arguments(["--diff-algorithm=myers", &trees[0], &trees[1]]))
    }
}

/// What git has to compare for a file: what became another kind of thing is one thing gone and one new, and a submodule
/// has no content.
fn pairs_of(file: &ChangedFile) -> Vec<Pair> {
    let content = |side: &Option<(FileMode, BlobId)>| {
        let blob = side
            .as_ref()
            .filter(|(mode, _)| *mode != FileMode::Submodule);
        blob.map(|(_, id)| id.clone())
    };
    let (old, new) = (content(&file.before), content(&file.after));
    let kinds = |side: &Option<(FileMode, BlobId)>| side.as_ref().map(|(mode, _)| mode.is_file());
    let pairs = match (kinds(&file.before), kinds(&file.after)) {
        (Some(before), Some(after)) if before != after => vec![(old, None), (None, new)],
        // Only the mode differs.
        _ if old == new => Vec::new(),
        _ => vec![(old, new)],
    };
    let is_something = |pair: &Pair| *pair != (None, None);
    pairs.into_iter().filter(is_something).collect()
}

impl Patches {
    /// Git's counts for a file; none for what git takes for binary.
    pub(super) fn counts_of(&self, file: &ChangedFile) -> Option<Counts> {
        let is_submodule = |side: &Option<(FileMode, BlobId)>| {
            side.as_ref()
                .is_some_and(|(mode, _)| *mode == FileMode::Submodule)
        };
        // A commit's name counts as one line.
        let mut counts = (
            usize::from(is_submodule(&file.after)),
            usize::from(is_submodule(&file.before)),
        );
        for pair in pairs_of(file) {
            let (added, deleted) = self.counts.get(&pair).copied().flatten()?;
            counts = (counts.0 + added, counts.1 + deleted);
        }
        Some(counts)
    }
}

/// One file's patch, as far as it has been read. Its room is used again for the next one.
#[derive(Debug, Default)]
struct Section {
    pair: Pair,
    counts: Counts,
    is_binary: bool,
    old: Vec<u8>,
    new: Vec<u8>,
    /// Lines of the hunk that are still to come, old and new.
    left: (usize, usize),
    /// The sign of the last line.
    last: u8,
}

/// A patch that comes in pieces. Every line is looked at where it lies; only one that two pieces share is put together.
#[derive(Debug, Default)]
struct Reader {
    section: Section,
    begun: Vec<u8>,
}

impl Reader {
    fn read(&mut self, piece: &[u8], patches: &mut Patches) -> io::Result<()> {
        let mut start = 0;
        for end in memchr_iter(b'\n', piece) {
            let line = &piece[start..=end];
            start = end + 1;
            if self.begun.is_empty() {
                self.section.take(line, patches)?;
            } else {
                self.begun.extend_from_slice(line);
                self.section.take(&self.begun, patches)?;
                self.begun.clear();
            }
        }
        self.begun.extend_from_slice(&piece[start..]);
        Ok(())
    }
}

impl Section {
    fn take(&mut self, line: &[u8], patches: &mut Patches) -> io::Result<()> {
        if self.left != (0, 0) {
            self.push(line);
        } else if line.starts_with(b"\\") {
            // `\ No newline at end of file`, in whatever language.
            self.without_newline();
        } else if line.starts_with(b"@@ -") {
            self.left = hunk(line).ok_or_else(|| not_understood(line))?;
        } else if line.starts_with(b"diff --git ") {
            self.end(patches);
        } else if let Some(names) = line.strip_prefix(b"index ") {
            self.pair = pair(names).ok_or_else(|| not_understood(line))?;
        } else if line.starts_with(b"Binary files ") {
            self.is_binary = true;
        }
        Ok(())
    }

    /// A line of a hunk.
    fn push(&mut self, line: &[u8]) {
        let (sign, text) = (line[0], &line[1..]);
        if sign == b'\\' {
            self.without_newline();
            return;
        }
        self.last = sign;
        if sign != b'+' {
            self.old.extend_from_slice(text);
            self.left.0 = self.left.0.saturating_sub(1);
            self.counts.1 += usize::from(sign == b'-');
        }
        if sign != b'-' {
            self.new.extend_from_slice(text);
            self.left.1 = self.left.1.saturating_sub(1);
            self.counts.0 += usize::from(sign == b'+');
        }
    }

    fn without_newline(&mut self) {
        if self.last != b'+' {
            self.old.pop();
        }
        if self.last != b'-' {
            self.new.pop();
        }
    }

    /// Keeps what has been read, and begins anew.
    fn end(&mut self, patches: &mut Patches) {
        let pair = std::mem::take(&mut self.pair);
        let counts = std::mem::take(&mut self.counts);
        let is_binary = std::mem::take(&mut self.is_binary);
        if pair != (None, None) {
            for (id, content) in [(&pair.0, &self.old), (&pair.1, &self.new)] {
                if let Some(id) = id
                    && has_name(content, id)
                {
                    patches.contents.insert(id.clone(), content.clone());
                }
            }
            patches.counts.insert(pair, (!is_binary).then_some(counts));
        }
        self.old.clear();
        self.new.clear();
    }
}

fn has_name(content: &[u8], id: &BlobId) -> bool {
    let id = id.as_str();
    id == if id.len() == 64 {
        name::<Sha256>(content)
    } else {
        name::<Sha1>(content)
    }
}

/// The name that git gives a content.
fn name<D: Digest>(content: &[u8]) -> String {
    let mut digest = D::new();
    digest.update(format!("blob {}\0", content.len()));
    digest.update(content);
    hexadecimal(&digest.finalize())
}

/// How many lines of each side a hunk has: `@@ -1,3 +1,4 @@`; a missing number is one.
fn hunk(line: &[u8]) -> Option<(usize, usize)> {
    let text = std::str::from_utf8(line).ok()?.strip_prefix("@@ -")?;
    let (old, rest) = text.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    count(old).zip(count(new))
}

/// `OLD..NEW`, perhaps with a mode behind it; a name of zeros is that of nothing.
fn pair(text: &[u8]) -> Option<Pair> {
    let text = std::str::from_utf8(text).ok()?;
    let (old, new) = text.split_whitespace().next()?.split_once("..")?;
    let side = |name: &str| {
        if name.bytes().all(|byte| byte == b'0') {
            return Some(None);
        }
        BlobId::parse(name).ok().map(Some)
    };
    side(old).zip(side(new))
}

fn not_understood(line: &[u8]) -> io::Error {
    let words = String::from_utf8_lossy(line).into_owned();
    io::Error::new(io::ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: &str = "0000000000000000000000000000000000000000";

    fn id(content: &str) -> BlobId {
        BlobId::parse(&name::<Sha1>(content.as_bytes())).expect("a name")
    }

    /// A patch from one content to another, with this hunk.
    fn patch(old: Option<&str>, new: Option<&str>, hunk: &str) -> String {
        let name = |side: Option<&str>| {
            side.map_or(NOTHING.to_owned(), |content| {
                id(content).as_str().to_owned()
            })
        };
        let (old, new) = (name(old), name(new));
        format!("diff --git a/x b/x\nindex {old}..{new} 100644\n--- a/x\n+++ b/x\n{hunk}")
    }

    /// Whatever the pieces are that it comes in.
    fn read(text: &str) -> io::Result<Patches> {
        let mut found: Vec<Patches> = Vec::new();
        for size in [1, 7, text.len()] {
            let (mut reader, mut patches) = (Reader::default(), Patches::default());
            for piece in text.as_bytes().chunks(size) {
                reader.read(piece, &mut patches)?;
            }
            reader.section.end(&mut patches);
            found.push(patches);
        }
        let last = found.pop().expect("three");
        assert!(found.iter().all(|one| *one == last));
        Ok(last)
    }

    fn counts(patches: &Patches, old: Option<&str>, new: Option<&str>) -> Option<Counts> {
        patches.counts[&(old.map(id), new.map(id))]
    }

    #[track_caller]
    fn assert_holds(patches: &Patches, contents: &[&str]) {
        let wanted = contents
            .iter()
            .map(|content| (id(content), content.as_bytes().to_vec()));
        assert_eq!(patches.contents, wanted.collect());
    }

    #[test]
    fn a_name_is_gits_own() {
        assert_eq!(
            id("a\n").as_str(),
            "78981922613b2afb6025042ff6bd878ac1994e85"
        );
    }

    #[test]
    fn both_versions_and_their_counts_are_in_a_patch() {
        let (old, new) = (Some("one\ntwo\n\n"), Some("one\n2\n+\n\n"));
        let text = patch(old, new, "@@ -1,3 +1,4 @@\n one\n-two\n+2\n++\n \n");
        let added = patch(None, Some("-- a\n"), "@@ -0,0 +1 @@\n+-- a\n");
        let patches = read(&(text + &added)).expect("read");
        assert_eq!(counts(&patches, old, new), Some((2, 1)));
        assert_eq!(counts(&patches, None, Some("-- a\n")), Some((1, 0)));
        assert_holds(&patches, &["one\ntwo\n\n", "one\n2\n+\n\n", "-- a\n"]);
    }

    #[test]
    fn only_the_side_that_lacks_a_newline_loses_it() {
        for (old, new, hunk) in [
            ("a", "b\n", "-a\n\\ Kein Zeilenumbruch am Dateiende.\n+b\n"),
            ("a\n", "b", "-a\n+b\n\\ No newline at end of file\n"),
            ("a", "b", "-a\n\\ No\n+b\n\\ No\n"),
        ] {
            let text = patch(Some(old), Some(new), &format!("@@ -1 +1 @@\n{hunk}"));
            let patches = read(&text).expect("read");
            assert_holds(&patches, &[old, new]);
        }
    }

    #[test]
    fn what_has_another_name_and_what_is_binary_is_not_taken() {
        let wrong = patch(Some("a\n"), Some("b\n"), "@@ -1 +1 @@\n-a\n+c\n");
        let binary = patch(Some("x"), Some("y"), "Binary files a/x and b/x differ\n");
        let mode = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
        let text = format!("{wrong}{binary}{mode}");
        let patches = read(&text).expect("read");
        assert_holds(&patches, &["a\n"]);
        assert_eq!(counts(&patches, Some("x"), Some("y")), None);
        assert_eq!(patches.counts.len(), 2);
    }

    #[test]
    fn what_is_no_patch_is_an_error() {
        for text in ["index 12\n", "@@ -1,x +1 @@\n"] {
            let text = format!("diff --git a/x b/x\n{text}");
            assert!(read(&text).is_err(), "{text}");
        }
    }
}
