//! Stubs in the place of code that new tests wait for.

use std::path::Path;

use proctor_core::dialect::{Dialect, is_test_file};
use proctor_core::gate::{Analysis, RedOrder};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::stubs::StubKind;
use proctor_core::test_outcome::Observation;
use proctor_core::{javascript, pytest};

use super::arbiter::Sitting;
use super::{GateError, texts};

/// Files that lack something, and the names that tests ask of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Stubs {
    files: Vec<Stub>,
    /// Names that `import *` has to bring.
    given: Vec<String>,
    /// The test files of JavaScript, with their texts.
    tests: Vec<(String, String)>,
    /// Whether a `.js` file is a module by its package.
    package_is_module: bool,
}

/// A file that lacks something.
#[derive(Debug, Clone)]
struct Stub {
    path: ProjectPath,
    /// Its current text; none if it does not exist.
    source: Option<String>,
    /// The names that tests ask of it and that it lacks, where a language needs them.
    lacking: Vec<String>,
}

impl Stubs {
    /// How many files there are.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// Those of others as well.
    pub(super) fn extend(&mut self, more: Self) {
        for stub in more.files {
            if self.files.iter().all(|known| known.path != stub.path) {
                self.files.push(stub);
            }
        }
    }

    /// The files with stubs for the missing names.
    pub(super) fn contents(&self, kind: StubKind) -> Vec<(ProjectPath, String)> {
        let files = self.files.iter();
        files
            .map(|stub| {
                let content = match Dialect::of(&stub.path) {
                    Some(Dialect::JavaScript) => self.in_javascript(stub, kind),
                    _ => self.in_python(stub, kind),
                };
                (stub.path.clone(), content)
            })
            .collect()
    }

    fn in_python(&self, stub: &Stub, kind: StubKind) -> String {
        let given: Vec<&str> = self.given.iter().map(String::as_str).collect();
        let source = stub.source.as_deref().unwrap_or_default();
        pytest::with_stubs(source, kind, &given)
    }

    fn in_javascript(&self, stub: &Stub, kind: StubKind) -> String {
        let (path, source) = (stub.path.as_str(), stub.source.as_deref());
        let form = javascript::module_form(path, source, &self.tests, self.package_is_module);
        javascript::with_stubs(path, source, &stub.lacking, form, kind)
    }
}

impl Sitting<'_, '_> {
    /// The files that lack something, according to a run and to the declared files.
    pub(super) fn missing_code(
        &self,
        order: &RedOrder,
        observation: &Observation,
        analysis: &Analysis,
    ) -> Result<Stubs, GateError> {
        let root = self.directory();
        let tests = self.texts_of_javascript(order)?;
        let declared = texts(&order.declared);
        let asked_as = javascript::imported_paths(&tests);
        let place = |module: &str| {
            let is_typescript = tests.iter().any(|(path, _)| path.contains(".ts"));
            javascript::place_of_module(module, &declared, &asked_as, is_typescript).or_else(|| {
                let is_package = |top: &str| root.join("src").join(top).is_dir();
                pytest::place_of_module(module, is_package).filter(|_| !module.contains(['/', '@']))
            })
        };
        let code = order
            .declared
            .iter()
            .filter(|path| self.arbiter.reads(path));
        let mut paths: Vec<ProjectPath> = code.cloned().collect();
        let report = observation.report.as_ref();
        for raised in report.iter().flat_map(|report| report.raised()) {
            if let (true, Some(module)) = (order.open, &raised.missing_module) {
                paths.extend(place(module));
            }
            let owner = raised
                .owner_path
                .as_ref()
                .filter(|_| raised.owner_is_module);
            paths.extend(owner.and_then(|path| ProjectPath::parse(path).ok()));
        }
        if order.open {
            paths.extend(starred(analysis, root));
        }
        paths.retain(|path| {
            !order.tests.contains(path) && !is_test_file(path.as_str(), &self.arbiter.test_paths)
        });
        paths.sort();
        paths.dedup();
        let names: Vec<&str> = paths.iter().map(ProjectPath::as_str).collect();
        let sources = self.objects().files_at(&order.tree, &names)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let read = |path: &str| self.text_in(&order.tree, path);
        let lacking = |path: &ProjectPath, source: Option<&str>| {
            if Dialect::of(path) != Some(Dialect::JavaScript) {
                return Vec::new();
            }
            let names = javascript::imported_names(&tests, path.as_str());
            javascript::lacking_names(path.as_str(), source, &names, &read)
        };
        let files = paths.into_iter().zip(sources);
        let starring = analysis.files.iter().filter(|file| !file.stars.is_empty());
        Ok(Stubs {
            files: files
                .map(|(path, source)| {
                    let source = source.map(text);
                    Stub {
                        lacking: lacking(&path, source.as_deref()),
                        path,
                        source,
                    }
                })
                .collect(),
            given: starring.flat_map(|file| file.undefined.clone()).collect(),
            tests,
            package_is_module: self.is_package_of_modules(order)?,
        })
    }

    /// The new tests of JavaScript; imports of their own package are relative.
    fn texts_of_javascript(&self, order: &RedOrder) -> Result<Vec<(String, String)>, GateError> {
        let is_ours = |path: &&ProjectPath| Dialect::of(path) == Some(Dialect::JavaScript);
        let files = order.tests.iter().filter(is_ours);
        let names: Vec<&str> = files.map(ProjectPath::as_str).collect();
        let contents = self.objects().files_at(&order.tree, &names)?;
        let files = names.into_iter().zip(contents);
        let files = files.filter_map(|(path, content)| {
            Some((path.to_owned(), String::from_utf8(content?).ok()?))
        });
        let files: Vec<(String, String)> = files.collect();
        let read = |path: &str| self.text_in(&order.tree, path);
        let own = javascript::OwnPackages::of(files.iter().map(|(path, _)| path.as_str()), &read);
        Ok(own.as_relative_imports(files, &read))
    }

    /// The text of a file in a tree; none if it is missing.
    fn text_in(&self, tree: &TreeId, path: &str) -> Option<String> {
        let objects = self.objects();
        objects.entries(tree).ok()?.get(path)?;
        let content = objects.files_at(tree, &[path]).ok()?.pop()??;
        Some(String::from_utf8_lossy(&content).into_owned())
    }

    fn is_package_of_modules(&self, order: &RedOrder) -> Result<bool, GateError> {
        let package = self
            .objects()
            .files_at(&order.tree, &["package.json"])?
            .pop();
        let package = package.flatten().unwrap_or_default();
        let package: serde_json::Value = serde_json::from_slice(&package).unwrap_or_default();
        Ok(package["type"] == "module")
    }
}

/// Existing Python modules that tests take every name of: without a design, they may be about to get more.
fn starred(analysis: &Analysis, root: &Path) -> Vec<ProjectPath> {
    let stars = analysis.files.iter().flat_map(|file| &file.stars);
    let places = stars.flat_map(|module| {
        let inside = module.replace('.', "/");
        ["", "src/"].into_iter().flat_map(move |root| {
            [
                format!("{root}{inside}.py"),
                format!("{root}{inside}/__init__.py"),
            ]
        })
    });
    let existing = places.filter(|path| root.join(path).is_file());
    existing
        .filter_map(|path| ProjectPath::parse(&path).ok())
        .collect()
}
