//! Tests that can be taken out of their file without anything else changing.

use std::ops::Range;

use super::source::{Source, literal_text};
use super::tests::Tests;
use super::words::Words;
use crate::javascript::parsing::parse;

/// A self-contained test: its name within the file, and its statement's byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovableTest {
    /// Its titles, joined.
    pub name: String,
    /// From the first byte of its statement to the last.
    pub range: Range<usize>,
}

/// Those of a file, in order: each is a statement of its own with a title that is written out, at the top of the file or in
/// a group. None if the file cannot be read.
pub fn removable_tests(path: &str, text: &str) -> Vec<RemovableTest> {
    let Some(tree) = parse(path, text).filter(|tree| !tree.root_node().has_error()) else {
        return Vec::new();
    };
    let source = Source::new(path, text, &tree);
    let tests = Tests::of(&source, &Words::of(&source));
    let alone = tests.all.iter().filter(|test| {
        let statement = source.parent(test.call.node);
        let is_alone = statement.is_some_and(|node| node.kind() == "expression_statement");
        let in_loop = source.around(test.call.node).any(|outer| {
            matches!(
                outer.kind(),
                "for_statement" | "for_in_statement" | "while_statement" | "if_statement"
            )
        });
        is_alone && !in_loop && test.call.parent.is_none() && has_title(&source, test.call.node)
    });
    alone
        .filter_map(|test| {
            let statement = source.parent(test.call.node)?;
            Some(RemovableTest {
                name: test.name.clone(),
                range: statement.byte_range(),
            })
        })
        .collect()
}

/// Whether the first argument of a call is written out.
fn has_title(source: &Source<'_>, call: tree_sitter::Node<'_>) -> bool {
    let first = super::source::arguments(call).into_iter().next();
    first.is_some_and(|title| literal_text(source, title).is_some())
}

#[cfg(test)]
mod tests {
    use super::removable_tests;

    #[test]
    fn only_statements_with_a_written_title_can_be_taken_out() {
        let text = "\
import { describe, it, test } from 'vitest'

test('a', () => {})
describe('group', () => {
  it('b', () => {
    expect(1).toBe(1)
  })
  for (const one of [1, 2]) {
    it('in a loop', () => {})
  }
})
test(`c ${1}`, () => {})
const made = test('d', () => {})
";
        let found = removable_tests("a.test.ts", text);
        let names: Vec<&str> = found.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["a", "group > b"]);
        assert!(text[found[1].range.clone()].starts_with("it('b'"));
        assert!(removable_tests("a.test.ts", "test('a', (").is_empty());
    }
}
