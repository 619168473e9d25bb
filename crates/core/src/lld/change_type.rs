//! The change planned for a listed file.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::outline::words_of;

/// The change planned for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeType {
    /// It does not exist and shall.
    Add,
    /// It exists and shall be different.
    Modify,
    /// It exists and shall not.
    Delete,
}

impl fmt::Display for ChangeType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Add => "add",
            Self::Modify => "modify",
            Self::Delete => "delete",
        })
    }
}

/// More words than this are a description, in which "remove" need not mean the file.
const MAX_WORDS: usize = 2;

/// Reads a cell as a change type; `Add/Modify` is neither and is settled by whether the file exists.
pub(super) fn change_type_of(cell: &str) -> Option<ChangeType> {
    let words: Vec<String> = words_of(&without_parentheses(cell))
        .into_iter()
        .filter(|word| !["directory", "dir", "folder", "file"].contains(&word.as_str()))
        .collect();
    if words.len() > MAX_WORDS {
        return None;
    }
    let mut types = words.iter().filter_map(|word| type_of_word(word));
    let first = types.next()?;
    types.all(|other| other == first).then_some(first)
}

/// Whether a change-type cell says that the row is a directory.
pub(super) fn speaks_of_directory(cell: &str) -> bool {
    let is_directory = |word: &String| ["directory", "dir", "folder"].contains(&word.as_str());
    words_of(cell).iter().any(is_directory)
}

fn type_of_word(word: &str) -> Option<ChangeType> {
    match word {
        "a" | "add" | "added" | "adds" | "create" | "created" | "new" => Some(ChangeType::Add),
        "m" | "modify" | "modified" | "update" | "updated" | "edit" | "edited" | "change"
        | "changed" | "extend" | "extended" | "refactor" => Some(ChangeType::Modify),
        "d" | "delete" | "deleted" | "remove" | "removed" => Some(ChangeType::Delete),
        _ => None,
    }
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let mut outside = String::new();
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => outside.push(character),
            _ => {}
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::{ChangeType, change_type_of, speaks_of_directory};

    #[test]
    fn change_types_are_read_as_people_write_them() {
        let cases = [
            ("Add", Some(ChangeType::Add)),
            ("**Add**", Some(ChangeType::Add)),
            ("`new file`", Some(ChangeType::Add)),
            ("Add (Directory)", Some(ChangeType::Add)),
            ("MODIFY", Some(ChangeType::Modify)),
            ("Modify (remove old code)", Some(ChangeType::Modify)),
            ("Update", Some(ChangeType::Modify)),
            ("Delete", Some(ChangeType::Delete)),
            ("Removed", Some(ChangeType::Delete)),
            ("Add/Modify", None),
            ("Existing Directory", None),
            ("Remove the dead branch", None),
            ("Rename", None),
            ("", None),
        ];
        for (cell, expected) in cases {
            assert_eq!(change_type_of(cell), expected, "{cell}");
        }
    }

    #[test]
    fn directories_are_recognised_by_their_change_type() {
        assert!(speaks_of_directory("Add (Directory)"));
        assert!(speaks_of_directory("Existing Directory"));
        assert!(!speaks_of_directory("Add"));
    }
}
