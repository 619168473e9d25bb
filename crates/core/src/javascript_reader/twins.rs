//! Twins: files in which tests have to fail if they pass as they are.
//!
//! Every line stays where it is. The body of an inverted test is surrounded by code that throws an error of its own,
//! `ProctorNotReached`, if the body reached none of the inverted places and did not fail either. So a twin that passes
//! reached such a place, and would pass whatever it asserts.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::edits::Edits;
use super::file::{File, Place};
use super::source::{children, is_generator};
use super::turning::{Turning, changed, negated};
use super::weaknesses::Look;
use crate::gate::TwinKind;

const PRELUDE: &str = include_str!("prelude.js");
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Letters that hardly any text of a test has.
const RARE: [&str; 8] = ["ቀ", "ᚠ", "ᠠ", "ꀀ", "ⴰ", "ꓐ", "ꙮ", "ᚋ"];

/// The salt of the values that a twin expects instead; code that knew it could undo the change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Salt(pub(super) u64);

/// A file with inverted tests.
pub(super) struct Twin {
    pub(super) text: String,
    /// How many places of each test were.
    pub(super) places: BTreeMap<usize, u32>,
}

/// Makes the twins of a file.
pub(super) struct Maker<'f, 't> {
    file: &'f File<'t>,
    kind: TwinKind,
    name: String,
}

impl<'f, 't> Maker<'f, 't> {
    pub(super) fn new(file: &'f File<'t>, kind: TwinKind) -> Self {
        let mut name = "__proctor".to_owned();
        while file.source.text.contains(&name) {
            name.push('_');
        }
        Self { file, kind, name }
    }

    /// The file with these tests inverted; none if nothing in them can be.
    pub(super) fn make(&self, wanted: &BTreeSet<usize>, salt: Salt) -> Option<Twin> {
        let mut places = BTreeMap::new();
        let mut helped = false;
        for test in wanted {
            let (own, helpers) = self.count(*test);
            if own + helpers > 0 {
                places.insert(*test, own + helpers);
                helped |= helpers > 0;
            }
        }
        if places.is_empty() {
            return None;
        }
        let mut edits = Edits::default();
        let mut imports = false;
        for test in places.keys() {
            self.surround(*test, &places, &mut edits);
        }
        for place in &self.file.places {
            let token = match place.test {
                Some(test) if places.contains_key(&test) => self.token(test),
                None if helped => self.name.clone(),
                _ => continue,
            };
            if let Some(turning) = self.turning(place) {
                imports |= matches!(turning, Turning::Method { object: None, .. });
                let assert = format!("{}_a", self.name);
                turning.write(&mut edits, self.file.source.text, &token, &assert);
            }
        }
        let start = start_of_code(self.file);
        edits.surround_range(start..start, &self.prelude(salt, imports), "");
        let text = without_checks(self.file, &edits.apply(self.file.source.text));
        Some(Twin { text, places })
    }

    /// Whether the negated twin turns all that tells right from wrong in a test.
    pub(super) fn is_whole(&self, test: usize) -> bool {
        let concurrent = self.file.tests.all[test].concurrent;
        let look = Look {
            file: self.file,
            test,
            has_snapshot: true,
        };
        look.is_whole(&|place| {
            (place.test.is_some() || !concurrent) && self.turning(place).is_some()
        })
    }

    /// How many places of a test are inverted: in its own function, and in helpers.
    fn count(&self, test: usize) -> (u32, u32) {
        let file = self.file;
        let it = &file.tests.all[test];
        let body = it.call.function.filter(|function| !is_generator(*function));
        if body.is_none() || !file.tests.is_plain(&file.source, test) {
            return (0, 0);
        }
        let turned: Vec<&Place<'t>> = file
            .places_of(test)
            .into_iter()
            .filter(|place| self.turning(place).is_some())
            .collect();
        let own = turned.iter().filter(|place| place.test.is_some()).count();
        let helpers = if it.concurrent { 0 } else { turned.len() - own };
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        (number(own), number(helpers))
    }

    fn turning(&self, place: &Place<'t>) -> Option<Turning<'t>> {
        if !place.ends_test {
            return None;
        }
        let source = &self.file.source;
        match self.kind {
            TwinKind::Negated => negated(source, &place.assertion),
            TwinKind::Changed => changed(source, &place.assertion),
        }
    }

    fn token(&self, test: usize) -> String {
        format!("{}_{test}", self.name)
    }

    /// Puts the code that begins and ends a test around its body.
    fn surround(&self, test: usize, turned: &BTreeMap<usize, u32>, edits: &mut Edits) {
        let it = &self.file.tests.all[test];
        let (token, name) = (self.token(test), &self.name);
        let outer = it.call.parent.filter(|outer| turned.contains_key(outer));
        let outer = outer.map_or("undefined".to_owned(), |outer| {
            format!("{}.test", self.token(outer))
        });
        let alone = it.concurrent;
        let begin = format!("const {token} = {name}.begin({alone}, {outer}); try {{");
        let end = format!(
            " }} catch ({name}_e) {{ throw {token}.f({name}_e); }} finally {{ {token}.e(); }}"
        );
        surround_body(self.file, test, &token, (&begin, &end), edits);
    }

    /// The code before the file's first statement.
    fn prelude(&self, salt: Salt, imports: bool) -> String {
        let lines = PRELUDE.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
        let pick =
            |count: usize, shift: u32| usize::try_from(salt.0 >> shift).unwrap_or_default() % count;
        let letter = |shift| char::from(LETTERS[pick(LETTERS.len(), shift)]);
        let words: String = (0..6).map(|index| letter(8 + index * 7)).collect();
        let code = lines
            .join(" ")
            .replace("NAME", &self.name)
            .replace("SALT", &(salt.0 % 1_000_003).to_string())
            .replace("FIRST", &letter(3).to_string())
            .replace("RARE", RARE[pick(RARE.len(), 5)])
            .replace("WORDS", &format!("~{words}"));
        let module = self.file.words.assert_module.as_deref();
        let module = module.filter(|_| imports).map(|module| {
            let name = &self.name;
            if self.file.words.is_module {
                format!("import * as {name}_a from \"{module}\"; ")
            } else {
                format!("const {name}_a = require(\"{module}\"); ")
            }
        });
        format!(";{}{code} ", module.unwrap_or_default())
    }
}

/// Puts code around the body of a test. A promise that the test returns goes through `r` of the token.
pub(super) fn surround_body(
    file: &File<'_>,
    test: usize,
    token: &str,
    (begin, end): (&str, &str),
    edits: &mut Edits,
) {
    let Some(function) = file.tests.all[test].call.function else {
        return;
    };
    let Some(body) = function.child_by_field_name("body") else {
        return;
    };
    if body.kind() != "statement_block" {
        let begin = format!("{{ {begin} return {token}.r((");
        edits.surround(body, &begin, &format!("));{end} }}"));
        return;
    }
    let inner = body.start_byte() + 1..body.end_byte() - 1;
    edits.surround_range(inner, &format!(" {begin}"), end);
    let source = &file.source;
    for node in source.within(function) {
        let own = node.kind() == "return_statement"
            && source.function_around(*node).map(|it| it.id()) == Some(function.id());
        if let Some(value) = children(*node).first().filter(|_| own) {
            edits.surround(*value, &format!("{token}.r(("), "))");
        }
    }
}

/// The start of the first statement that is not a directive: comments before it that configure a runner count only
/// there.
pub(super) fn start_of_code(file: &File<'_>) -> usize {
    let root = file.source.root();
    let is_directive = |node: &Node<'_>| {
        node.kind() == "hash_bang_line"
            || node.kind() == "expression_statement"
                && children(*node)
                    .first()
                    .is_some_and(|it| it.kind() == "string")
    };
    let mut statements = children(root).into_iter();
    let first = statements.find(|node| !is_directive(node));
    first.map_or(root.end_byte(), |node| node.start_byte())
}

/// Tells TypeScript not to check the rewritten file, where a line can be spared for it: a compiler that checks would
/// refuse it.
pub(super) fn without_checks(file: &File<'_>, text: &str) -> String {
    const WORDS: &str = "// @ts-nocheck";
    let path = file.source.path;
    let typed = [".ts", ".tsx", ".mts", ".cts"]
        .iter()
        .any(|it| path.ends_with(it));
    let Some((first, rest)) = text.split_once('\n').filter(|_| typed) else {
        return text.to_owned();
    };
    // Behind a comment before all code, which jest reads only where the file begins with it.
    let before = file.source.text.get(..start_of_code(file));
    let comment = before.filter(|before| before.trim_start().starts_with("/*"));
    if let Some(end) = comment.and_then(|before| before.find("*/\n")) {
        let (comment, rest) = text.split_at(end + 2);
        return format!("{comment} {WORDS}{rest}");
    }
    let end = file.source.text.find('\n').unwrap_or_default();
    let root = file.source.root();
    let at_end = root.descendant_for_byte_range(end, end).unwrap_or(root);
    let tested = file
        .tests
        .all
        .iter()
        .any(|test| test.call.node.start_position().row == 0);
    if tested || file.source.text.starts_with("#!") || first.contains("//") {
        // A comment alone may be given up.
        let comment = file.source.text.trim_start().starts_with("//");
        let pragma = first.contains('@') || first.starts_with("///");
        return if comment && !pragma && !tested && start_of_code(file) > end {
            format!("{WORDS}\n{rest}")
        } else {
            text.to_owned()
        };
    }
    match at_end.kind() {
        "program" => format!("{WORDS}\n{first}; {rest}"),
        "named_imports" | "import_clause" | "import_statement" => {
            format!("{WORDS}\n{first} {rest}")
        }
        _ => text.to_owned(),
    }
}
