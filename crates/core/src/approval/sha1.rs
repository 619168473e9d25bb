//! SHA-1, for key revocation lists that name keys by it.
//!
//! It is known to be weak: two contents with the same digest can be made. Here that could only revoke a second key, so
//! nothing is believed because of it, and nothing else may use it.

/// The digest of some bytes.
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut state = [
        0x6745_2301_u32,
        0xefcd_ab89,
        0x98ba_dcfe,
        0x1032_5476,
        0xc3d2_e1f0,
    ];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        mix(&mut state, block);
    }
    let mut digest = [0; 20];
    for (to, word) in digest.chunks_exact_mut(4).zip(state) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn mix(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0_u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        let bytes = bytes.iter().map(|byte| u32::from(*byte));
        *word = bytes.fold(0, |word, byte| word << 8 | byte);
    }
    for index in 16..80 {
        let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16];
        words[index] = mixed.rotate_left(1);
    }
    let mut turning = *state;
    for (index, word) in words.into_iter().enumerate() {
        let [first, two, three, four, last] = turning;
        let (chosen, constant) = match index / 20 {
            0 => ((two & three) | (!two & four), 0x5a82_7999),
            1 => (two ^ three ^ four, 0x6ed9_eba1),
            2 => ((two & three) | (two & four) | (three & four), 0x8f1b_bcdc),
            _ => (two ^ three ^ four, 0xca62_c1d6_u32),
        };
        let next = first
            .rotate_left(5)
            .wrapping_add(chosen)
            .wrapping_add(last)
            .wrapping_add(constant)
            .wrapping_add(word);
        turning = [next, first, two.rotate_left(30), three, four];
    }
    for (old, new) in state.iter_mut().zip(turning) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        let million = vec![b'a'; 1_000_000];
        let table: [(&[u8], &str); 4] = [
            (b"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (b"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            ),
            (&million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ];
        for (content, wanted) in table {
            let digits = sha1(content).iter().fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            });
            assert_eq!(digits, wanted);
        }
    }
}
