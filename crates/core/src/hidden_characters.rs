//! Characters that a reader cannot see.
//!
//! Two rules need the same list: a path with such a character could pass for another path, and a diff with one could
//! show a reviewer something other than the compiler reads. One table keeps the two from drifting apart.

/// Format characters, default-ignorable characters, and line separators that are not `\n`.
///
/// Ordered, so that a lookup is a binary search; both ends are included.
const HIDDEN: [(u32, u32); 26] = [
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1_10BD, 0x1_10BD),
    (0x1_10CD, 0x1_10CD),
    (0x1_3430, 0x1_343F),
    (0x1_BCA0, 0x1_BCA3),
    (0x1_D173, 0x1_D17A),
    (0xE_0000, 0xE_0FFF),
];

/// Whether the character takes no visible room or changes how its neighbours are shown.
pub(crate) fn is_hidden(character: char) -> bool {
    let code = u32::from(character);
    HIDDEN
        .binary_search_by(|&(first, last)| {
            if last < code {
                std::cmp::Ordering::Less
            } else if first > code {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::{HIDDEN, is_hidden};

    #[test]
    fn table_is_ordered_and_disjoint() {
        for pair in HIDDEN.windows(2) {
            assert!(pair[0].0 <= pair[0].1);
            assert!(pair[0].1 < pair[1].0);
        }
    }

    #[test]
    fn bidirectional_zero_width_and_tag_characters_are_hidden() {
        for character in ['\u{202E}', '\u{2066}', '\u{200B}', '\u{FEFF}', '\u{E0041}'] {
            assert!(is_hidden(character), "{character:?}");
        }
    }

    #[test]
    fn letters_of_any_script_are_not_hidden() {
        for character in ['a', 'é', 'ß', '中', 'ع', '→', '\u{1F600}'] {
            assert!(!is_hidden(character), "{character:?}");
        }
    }
}
