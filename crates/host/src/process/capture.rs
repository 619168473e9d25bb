//! A bounded copy of a process's output.
//!
//! The head shows what was started and the tail how it ended; the middle is counted and dropped, so that a test
//! printing a gigabyte costs no more memory than one printing a megabyte.

use std::collections::VecDeque;

/// The kept parts of a stream: its beginning, its end, and the size of the gap between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: Vec<u8>,
    omitted: u64,
}

impl Captured {
    /// How many bytes between head and tail were dropped.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// Whether nothing was dropped.
    pub fn is_complete(&self) -> bool {
        self.omitted == 0
    }

    /// The kept bytes, without any mark where some are missing.
    pub fn bytes(&self) -> Vec<u8> {
        [self.head.as_slice(), self.tail.as_slice()].concat()
    }

    /// The kept bytes as text, with a line that says how many are missing.
    pub fn text(&self) -> String {
        if self.is_complete() {
            return String::from_utf8_lossy(&self.bytes()).into_owned();
        }
        format!(
            "{}\n[{} bytes of output omitted]\n{}",
            String::from_utf8_lossy(&self.head),
            self.omitted,
            String::from_utf8_lossy(&self.tail)
        )
    }
}

/// Collects a stream into a [`Captured`].
#[derive(Debug)]
pub(super) struct Collector {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    omitted: u64,
}

impl Collector {
    /// Keeps at most `limit` bytes in all, half of them from the end.
    pub(super) fn new(limit: usize) -> Self {
        let head_limit = limit / 2;
        Self {
            head: Vec::new(),
            head_limit,
            tail: VecDeque::new(),
            tail_limit: limit - head_limit,
            omitted: 0,
        }
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        let room = self.head_limit - self.head.len();
        let (for_head, rest) = chunk.split_at(room.min(chunk.len()));
        self.head.extend_from_slice(for_head);
        let kept = &rest[rest.len().saturating_sub(self.tail_limit)..];
        let overflow = (self.tail.len() + kept.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..overflow);
        self.tail.extend(kept);
        self.omitted += (overflow + rest.len() - kept.len()) as u64;
    }

    pub(super) fn finish(self) -> Captured {
        Captured {
            head: self.head,
            tail: self.tail.into(),
            omitted: self.omitted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Collector;

    fn capture(limit: usize, chunks: &[&[u8]]) -> super::Captured {
        let mut collector = Collector::new(limit);
        for chunk in chunks {
            collector.push(chunk);
        }
        collector.finish()
    }

    #[test]
    fn output_within_the_limit_is_kept_whole() {
        let captured = capture(10, &[b"abc", b"defg", b"hij"]);
        assert!(captured.is_complete());
        assert_eq!(captured.bytes(), b"abcdefghij");
    }

    #[test]
    fn head_and_tail_are_kept_whatever_the_chunks() {
        let whole: Vec<u8> = (0..=255).collect();
        for size in [1, 3, 7, 64, 256] {
            let chunks: Vec<&[u8]> = whole.chunks(size).collect();
            let captured = capture(11, &chunks);
            assert_eq!(captured.omitted(), 245, "chunks of {size}");
            assert_eq!(
                captured.bytes(),
                [&whole[..5], &whole[250..]].concat(),
                "chunks of {size}"
            );
        }
    }

    #[test]
    fn a_limit_of_nothing_keeps_nothing_and_counts() {
        let captured = capture(0, &[b"abc"]);
        assert_eq!((captured.bytes().len(), captured.omitted()), (0, 3));
    }
}
