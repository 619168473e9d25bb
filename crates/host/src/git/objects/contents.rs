//! Objects by name, taken from one process while it prints them.

use std::io::{self, BufRead, BufReader, Read};

use proctor_core::diff::is_binary;
use proctor_core::object_id::{BlobId, TreeId};

use super::Objects;
use crate::git::GitError;
use crate::git::error::unexpected;
use crate::git::private_index::PrivateIndex;

/// Binary content is only held in memory up to this size; only its size is shown.
const LARGEST_BINARY: u64 = 1 << 20;

/// As much of an object as it takes to call it binary.
const PROBE: u64 = 8000;

/// As much as is taken from git at a time.
const PIECE: usize = 1 << 16;

/// The contents held in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Every byte.
    Everything,
    /// Contents that a person might read: no large binary.
    Readable,
}

/// An object of the repository.
#[derive(Debug, Clone)]
pub(super) struct Object {
    kind: String,
    pub(super) size: u64,
    /// None for a large binary of which only the size is wanted.
    pub(super) content: Option<Vec<u8>>,
}

impl Objects<'_> {
    /// Contents by object name, in the order asked for, with one process.
    pub fn blobs(&self, ids: &[BlobId]) -> Result<Vec<Vec<u8>>, GitError> {
        let objects = self.read(ids, Held::Everything)?;
        let contents = objects.into_iter().filter_map(|object| object.content);
        Ok(contents.collect())
    }

    /// The same with the sizes; a missing one is an error.
    pub(super) fn read(&self, ids: &[BlobId], held: Held) -> Result<Vec<Object>, GitError> {
        let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.batch(&names, held)?.into_iter();
        found
            .map(|object| object.ok_or_else(|| unexpected("cat-file", b"missing")))
            .collect()
    }

    /// The files of a tree at these paths, with one process; `None` where there is none.
    pub fn files_at(
        &self,
        tree: &TreeId,
        paths: &[&str],
    ) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let names: Vec<String> = paths.iter().map(|path| format!("{tree}:{path}")).collect();
        self.files_named(&names)
    }

    /// The same for files of several trees, each named `TREE:PATH`.
    pub fn files_named(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let found = self.batch(names, Held::Everything)?.into_iter();
        Ok(found
            .map(|object| object.filter(|object| object.kind == "blob")?.content)
            .collect())
    }

    fn batch(&self, names: &[String], held: Held) -> Result<Vec<Option<Object>>, GitError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let index = PrivateIndex::new()?;
        let mut input = names.join("\0");
        input.push('\0');
        self.git
            .call(&index, "cat-file")
            // No single answer is waited for, so none is flushed.
            .arguments(["--batch", "-z", "--buffer"])
            .input(input)
            .stream(|pipe| {
                let mut answers = BufReader::with_capacity(PIECE, pipe);
                let found = names.iter().map(|name| next(&mut answers, name, held));
                let found = found.collect::<io::Result<Vec<_>>>()?;
                match answers.fill_buf()? {
                    [] => Ok(found),
                    more => Err(not_understood(more)),
                }
            })
    }
}

/// The next answer of `cat-file --batch`: `<id> <kind> <size>` and the content, or the name that was asked for and
/// why there is none.
fn next(answers: &mut impl BufRead, name: &str, held: Held) -> io::Result<Option<Object>> {
    let missing = format!("{name} missing\n").into_bytes();
    let mut line = Vec::new();
    answers.read_until(b'\n', &mut line)?;
    // A name may hold line breaks, and only the answer for a missing one repeats it.
    while line.len() < missing.len() && !line.is_empty() && missing.starts_with(&line) {
        if answers.read_until(b'\n', &mut line)? == 0 {
            break;
        }
    }
    if line == missing {
        return Ok(None);
    }
    let header = std::str::from_utf8(&line).map_err(|_| not_understood(&line))?;
    let parts: Vec<&str> = header.trim_end_matches('\n').split(' ').collect();
    let (kind, size) = match parts[..] {
        [_, kind, size] => (kind, size.parse().map_err(|_| not_understood(&line))?),
        // The commit of a submodule is not here.
        [_, "missing" | "submodule"] => return Ok(None),
        _ => return Err(not_understood(&line)),
    };
    let content = content(answers, size, held)?;
    let mut end = [0];
    answers.read_exact(&mut end)?;
    Ok(Some(Object {
        kind: kind.to_owned(),
        size,
        content,
    }))
}

fn content(answers: &mut impl BufRead, size: u64, held: Held) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let probe = match held {
        Held::Readable if size > LARGEST_BINARY => PROBE,
        _ => size,
    };
    let mut rest = answers.take(size);
    rest.by_ref().take(probe).read_to_end(&mut bytes)?;
    let is_left_out = probe < size && is_binary(&bytes);
    if is_left_out {
        io::copy(&mut rest, &mut io::sink())?;
    } else {
        rest.read_to_end(&mut bytes)?;
    }
    if rest.limit() > 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((!is_left_out).then_some(bytes))
}

fn not_understood(answer: &[u8]) -> io::Error {
    let words = String::from_utf8_lossy(answer).into_owned();
    io::Error::new(io::ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut answers: &[u8], name: &str, held: Held) -> io::Result<Option<Object>> {
        next(&mut answers, name, held)
    }

    #[test]
    fn a_missing_name_may_hold_line_breaks() {
        let found = read(b"x:a\nb missing\n", "x:a\nb", Held::Everything);
        assert!(found.expect("it is understood").is_none());
    }

    #[test]
    fn an_answer_that_ends_early_is_an_error() {
        for answer in [
            &b""[..],
            b"id blob 5\nabc",
            b"id blob 3\nabc",
            b"id blob",
            b"x:a\n",
        ] {
            assert!(read(answer, "x:a\nb", Held::Everything).is_err());
        }
    }

    #[test]
    fn only_a_large_binary_is_left_out() {
        let large = usize::try_from(LARGEST_BINARY).expect("it fits") + 1;
        for (byte, size, is_held) in [(b'a', large, true), (0, large, false), (0, large - 1, true)]
        {
            let mut answer = format!("id blob {size}\n").into_bytes();
            answer.extend(vec![byte; size]);
            answer.push(b'\n');
            let object = read(&answer, "id", Held::Readable).expect("it is understood");
            let object = object.expect("it is there");
            assert_eq!(object.size, size as u64);
            assert_eq!(object.content.is_some(), is_held);
            let whole = read(&answer, "id", Held::Everything).expect("it is understood");
            let content = whole.and_then(|object| object.content);
            assert_eq!(content.map(|bytes| bytes.len()), Some(size));
        }
    }
}
