//! Which files of a project a file imports: of Python read from its lines, of JavaScript by syntax tree.
//!
//! Good enough to suggest context for a model, and used for nothing else: an import inside a string counts as one, and
//! an import by a computed name is missed. Only files that exist are ever named.

use crate::dialect::Dialect;
use crate::javascript;
use crate::path::ProjectPath;

/// The files that `source`, which is at `path`, imports, each once and in order. `exists` says whether there is a file.
pub fn imported_files(
    path: &ProjectPath,
    source: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    match Dialect::of(path) {
        Some(Dialect::Python) => imported_by_python(path, source, exists),
        Some(Dialect::JavaScript) => imported_by_javascript(path, source, exists),
        None => Vec::new(),
    }
}

/// The file endings of a module, the likeliest first.
const ENDINGS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/// Files by their paths; packages, and names that only a configuration explains, are not looked for.
fn imported_by_javascript(
    path: &ProjectPath,
    source: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let files = [(path.as_str().to_owned(), source.to_owned())];
    let file_of = |asked: String| {
        let asked = asked.strip_prefix("./")?.trim_end_matches('/');
        // TypeScript may write the ending that a file will have once it is translated.
        let (stem, _) = asked
            .rsplit_once('.')
            .filter(|(_, ending)| ENDINGS.contains(ending))
            .unwrap_or((asked, ""));
        let whole = std::iter::once(asked.to_owned());
        let beside = ENDINGS.iter().map(|ending| format!("{stem}.{ending}"));
        let folder = if asked.is_empty() {
            String::new()
        } else {
            format!("{asked}/")
        };
        let inside = ENDINGS
            .iter()
            .map(|ending| format!("{folder}index.{ending}"));
        let mut places = whole.chain(beside).chain(inside);
        places.find(|place| place != path.as_str() && exists(place))
    };
    let mut found = Vec::new();
    for file in javascript::imported_paths(&files)
        .into_iter()
        .filter_map(file_of)
    {
        if !found.contains(&file) {
            found.push(file);
        }
    }
    found
}

fn imported_by_python(
    path: &ProjectPath,
    source: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for statement in statements(source) {
        for import in imports(&statement) {
            let file = import.file(path, exists);
            if let Some(file) = file.filter(|file| file != path.as_str() && !found.contains(file)) {
                found.push(file);
            }
        }
    }
    found
}

/// A module, or a name in one that may be a module itself.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    /// Dots in front of it: from where the file is.
    dots: usize,
    /// `a.b`
    module: String,
    /// The name taken from it.
    name: Option<String>,
}

impl Import {
    fn file(&self, path: &ProjectPath, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let parts = |module: &str| module.replace('.', "/");
        let named = self.name.as_ref().map(|name| match self.module.as_str() {
            "" => name.clone(),
            module => format!("{}/{name}", parts(module)),
        });
        let wanted = named.into_iter().chain([parts(&self.module)]);
        let places = self.places(path);
        let candidates = wanted.flat_map(|wanted| {
            let files = move |place: &String| {
                let stem = match (place.as_str(), wanted.as_str()) {
                    ("", stem) | (stem, "") => stem.to_owned(),
                    (place, wanted) => format!("{place}/{wanted}"),
                };
                [format!("{stem}.py"), format!("{stem}/__init__.py")]
            };
            places.iter().flat_map(files).collect::<Vec<_>>()
        });
        let mut candidates = candidates;
        candidates.find(|file| exists(file))
    }

    /// The directories that modules are looked for in: the root, `src`, and those around the file.
    fn places(&self, path: &ProjectPath) -> Vec<String> {
        let parent = path.parent().unwrap_or("");
        let around: Vec<&str> = std::iter::successors(Some(parent), |inner| {
            let outer = inner.rsplit_once('/').map_or("", |(outer, _)| outer);
            (!inner.is_empty()).then_some(outer)
        })
        .collect();
        match self.dots {
            0 => ["", "src"]
                .into_iter()
                .chain(around)
                .map(str::to_owned)
                .collect(),
            dots => around
                .get(dots - 1)
                .map(|it| (*it).to_owned())
                .into_iter()
                .collect(),
        }
    }
}

/// Lines that may hold an import, each joined with its continuation in parentheses or after a backslash.
fn statements(source: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut lines = source
        .lines()
        .map(|line| line.split('#').next().unwrap_or(line).trim());
    while let Some(line) = lines.next() {
        if !(line.starts_with("import ") || line.starts_with("from ")) {
            continue;
        }
        let mut statement = line.to_owned();
        loop {
            let is_open = statement.contains('(') && !statement.contains(')');
            if !is_open && !statement.ends_with('\\') {
                break;
            }
            let Some(next) = lines.next() else { break };
            statement.truncate(statement.trim_end_matches('\\').len());
            statement.push(' ');
            statement.push_str(next);
        }
        statements.push(statement);
    }
    statements
}

fn imports(statement: &str) -> Vec<Import> {
    let names = |list: &str| -> Vec<String> {
        let list = list.replace(['(', ')'], " ");
        list.split(',')
            .filter_map(|item| item.split_whitespace().next())
            .filter(|name| is_dotted_name(name))
            .map(str::to_owned)
            .collect()
    };
    if let Some(list) = statement.strip_prefix("import ") {
        let import = |module| Import {
            dots: 0,
            module,
            name: None,
        };
        return names(list).into_iter().map(import).collect();
    }
    let Some((from, list)) = statement
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import"))
    else {
        return Vec::new();
    };
    let from = from.trim();
    let module = from.trim_start_matches('.');
    let dots = from.len() - module.len();
    if !(module.is_empty() && dots > 0 || is_dotted_name(module)) {
        return Vec::new();
    }
    let import = |name| Import {
        dots,
        module: module.to_owned(),
        name,
    };
    let mut found: Vec<Import> = names(list)
        .into_iter()
        .map(|name| import(Some(name)))
        .collect();
    if found.is_empty() {
        // `from x import *`
        found.push(import(None));
    }
    found
}

fn is_dotted_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && part.chars().all(|it| it.is_alphanumeric() || it == '_')
    };
    name.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::imported_files;
    use crate::path::ProjectPath;

    const FILES: [&str; 9] = [
        "src/app/__init__.py",
        "src/app/money.py",
        "src/app/tax/__init__.py",
        "src/app/tax/rates.py",
        "src/app/orders.py",
        "tools/run.py",
        "tools/helper.py",
        "tests/conftest.py",
        "app.py",
    ];

    fn imported(path: &str, source: &str) -> Vec<String> {
        let path = ProjectPath::parse(path).expect("a plain path");
        imported_files(&path, source, &|file| FILES.contains(&file))
    }

    #[test]
    fn what_javascript_imports_by_its_path_is_named() {
        let files = ["src/money.ts", "src/tax/index.ts", "src/rates.json", "a.js"];
        let cases: [(&str, &[&str]); 6] = [
            ("import { cents } from './money'", &["src/money.ts"]),
            ("import './money.js'; import './money'", &["src/money.ts"]),
            (
                "export * from './tax';\nimport r from './rates.json'",
                &["src/rates.json", "src/tax/index.ts"],
            ),
            ("const a = require('../a')", &["a.js"]),
            ("import { z } from 'zod'; import x from '@/money'", &[]),
            ("import './orders'; import './gone'", &[]),
        ];
        for (source, expected) in cases {
            let path = ProjectPath::parse("src/orders.ts").expect("a plain path");
            let found = imported_files(&path, source, &|file| files.contains(&file));
            assert_eq!(found, expected, "{source}");
        }
    }

    #[test]
    fn what_is_imported_and_exists_is_named() {
        let cases: [(&str, &str, &[&str]); 11] = [
            (
                "src/app/orders.py",
                "import os, app.money as m\n",
                &["src/app/money.py"],
            ),
            (
                "src/app/orders.py",
                "from .money import cents\n",
                &["src/app/money.py"],
            ),
            (
                "src/app/orders.py",
                "from . import money\n",
                &["src/app/money.py"],
            ),
            (
                "src/app/orders.py",
                "from .tax import rates, of\n",
                &["src/app/tax/rates.py", "src/app/tax/__init__.py"],
            ),
            (
                "src/app/tax/rates.py",
                "from ..money import (\n    cents,\n    euros,\n)\n",
                &["src/app/money.py"],
            ),
            (
                "src/app/orders.py",
                "from app.tax \\\n  import *\n",
                &["src/app/tax/__init__.py"],
            ),
            (
                "src/app/orders.py",
                "def f():\n    import app.money  # late\n",
                &["src/app/money.py"],
            ),
            (
                "tools/run.py",
                "import helper\nimport helper\n",
                &["tools/helper.py"],
            ),
            (
                "src/app/money.py",
                "import app.money\nfrom ....x import y\nfrom  import\nimport 3\n",
                &[],
            ),
            (
                "src/app/orders.py",
                "import numpy\nfrom os.path import join\n",
                &[],
            ),
            (
                "src/app/orders.py",
                "# import app.money\ntext = 'import app.money'\n",
                &[],
            ),
        ];
        for (path, source, expected) in cases {
            assert_eq!(imported(path, source), expected, "{path}: {source}");
        }
    }
}
