//! The document as headings with the content below each.

use std::ops::Range;

use super::blocks::{self, Block, BlockKind, Table};
use super::files;

/// One heading with the text below it, up to the next heading of any level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading as written, with its number.
    pub heading: String,
    /// 1 for the title, 2 for sections, and so on.
    pub level: usize,
    /// Number of the heading's line, from 1.
    pub line: usize,
    /// The text below it as written.
    pub text: String,
}

/// A section while the document is being read; the part before the first heading has level 0.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) level: usize,
    pub(super) heading: String,
    /// The number that the heading starts with, such as `2.1`.
    pub(super) number: Option<String>,
    /// The words of the heading in lower case, without the number.
    pub(super) words: Vec<String>,
    line: usize,
    body: Range<usize>,
    pub(super) blocks: Vec<Block>,
}

impl Part {
    /// Whether one of these words is in the heading.
    pub(super) fn mentions(&self, any_of: &[&str]) -> bool {
        self.words
            .iter()
            .any(|word| any_of.contains(&word.as_str()))
    }

    /// The tables directly below this heading.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Table(table) => Some(table),
            _ => None,
        })
    }
}

/// The parts of the document, without an embedded second document.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    text: &'a str,
    pub(super) parts: Vec<Part>,
}

impl<'a> Outline<'a> {
    /// Reads the text and cuts off parts that belong to another document.
    pub(super) fn of(text: &'a str) -> Self {
        let mut parts = vec![Part::before_the_first_heading()];
        for block in blocks::read(text) {
            if let BlockKind::Heading(level, heading) = &block.kind {
                end_body(&mut parts, block.range.start);
                parts.push(Part::new(*level, heading, &block));
            } else if let Some(part) = parts.last_mut() {
                part.blocks.push(block);
            }
        }
        end_body(&mut parts, text.len());
        if let Some(end) = start_of_embedded_document(&parts) {
            parts.truncate(end);
        }
        Self { text, parts }
    }

    pub(super) fn title(&self) -> String {
        let mut headings = self.parts.iter().filter(|part| part.level > 0);
        headings
            .next()
            .map(|part| part.heading.clone())
            .unwrap_or_default()
    }

    pub(super) fn sections(&self) -> Vec<Section> {
        let headed = self.parts.iter().filter(|part| part.level > 0);
        headed
            .map(|part| Section {
                heading: part.heading.clone(),
                level: part.level,
                line: part.line,
                text: self.text[part.body.clone()].to_owned(),
            })
            .collect()
    }

    /// The issue's id: the value of an `Issue:` line, or else the number in the title.
    pub(super) fn issue(&self) -> Option<String> {
        let blocks = self.parts.iter().flat_map(|part| &part.blocks);
        let mut lines = blocks.flat_map(|block| match &block.kind {
            BlockKind::List(_, items) => items.iter().flat_map(|item| item.lines()).collect(),
            BlockKind::Paragraph(text) => text.lines().collect::<Vec<_>>(),
            BlockKind::Heading(..) | BlockKind::Table(_) => Vec::new(),
        });
        lines
            .find_map(issue_of_line)
            .or_else(|| issue_of_title(&self.title()))
    }
}

impl Part {
    fn before_the_first_heading() -> Self {
        Self {
            level: 0,
            heading: String::new(),
            number: None,
            words: Vec::new(),
            line: 1,
            body: 0..0,
            blocks: Vec::new(),
        }
    }

    fn new(level: usize, heading: &str, block: &Block) -> Self {
        let mut words = words_of(heading);
        // A prefix such as "Section" may precede the number.
        let number = words.iter().take(2).position(|word| is_number(word));
        let number = number.map(|index| words.remove(index).trim_end_matches('.').to_owned());
        Self {
            level,
            heading: heading.to_owned(),
            number,
            words,
            line: block.line,
            body: block.range.end..block.range.end,
            blocks: Vec::new(),
        }
    }
}

/// The part at this index and the ones below it in the hierarchy.
pub(super) fn below(parts: &[Part], index: usize) -> &[Part] {
    let level = parts[index].level;
    let following = &parts[index + 1..];
    let is_outside = |part: &Part| part.level <= level;
    let length = following
        .iter()
        .position(is_outside)
        .unwrap_or(following.len());
    &parts[index..=index + length]
}

/// Words in lower case; dots stay inside numbers.
pub(super) fn words_of(text: &str) -> Vec<String> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '.'))
        .map(|word| word.trim_start_matches('.').to_lowercase())
        .map(|word| {
            if is_number(&word) {
                word
            } else {
                word.replace('.', "")
            }
        })
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|character: char| character.is_ascii_digit())
        && word
            .chars()
            .all(|character| character.is_ascii_digit() || character == '.')
}

fn end_body(parts: &mut [Part], end: usize) {
    if let Some(part) = parts.last_mut() {
        part.body.end = end.max(part.body.start);
    }
}

/// Where a second document starts that was pasted below the first, such as the original issue.
///
/// It starts at a further top-level heading after the list of files. A document whose own sections
/// are top-level headings has one before that list already and is left whole.
fn start_of_embedded_document(parts: &[Part]) -> Option<usize> {
    let files = files::file_parts(parts)?;
    let is_title = |part: &Part| part.level == 1;
    let titles_before = parts[..=files.start]
        .iter()
        .filter(|part| is_title(part))
        .count();
    let starts = |part: &Part| {
        let is_original = part.words.first().is_some_and(|word| word == "original");
        (is_title(part) && titles_before <= 1) || (is_original && part.mentions(&["issue"]))
    };
    let after = files.start + 1;
    parts[after..]
        .iter()
        .position(starts)
        .map(|index| after + index)
}

fn issue_of_line(line: &str) -> Option<String> {
    let is_mark = |character: char| !character.is_alphanumeric();
    let text = line.trim_start_matches(is_mark);
    let label = text.get(..5)?;
    if !label.eq_ignore_ascii_case("issue") {
        return None;
    }
    let rest = text[5..]
        .trim_start_matches(['*', '_', ' '])
        .strip_prefix(':')?;
    let id = rest.trim_start_matches(['*', '_', ' ', '[', '#', '`']);
    let id = id.split([' ', '\t', ']', ')', '(', ',', '`', '*']).next()?;
    let id = id.trim_end_matches('/').rsplit('/').next()?;
    id.starts_with(|c: char| c.is_ascii_digit())
        .then(|| id.to_owned())
        .or_else(|| is_tracker_key(id).then(|| id.to_owned()))
}

/// A key such as `PROJ-12`, which is neither a bare number nor a word like "none".
fn is_tracker_key(id: &str) -> bool {
    id.rsplit_once('-').is_some_and(|(project, number)| {
        !project.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    })
}

fn issue_of_title(title: &str) -> Option<String> {
    let after_hash = title.split_once('#').map_or("", |(_, rest)| rest);
    let digits = |text: &str| -> String { text.chars().take_while(char::is_ascii_digit).collect() };
    [digits(title), digits(after_hash)]
        .into_iter()
        .find(|number| !number.is_empty())
}
