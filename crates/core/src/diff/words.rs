//! Which words of a line changed.

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// A piece of a line, and whether the other line lacks it.
pub type Piece<'a> = (bool, &'a str);

/// Lines longer than this are not taken apart.
const LONGEST_LINE: usize = 2000;

/// The pieces of an old and a new line; nothing for two lines that have little in common.
pub fn changed_words<'a>(old: &'a str, new: &'a str) -> Option<(Vec<Piece<'a>>, Vec<Piece<'a>>)> {
    if old.len().max(new.len()) > LONGEST_LINE {
        return None;
    }
    let (old_words, new_words) = (words(old), words(new));
    let operations = capture_diff_slices(Algorithm::Myers, &old_words, &new_words);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut common = 0;
    for operation in &operations {
        let changed = operation.tag() != DiffTag::Equal;
        let old_part = &old_words[operation.old_range()];
        if !changed {
            common += old_part.iter().map(|word| word.trim().len()).sum::<usize>();
        }
        before.extend(old_part.iter().map(|word| (changed, *word)));
        let new_part = &new_words[operation.new_range()];
        after.extend(new_part.iter().map(|word| (changed, *word)));
    }
    // Two unrelated lines would only be speckled.
    (common * 3 >= old.trim().len().max(new.trim().len())).then_some((before, after))
}

fn words(line: &str) -> Vec<&str> {
    let class = |character: char| match character {
        _ if character.is_alphanumeric() || character == '_' => 0,
        _ if character.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, character) in line.char_indices() {
        let kind = class(character);
        if last.is_some_and(|last| last != kind || kind == 2) {
            words.push(&line[start..at]);
            start = at;
        }
        last = Some(kind);
    }
    if start < line.len() {
        words.push(&line[start..]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::changed_words;

    #[test]
    fn only_the_changed_words_are_marked() {
        let (before, after) =
            changed_words("    return a + limit", "    return a + bound").expect("alike");
        let marked = |pieces: Vec<(bool, &str)>| {
            let marked = pieces.into_iter().filter(|piece| piece.0);
            marked.map(|piece| piece.1.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(marked(before), ["limit"]);
        assert_eq!(marked(after), ["bound"]);
    }

    #[test]
    fn lines_without_anything_in_common_are_not_taken_apart() {
        assert_eq!(changed_words("import os", "return 1"), None);
        assert_eq!(changed_words(&"a ".repeat(2000), "a"), None);
    }

    #[test]
    fn the_pieces_are_the_line() {
        let (before, after) = changed_words("é = 中(1)", "é = 中(2)").expect("alike");
        let text = |pieces: Vec<(bool, &str)>| pieces.iter().map(|it| it.1).collect::<String>();
        assert_eq!(
            (text(before), text(after)),
            ("é = 中(1)".to_owned(), "é = 中(2)".to_owned())
        );
    }
}
