//! The table of files that shall change.

use std::ops::Range;

use super::blocks::{Row, Table};
use super::change_type::{ChangeType, change_type_of, speaks_of_directory};
use super::outline::{Outline, Part, below, words_of};

/// One file (or directory) that the document lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredFile {
    /// The path as written, without backticks, a leading `./` or a final `/`; not yet checked.
    pub path: String,
    /// The change planned for it, if the document says so clearly.
    pub change: Option<ChangeType>,
    /// The document's description of it.
    pub description: String,
    /// Number of its line, from 1.
    pub line: usize,
    /// Whether it is written as a directory.
    pub is_directory: bool,
}

/// Cells that mean "nothing".
const PLACEHOLDERS: [&str; 9] = ["", "-", "–", "—", "...", "…", "n/a", "none", "tbd"];

/// Words that, beside "files", make a heading one about files that change.
const CHANGE_WORDS: [&str; 17] = [
    "changed", "changes", "change", "modify", "modified", "affected", "touched", "create",
    "created", "update", "updated", "add", "added", "new", "delete", "deleted", "remove",
];

/// The parts that list the files: the first section about them that has such a table, with its subsections and sections
/// of the same kind right after it ("Files to Create", "Files to Modify").
pub(super) fn file_parts(parts: &[Part]) -> Option<Range<usize>> {
    let title = parts.iter().position(|part| part.level == 1);
    let is_place = |index: usize| Some(index) != title && is_about_files(&parts[index]);
    let start = (0..parts.len()).find(|&index| {
        let tables = below(parts, index).iter().flat_map(Part::tables);
        is_place(index) && tables.into_iter().any(has_rows_of_files)
    })?;
    let mut end = start + below(parts, start).len();
    while end < parts.len() && parts[end].level == parts[start].level && names_files(&parts[end]) {
        end += below(parts, end).len();
    }
    Some(start..end)
}

fn is_about_files(part: &Part) -> bool {
    names_files(part) || part.number.as_deref() == Some("2.1")
}

fn names_files(part: &Part) -> bool {
    let is_alone = part.words.len() == 1;
    part.mentions(&["file", "files"]) && (is_alone || part.mentions(&CHANGE_WORDS))
}

/// The files that the document lists, each once.
///
/// Without a section about files the first table counts that has a file and a change column.
pub(super) fn declared(outline: &Outline<'_>) -> Vec<DeclaredFile> {
    let mut files: Vec<DeclaredFile> = Vec::new();
    if let Some(range) = file_parts(&outline.parts) {
        for part in &outline.parts[range] {
            for table in part.tables() {
                collect(&mut files, table, change_of_heading(part));
            }
        }
    } else {
        let mut tables = outline.parts.iter().flat_map(Part::tables);
        let listing =
            tables.find(|table| has_rows_of_files(table) && Columns::of(table).change.is_some());
        if let Some(table) = listing {
            collect(&mut files, table, None);
        }
    }
    files
}

/// The change that a heading such as "New Files" gives for all files below it; "Files Changed" gives none.
fn change_of_heading(part: &Part) -> Option<ChangeType> {
    let says_nothing = ["file", "files", "to", "be", "changed", "changes", "change"];
    let telling = part
        .words
        .iter()
        .filter(|word| !says_nothing.contains(&word.as_str()));
    change_type_of(&telling.map(String::as_str).collect::<Vec<_>>().join(" "))
}

fn collect(files: &mut Vec<DeclaredFile>, table: &Table, usual_change: Option<ChangeType>) {
    let columns = Columns::of(table);
    // A change column that says nothing clear is still a statement: the heading does not overrule.
    let usual_change = usual_change.filter(|_| columns.change.is_none());
    for row in &table.rows {
        for mut file in columns.files_of(row) {
            file.change = file.change.or(usual_change);
            merge(files, file);
        }
    }
}

/// Adds a file, or the new facts about one that is already listed.
fn merge(files: &mut Vec<DeclaredFile>, file: DeclaredFile) {
    let Some(known) = files.iter_mut().find(|known| known.path == file.path) else {
        files.push(file);
        return;
    };
    known.change = known.change.or(file.change);
    known.is_directory &= file.is_directory;
    if known.description.is_empty() {
        known.description = file.description;
    } else if !file.description.is_empty() && known.description != file.description {
        known.description.push_str("; ");
        known.description.push_str(&file.description);
    }
}

fn has_rows_of_files(table: &Table) -> bool {
    Columns::of(table).file.is_some() && !table.rows.is_empty()
}

/// The meaning of each column.
struct Columns {
    file: Option<usize>,
    change: Option<usize>,
    description: Option<usize>,
}

impl Columns {
    fn of(table: &Table) -> Self {
        let headers: Vec<Vec<String>> = table.header.iter().map(|cell| words_of(cell)).collect();
        let find = |any_of: &[&str], taken: &[Option<usize>]| {
            headers.iter().enumerate().position(|(index, words)| {
                !taken.contains(&Some(index))
                    && words.iter().any(|word| any_of.contains(&word.as_str()))
            })
        };
        let file = find(
            &["file", "files", "path", "paths", "filepath", "filename"],
            &[],
        );
        let change = find(&["change", "action", "operation"], &[file])
            .or_else(|| find(&["type", "status"], &[file]));
        let description = find(
            &["description", "purpose", "summary", "details"],
            &[file, change],
        )
        .or_else(|| find(&["changes", "notes", "reason", "what"], &[file, change]));
        Self {
            file,
            change,
            description,
        }
    }

    fn files_of(&self, row: &Row) -> Vec<DeclaredFile> {
        let cell = |index: Option<usize>| index.and_then(|index| row.cells.get(index));
        let Some(written) = cell(self.file) else {
            return Vec::new();
        };
        let change_cell = cell(self.change).map_or("", String::as_str);
        let change = change_type_of(change_cell);
        let speaks_of_directory = speaks_of_directory(change_cell);
        let description = match cell(self.description) {
            Some(description) => description.clone(),
            None => self.other_cells(row, change.is_some()),
        };
        paths_of(written)
            .into_iter()
            .map(|path| DeclaredFile {
                is_directory: path.ends_with('/') || speaks_of_directory,
                path: path.trim_end_matches('/').to_owned(),
                change,
                description: description.clone(),
                line: row.line,
            })
            .collect()
    }

    /// Everything else in the row; a change cell that is not a change type describes the change.
    fn other_cells(&self, row: &Row, is_change_known: bool) -> String {
        let others = row.cells.iter().enumerate().filter(|(index, cell)| {
            Some(*index) != self.file
                && !(is_change_known && Some(*index) == self.change)
                && !cell.is_empty()
        });
        others
            .map(|(_, cell)| cell.as_str())
            .collect::<Vec<_>>()
            .join("; ")
    }
}

/// The paths in a file cell: usually one, in backticks or not.
fn paths_of(cell: &str) -> Vec<String> {
    let pieces: Vec<&str> = cell.split('`').collect();
    let mut spans = pieces.iter().skip(1).step_by(2).map(|span| span.trim());
    let outside: String = pieces.iter().step_by(2).copied().collect();
    let is_enumeration = words_of(&outside.replace("<br>", "").replace("<br/>", ""))
        .iter()
        .all(|word| word == "and");
    let written: Vec<&str> = if pieces.len() < 3 {
        vec![bare_path(cell)]
    } else if is_enumeration {
        spans.collect()
    } else {
        // Anything but an enumeration is a path with a remark, which may quote other things.
        spans.next().into_iter().collect()
    };
    written
        .into_iter()
        .map(|path| path.strip_prefix("./").unwrap_or(path).replace("\\_", "_"))
        .filter(|path| !PLACEHOLDERS.contains(&path.to_lowercase().as_str()))
        .collect()
}

/// A path without backticks: emphasis, a link or a remark in parentheses may surround it.
fn bare_path(cell: &str) -> &str {
    let unlinked = cell
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("))
        .map_or(cell, |(label, _)| label);
    let plain = unlinked.trim_matches('*').trim();
    match plain.rsplit_once(" (") {
        Some((path, _)) if plain.ends_with(')') => path.trim(),
        _ => plain,
    }
}
