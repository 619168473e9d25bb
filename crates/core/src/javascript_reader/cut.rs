//! Judging blind: test files without the values that they expect.
//!
//! An assertion with a literal expected value is replaced by a call that records the actual value; operator, polarity
//! and expected value stay outside, in [`Sealed`]. Every test ends by an error of the name `ProctorValues` whose
//! message is the record. A computed expected value is recorded as well, after the actual one.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};
use tree_sitter::Node;

use super::cells::cells_of;
use super::cutting::{Condition, Cut};
use super::edits::Edits;
use super::file::{File, Place};
use super::oracle::Shape;
use super::source::{is_generator, last_line_of, line_of, literal_text};
use super::twins::{start_of_code, without_checks};
use super::value::Value;
use super::words::Library;
use crate::javascript::parsing::parse;

const EXPORTER: &str = include_str!("exporter.js");
/// A test file without its expected values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutTests {
    /// Relative to the tree.
    pub path: String,
    /// Without its expected values; none if it could not be cut.
    pub cut: Option<String>,
    /// How many assertions it has, the ones that stay in the process included.
    pub assertions: u32,
    /// Why it could not be cut.
    pub error: Option<String>,
}

/// The parts that were cut out. They must never reach the tests' process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Sealed {
    pub(super) files: Vec<SealedFile>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SealedFile {
    pub(super) path: String,
    pub(super) tests: Vec<SealedTest>,
    pub(super) places: BTreeMap<u64, SealedPlace>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SealedTest {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) last_line: u32,
    /// Whether it ends by sending its values.
    pub(super) sends: bool,
    /// Whether it has others inside it, whose failures are its own to the runner.
    pub(super) has_parts: bool,
    /// Whether the others were kept and it lost its body.
    pub(super) emptied: bool,
    /// Places that are written in it.
    pub(super) own: BTreeSet<u64>,
    /// Places that it may reach and that stay in the process.
    pub(super) in_process: BTreeSet<u64>,
}

/// The question at a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SealedPlace {
    pub(super) line: u32,
    /// The matcher or method.
    pub(super) asks: String,
    pub(super) negated: bool,
    pub(super) library: Asked,
    /// The expected values; none if they are sent along.
    pub(super) expected: Option<Vec<Value>>,
    /// Whether they can be read elsewhere in the cut file.
    pub(super) visible: bool,
    /// The expected values of each case, by the numbers that replace them.
    #[serde(default)]
    pub(super) cells: BTreeMap<u64, Value>,
    /// The class of error that is expected.
    pub(super) class: Option<String>,
    /// Whether it was left as it is.
    pub(super) in_process: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Asked {
    Expect,
    Assert,
}

/// Cuts the expected values out of test files. With names of tests in `only`, given as `path::name`, the others lose
/// their bodies. The marker is the name that the calls in cut files have; nothing in the files may contain it.
pub fn cut(
    files: &[(String, String)],
    only: Option<&[String]>,
    marker: &str,
) -> (Vec<CutTests>, Sealed) {
    let mut sealed = Sealed::default();
    let mut next = 1;
    let mut results = Vec::new();
    for (path, text) in files {
        let failed = |why: &str| CutTests {
            path: path.clone(),
            cut: None,
            assertions: 0,
            error: Some(why.to_owned()),
        };
        let tree = parse(path, text).filter(|tree| !tree.root_node().has_error());
        let Some(tree) = tree else {
            results.push(failed("it cannot be parsed"));
            continue;
        };
        if text.contains(marker) {
            results.push(failed("it contains the marker"));
            continue;
        }
        let file = File::new(path, text, &tree);
        let mut cutter = Cutter::new(&file, only, marker, next);
        let cut = cutter.cut();
        next = cutter.next;
        let count = u32::try_from(file.places.len()).unwrap_or(u32::MAX);
        sealed.files.push(cutter.sealed());
        results.push(CutTests {
            path: path.clone(),
            cut: Some(cut),
            assertions: count,
            error: None,
        });
    }
    (results, sealed)
}

struct Cutter<'f, 't> {
    file: &'f File<'t>,
    marker: &'f str,
    emptied: BTreeSet<usize>,
    next: u64,
    /// The number of each place of the file.
    numbers: Vec<u64>,
    places: BTreeMap<u64, SealedPlace>,
    sending: BTreeSet<usize>,
}

impl<'f, 't> Cutter<'f, 't> {
    fn new(file: &'f File<'t>, only: Option<&[String]>, marker: &'f str, next: u64) -> Self {
        let path = file.source.path;
        let is_left = |name: &str| {
            only.is_none_or(|only| only.iter().any(|one| *one == format!("{path}::{name}")))
        };
        let tests = file.tests.all.iter().enumerate();
        let left: BTreeSet<usize> = tests
            .clone()
            .filter(|(_, test)| is_left(&test.name))
            .map(|(number, _)| number)
            .collect();
        // A part cannot run without its whole.
        let holds = |number: usize| {
            let mut inner = left.iter();
            inner.any(|part| {
                let mut outer = Some(*part);
                while let Some(test) = outer {
                    if test == number {
                        return true;
                    }
                    outer = file.tests.all[test].call.parent;
                }
                false
            })
        };
        let emptied = tests.map(|(number, _)| number).filter(|it| !holds(*it));
        Self {
            file,
            marker,
            emptied: emptied.collect(),
            next,
            numbers: Vec::new(),
            places: BTreeMap::new(),
            sending: BTreeSet::new(),
        }
    }

    fn cut(&mut self) -> String {
        let file = self.file;
        let mut edits = Edits::default();
        let able: BTreeSet<usize> = (0..file.tests.all.len())
            .filter(|test| self.can_send(*test))
            .collect();
        for test in &self.emptied {
            empty(file, *test, &mut edits);
        }
        let mut cuts = Vec::new();
        for place in &file.places {
            let number = self.next;
            self.next += 1;
            self.numbers.push(number);
            let cut = self
                .may_cut(place, &able)
                .then(|| Cut::of(file, &place.assertion));
            let cut = cut.flatten();
            // A constant or counting assertion has nothing to verify.
            let asks = place.assertion.constant(&file.source).is_none();
            if asks && !counts_only(file, place) {
                let sealed = SealedPlace::of(place, cut.as_ref());
                self.places.insert(number, sealed);
            }
            if let Some(cut) = cut {
                cuts.push((number, place, cut));
            }
        }
        self.cut_cells(&mut cuts, &mut edits);
        self.sending = able
            .into_iter()
            .filter(|test| {
                let own = file.places_of(*test);
                cuts.iter().any(|(_, place, _)| {
                    own.iter()
                        .any(|it| it.assertion.node.id() == place.assertion.node.id())
                })
            })
            .collect();
        for (number, place, cut) in &cuts {
            let token = match place.test {
                Some(test) => format!("{}_{test}", self.marker),
                None => self.marker.to_owned(),
            };
            cut.write(&mut edits, file.source.text, &token, *number);
        }
        self.surround(&mut edits);
        self.leave_out(&mut edits, &cuts);
        let start = start_of_code(file);
        edits.surround_range(start..start, &self.prelude(), "");
        let text = edits.apply(file.source.text);
        self.mark_visible(&cuts, &text);
        without_checks(file, &text)
    }

    /// Takes the expected values out of tables of cases; a number replaces each.
    fn cut_cells(&mut self, cuts: &mut [(u64, &Place<'t>, Cut<'t>)], edits: &mut Edits) {
        let file = self.file;
        let names = cuts.iter().filter_map(|(_, _, cut)| cut.expected_name());
        let asserting: HashSet<usize> = names.map(|name| name.id()).collect();
        let mut numbers: BTreeMap<usize, u64> = BTreeMap::new();
        for (number, _, cut) in cuts {
            let name = cut.expected_name();
            let cells = name.and_then(|name| cells_of(file, name, &asserting));
            let place = self.places.get_mut(number);
            let (Some(cells), Some(place)) = (cells, place) else {
                continue;
            };
            for (cell, value) in cells {
                let next = numbers.len() as u64 + 1;
                let cell_number = *numbers.entry(cell.id()).or_insert(next);
                if cell_number == next {
                    edits.replace(file.source.text, cell.byte_range(), &next.to_string());
                }
                place.cells.insert(cell_number, value);
                cut.expected.push(cell);
            }
        }
    }

    /// Whether a test can end by sending its values.
    fn can_send(&self, test: usize) -> bool {
        let file = self.file;
        let function = file.tests.all[test].call.function;
        let body = function.filter(|function| !is_generator(*function));
        body.is_some() && file.tests.is_plain(&file.source, test) && !self.emptied.contains(&test)
    }

    /// Whether every test that reaches a place can send its value.
    fn may_cut(&self, place: &Place<'t>, able: &BTreeSet<usize>) -> bool {
        if !place.ends_test {
            return false;
        }
        if let Some(test) = place.test {
            return able.contains(&test);
        }
        let node = place.assertion.node.id();
        let callers = (0..self.file.tests.all.len()).filter(|test| {
            let places = self.file.places_of(*test);
            places.iter().any(|it| it.assertion.node.id() == node)
        });
        let mut callers = callers.filter(|test| !self.emptied.contains(test));
        callers.all(|test| able.contains(&test) && !self.file.tests.all[test].concurrent)
            && !self.file.is_called_outside(place)
    }

    fn surround(&self, edits: &mut Edits) {
        for test in &self.sending {
            let it = &self.file.tests.all[*test];
            let outer = it.call.parent.filter(|outer| self.sending.contains(outer));
            let marker = self.marker;
            let token = format!("{marker}_{test}");
            let outer = outer.map_or("undefined".to_owned(), |outer| {
                format!("{marker}_{outer}.test")
            });
            let alone = it.concurrent;
            let begin = format!("const {token} = {marker}.begin({alone}, {outer}); try {{");
            let end = format!(
                " }} catch ({marker}_e) {{ {token}.f({marker}_e); }} finally {{ {token}.e(); }}"
            );
            super::twins::surround_body(self.file, *test, &token, (&begin, &end), edits);
        }
    }

    /// Comments may reveal the expected value, and assertions that are gone must not be counted.
    fn leave_out(&self, edits: &mut Edits, cuts: &[(u64, &Place<'t>, Cut<'t>)]) {
        let source = &self.file.source;
        let start = start_of_code(self.file);
        let removed = |node: Node<'t>| {
            let within = |outer: Node<'t>| source.is_within(node, outer);
            let kept = |cut: &Cut<'t>| cut.kept().into_iter().any(within);
            let in_cut = cuts
                .iter()
                .any(|(_, place, cut)| within(place.assertion.node) && !kept(cut));
            let emptied = self.emptied.iter().filter_map(|test| {
                let function = self.file.tests.all[*test].call.function?;
                function.child_by_field_name("body")
            });
            in_cut || emptied.into_iter().any(within)
        };
        for node in source.within(source.root()) {
            if node.kind() == "comment" && node.start_byte() > start && !removed(*node) {
                edits.replace(source.text, node.byte_range(), " ");
            }
        }
        for place in &self.file.places {
            let node = place.assertion.node;
            let counts = counts_only(self.file, place);
            if counts && place.test.is_some_and(|test| self.sending.contains(&test)) {
                edits.replace(source.text, node.byte_range(), "undefined");
            }
        }
    }

    fn prelude(&self) -> String {
        let lines = EXPORTER.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
        format!(";{} ", lines.join(" ").replace("NAME", self.marker))
    }

    /// Expected values that occur elsewhere in the cut file.
    fn mark_visible(&mut self, cuts: &[(u64, &Place<'t>, Cut<'t>)], text: &str) {
        let start = text.find("})();").map_or(0, |end| end + 5);
        let rest = text.get(start..).unwrap_or_default();
        for (number, _, cut) in cuts {
            let source = &self.file.source;
            let stands = |node: &Node<'t>| {
                let said = source.text(*node);
                let inner = literal_text(source, *node).unwrap_or_else(|| said.to_owned());
                inner.len() > 2 && rest.contains(&inner)
            };
            let visible = cut.expected.iter().any(stands);
            if let Some(place) = self.places.get_mut(number) {
                place.visible |= visible;
            }
        }
    }

    fn sealed(self) -> SealedFile {
        let file = self.file;
        let number_of: BTreeMap<usize, u64> = file
            .places
            .iter()
            .zip(&self.numbers)
            .map(|(place, number)| (place.assertion.node.id(), *number))
            .collect();
        let tests = file.tests.all.iter().enumerate().map(|(number, test)| {
            let places = file.places_of(number);
            let numbers = |own: bool, in_process: bool| -> BTreeSet<u64> {
                let wanted = places
                    .iter()
                    .filter(|place| !own || place.test == Some(number));
                let wanted = wanted.filter_map(|place| number_of.get(&place.assertion.node.id()));
                let kept = wanted.filter(|it| {
                    let place = self.places.get(it);
                    place.is_some_and(|place| place.in_process == in_process)
                });
                kept.copied().collect()
            };
            SealedTest {
                name: test.name.clone(),
                line: line_of(test.call.node),
                last_line: last_line_of(test.call.node),
                sends: self.sending.contains(&number),
                has_parts: file.has_parts(number),
                emptied: self.emptied.contains(&number),
                own: numbers(true, false),
                in_process: numbers(false, true),
            }
        });
        SealedFile {
            path: file.source.path.to_owned(),
            tests: tests.collect(),
            places: self.places,
        }
    }
}

/// Whether a place asks how many assertions were made.
fn counts_only(file: &File<'_>, place: &Place<'_>) -> bool {
    let text = file.source.text(place.assertion.node);
    text.starts_with("expect.assertions(") || text.starts_with("expect.hasAssertions(")
}

/// Takes the body of a test away; its lines stay.
fn empty(file: &File<'_>, test: usize, edits: &mut Edits) {
    let function = file.tests.all[test].call.function;
    let Some(body) = function.and_then(|it| it.child_by_field_name("body")) else {
        return;
    };
    edits.replace(file.source.text, body.byte_range(), "{}");
}

/// The method that a strict library runs under this name: there values of different types are never equal.
fn meant(method: &str, library: Library) -> &str {
    match (library, method) {
        (Library::NodeStrict, "equal") => "strictEqual",
        (Library::NodeStrict, "notEqual") => "notStrictEqual",
        (Library::NodeStrict, "deepEqual") => "deepStrictEqual",
        (Library::NodeStrict, "notDeepEqual") => "notDeepStrictEqual",
        _ => method,
    }
}

impl SealedPlace {
    fn of(place: &Place<'_>, cut: Option<&Cut<'_>>) -> Self {
        let assertion = &place.assertion;
        let (asks, library) = match &assertion.shape {
            Shape::Expect { .. } => (assertion.matcher().map_or("", |it| it.name), Asked::Expect),
            Shape::Assert {
                method, library, ..
            } => (meant(method, *library), Asked::Assert),
            Shape::Other => ("", Asked::Expect),
        };
        let own = Condition {
            asks,
            library,
            negated: assertion.negation().is_some(),
        };
        let condition = cut.and_then(|cut| cut.condition).unwrap_or(own);
        Self {
            line: line_of(assertion.node),
            asks: condition.asks.to_owned(),
            negated: condition.negated,
            library: condition.library,
            expected: cut.and_then(|cut| cut.values.clone()),
            visible: cut.is_some_and(|cut| cut.named),
            cells: BTreeMap::new(),
            class: cut.and_then(|cut| cut.class.clone()),
            in_process: cut.is_none(),
        }
    }
}
