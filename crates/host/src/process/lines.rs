//! Complete lines out of a stream of chunks, for progress on the screen.
//!
//! Only a display, so a line is cut when it is longer than any screen shows: a gigabyte without a
//! line end must not become a gigabyte of memory.

/// Longer lines are cut here.
const LONGEST_LINE: usize = 4096;

/// Splits a stream into lines.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    pending: Vec<u8>,
    cut: bool,
}

impl LineSplitter {
    /// Takes the next chunk and hands every line that it completes to `on_line`.
    pub(super) fn push(&mut self, chunk: &[u8], on_line: &mut dyn FnMut(&str)) {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.keep(&rest[..end]);
            self.emit(on_line);
            rest = &rest[end + 1..];
        }
        self.keep(rest);
    }

    /// The stream is over: hands on the rest without a line end.
    pub(super) fn finish(&mut self, on_line: &mut dyn FnMut(&str)) {
        if !self.pending.is_empty() {
            self.emit(on_line);
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = LONGEST_LINE - self.pending.len();
        self.cut |= part.len() > room;
        self.pending
            .extend_from_slice(&part[..room.min(part.len())]);
    }

    fn emit(&mut self, on_line: &mut dyn FnMut(&str)) {
        let mut line = String::from_utf8_lossy(&self.pending).into_owned();
        if self.cut {
            line.push('…');
        }
        on_line(line.strip_suffix('\r').unwrap_or(&line));
        self.pending.clear();
        self.cut = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, LineSplitter};

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
        let mut splitter = LineSplitter::default();
        let mut lines = Vec::new();
        let mut on_line = |line: &str| lines.push(line.to_owned());
        for chunk in chunks {
            splitter.push(chunk, &mut on_line);
        }
        splitter.finish(&mut on_line);
        lines
    }

    #[test]
    fn lines_are_joined_across_chunks() {
        assert_eq!(lines(&[b"a\nb", b"c\r\n\nd"]), ["a", "bc", "", "d"]);
    }

    #[test]
    fn a_character_split_between_chunks_is_whole_in_its_line() {
        assert_eq!(
            lines(&["é".as_bytes()[..1].as_ref(), &"é\n".as_bytes()[1..]]),
            ["é"]
        );
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_not() {
        let long = vec![b'x'; LONGEST_LINE + 1];
        let seen = lines(&[&long, b"yyy", b"\nshort\n"]);
        assert_eq!(seen.len(), 2);
        assert!(seen[0].ends_with("x…"), "cut line ends with a mark");
        assert_eq!(seen[1], "short");
    }
}
