//! The one door for text: bytes as a person may see them on a terminal, in a document or on a page.
//!
//! A person decides by the text they see. Escape sequences could repaint it, bidirectional controls could reorder it
//! and zero-width characters could hide in it, so each of them is shown as text. Every writer for people or scripts
//! passes its output through here: a line of the screen, standard output, the HTML page, the log, a notification. No
//! producer of a text has to remember it, and doing it twice changes nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::hidden_characters::is_hidden;

/// Bytes made safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// Printable text: characters that could act on a terminal or hide from a reader are spelled out.
    pub text: String,
    /// Whether something was spelled out that a reader would not have seen; a carriage return at
    /// the very end, as in files with Windows line ends, is spelled out but does not count.
    pub has_hidden_characters: bool,
}

/// Spells out everything that is not plainly visible; meant for one line without its `\n`.
///
/// Control characters become `\x1b`, a carriage return `\r`, hidden characters `<U+202E>` and
/// bytes that are not UTF-8 `<ff>`. A tab stays.
pub fn escape(bytes: &[u8]) -> Visible {
    let mut text = String::with_capacity(bytes.len());
    let mut has_hidden_characters = false;
    let (body, ends_in_return) = match bytes.strip_suffix(b"\r") {
        Some(body) => (body, true),
        None => (bytes, false),
    };
    for chunk in body.utf8_chunks() {
        for character in chunk.valid().chars() {
            has_hidden_characters |= push_visible(&mut text, character);
        }
        for byte in chunk.invalid() {
            has_hidden_characters = true;
            push_formatted(&mut text, format_args!("<{byte:02x}>"));
        }
    }
    if ends_in_return {
        text.push_str("\\r");
    }
    Visible {
        text,
        has_hidden_characters,
    }
}

/// Text of any number of lines, each with everything spelled out as [`escape`] does; line ends stay.
pub fn spelled_out(text: &str) -> Cow<'_, str> {
    // Nearly every text.
    if is_plain(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = text.split('\n').map(line).collect();
    Cow::Owned(lines.join("\n"))
}

/// Text that has to stay one line: a line end is spelled out too.
pub fn line(text: &str) -> String {
    escape(text.as_bytes()).text
}

/// The number of lines in which [`escape`] would spell out an invisible character; without producing the text, for
/// files too long to show.
pub fn hiding_lines(content: &[u8]) -> usize {
    // Nearly every file.
    if is_plain(content) {
        return 0;
    }
    let lines = content.split(|byte| *byte == b'\n');
    lines.filter(|line| hides_characters(line)).count()
}

fn hides_characters(line: &[u8]) -> bool {
    let body = line.strip_suffix(b"\r").unwrap_or(line);
    !is_plain(body) && escape(line).has_hidden_characters
}

/// Whether there is nothing but visible ASCII, tabs and line ends. In pieces: the processor looks at many bytes of
/// one at a time, which it cannot where each byte may be the last.
fn is_plain(bytes: &[u8]) -> bool {
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let mut pieces = bytes.chunks(1024);
    pieces.all(|piece| piece.iter().fold(true, |all, byte| all & plain(byte)))
}

/// Appends the character or its spelling; returns whether it had to be spelled.
fn push_visible(text: &mut String, character: char) -> bool {
    if character == '\t' {
        text.push(character);
        return false;
    }
    if character == '\r' {
        text.push_str("\\r");
    } else if character.is_control() {
        push_formatted(text, format_args!("\\x{:02x}", u32::from(character)));
    } else if is_hidden(character) {
        push_formatted(text, format_args!("<U+{:04X}>", u32::from(character)));
    } else {
        text.push(character);
        return false;
    }
    true
}

fn push_formatted(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments)
        .expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{escape, hiding_lines, line, spelled_out};
    use crate::hidden_characters::is_hidden;

    #[test]
    fn plain_text_stays_as_it_is() {
        let visible = escape("\tlet é = \"中\"; // → \u{1F600}".as_bytes());
        assert_eq!(visible.text, "\tlet é = \"中\"; // → \u{1F600}");
        assert!(!visible.has_hidden_characters);
    }

    #[test]
    fn what_acts_or_hides_is_spelled_out() {
        let cases: [(&[u8], &str); 9] = [
            (b"a\x1b[2Jb", "a\\x1b[2Jb"),
            (b"a\x00b", "a\\x00b"),
            (b"a\x08b", "a\\x08b"),
            (b"a\x7fb", "a\\x7fb"),
            ("a\u{9b}b".as_bytes(), "a\\x9bb"),
            ("a\u{202E}b".as_bytes(), "a<U+202E>b"),
            ("a\u{200B}b".as_bytes(), "a<U+200B>b"),
            ("a\u{E0041}b".as_bytes(), "a<U+E0041>b"),
            (b"a\xff\xc3(b", "a<ff><c3>(b"),
        ];
        for (bytes, expected) in cases {
            let visible = escape(bytes);
            assert_eq!(visible.text, expected);
            assert!(visible.has_hidden_characters, "{expected}");
        }
    }

    #[test]
    fn carriage_return_is_visible_and_suspicious_only_inside_a_line() {
        let at_end = escape(b"code\r");
        assert_eq!(at_end.text, "code\\r");
        assert!(!at_end.has_hidden_characters);
        let inside = escape(b"evil\rgood");
        assert_eq!(inside.text, "evil\\rgood");
        assert!(inside.has_hidden_characters);
    }

    #[test]
    fn only_lines_that_are_meant_end() {
        assert_eq!(spelled_out("a\n\x1b[2Jb\r\n"), "a\n\\x1b[2Jb\\r\n");
        assert_eq!(line("a\nhint: b"), "a\\x0ahint: b");
    }

    proptest! {
        #[test]
        fn spelling_out_twice_changes_nothing(text in any::<String>()) {
            let once = spelled_out(&text).into_owned();
            prop_assert_eq!(spelled_out(&once), once.as_str());
            prop_assert!(!once.chars().any(|c| (c.is_control() && c != '\t' && c != '\n') || is_hidden(c)));
        }

        #[test]
        fn nothing_that_acts_or_hides_is_left(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let visible = escape(&bytes);
            prop_assert!(!visible.text.chars().any(|c| (c.is_control() && c != '\t') || is_hidden(c)));
        }

        #[test]
        fn lines_that_hide_something_are_those_that_escape_marks(
            pieces in prop::collection::vec(prop_oneof!["[ -~]{0,30}\n", r"\PC{0,4}", "\r\n?|\u{200b}|\t"], 0..60),
        ) {
            let text = pieces.concat();
            let lines = text.as_bytes().split(|byte| *byte == b'\n');
            let marked = lines.filter(|line| escape(line).has_hidden_characters);
            prop_assert_eq!(hiding_lines(text.as_bytes()), marked.count());
        }
    }
}
