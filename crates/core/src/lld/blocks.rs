//! The top-level blocks of a Markdown text.
//!
//! Cells and items keep their source text. Rendered text would lose the underscores of
//! `__init__.py`, which Markdown takes for emphasis.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// One top-level block with the place it comes from.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Number of its first line, from 1.
    pub(super) line: usize,
    /// Its bytes within the text.
    pub(super) range: Range<usize>,
    /// The block's kind.
    pub(super) kind: BlockKind,
}

/// The blocks that matter here.
#[derive(Debug, Clone)]
pub(super) enum BlockKind {
    /// A heading with its level and source text.
    Heading(usize, String),
    /// A table.
    Table(Table),
    /// A list: whether it is numbered, and the source text of its items.
    List(bool, Vec<String>),
    /// A paragraph.
    Paragraph(String),
}

/// A table as source text, with escaped pipes undone.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    /// The header cells.
    pub(super) header: Vec<String>,
    /// The rows below the header.
    pub(super) rows: Vec<Row>,
}

/// One row of a table.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Number of its line, from 1.
    pub(super) line: usize,
    /// Its cells, as many as the header has.
    pub(super) cells: Vec<String>,
}

/// Reads the blocks that are not inside another one.
pub(super) fn read(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let lines = LineNumbers::of(text);
    let mut blocks = Vec::new();
    let mut depth = 0_usize;
    let mut collected = Collected::default();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    collected = Collected::default();
                }
                depth += 1;
                collected.start(&tag, depth, &text[range.clone()], lines.at(range.start));
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(kind) = collected.finish(tag, &text[range.clone()])
                {
                    blocks.push(Block {
                        line: lines.at(range.start),
                        range,
                        kind,
                    });
                }
            }
            _ => {}
        }
    }
    blocks
}

/// The parts seen so far of the open top-level block.
#[derive(Default)]
struct Collected {
    table: Table,
    items: Vec<String>,
    in_header: bool,
}

impl Collected {
    fn start(&mut self, tag: &Tag<'_>, depth: usize, source: &str, line: usize) {
        // The block itself has depth 1; its rows and items have depth 2 and their cells depth 3.
        match (tag, depth) {
            (Tag::TableHead, 2) => self.in_header = true,
            (Tag::TableRow, 2) => {
                self.in_header = false;
                let cells = Vec::new();
                self.table.rows.push(Row { line, cells });
            }
            (Tag::TableCell, 3) => {
                let cell = source.trim().replace("\\|", "|");
                if self.in_header {
                    self.table.header.push(cell);
                } else if let Some(row) = self.table.rows.last_mut() {
                    row.cells.push(cell);
                }
            }
            (Tag::Item, 2) => self.items.push(source.to_owned()),
            _ => {}
        }
    }

    fn finish(&mut self, tag: TagEnd, source: &str) -> Option<BlockKind> {
        match tag {
            TagEnd::Heading(level) => Some(BlockKind::Heading(rank(level), heading(source))),
            TagEnd::Table => Some(BlockKind::Table(std::mem::take(&mut self.table))),
            TagEnd::List(is_numbered) => {
                let items = std::mem::take(&mut self.items);
                Some(BlockKind::List(is_numbered, items))
            }
            TagEnd::Paragraph => Some(BlockKind::Paragraph(source.to_owned())),
            _ => None,
        }
    }
}

fn rank(level: HeadingLevel) -> usize {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// A heading's text without its marks, whether before it or below it.
fn heading(source: &str) -> String {
    let first = source.trim().lines().next().unwrap_or_default();
    let text = first.trim_start_matches('#').trim();
    let unclosed = text.trim_end_matches('#');
    // Hashes at the end close the heading only when a space separates them from it.
    if unclosed.len() < text.len() && unclosed.ends_with(' ') {
        unclosed.trim().to_owned()
    } else {
        text.to_owned()
    }
}

/// Finds the line of a byte without counting from the top each time.
struct LineNumbers(Vec<usize>);

impl LineNumbers {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(index, _)| index).collect())
    }

    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|&end| end < offset) + 1
    }
}
