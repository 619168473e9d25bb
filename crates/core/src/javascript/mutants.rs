//! Small mistakes in given lines of source files, one at a time.
//!
//! A mutant replaces exactly the bytes of one piece of the syntax tree and keeps every line's number; none is made that
//! cannot be parsed, nor one that does not change the program's behaviour: types, imports, messages for people.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::{InputEdit, Node, Point, Tree};

use super::lines::{is_broken, is_directive, is_type_only, line_of, needed_lines};
use super::names::{named, text_of};
use super::parsing::{parse, parse_from};
use crate::mutants::{LinesOf, Mutant, SourceLines};

/// More mutants of one file are not made; they are taken evenly from its lines.
const MOST: usize = 300;

/// Operators and their replacements.
const OPERATORS: [(&str, &str); 24] = [
    ("===", "!=="),
    ("!==", "==="),
    ("==", "!="),
    ("!=", "=="),
    ("<", ">="),
    (">=", "<"),
    (">", "<="),
    ("<=", ">"),
    ("&&", "||"),
    ("||", "&&"),
    ("??", "&&"),
    ("+", "-"),
    ("-", "+"),
    ("*", "/"),
    ("/", "*"),
    ("%", "*"),
    ("**", "*"),
    ("&", "|"),
    ("|", "&"),
    ("^", "&"),
    ("<<", ">>"),
    (">>", "<<"),
    (">>>", "<<"),
    ("++", "--"),
];

/// Objects whose calls only inform people.
const LOGGERS: [&str; 6] = ["console", "debug", "log", "logger", "LOG", "LOGGER"];

/// The given lines that a test has to execute, and their mutants, if any are wanted.
pub fn source_lines(files: &[LinesOf], mutants: bool) -> Vec<SourceLines> {
    files.iter().map(|file| lines_of(file, mutants)).collect()
}

fn lines_of(file: &LinesOf, mutants: bool) -> SourceLines {
    let mut answer = SourceLines {
        path: file.path.clone(),
        ..SourceLines::default()
    };
    let tree = parse(&file.path, &file.text).filter(|tree| !is_broken(tree.root_node()));
    let Some(tree) = tree else {
        answer.error = Some("its syntax is not known".to_owned());
        return answer;
    };
    let wanted: BTreeSet<u32> = file.lines.iter().copied().collect();
    answer.needed = needed_lines(tree.root_node(), &wanted);
    if mutants {
        let mut maker = Maker {
            path: &file.path,
            text: &file.text,
            wanted: &wanted,
            made: Vec::new(),
        };
        maker.visit(tree.root_node(), false);
        answer.mutants = maker.parsed(&tree);
    }
    answer
}

struct Maker<'f> {
    path: &'f str,
    text: &'f str,
    wanted: &'f BTreeSet<u32>,
    made: Vec<Mutant>,
}

impl<'f> Maker<'f> {
    fn text(&self, node: Node<'_>) -> &'f str {
        text_of(node, self.text)
    }

    /// The node and everything below it; `inside` says whether it is inside of a function.
    fn visit(&mut self, node: Node<'_>, inside: bool) {
        if is_type_only(node.kind()) || node.kind() == "decorator" || self.is_never_run(node) {
            return;
        }
        // The value first: a line's purpose is tested before its parts.
        match node.kind() {
            "return_statement" => self.returned(node),
            "arrow_function" => self.answered(node),
            "binary_expression" => self.binary(node),
            "augmented_assignment_expression" => self.augmented(node),
            "update_expression" => self.operator(node, ""),
            "unary_expression" => self.negation(node),
            "true" => self.add(node, "false"),
            "false" => self.add(node, "true"),
            "number" => self.number(node),
            "string" | "template_string" => self.words(node),
            _ => {}
        }
        let inside = match node.kind() {
            "class_body" => false,
            kind => inside || kind == "statement_block" || kind == "arrow_function",
        };
        for child in self.children(node) {
            self.visit(child, inside);
        }
        self.removed(node, inside);
    }

    /// The parts of a node in which a mistake is one of the program.
    fn children<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let parts = named(node).into_iter();
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "call_expression" if self.is_message(node) => Vec::new(),
            "call_expression"
                if matches!(self.words_of("function", node), "require" | "import") =>
            {
                Vec::new()
            }
            "expression_statement" if is_directive(node) => Vec::new(),
            "pair" => field("value").into_iter().collect(),
            "export_statement" => parts
                .filter(|part| Some(*part) != field("source"))
                .collect(),
            // An error's message is for people; its other parts are not.
            "throw_statement" => {
                let error = parts.into_iter().next();
                let arguments = error.and_then(|error| error.child_by_field_name("arguments"));
                let arguments = arguments.map(named).unwrap_or_default().into_iter();
                let is_words =
                    |part: &Node<'_>| matches!(part.kind(), "string" | "template_string");
                arguments.filter(|part| !is_words(part)).collect()
            }
            "as_expression" | "satisfies_expression" => parts.take(1).collect(),
            "type_assertion" => parts.skip(1).collect(),
            "jsx_attribute" | "template_substitution" => parts.collect(),
            kind if kind.contains("_type") && !kind.contains("_expression") => Vec::new(),
            _ => parts.collect(),
        }
    }

    fn words_of(&self, field: &str, node: Node<'_>) -> &'f str {
        node.child_by_field_name(field)
            .map_or("", |part| self.text(part))
    }

    /// Whether a call only tells people something.
    fn is_message(&self, call: Node<'_>) -> bool {
        let function = self.words_of("function", call);
        function
            .rsplit_once('.')
            .is_some_and(|(owner, _)| LOGGERS.contains(&owner.rsplit('.').next().unwrap_or(owner)))
    }

    /// Code that runs only where the file is the main program, or where a test runner loads it as tests.
    fn is_never_run(&self, node: Node<'_>) -> bool {
        let condition = self.words_of("condition", node);
        node.kind() == "if_statement"
            && ["require.main", "import.meta.main", "import.meta.vitest"]
                .iter()
                .any(|name| condition.contains(name))
    }

    fn add(&mut self, node: Node<'_>, replacement: &str) {
        self.add_piece(
            node.start_byte(),
            node.end_byte(),
            line_of(node),
            replacement,
        );
    }

    fn add_piece(&mut self, start: usize, end: usize, line: u32, replacement: &str) {
        let Some(before) = self
            .text
            .get(start..end)
            .filter(|_| self.wanted.contains(&line))
        else {
            return;
        };
        if before == replacement {
            return;
        }
        let count = |text: &str| text.matches('\n').count();
        let missing = count(before).saturating_sub(count(replacement));
        self.made.push(Mutant {
            path: self.path.to_owned(),
            line,
            start,
            end,
            replacement: format!("{replacement}{}", "\n".repeat(missing)),
            what: what(before, replacement),
        });
    }

    fn returned(&mut self, node: Node<'_>) {
        match named(node)
            .into_iter()
            .find(|part| part.kind() != "comment")
        {
            Some(value) if !matches!(self.text(value), "undefined" | "void 0") => {
                self.add(value, "undefined");
            }
            Some(_) => {}
            None => self.add(node, ";"),
        }
    }

    fn answered(&mut self, arrow: Node<'_>) {
        let body = arrow.child_by_field_name("body");
        if let Some(body) = body.filter(|body| body.kind() != "statement_block")
            && self.text(body) != "undefined"
        {
            self.add(body, "undefined");
        }
    }

    fn binary(&mut self, node: Node<'_>) {
        let operator = self.words_of("operator", node);
        if matches!(operator, "in" | "instanceof") {
            let whole = format!("!({})", self.text(node));
            return self.add(node, &whole);
        }
        let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
        let is_text = |side: &Option<Node<'_>>| {
            side.is_some_and(|side| matches!(side.kind(), "string" | "template_string"))
        };
        // Texts are put together by it.
        if operator == "+" && sides.iter().any(is_text) {
            return;
        }
        self.operator(node, "");
    }

    fn augmented(&mut self, node: Node<'_>) {
        let right = node.child_by_field_name("right");
        let is_text =
            right.is_some_and(|right| matches!(right.kind(), "string" | "template_string"));
        if !(is_text && self.words_of("operator", node) == "+=") {
            self.operator(node, "=");
        }
    }

    /// Replaces an operator, which may have something after it that stays.
    fn operator(&mut self, node: Node<'_>, behind: &str) {
        let Some(operator) = node.child_by_field_name("operator") else {
            return;
        };
        let bare = self.text(operator).strip_suffix(behind);
        let other = OPERATORS.iter().find(|(from, _)| Some(*from) == bare);
        if let Some((_, other)) = other {
            self.add(operator, &format!("{other}{behind}"));
        } else if bare == Some("--") {
            self.add(operator, "++");
        }
    }

    fn negation(&mut self, node: Node<'_>) {
        let operator = node.child_by_field_name("operator");
        if let Some(operator) = operator.filter(|operator| self.text(*operator) == "!") {
            self.add(operator, " ");
        }
    }

    fn number(&mut self, node: Node<'_>) {
        let written = self.text(node);
        let (digits, ending) = match written.strip_suffix('n') {
            Some(digits) => (digits, "n"),
            None => (written, ""),
        };
        let digits = digits.replace('_', "");
        if let Ok(value) = digits.parse::<u64>().map(|value| value.checked_add(1)) {
            if let Some(value) = value {
                self.add(node, &format!("{value}{ending}"));
            }
        } else if let Ok(value) = digits.parse::<f64>() {
            let other = (value + 1.0).to_string();
            if value.is_finite() && other != value.to_string() {
                self.add(node, &other);
            }
        } else if digits.starts_with("0x") || digits.starts_with("0b") || digits.starts_with("0o") {
            self.add(node, &format!("({written} + 1{ending})"));
        }
    }

    fn words(&mut self, node: Node<'_>) {
        let written = self.text(node);
        let has_holes = named(node)
            .iter()
            .any(|part| part.kind() == "template_substitution");
        let is_key = node.parent().is_some_and(|parent| {
            let key = parent
                .child_by_field_name("key")
                .or(parent.child_by_field_name("name"));
            key == Some(node) || parent.kind() == "literal_type"
        });
        let (Some(quote), false) = (written.chars().last(), has_holes || is_key) else {
            return;
        };
        if !written.contains('\n')
            && let Some(inner) = written.strip_suffix(quote)
        {
            self.add(node, &format!("{inner}x{quote}"));
        }
    }

    /// A statement without which the program can be read all the same.
    fn removed(&mut self, node: Node<'_>, inside: bool) {
        let goes = match node.kind() {
            "throw_statement" | "break_statement" | "continue_statement" => true,
            "expression_statement" => {
                let inner = named(node)
                    .into_iter()
                    .find(|part| part.kind() != "comment");
                inner.is_some_and(|inner| match inner.kind() {
                    "string" | "template_string" => false,
                    "call_expression" => {
                        !self.is_message(inner) && self.words_of("function", inner) != "super"
                    }
                    // A module's definitions are tested through their values.
                    "assignment_expression" => inside,
                    _ => true,
                })
            }
            _ => false,
        };
        if goes {
            self.add(node, ";");
        }
    }

    /// Those that can be read, evenly from all lines.
    fn parsed(self, tree: &Tree) -> Vec<Mutant> {
        let (path, text) = (self.path, self.text);
        let mut by_line: BTreeMap<u32, Vec<Mutant>> = BTreeMap::new();
        for mutant in self.made {
            by_line.entry(mutant.line).or_default().push(mutant);
        }
        let mut ranked: Vec<(usize, Mutant)> = Vec::new();
        for mutants in by_line.into_values() {
            ranked.extend(mutants.into_iter().enumerate());
        }
        ranked.sort_by_key(|(rank, mutant)| (*rank, mutant.line));
        let made = ranked.into_iter().map(|(_, mutant)| mutant).take(MOST);
        let is_program = |mutant: &Mutant| {
            let changed = mutant.applied(text.as_bytes());
            let changed = changed.and_then(|bytes| String::from_utf8(bytes).ok());
            let edited = edited(tree, text, mutant);
            let tree = changed.and_then(|changed| parse_from(path, &changed, Some(&edited)));
            tree.is_some_and(|tree| !is_broken(tree.root_node()))
        };
        made.filter(is_program).collect()
    }
}

/// The file's tree, updated with a mutant's replacement.
fn edited(tree: &Tree, text: &str, mutant: &Mutant) -> Tree {
    let point = |text: &str| Point {
        row: text.matches('\n').count(),
        column: text.len() - text.rfind('\n').map_or(0, |at| at + 1),
    };
    let before = text.get(..mutant.start).unwrap_or_default();
    let mut tree = tree.clone();
    tree.edit(&InputEdit {
        start_byte: mutant.start,
        old_end_byte: mutant.end,
        new_end_byte: mutant.start + mutant.replacement.len(),
        start_position: point(before),
        old_end_position: point(text.get(..mutant.end).unwrap_or_default()),
        new_end_position: point(&format!("{before}{}", mutant.replacement)),
    });
    tree
}

/// The change, in words.
fn what(before: &str, after: &str) -> String {
    let short = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() <= 60 {
            return text;
        }
        let begin: String = text.chars().take(57).collect();
        format!("{begin}...")
    };
    let (before, after) = (short(before), short(after));
    if after.is_empty() || after == ";" {
        format!("`{before}` was taken out")
    } else {
        format!("`{before}` became `{after}`")
    }
}

#[cfg(test)]
#[path = "mutants_tests.rs"]
mod tests;
