//! The meaning of a terminal's bytes in raw mode.

/// A key, or a key with another one held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A character key.
    Letter(char),
    /// Control and a letter.
    Control(char),
    Enter,
    Tab,
    BackTab,
    Backspace,
    Escape,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// Something that has no meaning here.
    Unknown,
}

/// Takes the first key off; `None` when there is nothing left.
pub(super) fn next_key(bytes: &mut &[u8]) -> Option<Key> {
    let (&first, rest) = bytes.split_first()?;
    let (key, rest) = match first {
        0x1b => sequence(rest),
        b'\r' | b'\n' => (Key::Enter, rest),
        b'\t' => (Key::Tab, rest),
        0x08 | 0x7f => (Key::Backspace, rest),
        0x01..=0x1a => (Key::Control(char::from(first - 1 + b'a')), rest),
        _ => character(bytes),
    };
    *bytes = rest;
    Some(key)
}

/// The bytes after an escape byte: a key of its own, or nothing, which is the Escape key.
fn sequence(rest: &[u8]) -> (Key, &[u8]) {
    let Some((b'[' | b'O', body)) = rest.split_first() else {
        return (Key::Escape, rest);
    };
    let end = body.iter().position(|byte| (0x40..=0x7e).contains(byte));
    let Some(end) = end else {
        return (Key::Unknown, &[]);
    };
    let key = match &body[..=end] {
        b"A" => Key::Up,
        b"B" => Key::Down,
        b"H" | b"1~" | b"7~" => Key::Home,
        b"F" | b"4~" | b"8~" => Key::End,
        b"5~" => Key::PageUp,
        b"6~" => Key::PageDown,
        b"Z" => Key::BackTab,
        _ => Key::Unknown,
    };
    (key, &body[end + 1..])
}

fn character(bytes: &[u8]) -> (Key, &[u8]) {
    let chunk = bytes.utf8_chunks().next();
    let first = chunk.and_then(|chunk| chunk.valid().chars().next());
    match first {
        Some(letter) if !letter.is_control() => (Key::Letter(letter), &bytes[letter.len_utf8()..]),
        _ => (Key::Unknown, &bytes[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_keys() {
        let mut bytes =
            "j\u{1b}[A\u{1b}OB\u{1b}[5~\u{1b}[Z\r\tü\u{3}\u{7f}\u{1b}[99;5u\u{1b}".as_bytes();
        let mut keys = Vec::new();
        while let Some(key) = next_key(&mut bytes) {
            keys.push(key);
        }
        assert_eq!(
            keys,
            [
                Key::Letter('j'),
                Key::Up,
                Key::Down,
                Key::PageUp,
                Key::BackTab,
                Key::Enter,
                Key::Tab,
                Key::Letter('ü'),
                Key::Control('c'),
                Key::Backspace,
                Key::Unknown,
                Key::Escape,
            ]
        );
        let mut broken: &[u8] = b"\xff\x1b[12";
        assert_eq!(next_key(&mut broken), Some(Key::Unknown));
        assert_eq!(next_key(&mut broken), Some(Key::Unknown));
        assert_eq!(next_key(&mut broken), None);
    }
}
