//! Imports of a package by its own name: `kit` or `kit/power` in the tests of `kit`.
//!
//! Node looks such a name up in the `exports` of the package that the importing file lies in; runners have aliases for it.
//! Either way the import means a file of the project.

use std::collections::BTreeSet;

use serde_json::Value;

use super::declared::{candidates, resolve, without_ending};
use super::names::{all, literal, specifier_in};
use super::parsing::parse;
use crate::test_outcome::{Raised, Report, file_of};

/// Conditions of `exports`, the likeliest for tests first. The others come after them; types are no code.
const CONDITIONS: [&str; 6] = ["import", "module", "node", "default", "require", "source"];

/// Folders of sources, where a package exports files that are built and not in the tree.
const SOURCES: [&str; 3] = ["src/", "", "lib/"];

/// Folders of what is built.
const BUILT: [&str; 5] = ["dist", "build", "out", "esm", "cjs"];

/// The packages of a tree that have a name.
#[derive(Debug, Clone, Default)]
pub struct OwnPackages(Vec<OwnPackage>);

#[derive(Debug, Clone)]
struct OwnPackage {
    /// With `/` at its end, unless it is the top of the tree.
    folder: String,
    name: String,
    exports: Value,
    main: Option<String>,
}

impl OwnPackages {
    /// The packages in which these files lie; `read` gives the text of a file of the tree.
    pub fn of<'f>(
        files: impl IntoIterator<Item = &'f str>,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let folders = |file: &'f str| {
            let ends = file.match_indices('/').map(|(end, _)| &file[..=end]);
            std::iter::once("").chain(ends)
        };
        let folders: BTreeSet<&str> = files.into_iter().flat_map(folders).collect();
        let packages = folders.into_iter().filter_map(|folder| {
            let text = read(&format!("{folder}package.json"))?;
            OwnPackage::parse(folder, &text)
        });
        Self(packages.collect())
    }

    /// The file that a specifier means, from the top of the tree; none if it does not begin with the name of one of these
    /// packages. The file may be missing.
    fn file(&self, specifier: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        self.0.iter().find_map(|own| own.file(specifier, read))
    }

    /// The same files, with imports of these packages written as paths from the importing file. Lines stay.
    pub fn as_relative_imports(
        &self,
        files: Vec<(String, String)>,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<(String, String)> {
        if self.0.is_empty() {
            return files;
        }
        let files = files.into_iter();
        files
            .map(|(path, text)| {
                let text = self.as_relative(&path, &text, read).unwrap_or(text);
                (path, text)
            })
            .collect()
    }

    fn as_relative(
        &self,
        path: &str,
        text: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let tree = parse(path, text)?;
        let mut written = text.to_owned();
        let mut places: Vec<_> = all(tree.root_node())
            .filter_map(|node| {
                let named = specifier_in(node, text)?;
                let file = self.file(literal(named, text)?, read)?;
                Some((named.start_byte() + 1..named.end_byte() - 1, file))
            })
            .collect();
        places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        let up = "../".repeat(path.matches('/').count());
        for (place, file) in places {
            written.replace_range(place, &format!("./{up}{file}"));
        }
        Some(written)
    }

    /// Names the modules of a report by their files where its messages have a package's name.
    pub fn name_modules(&self, report: &mut Report, read: &dyn Fn(&str) -> Option<String>) {
        if self.0.is_empty() {
            return;
        }
        for raised in report.raised_mut() {
            self.name_module(raised, read);
        }
    }

    fn name_module(&self, raised: &mut Raised, read: &dyn Fn(&str) -> Option<String>) {
        let file = |module: &Option<String>| self.file(module.as_deref()?, read);
        if let Some(file) = file(&raised.missing_module) {
            raised.missing_module = resolve("", &format!("/{file}"));
        }
        if let Some(file) = file(&raised.owner).filter(|_| raised.owner_is_module) {
            raised.owner = resolve("", &format!("/{file}"));
            raised.owner_path = Some(file);
        }
    }
}

/// The files that a report is about, in which its packages lie.
pub fn files_of(report: &Report) -> BTreeSet<String> {
    let errors = report.errors.iter().map(|error| file_of(&error.file));
    let records = report.records.iter().map(|record| file_of(&record.id));
    errors.chain(records).map(str::to_owned).collect()
}

impl OwnPackage {
    /// Invalid JSON has no name.
    fn parse(folder: &str, text: &str) -> Option<Self> {
        let whole: Value = serde_json::from_str(text).ok()?;
        let word = |key: &str| whole[key].as_str().map(str::to_owned);
        Some(Self {
            folder: folder.to_owned(),
            name: word("name").filter(|name| !name.is_empty())?,
            exports: whole["exports"].clone(),
            main: word("main"),
        })
    }

    fn file(&self, specifier: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let inside = match specifier.strip_prefix(self.name.as_str())? {
            "" => "",
            rest => rest.strip_prefix('/')?,
        };
        let exported = self.exported(inside);
        let whole = |target: &str| format!("{}{}", self.folder, target.trim_start_matches("./"));
        let exists = |file: &String| read(file).is_some();
        let existing = exported.iter().map(|target| whole(target)).find(exists);
        existing
            .or_else(|| {
                let stems = SOURCES.map(|folder| whole(&format!("{folder}{inside}")));
                let files = stems.iter().flat_map(|stem| {
                    let stem = without_ending(stem).trim_end_matches('/');
                    candidates(&format!("./{stem}"))
                });
                files.into_iter().find(|file| exists(file))
            })
            .or_else(|| {
                let target = exported.first()?.trim_start_matches("./");
                let (folder, _) = target.split_once('/').unwrap_or(("", target));
                let source = if inside.is_empty() { "index" } else { inside };
                Some(if BUILT.contains(&folder) {
                    whole(&format!("src/{source}"))
                } else {
                    whole(target)
                })
            })
    }

    /// The files that the package gives for a path inside it.
    fn exported(&self, inside: &str) -> Vec<String> {
        let mut found = Vec::new();
        match &self.exports {
            Value::Null if inside.is_empty() => {
                found.push(self.main.clone().unwrap_or_else(|| "index.js".to_owned()));
            }
            Value::Null => found.push(inside.to_owned()),
            Value::Object(paths) if paths.keys().any(|key| key.starts_with('.')) => {
                let key = if inside.is_empty() {
                    ".".to_owned()
                } else {
                    format!("./{inside}")
                };
                if let Some(targets) = paths.get(&key) {
                    leaves(targets, "", &mut found);
                } else {
                    let patterns = paths.iter().filter_map(|(pattern, targets)| {
                        let (begin, end) = pattern.split_once('*')?;
                        let part = key.strip_prefix(begin)?.strip_suffix(end)?;
                        Some((begin.len(), part, targets))
                    });
                    if let Some((_, part, targets)) = patterns.max_by_key(|(length, ..)| *length) {
                        leaves(targets, part, &mut found);
                    }
                }
            }
            targets if inside.is_empty() => leaves(targets, "", &mut found),
            _ => {}
        }
        // What lies outside of the package is not its own.
        found.retain(|target| target.split('/').all(|part| part != ".."));
        found
    }
}

/// The files of a target of `exports`, the likeliest first, with this in the place of its `*`.
fn leaves(target: &Value, part: &str, found: &mut Vec<String>) {
    match target {
        Value::String(file) => found.push(file.replace('*', part)),
        Value::Array(targets) => {
            for target in targets {
                leaves(target, part, found);
            }
        }
        Value::Object(conditions) => {
            let usual = CONDITIONS.iter().filter_map(|name| conditions.get(*name));
            let is_other = |name: &str| name != "types" && !CONDITIONS.contains(&name);
            let others = conditions.iter().filter(|(name, _)| is_other(name));
            for target in usual.chain(others.map(|(_, target)| target)) {
                leaves(target, part, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::OwnPackages;
    use crate::test_outcome::{CollectionError, FailureKind, Raised, Report};

    fn file(package: &str, existing: &[&str], specifier: &str) -> Option<String> {
        let read = |path: &str| match path {
            "web/package.json" => Some(package.to_owned()),
            path => existing.contains(&path).then(String::new),
        };
        OwnPackages::of(["web/test/a.test.js"], &read).file(specifier, &read)
    }

    #[test]
    fn a_package_is_looked_up_in_its_exports() {
        let by_paths = r#"{"name": "@a/kit", "exports": {".": {"types": "./index.d.ts", "require": "./index.cjs", "import": "./index.mjs"}, "./parts/*": "./src/parts/*.js", "./parts/deep/*": "./deep/*.js"}}"#;
        let table: &[(&str, &[&str], &str, Option<&str>)] = &[
            (r#"{"name": "kit"}"#, &[], "kit", Some("web/index.js")),
            (
                r#"{"name": "kit"}"#,
                &[],
                "kit/lib/a.js",
                Some("web/lib/a.js"),
            ),
            (
                r#"{"name": "kit", "main": "./lib/kit.js"}"#,
                &[],
                "kit",
                Some("web/lib/kit.js"),
            ),
            (
                r#"{"name": "kit", "exports": "./a.js"}"#,
                &[],
                "kit",
                Some("web/a.js"),
            ),
            (
                r#"{"name": "kit", "exports": {"import": "./a.js"}}"#,
                &[],
                "kit",
                Some("web/a.js"),
            ),
            (by_paths, &[], "@a/kit", Some("web/index.mjs")),
            (
                by_paths,
                &["web/index.cjs"],
                "@a/kit",
                Some("web/index.cjs"),
            ),
            (by_paths, &[], "@a/kit/parts/b", Some("web/src/parts/b.js")),
            (by_paths, &[], "@a/kit/parts/deep/b", Some("web/deep/b.js")),
            // What is built is not in the tree, and its sources are.
            (
                r#"{"name": "kit", "exports": "./dist/kit.js"}"#,
                &["web/src/index.ts"],
                "kit",
                Some("web/src/index.ts"),
            ),
            (
                r#"{"name": "kit", "main": "dist/kit.js"}"#,
                &["web/src/a.ts"],
                "kit/a",
                Some("web/src/a.ts"),
            ),
            (
                r#"{"name": "kit", "main": "dist/kit.js"}"#,
                &[],
                "kit",
                Some("web/src/index"),
            ),
            (
                r#"{"name": "kit", "exports": {"./*": "./dist/*.js"}}"#,
                &[],
                "kit/a",
                Some("web/src/a"),
            ),
            // Other packages, and paths that this one does not give.
            (by_paths, &[], "@a/kitchen", None),
            (by_paths, &[], "kit", None),
            (by_paths, &[], "@a/kit/other", None),
            (
                r#"{"name": "kit", "main": "../../other/index.js"}"#,
                &[],
                "kit",
                None,
            ),
            (r#"{"exports": "./a.js"}"#, &[], "kit", None),
            ("no json", &[], "kit", None),
        ];
        for (package, existing, specifier, expected) in table {
            let found = file(package, existing, specifier);
            assert_eq!(found.as_deref(), *expected, "{specifier} in {package}");
        }
    }

    #[test]
    fn its_imports_become_relative_and_its_modules_files() {
        let read = |path: &str| {
            (path == "package.json")
                .then(|| r#"{"name": "kit", "exports": {".": "./src/index.js"}}"#.to_owned())
        };
        let own = OwnPackages::of(["test/a.test.js"], &read);
        let text = "import { a } from 'kit';\nimport b from \"lodash\";\nconst c = require('kit');\nconst d = 'kit';\n";
        let files = vec![("test/a.test.js".to_owned(), text.to_owned())];
        let written = own.as_relative_imports(files, &read).remove(0).1;
        let expected = "import { a } from './../src/index.js';\nimport b from \"lodash\";\nconst c = require('./../src/index.js');\nconst d = 'kit';\n";
        assert_eq!(written, expected);
        let lacking = |owner: &str| CollectionError {
            file: "test/a.test.js".to_owned(),
            raised: Raised {
                kind: FailureKind::MissingName,
                owner: Some(owner.to_owned()),
                owner_is_module: true,
                ..Raised::default()
            },
        };
        let mut report = Report {
            errors: vec![lacking("kit"), lacking("lodash")],
            ..Report::default()
        };
        own.name_modules(&mut report, &read);
        let owners = report.errors.iter().map(|error| {
            let raised = &error.raised;
            (raised.owner.as_deref(), raised.owner_path.as_deref())
        });
        let expected = [
            (Some("./src/index"), Some("src/index.js")),
            (Some("lodash"), None),
        ];
        assert_eq!(owners.collect::<Vec<_>>(), expected);
    }
}
