//! A design document to start from, and the names that documents go by.
//!
//! The template is one that [`check`](super::check) accepts as it is, so that a person who fills it in changes only the
//! content and keeps the shape that Proctor reads.

use crate::dialect::Dialect;
use crate::javascript;
use crate::path::ProjectPath;

/// Where new documents go.
const DIRECTORY: &str = "docs/lld";
/// File names stay readable.
const LONGEST_NAME: usize = 60;

/// Where documents are looked for.
pub const DOCUMENTS: &str = "docs";

/// A new design document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument {
    /// Where it goes.
    pub path: ProjectPath,
    /// Its text.
    pub text: String,
}

/// The document for an issue, of which only letters, digits, `-`, `_` and `.` are expected. `existing` are the files of
/// the project, among which the new ones are given a place.
pub fn new_document<'a>(
    issue: &str,
    title: &str,
    existing: impl Iterator<Item = &'a str> + Clone,
) -> NewDocument {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = slug(&title);
    let file = match name.as_str() {
        "" => format!("{DIRECTORY}/{issue}.md"),
        name => format!("{DIRECTORY}/{issue}-{name}.md"),
    };
    let module = match name.replace('-', "_") {
        name if name.starts_with(|first: char| first.is_ascii_lowercase()) => name,
        name => format!("issue_{issue}_{name}")
            .to_lowercase()
            .replace(['-', '.'], "_")
            .trim_end_matches('_')
            .to_owned(),
    };
    let Places {
        source,
        test_file,
        signature,
    } = match spoken(existing.clone()) {
        Dialect::Python => Places {
            source: in_directory(package(existing.clone()), &format!("{module}.py")),
            test_file: in_directory(tests_directory(existing), &format!("test_{module}.py")),
            signature: PYTHON,
        },
        Dialect::JavaScript => javascript_places(&module.replace('_', "-"), existing),
    };
    let text = include_str!("template.md")
        .replace("{signature}", signature)
        .replace("{issue}", issue)
        .replace("{source}", &source)
        .replace("{test}", &test_file)
        .replace("{title}", &title);
    NewDocument {
        path: ProjectPath::parse(&file).expect("letters, digits and hyphens of our own"),
        text,
    }
}

const PYTHON: &str = "\
```python
# {source}
def name(argument: int) -> int:
    \"\"\"What it returns, and what it raises.\"\"\"
```";

const TYPESCRIPT: &str = "\
```ts
// {source}
/** What it returns, and what it throws. */
export function name(argument: number): number;
```";

const JAVASCRIPT: &str = "\
```js
// {source}
/** What it returns, and what it throws. */
export function name(argument) {}
```";

/// Where new files go, and how a function is declared in them.
struct Places {
    source: String,
    test_file: String,
    signature: &'static str,
}

/// The language that most files of a project are written in.
fn spoken<'a>(existing: impl Iterator<Item = &'a str>) -> Dialect {
    let (mut python, mut javascript) = (0_usize, 0_usize);
    for path in existing.filter_map(|path| ProjectPath::parse(path).ok()) {
        match Dialect::of(&path) {
            Some(Dialect::Python) => python += 1,
            Some(Dialect::JavaScript) => javascript += 1,
            None => {}
        }
    }
    if javascript > python {
        Dialect::JavaScript
    } else {
        Dialect::Python
    }
}

/// New files are called and placed as the first ones of their kind are.
fn javascript_places<'a>(name: &str, existing: impl Iterator<Item = &'a str> + Clone) -> Places {
    let by_depth = |path: &&str| (path.matches('/').count(), (*path).to_owned());
    let is_source = |path: &&str| {
        let is_tool = ProjectPath::parse(path)
            .is_ok_and(|path| javascript::is_test_configuration(&path) || is_hidden(&path));
        javascript::is_javascript(path)
            && !is_tool
            && !path.contains(".config.")
            && !path.ends_with(".d.ts")
            && !javascript::is_test_file(path, &[])
    };
    let first = existing.clone().filter(is_source).min_by_key(by_depth);
    let is_test = |path: &&str| javascript::is_test_module(path);
    let test = existing.clone().filter(is_test).min_by_key(by_depth);
    let ending = |path: &'a str| path.rsplit_once('.').map(|(_, ending)| ending);
    let written = first.or(test).and_then(ending).unwrap_or("js");
    // A component is a special case of a module.
    let written = match written {
        "tsx" => "ts",
        "jsx" => "js",
        other => other,
    };
    let directory = |path: &'a str| path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let sources = first.map_or("", directory);
    let folder = tests_directory(existing);
    let tests = match test {
        Some(test) => directory(test),
        None if folder.is_empty() => sources,
        None => folder,
    };
    let kind = match test {
        Some(test) if test.contains(".spec.") => "spec",
        _ => "test",
    };
    Places {
        source: in_directory(sources, &format!("{name}.{written}")),
        test_file: in_directory(tests, &format!("{name}.{kind}.{written}")),
        signature: if written.contains("ts") {
            TYPESCRIPT
        } else {
            JAVASCRIPT
        },
    }
}

fn is_hidden(path: &ProjectPath) -> bool {
    path.as_str().split('/').any(|part| part.starts_with('.'))
}

/// Whether a file of this name is a document of this issue: `87.md`, `87-title.md`, not `870.md` and not `87.1.md`.
pub fn is_document_of(issue: &str, name: &str) -> bool {
    let Some(rest) = name
        .strip_prefix(issue)
        .and_then(|rest| rest.strip_suffix(".md"))
    else {
        return false;
    };
    let mut rest = rest.chars();
    match rest.next() {
        None => true,
        Some('.') => rest.next().is_some_and(|next| !next.is_ascii_digit()),
        Some(first) => !first.is_alphanumeric(),
    }
}

/// Words of small letters and digits, joined by hyphens; none where the title has no such letters.
fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.len() + 1 + word.len() > LONGEST_NAME {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(word);
    }
    name
}

/// The package nearest to the root that is not one of tests.
fn package<'a>(existing: impl Iterator<Item = &'a str>) -> &'a str {
    existing
        .filter_map(|path| path.strip_suffix("/__init__.py"))
        .filter(|package| !package.split('/').any(is_tests))
        .min_by_key(|package| (package.matches('/').count(), *package))
        .unwrap_or("")
}

fn tests_directory<'a>(existing: impl Iterator<Item = &'a str>) -> &'a str {
    existing
        .filter_map(|path| path.split_once('/').map(|(first, _)| first))
        .find(|first| is_tests(first))
        .unwrap_or("")
}

fn is_tests(directory: &str) -> bool {
    matches!(directory, "tests" | "test")
}

fn in_directory(directory: &str, name: &str) -> String {
    match directory {
        "" => name.to_owned(),
        directory => format!("{directory}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EntryKind, check, parse, resolve};
    use super::{is_document_of, new_document};

    fn made(title: &str, existing: &[&str]) -> (String, String) {
        let document = new_document("87", title, existing.iter().copied());
        (document.path.to_string(), document.text)
    }

    #[test]
    fn a_title_becomes_a_plain_file_name() {
        let long = "word ".repeat(40);
        let cases = [
            (
                "Round prices to cents!",
                "docs/lld/87-round-prices-to-cents.md",
            ),
            ("../../etc/passwd", "docs/lld/87-etc-passwd.md"),
            ("  two\nlines\t", "docs/lld/87-two-lines.md"),
            ("価格", "docs/lld/87.md"),
            (
                &long,
                "docs/lld/87-word-word-word-word-word-word-word-word-word-word-word-word.md",
            ),
        ];
        for (title, path) in cases {
            assert_eq!(made(title, &[]).0, path);
        }
    }

    #[test]
    fn whatever_the_title_and_the_project_there_is_nothing_to_say_about_the_document() {
        let projects: [&[&str]; 6] = [
            &["package.json", "src/index.ts", "tests/index.test.ts"],
            &["index.js"],
            &[],
            &["README.md", "src/app/__init__.py", "tests/test_app.py"],
            &[
                "app/__init__.py",
                "app/inner/__init__.py",
                "test/__init__.py",
            ],
            &["tests/__init__.py", "round_prices.py"],
        ];
        for existing in projects {
            let exists = |path: &str| match path {
                path if existing.contains(&path) => Some(EntryKind::File),
                path => existing
                    .iter()
                    .any(|file| file.starts_with(&format!("{path}/")))
                    .then_some(EntryKind::Directory),
            };
            for title in ["Round prices", "3 | `x` <b>", "# {source}", "値"] {
                let design = parse(&made(title, existing).1);
                assert_eq!(check(&design, &exists), [], "{title}");
                assert_eq!(resolve(&design, &exists).len(), 2, "{title}");
                assert_eq!(design.issue.as_deref(), Some("87"), "{title}");
                assert_eq!(design.requirements.len(), 2, "{title}");
                assert_eq!(design.scenarios.len(), 2, "{title}");
            }
        }
    }

    #[test]
    fn new_files_go_where_the_others_are() {
        let existing = ["src/app/__init__.py", "src/app/x/__init__.py", "tests/a.py"];
        let (_, text) = made("Round prices", &existing);
        assert!(
            text.contains("| `src/app/round_prices.py` | Add |"),
            "{text}"
        );
        assert!(
            text.contains("| `tests/test_round_prices.py` | Add |"),
            "{text}"
        );
    }

    #[test]
    fn a_project_in_javascript_gets_names_of_its_own_kind() {
        let table: [(&[&str], &str, &str); 5] = [
            (
                &[
                    "vitest.config.ts",
                    "eslint.config.js",
                    "src/index.ts",
                    "src/a/b.ts",
                    "tests/index.test.ts",
                ],
                "src/round-prices.ts",
                "tests/round-prices.test.ts",
            ),
            (
                &["lib/main.mjs", "lib/main.spec.mjs", "setup.py"],
                "lib/round-prices.mjs",
                "lib/round-prices.spec.mjs",
            ),
            (
                &["index.js", "package.json"],
                "round-prices.js",
                "round-prices.test.js",
            ),
            (
                &["src/App.tsx", "src/__tests__/App.test.tsx", "src/env.d.ts"],
                "src/round-prices.ts",
                "src/__tests__/round-prices.test.ts",
            ),
            (
                &["a.py", "b.py", "web/index.js"],
                "round_prices.py",
                "test_round_prices.py",
            ),
        ];
        for (existing, source, test) in table {
            let (_, text) = made("Round prices", existing);
            assert!(text.contains(&format!("| `{source}` | Add |")), "{text}");
            assert!(text.contains(&format!("| `{test}` | Add |")), "{text}");
            assert!(!text.contains('{') || text.contains("```js"), "{text}");
        }
    }

    #[test]
    fn a_document_belongs_to_the_issue_it_is_named_after() {
        for yes in [
            "87.md",
            "87-title.md",
            "87_title.md",
            "87 title.md",
            "87.design.md",
        ] {
            assert!(is_document_of("87", yes), "{yes}");
        }
        for no in [
            "870.md", "870-x.md", "87a.md", "87.1.md", "87", "x-87.md", "87-x.txt", "8.md",
        ] {
            assert!(!is_document_of("87", no), "{no}");
        }
    }
}
