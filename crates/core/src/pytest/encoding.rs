//! A Python file's declared encoding.
//!
//! A comment in the first two lines may name any codec, and with some of them a comment that a person reads is code.

/// The encoding that a file declares, if it is not UTF-8: the text that a person sees may not be the code that runs.
pub(crate) fn foreign_encoding(content: &[u8]) -> Option<String> {
    let lines = content.split(|byte| *byte == b'\n').take(2);
    let mut first = true;
    for line in lines {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches(['\u{feff}', ' ', '\t', '\u{c}']);
        if let Some(comment) = line.strip_prefix('#') {
            if let Some(name) = declared(comment) {
                return Some(name).filter(|name| !is_utf8(name));
            }
        } else if first && !line.trim_end_matches('\r').is_empty() {
            // Python looks at the second line only if the first has nothing but a comment.
            return None;
        }
        first = false;
    }
    None
}

/// The name after `coding:` or `coding=`.
fn declared(comment: &str) -> Option<String> {
    let mut rest = comment;
    while let Some(index) = rest.find("coding") {
        rest = &rest[index + "coding".len()..];
        if let Some(name) = rest.strip_prefix([':', '=']) {
            let name = name.trim_start_matches([' ', '\t']);
            let is_name = |character: char| {
                character.is_alphanumeric() || matches!(character, '-' | '_' | '.')
            };
            let end = name.find(|character| !is_name(character));
            let name = &name[..end.unwrap_or(name.len())];
            if !name.is_empty() {
                return Some(name.to_lowercase());
            }
        }
    }
    None
}

fn is_utf8(name: &str) -> bool {
    let name = name.replace('_', "-");
    // Both are UTF-8 as far as they go.
    let plain = ["utf-8", "utf8", "u8", "utf-8-sig", "ascii", "us-ascii"];
    plain.contains(&name.as_str()) || name.starts_with("utf-8-")
}

#[cfg(test)]
mod tests {
    use super::foreign_encoding;

    #[test]
    fn another_encoding_is_found_where_python_looks_for_it() {
        let table = [
            ("x = 1\n", None),
            ("# -*- coding: utf-8 -*-\n", None),
            ("#!/usr/bin/python\n# vim: set fileencoding=UTF_8 :\n", None),
            ("# coding: unicode_escape\n", Some("unicode_escape")),
            ("\u{feff}# coding=utf-7\n", Some("utf-7")),
            ("\n#coding:latin-1\n", Some("latin-1")),
            ("x = 1\n# coding: utf-7\n", None),
            ("#\n#\n# coding: utf-7\n", None),
            (
                "# coding is hard, coding: raw_unicode_escape\n",
                Some("raw_unicode_escape"),
            ),
        ];
        for (text, encoding) in table {
            assert_eq!(
                foreign_encoding(text.as_bytes()).as_deref(),
                encoding,
                "{text:?}"
            );
        }
    }
}
