//! From the bytes of a token to its rank.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

/// The place of a token in the vocabulary; of two possible merges the lower rank comes first.
pub(super) type Rank = i32;

/// The rank of bytes that are no token: far above all others, and leaves room to reckon with it.
pub(super) const NO_TOKEN: Rank = 1 << 20;

/// Tokens with fewer bytes than this are keys as a `u64`.
const MIDDLE: usize = size_of::<u64>();

/// Tokens with fewer bytes than this are keys as a `u128`.
const LONG: usize = size_of::<u128>();

/// Every token of the vocabulary with its rank.
pub(super) struct Vocabulary {
    /// Of every two bytes: a merge begins with them all, so they are looked up most.
    pairs: Vec<Rank>,
    /// Comparing and hashing one number is several times as fast as comparing and hashing a slice.
    short: HashMap<u64, Rank, FixedState>,
    middle: HashMap<u128, Rank, FixedState>,
    long: HashMap<&'static [u8], Rank, FixedState>,
}

impl Vocabulary {
    /// The one vocabulary, built on the first call.
    pub(super) fn get() -> &'static Self {
        static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::new);
        &VOCABULARY
    }

    fn new() -> Self {
        let encoding = &bpe_openai::cl100k_base().bpe;
        let mut vocabulary = Self {
            pairs: vec![NO_TOKEN; 1 << 16],
            short: HashMap::with_capacity_and_hasher(80_000, FixedState::default()),
            middle: HashMap::with_capacity_and_hasher(1 << 15, FixedState::default()),
            long: HashMap::default(),
        };
        for (token, rank) in (0..).zip(0..).take(encoding.num_tokens()) {
            let bytes = encoding.token_bytes(token);
            if let [first, second] = bytes {
                vocabulary.pairs[pair_index(*first, *second)] = rank;
            }
            if bytes.len() < MIDDLE {
                vocabulary.short.insert(short_key(bytes, bytes.len()), rank);
            } else if bytes.len() < LONG {
                vocabulary
                    .middle
                    .insert(middle_key(bytes, bytes.len()), rank);
            } else {
                vocabulary.long.insert(bytes, rank);
            }
        }
        vocabulary
    }

    /// The rank of the token that is the first `length` bytes.
    pub(super) fn rank(&self, bytes: &[u8], length: usize) -> Rank {
        let rank = if length < MIDDLE {
            self.short.get(&short_key(bytes, length))
        } else if length < LONG {
            self.middle.get(&middle_key(bytes, length))
        } else {
            self.long.get(&bytes[..length])
        };
        rank.copied().unwrap_or(NO_TOKEN)
    }

    /// The rank of the token with these two bytes.
    pub(super) fn pair_rank(&self, first: u8, second: u8) -> Rank {
        self.pairs[pair_index(first, second)]
    }
}

fn pair_index(first: u8, second: u8) -> usize {
    usize::from(u16::from_be_bytes([first, second]))
}

/// The first `length` bytes, and how many they are in the highest byte. Mostly there are more bytes than
/// these; reading too many and removing what is too much needs no branches.
fn short_key(bytes: &[u8], length: usize) -> u64 {
    let content = match bytes.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => (bytes.iter().rev()).fold(0, |content, byte| content << 8 | u64::from(*byte)),
    };
    content & !(u64::MAX << (8 * length)) | (length as u64) << (8 * (MIDDLE - 1))
}

/// The same for more bytes.
fn middle_key(bytes: &[u8], length: usize) -> u128 {
    let content = match bytes.first_chunk() {
        Some(bytes) => u128::from_le_bytes(*bytes),
        None => (bytes.iter().rev()).fold(0, |content, byte| content << 8 | u128::from(*byte)),
    };
    content & !(u128::MAX << (8 * length)) | (length as u128) << (8 * (LONG - 1))
}
