//! The demo's story in each language: the sample project, the document, and what to watch.

use proctor_host::model::Story;

/// The design document's path in the sample.
pub(super) const DOCUMENT: &str = "docs/lld-42.md";

/// The story in one language.
pub(super) struct Telling {
    /// The sample project.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// The scripted model's deliberate mistakes, and how the last of them is found out.
    pub(super) what_to_watch: [&'static str; 3],
    /// The cheat that the scripted model tries.
    pub(super) trick: &'static str,
}

const MISTAKES: &str = "The scripted model fails on purpose: it tests a module that does not exist, then a limit is off by one, then it cheats.";

const COMMENTS: &str = "At the review you may type COMMENT as well; a script cannot read it, so the same files come back and are judged again.";

impl Telling {
    pub(super) fn of(story: Story) -> Self {
        match story {
            Story::Python => Self {
                files: PYTHON,
                what_to_watch: [
                    MISTAKES,
                    "The cheat is a number whose `==` says yes to anything, so every test passes. Proctor also compares it with numbers that no test \
                     expects: it says yes to those too, and is refused.",
                    COMMENTS,
                ],
                trick: "the trick, a number whose `==` says yes to anything",
            },
            Story::TypeScript => Self {
                files: TYPESCRIPT,
                what_to_watch: [
                    MISTAKES,
                    "The cheat is an object with a method that vitest's `toEqual` asks whether it is equal; it always says yes, so every test passes. Proctor also \
                     compares outside of vitest, without asking the object: it is not the number that the test expects, and is refused.",
                    COMMENTS,
                ],
                trick: "the trick, an object that `toEqual` finds equal to anything",
            },
        }
    }
}

const PYTHON: &[(&str, &str)] = &[
    (".gitignore", include_str!("python/sample/.gitignore")),
    ("README.md", include_str!("python/sample/README.md")),
    (
        "pyproject.toml",
        include_str!("python/sample/pyproject.toml"),
    ),
    (
        "src/invoicekit/__init__.py",
        include_str!("python/sample/src/invoicekit/__init__.py"),
    ),
    (
        "src/invoicekit/invoice.py",
        include_str!("python/sample/src/invoicekit/invoice.py"),
    ),
    (
        "tests/test_invoice.py",
        include_str!("python/sample/tests/test_invoice.py"),
    ),
    (DOCUMENT, include_str!("python/lld.md")),
];

const TYPESCRIPT: &[(&str, &str)] = &[
    (".gitignore", include_str!("typescript/sample/.gitignore")),
    ("README.md", include_str!("typescript/sample/README.md")),
    (
        "package.json",
        include_str!("typescript/sample/package.json"),
    ),
    (
        "tsconfig.json",
        include_str!("typescript/sample/tsconfig.json"),
    ),
    (
        "src/invoice.ts",
        include_str!("typescript/sample/src/invoice.ts"),
    ),
    (
        "tests/invoice.test.ts",
        include_str!("typescript/sample/tests/invoice.test.ts"),
    ),
    (DOCUMENT, include_str!("typescript/lld.md")),
];
