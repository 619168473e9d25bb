//! From bytes to line numbers.

use memchr::memchr_iter;

/// How many bytes share one entry. Line starts would take more memory than the file where lines are short.
const STRIDE: usize = 4096;

/// Line numbers of a text, from a count every few kilobytes.
#[derive(Debug)]
pub(super) struct LineNumbers<'a> {
    text: &'a [u8],
    /// Line ends before each stride.
    before: Vec<usize>,
}

impl<'a> LineNumbers<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let mut count = 0;
        let before = text.chunks(STRIDE).map(|chunk| {
            let so_far = count;
            count += memchr_iter(b'\n', chunk).count();
            so_far
        });
        Self {
            before: before.collect(),
            text,
        }
    }

    /// The number, from 1, of the line that the byte at `offset` is in.
    pub(super) fn at(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        let start = (stride * STRIDE).min(self.text.len());
        let before = self.before.get(stride).copied();
        // Just after the last byte there may be no further stride.
        let before = before.unwrap_or_else(|| memchr_iter(b'\n', &self.text[..start]).count());
        let within = &self.text[start..offset.min(self.text.len())];
        before + memchr_iter(b'\n', within).count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::LineNumbers;

    #[test]
    fn every_offset_of_a_long_text_is_in_its_line() {
        let text = b"ab\n\nc\r\n".repeat(2000);
        let numbers = LineNumbers::of(&text);
        let mut line = 1;
        for (offset, byte) in text.iter().enumerate() {
            assert_eq!(numbers.at(offset), line);
            line += usize::from(*byte == b'\n');
        }
        assert_eq!(numbers.at(text.len()), line);
    }

    #[test]
    fn an_empty_text_has_one_line() {
        assert_eq!(LineNumbers::of(b"").at(0), 1);
    }
}
