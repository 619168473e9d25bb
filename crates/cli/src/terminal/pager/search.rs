//! A person's search.

use std::ops::Range;

/// A text to be found in lines; in any letter case unless it has capital letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    text: String,
    any_case: bool,
}

impl Pattern {
    /// Nothing cannot be searched for.
    pub(super) fn new(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self {
            text: text.to_owned(),
            any_case: !text.chars().any(char::is_uppercase),
        })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_in(&self, line: &str) -> bool {
        !self.places(line).is_empty()
    }

    /// Its places in a line, in bytes.
    pub(super) fn places(&self, line: &str) -> Vec<Range<usize>> {
        // Only ASCII letters change their case: positions have to stay the same.
        let line = if self.any_case {
            line.to_ascii_lowercase()
        } else {
            line.to_owned()
        };
        let found = line.match_indices(&self.text);
        found
            .map(|(start, text)| start..start + text.len())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_find_any_case_and_capital_letters_only_themselves() {
        let places = |pattern: &str, line: &str| {
            let pattern = Pattern::new(pattern).expect("not empty");
            pattern.places(line)
        };
        assert_eq!(places("tax", "Tax, tax and TAX"), [0..3, 5..8, 13..16]);
        assert_eq!(places("Tax", "Tax, Tax and TAX"), [0..3, 5..8]);
        assert_eq!(places("é", "\u{e9}t\u{e9}"), [0..2, 3..5]);
        assert!(places("x", "nothing").is_empty());
        assert_eq!(Pattern::new(""), None);
    }
}
