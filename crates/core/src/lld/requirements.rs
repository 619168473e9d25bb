//! The list of requirements.

use super::blocks::{BlockKind, Table};
use super::outline::{Outline, Part, below, words_of};

/// Words that may accompany "requirements" in the heading.
const QUALIFIERS: [&str; 7] = [
    "functional",
    "non",
    "nonfunctional",
    "key",
    "core",
    "technical",
    "acceptance",
];

/// The requirements in order, each on one line.
pub(super) fn listed(outline: &Outline<'_>) -> Vec<String> {
    let mut requirements = Vec::new();
    let mut next = 0;
    for index in 0..outline.parts.len() {
        if index >= next && is_about_requirements(&outline.parts[index]) {
            let parts = below(&outline.parts, index);
            next = index + parts.len();
            requirements.extend(of_parts(parts));
        }
    }
    requirements
}

fn is_about_requirements(part: &Part) -> bool {
    let mut words = part.words.iter().map(String::as_str);
    let mut rest = words.by_ref().filter(|word| !QUALIFIERS.contains(word));
    matches!(rest.next(), Some("requirement" | "requirements")) && rest.next().is_none()
}

/// Numbered items if there are any (bullets beside them are remarks), else bullets, else a table.
fn of_parts(parts: &[Part]) -> Vec<String> {
    let items = |numbered: bool| -> Vec<String> {
        let blocks = parts.iter().flat_map(|part| &part.blocks);
        let lists = blocks.filter_map(|block| match &block.kind {
            BlockKind::List(is_numbered, items) if *is_numbered == numbered => Some(items),
            _ => None,
        });
        lists
            .flatten()
            .map(|item| one_line(item))
            .filter(|item| !item.is_empty())
            .collect()
    };
    let from_table = || {
        parts
            .iter()
            .flat_map(Part::tables)
            .flat_map(of_table)
            .collect()
    };
    [items(true), items(false)]
        .into_iter()
        .find(|found| !found.is_empty())
        .unwrap_or_else(from_table)
}

fn of_table(table: &Table) -> Vec<String> {
    let column = table
        .header
        .iter()
        .position(|cell| {
            let words = words_of(cell);
            let names_text = |word: &String| word == "requirement" || word == "description";
            words.iter().any(names_text) && !words.contains(&"id".to_owned())
        })
        .unwrap_or(table.header.len().saturating_sub(1));
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column));
    cells
        .map(|cell| one_line(cell))
        .filter(|cell| !cell.is_empty())
        .collect()
}

/// An item's source on one line, without list marks, check boxes and emphasis.
fn one_line(source: &str) -> String {
    let lines = source.lines().map(|line| without_mark(line.trim()));
    let joined = lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    joined.replace("**", "")
}

fn without_mark(line: &str) -> &str {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let unmarked = line[digits..]
        .strip_prefix(". ")
        .or_else(|| line[digits..].strip_prefix(") "))
        .filter(|_| digits > 0)
        .or_else(|| line.strip_prefix("* "))
        .or_else(|| line.strip_prefix("- "))
        .or_else(|| line.strip_prefix("+ "))
        .unwrap_or(line)
        .trim_start();
    ["[ ] ", "[x] ", "[X] "]
        .iter()
        .find_map(|checkbox| unmarked.strip_prefix(checkbox))
        .unwrap_or(unmarked)
}
