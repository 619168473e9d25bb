//! Counting the tokens of one piece.

use super::vocabulary::{NO_TOKEN, Rank, Vocabulary};

/// How many bytes are merged at a time. No token is longer than half of that.
const WINDOW: usize = 256;

/// Tokens that end this close to the end of a window may depend on what comes after it.
const MARGIN: usize = 24;

/// How many merges one minimum is kept for.
const BLOCK: usize = 16;

/// A merge to come: the rank of the token that it makes, times [`WINDOW`], plus where that begins. So the
/// lowest is next, and of equal ranks the leftmost.
type Merge = i32;

/// This and everything above is no merge.
const NO_MERGE: Merge = merge_at(0, NO_TOKEN);

/// Every number up to the length of a window, to be copied.
static NUMBERS: [u16; WINDOW + 1] = {
    let mut numbers = [0; WINDOW + 1];
    let mut index = 1;
    while index < numbers.len() {
        numbers[index] = numbers[index - 1] + 1;
        index += 1;
    }
    numbers
};

/// Merges the bytes of a piece into tokens: of all neighbours whose union is a token, the two with the
/// lowest rank, until there are none.
///
/// A part of the window is known by its first byte.
pub(super) struct Merger {
    vocabulary: &'static Vocabulary,
    /// For the first byte of a part: its merge with the next one.
    merges: [Merge; WINDOW],
    /// The lowest of each block of `merges`.
    lowest: [Merge; WINDOW / BLOCK],
    /// For the first byte of a part: where it ends.
    ends: [u16; WINDOW],
    /// For the end of a part: where it begins.
    starts: [u16; WINDOW + 1],
}

impl Merger {
    pub(super) fn new(vocabulary: &'static Vocabulary) -> Self {
        Self {
            vocabulary,
            merges: [NO_MERGE; WINDOW],
            lowest: [NO_MERGE; WINDOW / BLOCK],
            ends: [0; WINDOW],
            starts: [0; WINDOW + 1],
        }
    }

    /// How many tokens the piece has that is the first `length` bytes of the text.
    pub(super) fn count(&mut self, text: &[u8], length: usize) -> usize {
        if length == 1 || self.vocabulary.rank(text, length) != NO_TOKEN {
            1
        } else if length <= WINDOW {
            self.merge(text, length)
        } else {
            self.count_in_windows(text, length)
                .unwrap_or_else(|| bpe_openai::cl100k_base().bpe.count(&text[..length]))
        }
    }

    /// Counts a long piece window by window, because the time for one grows faster than its length.
    ///
    /// Tokens are the encoding of a text exactly if every two neighbours are the encoding of their own
    /// text. So windows overlap by one token: if both find it, all neighbours were found together in
    /// some window and the count is right. There is no answer if they do not, because the end of a window
    /// reached further back than its margin, or if there is only one token in front of the margin: the
    /// first takes a text made for that, the second two of the longest tokens, which are spaces.
    fn count_in_windows(&mut self, text: &[u8], length: usize) -> Option<usize> {
        let mut tokens = 0;
        let mut start = 0;
        let mut shared = None;
        let mut merged: &[u8] = &[];
        while length - start > WINDOW {
            let window = &text[start..start + WINDOW];
            // A long piece is often one character again and again.
            if window != merged {
                self.merge(&text[start..], WINDOW);
                merged = window;
            }
            if shared.is_some_and(|shared| shared != self.end(0)) {
                return None;
            }
            let mut last = 0;
            while self.end(self.end(last)) <= WINDOW - MARGIN {
                last = self.end(last);
                tokens += 1;
            }
            if last == 0 {
                return None;
            }
            shared = Some(self.end(last) - last);
            start += last;
        }
        tokens += self.merge(&text[start..], length - start);
        (shared == Some(self.end(0))).then_some(tokens)
    }

    /// Merges the window that is the first `length` bytes of the text and returns its number of tokens.
    fn merge(&mut self, text: &[u8], length: usize) -> usize {
        self.begin(&text[..length]);
        let blocks = length.div_ceil(BLOCK);
        let mut tokens = length;
        while let Some(start) = start_of(lowest(&self.lowest[..blocks])) {
            self.join(text, length, start);
            tokens -= 1;
        }
        tokens
    }

    /// Every byte is a part.
    fn begin(&mut self, window: &[u8]) {
        self.ends[..window.len()].copy_from_slice(&NUMBERS[1..=window.len()]);
        self.starts[1..=window.len()].copy_from_slice(&NUMBERS[..window.len()]);
        for (start, pair) in window.array_windows().enumerate() {
            let [first, second] = *pair;
            self.merges[start] = merge_at(start, self.vocabulary.pair_rank(first, second));
        }
        let blocks = window.len().div_ceil(BLOCK);
        self.merges[window.len() - 1..blocks * BLOCK].fill(NO_MERGE);
        for block in 0..blocks {
            self.update_lowest(block);
        }
    }

    /// Makes the part at `start` and the next one a single part.
    fn join(&mut self, text: &[u8], length: usize, start: usize) {
        let middle = self.end(start);
        let end = self.end(middle);
        self.ends[start] = self.ends[middle];
        self.starts[end] = self.starts[middle];
        self.merges[middle] = NO_MERGE;
        self.merges[start] = if end < length {
            self.merge_of(text, start, self.end(end))
        } else {
            NO_MERGE
        };
        let before = if start > 0 {
            let before = usize::from(self.starts[start]);
            self.merges[before] = self.merge_of(text, before, end);
            before
        } else {
            start
        };
        self.update_lowest(start / BLOCK);
        if middle / BLOCK != start / BLOCK {
            self.update_lowest(middle / BLOCK);
        }
        if before / BLOCK != start / BLOCK {
            self.update_lowest(before / BLOCK);
        }
    }

    fn end(&self, start: usize) -> usize {
        usize::from(self.ends[start])
    }

    fn merge_of(&self, text: &[u8], start: usize, end: usize) -> Merge {
        merge_at(start, self.vocabulary.rank(&text[start..], end - start))
    }

    fn update_lowest(&mut self, block: usize) {
        let (blocks, _) = self.merges.as_chunks::<BLOCK>();
        self.lowest[block] = lowest(&blocks[block]);
    }
}

fn lowest(merges: &[Merge]) -> Merge {
    merges.iter().copied().min().unwrap_or(NO_MERGE)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a start is less than the window"
)]
const fn merge_at(start: usize, rank: Rank) -> Merge {
    rank * WINDOW as Merge + start as Merge
}

#[expect(clippy::cast_sign_loss, reason = "no merge is negative")]
const fn start_of(merge: Merge) -> Option<usize> {
    if merge < NO_MERGE {
        Some(merge as usize % WINDOW)
    } else {
        None
    }
}
