//! Which words of a program are keywords, comments, texts or numbers, so that a reader sees its shape.
//!
//! From the syntax trees that `extend` needs anyway. Errors in a text do not matter: text that the grammar does not
//! understand stays plain.

use std::ops::Range;

use tree_sitter::Node;

use crate::merge::{Language, is_comment};

/// Longer texts stay plain: no one reads them from end to end, and parsing them would cause a delay.
const LONGEST_TEXT: usize = 256 << 10;

/// The kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxKind {
    /// A word of the language.
    Keyword,
    /// Words for people.
    Comment,
    /// A text or character.
    Text,
    /// A number.
    Number,
}

/// Marked bytes of a line.
type Marks = Vec<(Range<usize>, SyntaxKind)>;

/// The words of a text, by line.
#[derive(Debug, Clone, Default)]
pub struct Syntax {
    lines: Vec<Marks>,
}

impl Syntax {
    /// Reads a file's text by its name; nothing is marked where the language is not known.
    pub fn of(name: &str, content: &[u8]) -> Self {
        let text = std::str::from_utf8(content).ok();
        let text = text.filter(|text| text.len() <= LONGEST_TEXT);
        let (Some(language), Some(text)) = (Language::of(name), text) else {
            return Self::default();
        };
        let tree = language.tree(text, None);
        let lengths: Vec<usize> = text.split('\n').map(str::len).collect();
        let mut syntax = Self {
            lines: vec![Marks::new(); lengths.len()],
        };
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let kind = kind_of(node);
            if let Some(kind) = kind {
                syntax.mark(node, kind, &lengths);
            }
            if kind.is_none() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return syntax;
                }
            }
        }
    }

    /// The highlighted ranges of a line, counted from 0, in bytes of that line.
    pub fn line(&self, number: usize) -> &[(Range<usize>, SyntaxKind)] {
        self.lines.get(number).map_or(&[], Vec::as_slice)
    }

    fn mark(&mut self, node: Node<'_>, kind: SyntaxKind, lengths: &[usize]) {
        let (start, end) = (node.start_position(), node.end_position());
        let rows = lengths.iter().enumerate().take(end.row + 1);
        for (row, length) in rows.skip(start.row) {
            let from = if row == start.row { start.column } else { 0 };
            let to = if row == end.row { end.column } else { *length };
            if from < to {
                self.lines[row].push((from..to, kind));
            }
        }
    }
}

fn kind_of(node: Node<'_>) -> Option<SyntaxKind> {
    let kind = node.kind();
    if is_comment(node) {
        return Some(SyntaxKind::Comment);
    }
    if !node.is_named() {
        let is_word = kind.len() > 1 && kind.bytes().all(|byte| byte.is_ascii_lowercase());
        return is_word.then_some(SyntaxKind::Keyword);
    }
    match kind {
        "true" | "false" | "none" | "null" | "nil" | "boolean_literal" | "null_literal"
        | "undefined" => Some(SyntaxKind::Keyword),
        "string"
        | "string_literal"
        | "raw_string_literal"
        | "interpreted_string_literal"
        | "template_string"
        | "char_literal"
        | "character_literal"
        | "rune_literal"
        | "regex" => Some(SyntaxKind::Text),
        "integer" | "float" | "number" | "int_literal" | "imaginary_literal" => {
            Some(SyntaxKind::Number)
        }
        _ if ["integer_literal", "float_literal", "floating_point_literal"]
            .iter()
            .any(|end| kind.ends_with(end)) =>
        {
            Some(SyntaxKind::Number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Syntax, SyntaxKind};

    fn marked(name: &str, text: &str) -> Vec<(String, SyntaxKind)> {
        let syntax = Syntax::of(name, text.as_bytes());
        let mut marked = Vec::new();
        for (number, line) in text.split('\n').enumerate() {
            for (range, kind) in syntax.line(number) {
                marked.push((line[range.clone()].to_owned(), *kind));
            }
        }
        marked
    }

    #[test]
    fn words_of_every_language_are_told_apart() {
        use SyntaxKind::{Comment, Keyword, Number, Text};
        for (name, text) in [
            ("a.py", "def f():\n    return \"a\", 7  # why\n"),
            ("a.rs", "fn f() { return (\"a\", 7); } // why"),
            ("a.go", "package p\nfunc f() { return \"a\", 7 } // why"),
            ("a.ts", "const f = () => { return \"a\" + 7 } // why"),
            ("a.tsx", "const f = () => { return \"a\" + 7 } // why"),
            ("a.js", "const f = () => { return \"a\" + 7 } // why"),
            ("A.java", "class A { int f() { return \"a\" + 7; } } // why"),
        ] {
            let found = marked(name, text);
            let has = |word: &str, kind| found.contains(&(word.to_owned(), kind));
            assert!(has("return", Keyword), "{name}: {found:?}");
            assert!(has("\"a\"", Text), "{name}: {found:?}");
            assert!(has("7", Number), "{name}: {found:?}");
            let comment = found
                .iter()
                .any(|(text, kind)| *kind == Comment && text.ends_with("why"));
            assert!(comment, "{name}: {found:?}");
        }
    }

    #[test]
    fn a_text_of_several_lines_is_marked_on_each_and_broken_code_where_it_is_understood() {
        let found = marked("a.py", "x = \"\"\"one\n\ntwo\"\"\"\ndef (:\n    return 1\n");
        let texts: Vec<&str> = found
            .iter()
            .filter(|(_, kind)| *kind == SyntaxKind::Text)
            .map(|(text, _)| text.as_str())
            .collect();
        assert_eq!(texts, ["\"\"\"one", "two\"\"\""]);
        assert!(found.contains(&("return".to_owned(), SyntaxKind::Keyword)));
    }

    #[test]
    fn what_is_no_known_language_or_no_text_stays_plain() {
        assert!(marked("a.txt", "return 1").is_empty());
        assert!(Syntax::of("a.py", b"return \xff").line(0).is_empty());
        let long = "x = 1\n".repeat(100_000);
        assert!(Syntax::of("a.py", long.as_bytes()).line(0).is_empty());
    }
}
