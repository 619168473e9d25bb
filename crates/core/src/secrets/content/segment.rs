//! The part of a text in which one secret is looked for.

use super::mask::mark_at;

/// A text between two findings. The text outside has become a mark, or will, so no rule looks there: that is why a
/// masked text gives the same findings as the text itself.
#[derive(Clone, Copy)]
pub(super) struct Segment<'a> {
    /// The whole text.
    pub(super) bytes: &'a [u8],
    /// Where the finding before ended.
    pub(super) floor: usize,
    /// Where the next finding starts, if it is known already, else the end of the text.
    pub(super) ceiling: usize,
}

impl<'a> Segment<'a> {
    /// At most this many bytes from here on.
    pub(super) fn ahead(&self, from: usize, most: usize) -> &'a [u8] {
        let end = from.saturating_add(most).min(self.ceiling);
        self.bytes.get(from..end).unwrap_or_default()
    }

    /// At most this many bytes before this place.
    pub(super) fn behind(&self, to: usize, most: usize) -> &'a [u8] {
        let start = to.saturating_sub(most).max(self.floor);
        self.bytes.get(start..to).unwrap_or_default()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        (at >= self.floor && at < self.ceiling).then(|| self.bytes[at])
    }

    /// How many bytes of this kind follow, of at most `most`.
    pub(super) fn run(&self, from: usize, most: usize, class: fn(u8) -> bool) -> usize {
        let ahead = self.ahead(from, most);
        ahead
            .iter()
            .position(|&byte| !class(byte))
            .unwrap_or(ahead.len())
    }

    /// How many bytes of this kind come before, of at most `most`.
    pub(super) fn run_behind(&self, to: usize, most: usize, class: fn(u8) -> bool) -> usize {
        let behind = self.behind(to, most);
        behind
            .iter()
            .rev()
            .position(|&byte| !class(byte))
            .unwrap_or(behind.len())
    }

    /// Whether something that ends here was cut off by a finding, so that its end is unknown.
    pub(super) fn is_cut_at(&self, end: usize) -> bool {
        end >= self.ceiling && self.ceiling < self.bytes.len() || mark_at(self.bytes, end).is_some()
    }

    /// Whether a word can begin here: after anything that is not part of a word, after an escape such as `\n` in a
    /// quoted text or `%22` in an address, and after a colour.
    pub(super) fn is_word_start(&self, at: usize) -> bool {
        match *self.behind(at, 12) {
            [.., last] if !is_word(last) => true,
            [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] | [.., b'\\', b'u', b'0', b'0', _, _] => {
                true
            }
            [.., b'\\', b'x', high, low] | [.., b'%', high, low] => {
                high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
            }
            [ref colour @ .., b'm'] => {
                let digits = colour
                    .iter()
                    .rev()
                    .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
                    .count();
                colour[..colour.len() - digits].last() == Some(&b'[')
            }
            [..] => at == self.floor,
        }
    }
}

/// Letters, digits and the underscore.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The alphabet of base 64 for addresses.
pub(super) fn is_base64url(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// The usual alphabet of base 64 with its padding.
pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
mod tests {
    use super::Segment;

    fn segment(text: &str) -> Segment<'_> {
        Segment {
            bytes: text.as_bytes(),
            floor: 0,
            ceiling: text.len(),
        }
    }

    #[test]
    fn a_word_starts_behind_what_is_no_word() {
        let starts = [
            "",
            "=",
            " ",
            "\"",
            "-",
            "/",
            "é",
            "a ",
            r"\n",
            r"a\n",
            r"\t",
            r"\x22",
            r"\u0022",
            "%22",
            "x%3D",
            "\u{1b}[31m",
            "\u{1b}[1;31m",
            "\u{1b}[m",
            r"\u001b[0m",
        ];
        for before in starts {
            let text = format!("{before}AKIA");
            assert!(segment(&text).is_word_start(before.len()), "{before}");
        }
        for before in [
            "a", "_", "9", "n", "an", "m", "31m", "%2", "22", "x22", "u0022",
        ] {
            let text = format!("{before}AKIA");
            assert!(!segment(&text).is_word_start(before.len()), "{before}");
        }
    }

    #[test]
    fn nothing_is_read_outside_the_segment() {
        let mut segment = segment("0123456789");
        segment.floor = 3;
        segment.ceiling = 7;
        assert_eq!(segment.behind(5, 10), b"34");
        assert_eq!(segment.ahead(5, 10), b"56");
        assert_eq!(segment.ahead(9, 10), b"");
        assert_eq!((segment.byte(2), segment.byte(7)), (None, None));
        assert_eq!(segment.run(4, 10, |byte| byte.is_ascii_digit()), 3);
        assert_eq!(segment.run_behind(5, 10, |byte| byte.is_ascii_digit()), 2);
        assert!(segment.is_cut_at(7) && !segment.is_cut_at(6));
    }
}
