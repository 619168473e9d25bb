//! The white space around lines, and one difference in it over a whole block.

/// Where the content of a line begins, and the content: without spaces and tabs at both ends, and without the
/// carriage return of its line end.
pub(super) fn trimmed(line: &[u8]) -> (usize, &[u8]) {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t');
    let end = line
        .iter()
        .rposition(|byte| !is_white(byte) && *byte != b'\r');
    let Some(end) = end else {
        return (line.len(), &[]);
    };
    let start = line.iter().take_while(|byte| is_white(byte)).count();
    (start, &line[start..=end])
}

/// Whether nothing but white space is in it.
pub(super) fn is_blank(line: &[u8]) -> bool {
    trimmed(line).1.is_empty()
}

/// How a block of a reply is indented compared with the same block of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shift {
    /// The file has this before every line.
    Deeper(Vec<u8>),
    /// The reply has this before every line.
    Shallower(Vec<u8>),
    /// One tab of the file is that many spaces of the reply.
    SpacesToTabs(usize),
    /// One tab of the reply is that many spaces of the file.
    TabsToSpaces(usize),
}

impl Shift {
    /// The one difference between the lines of a reply and those of the file, if it is one.
    pub(super) fn between(reply: &[&[u8]], file: &[&[u8]]) -> Option<Self> {
        let pairs: Vec<(&[u8], &[u8])> = reply
            .iter()
            .zip(file)
            .filter(|(line, _)| !is_blank(line))
            .map(|(one, other)| (indentation(one), indentation(other)))
            .collect();
        let (first_reply, first_file) = *pairs.first()?;
        if let Some(more) = first_file.strip_suffix(first_reply)
            && pairs
                .iter()
                .all(|(reply, file)| file.strip_prefix(more) == Some(*reply))
        {
            return Some(Self::Deeper(more.to_vec()));
        }
        if let Some(more) = first_reply.strip_suffix(first_file)
            && pairs
                .iter()
                .all(|(reply, file)| reply.strip_prefix(more) == Some(*file))
        {
            return Some(Self::Shallower(more.to_vec()));
        }
        width(&pairs, b' ', b'\t')
            .map(Self::SpacesToTabs)
            .or_else(|| {
                let swapped: Vec<_> = pairs.iter().map(|(reply, file)| (*file, *reply)).collect();
                width(&swapped, b' ', b'\t').map(Self::TabsToSpaces)
            })
    }

    /// A line of the reply as the file would indent it; `None` if that is unknown.
    pub(super) fn apply(&self, line: &[u8]) -> Option<Vec<u8>> {
        if is_blank(line) {
            return Some(line.to_vec());
        }
        let before = indentation(line);
        let content = &line[before.len()..];
        let after = match self {
            Self::Deeper(more) => [more, before].concat(),
            Self::Shallower(more) => before.strip_prefix(more.as_slice())?.to_vec(),
            Self::SpacesToTabs(width) => {
                let whole =
                    before.iter().all(|byte| *byte == b' ') && before.len().is_multiple_of(*width);
                whole.then(|| vec![b'\t'; before.len() / width])?
            }
            Self::TabsToSpaces(width) => {
                let tabs = before.iter().all(|byte| *byte == b'\t');
                tabs.then(|| vec![b' '; before.len() * width])?
            }
        };
        Some([after.as_slice(), content].concat())
    }
}

fn indentation(line: &[u8]) -> &[u8] {
    &line[..trimmed(line).0]
}

/// How many `many` replace one `few`, if that is the same number in every line.
fn width(pairs: &[(&[u8], &[u8])], many: u8, few: u8) -> Option<usize> {
    let mut width = None;
    for (one, other) in pairs {
        let pure = one.iter().all(|byte| *byte == many) && other.iter().all(|byte| *byte == few);
        if !pure || one.is_empty() != other.is_empty() {
            return None;
        }
        if !other.is_empty() {
            let here = (one.len() % other.len() == 0).then(|| one.len() / other.len())?;
            if *width.get_or_insert(here) != here {
                return None;
            }
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::Shift;

    fn shift(reply: &[&str], file: &[&str]) -> Option<Shift> {
        let bytes = |lines: &[&'static str]| -> Vec<&'static [u8]> {
            lines.iter().map(|line| line.as_bytes()).collect()
        };
        let leak = |lines: &[&str]| -> Vec<&'static str> {
            lines.iter().map(|line| &*line.to_string().leak()).collect()
        };
        Shift::between(&bytes(&leak(reply)), &bytes(&leak(file)))
    }

    #[test]
    fn one_difference_over_all_lines_is_a_shift() {
        let deeper = |text: &str| Some(Shift::Deeper(text.as_bytes().to_vec()));
        assert_eq!(shift(&["a", "  b"], &["    a", "      b"]), deeper("    "));
        assert_eq!(shift(&["a", "", "b"], &["a", "  ", "b"]), deeper(""));
        assert_eq!(shift(&["a", "\tb"], &["\ta", "\t\tb"]), deeper("\t"));
        assert_eq!(
            shift(&["    a", "      b"], &["  a", "    b"]),
            Some(Shift::Shallower(b"  ".to_vec()))
        );
        assert_eq!(
            shift(&["    a", "        b", "c"], &["\ta", "\t\tb", "c"]),
            Some(Shift::SpacesToTabs(4))
        );
        assert_eq!(
            shift(&["\ta", "\t\tb"], &["  a", "    b"]),
            Some(Shift::TabsToSpaces(2))
        );
    }

    #[test]
    fn several_differences_are_none() {
        for (reply, file) in [
            (["a", "b"], ["    a", "  b"]),
            (["    a", "b"], ["a", "    b"]),
            (["    a", "      b"], ["\ta", "\t\tb"]),
            ([" \ta", "b"], ["\ta", "b"]),
        ] {
            assert_eq!(shift(&reply, &file), None, "{reply:?} {file:?}");
        }
    }

    #[test]
    fn a_line_is_indented_as_the_file_is_or_not_at_all() {
        let apply = |shift: Shift, line: &str| {
            let line = shift.apply(line.as_bytes());
            line.map(|line| String::from_utf8(line).expect("text"))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(apply(Shift::Deeper(b"  ".to_vec()), " a "), some("   a "));
        assert_eq!(apply(Shift::Deeper(b"  ".to_vec()), ""), some(""));
        assert_eq!(apply(Shift::Shallower(b"  ".to_vec()), "   a"), some(" a"));
        assert_eq!(apply(Shift::Shallower(b"  ".to_vec()), " a"), None);
        assert_eq!(apply(Shift::SpacesToTabs(4), "        a"), some("\t\ta"));
        assert_eq!(apply(Shift::SpacesToTabs(4), "      a"), None);
        assert_eq!(apply(Shift::SpacesToTabs(4), "\ta"), None);
        assert_eq!(apply(Shift::TabsToSpaces(2), "\t\ta"), some("    a"));
    }
}
