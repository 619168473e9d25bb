//! From the bytes of a token to its rank.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

/// The place of a token in the vocabulary; of two possible merges the lower rank comes first.
pub(super) type Rank = i32;

/// The rank of bytes that are no token: far above all others, and leaves room to reckon with it.
pub(super) const NO_TOKEN: Rank = 1 << 20;

/// Tokens with fewer bytes than this are keys by value, with their length in the last byte.
const LONG: usize = size_of::<u128>();

/// Every token of the vocabulary with its rank.
pub(super) struct Vocabulary {
    /// Of every two bytes: a merge begins with them all, so they are looked up most.
    pairs: Vec<Rank>,
    /// Comparing and hashing one number is several times as fast as comparing and hashing a slice.
    short: HashMap<u128, Rank, FixedState>,
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
            short: HashMap::with_capacity_and_hasher(encoding.num_tokens(), FixedState::default()),
            long: HashMap::default(),
        };
        for (token, rank) in (0..).zip(0..).take(encoding.num_tokens()) {
            let bytes = encoding.token_bytes(token);
            if let [first, second] = bytes {
                vocabulary.pairs[pair_index(*first, *second)] = rank;
            }
            if bytes.len() < LONG {
                vocabulary.short.insert(short_key(bytes), rank);
            } else {
                vocabulary.long.insert(bytes, rank);
            }
        }
        vocabulary
    }

    /// The rank of the token with these bytes.
    pub(super) fn rank(&self, bytes: &[u8]) -> Rank {
        let rank = if bytes.len() < LONG {
            self.short.get(&short_key(bytes))
        } else {
            self.long.get(bytes)
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

/// The bytes and how many they are, as one number. The first and the last few bytes are read as numbers
/// that may overlap: where they do, both have the same bits.
fn short_key(bytes: &[u8]) -> u128 {
    let length = bytes.len();
    let content = if let Some((first, last)) = both_ends::<8>(bytes) {
        u128::from(u64::from_le_bytes(first))
            | u128::from(u64::from_le_bytes(last)) << (8 * (length - 8))
    } else if let Some((first, last)) = both_ends::<4>(bytes) {
        u128::from(u32::from_le_bytes(first))
            | u128::from(u32::from_le_bytes(last)) << (8 * (length - 4))
    } else if let Some((first, last)) = both_ends::<2>(bytes) {
        u128::from(u16::from_le_bytes(first))
            | u128::from(u16::from_le_bytes(last)) << (8 * (length - 2))
    } else {
        bytes.first().copied().map_or(0, u128::from)
    };
    content | (length as u128) << (8 * (LONG - 1))
}

fn both_ends<const N: usize>(bytes: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*bytes.first_chunk()?, *bytes.last_chunk()?))
}
