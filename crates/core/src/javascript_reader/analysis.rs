//! The contents of test files, put together.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};

use tree_sitter::{Node, Tree};

use super::digest::{Project, by_name, lines};
use super::file::File;
use super::source::{last_line_of, line_of};
use super::twins::{Maker, Salt};
use super::weaknesses::Look;
use crate::gate::{AnalysedFile, AnalysedTest, Analysis, Rule, SourceText, TwinKind, Weakness};
use crate::javascript::parsing::parse;

/// The contents of JavaScript and TypeScript test files, read without running them.
pub fn analyse(files: &[SourceText]) -> Analysis {
    // Random in every process: code that knew how values are changed could change them back.
    let salt = Salt(RandomState::new().hash_one(files.len()));
    analyse_with(files, salt)
}

/// The same with a given salt.
pub(super) fn analyse_with(files: &[SourceText], salt: Salt) -> Analysis {
    let now = trees(files.iter().map(|file| (&file.path, Some(&file.text))));
    let before = trees(files.iter().map(|file| (&file.path, file.base.as_ref())));
    let now = read(&now);
    let before = read(&before);
    let reader = Reader {
        texts: files,
        project: Project::new(now.values()),
        earlier: Project::new(before.values()),
        now: &now,
        before: &before,
        salt,
    };
    let files = files.iter().map(|file| reader.file(file));
    let mut analysis = Analysis::default();
    analysis.files = files.collect();
    analysis
}

type Trees<'t> = BTreeMap<&'t str, (&'t str, Option<Tree>)>;
type Files<'t> = BTreeMap<&'t str, File<'t>>;

fn trees<'t>(texts: impl Iterator<Item = (&'t String, Option<&'t String>)>) -> Trees<'t> {
    let texts = texts.filter_map(|(path, text)| Some((path.as_str(), text?.as_str())));
    texts
        .map(|(path, text)| (path, (text, parse(path, text))))
        .collect()
}

fn read<'t>(trees: &'t Trees<'t>) -> Files<'t> {
    let sound = trees.iter().filter_map(|(path, (text, tree))| {
        let tree = tree.as_ref()?;
        let sound = !tree.root_node().has_error();
        sound.then(|| (*path, File::new(path, text, tree)))
    });
    sound.collect()
}

struct Reader<'f, 't> {
    texts: &'t [SourceText],
    project: Project<'f, 't>,
    earlier: Project<'f, 't>,
    now: &'f Files<'t>,
    before: &'f Files<'t>,
    salt: Salt,
}

impl<'t> Reader<'_, 't> {
    fn file(&self, text: &'t SourceText) -> AnalysedFile {
        let mut result = AnalysedFile {
            path: text.path.clone(),
            ..AnalysedFile::default()
        };
        if !crate::javascript::is_javascript(&text.path) {
            return result;
        }
        let Some(file) = self.now.get(text.path.as_str()) else {
            result.error = Some(syntax_error(text));
            return result;
        };
        let base = self.before.get(text.path.as_str());
        let earlier = base.map(by_name).unwrap_or_default();
        let numbers = 0..file.tests.all.len();
        result.tests = numbers
            .map(|test| self.test(file, test, base, &earlier))
            .collect();
        let names: BTreeSet<&str> = result.tests.iter().map(|test| test.name.as_str()).collect();
        let removed = earlier.keys().filter(|name| !names.contains(*name));
        result.removed = removed.map(|name| (*name).to_owned()).collect();
        self.add_twins(file, &mut result);
        result
    }

    fn test(
        &self,
        file: &File<'t>,
        test: usize,
        base: Option<&File<'t>>,
        earlier: &BTreeMap<&str, usize>,
    ) -> AnalysedTest {
        let path = file.source.path;
        let it = &file.tests.all[test];
        let was = base.and_then(|base| Some((base, *earlier.get(it.name.as_str())?)));
        let before = was.and_then(|(_, old)| self.earlier.digest(path, old));
        let new = before.is_none() || before != self.project.digest(path, test);
        let texts = was.map(|(base, old)| (lines(base, old), lines(file, test)));
        let others = |of: &[&str], than: &[&str]| -> Vec<String> {
            let others = of.iter().filter(|line| !than.contains(line));
            others.take(3).map(|line| (*line).to_owned()).collect()
        };
        let (is, was_lines) = texts.map_or_else(Default::default, |(was, is)| {
            (others(&is, &was), others(&was, &is))
        });
        AnalysedTest {
            name: it.name.clone(),
            line: line_of(it.call.node),
            last_line: last_line_of(it.call.node),
            new,
            existed: was.is_some(),
            is,
            was: was_lines,
            problems: if new {
                self.problems(file, test, was)
            } else {
                Vec::new()
            },
            base_oracles: was.map(|(base, old)| {
                let look = Look {
                    file: base,
                    test: old,
                    has_snapshot: true,
                };
                u32::try_from(look.oracles()).unwrap_or(u32::MAX)
            }),
            holds_parts: file.has_parts(test) && file.places_of(test).is_empty(),
            ..AnalysedTest::default()
        }
    }

    /// A test's problems, except those it had at the base: these are not the change's fault.
    fn problems(
        &self,
        file: &File<'t>,
        test: usize,
        was: Option<(&File<'t>, usize)>,
    ) -> Vec<Weakness> {
        let has_snapshot = was.is_some() || self.has_snapshot(file, test);
        let found = Look {
            file,
            test,
            has_snapshot,
        }
        .weaknesses();
        let known: Vec<Rule> = was.map_or_else(Vec::new, |(file, test)| {
            let look = Look {
                file,
                test,
                has_snapshot,
            };
            look.weaknesses().into_iter().map(|it| it.rule).collect()
        });
        found
            .into_iter()
            .filter(|weakness| !known.contains(&weakness.rule))
            .collect()
    }

    /// Whether a file of snapshots that was given has one of this test.
    fn has_snapshot(&self, file: &File<'t>, test: usize) -> bool {
        let (folder, name) = match file.source.path.rsplit_once('/') {
            Some((folder, name)) => (format!("{folder}/"), name),
            None => (String::new(), file.source.path),
        };
        let stored = format!("{folder}__snapshots__/{name}.snap");
        let title = &file.tests.all[test].name;
        let joined = title.replace(" > ", " ");
        let mut files = self.texts.iter();
        files.any(|other| {
            other.path == stored && (other.text.contains(title) || other.text.contains(&joined))
        })
    }

    fn add_twins(&self, file: &File<'t>, result: &mut AnalysedFile) {
        let numbered = result.tests.iter().enumerate();
        let wanted: BTreeSet<usize> = numbered
            .filter(|(_, test)| test.new)
            .map(|(number, _)| number)
            .collect();
        for kind in TwinKind::ALL {
            let maker = Maker::new(file, kind);
            let Some(twin) = maker.make(&wanted, self.salt) else {
                continue;
            };
            for (number, places) in twin.places {
                let test = &mut result.tests[number];
                test.places.insert(kind, places);
                if kind == TwinKind::Negated {
                    test.turned_whole = maker.is_whole(number);
                }
            }
            result.twins.insert(kind, twin.text);
        }
    }
}

/// Where a file stops being readable.
fn syntax_error(text: &SourceText) -> Weakness {
    let tree = parse(&text.path, &text.text);
    let place = tree.as_ref().and_then(|tree| first_error(tree.root_node()));
    Weakness {
        rule: Rule::SyntaxError,
        line: place.map_or(1, line_of),
        message: "cannot be parsed".to_owned(),
        order: None,
        certain: false,
    }
}

fn first_error(root: Node<'_>) -> Option<Node<'_>> {
    let mut node = root;
    loop {
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
        let mut cursor = node.walk();
        let inner: Vec<Node<'_>> = node.children(&mut cursor).collect();
        node = inner.into_iter().find(Node::has_error)?;
    }
}
