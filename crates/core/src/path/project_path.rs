//! The only path type that writers accept.
//!
//! A name that a model or a document proposes is text; a [`ProjectPath`] is a name that passed every lexical rule
//! below. The rules alone do not contain a path (links are the host's concern, which opens beneath a held root), but
//! they refuse names that no later check can catch: names that mean something else to git, to another platform, to a
//! shell or to a reader's eye.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::failure::{Explained, Kind};
use crate::hidden_characters::is_hidden;

/// The longest component that common filesystems take.
const MAX_COMPONENT_BYTES: usize = 255;
/// The longest path that the kernel takes.
const MAX_PATH_BYTES: usize = 4096;
/// How much of a refused path a message shows.
const SHOWN_CHARACTERS: usize = 120;

/// Characters with a meaning to another platform, a pathspec or a glob that names no file.
const FORBIDDEN_CHARACTERS: &str = ":\\*?\"<>|";

/// Signs that look like a slash or a backslash. Letters that do (`ノ`, `丿`) are letters and may stay.
const SLASH_LOOK_ALIKES: [char; 14] = [
    '\u{1735}', '\u{2041}', '\u{2044}', '\u{2215}', '\u{2216}', '\u{2571}', '\u{2572}', '\u{27CB}',
    '\u{27CD}', '\u{29F5}', '\u{29F8}', '\u{29F9}', '\u{2CC6}', '\u{31D3}',
];

/// Characters that look like one of those in `.git` and `..`, besides capital letters and characters that normalisation
/// refuses.
const LOOK_ALIKES: [(char, &str); 4] = [
    (
        '.',
        "\u{0660}\u{06D4}\u{06F0}\u{0701}\u{0702}\u{A4F8}\u{A60E}\u{10A50}\u{1D16D}",
    ),
    ('g', "\u{0261}\u{0581}\u{1D83}\u{0262}"),
    (
        'i',
        "\u{0131}\u{0130}\u{0456}\u{0406}\u{0269}\u{026A}\u{03B9}\u{0399}\u{04C0}\u{04CF}\u{13A5}\u{AB75}\u{01C3}",
    ),
    ('t', "\u{0442}\u{0422}\u{03C4}\u{03A4}\u{13A2}\u{1D1B}"),
];

/// Names that Windows gives to devices with any text after the first dot.
const DEVICE_NAMES: [&str; 7] = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// A path relative to the project's root that is safe to hand to a writer by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectPath(String);

/// Why a name is not a [`ProjectPath`]; each holds the name, escaped and quoted for display.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// Nothing was given.
    #[error("the path is empty")]
    Empty,
    /// It starts at the root of the filesystem.
    #[error("the path {0} is absolute; give a relative one")]
    Absolute(String),
    /// The whole is longer than the kernel takes.
    #[error("the path {0} is longer than {MAX_PATH_BYTES} bytes")]
    TooLong(String),
    /// One component is longer than filesystems take.
    #[error("the path {0} has a component longer than {MAX_COMPONENT_BYTES} bytes")]
    ComponentTooLong(String),
    /// Two slashes in a row, or one at the end.
    #[error("the path {0} has an empty component")]
    EmptyComponent(String),
    /// A component is `.` or `..`.
    #[error("the path {0} has a component that is a dot or two dots")]
    DotComponent(String),
    /// A control character such as NUL, a newline or ESC.
    #[error("the path {0} contains a control character")]
    ControlCharacter(String),
    /// An invisible character, or one that reorders the visible ones.
    #[error("the path {0} contains an invisible or text-reordering character")]
    HiddenCharacter(String),
    /// One of the characters that mean something to another platform or to git.
    #[error("the path {0} contains one of the characters {FORBIDDEN_CHARACTERS}")]
    ForbiddenCharacter(String),
    /// A character that looks like a path separator.
    #[error("the path {0} contains a character that looks like a slash")]
    SlashLookAlike(String),
    /// Normalisation would turn it into another name.
    #[error("the path {0} would change under Unicode normalisation")]
    NotNormalised(String),
    /// A component that programs would read as an option or a home directory.
    #[error("the path {0} has a component that starts with a hyphen or a tilde")]
    LeadingCharacter(String),
    /// A component that Windows would silently shorten.
    #[error("the path {0} has a component that ends in a dot or a space")]
    TrailingCharacter(String),
    /// A component that Windows treats as a device.
    #[error("the path {0} has a component that is a reserved device name")]
    DeviceName(String),
    /// A component that some filesystem treats as `.git`.
    #[error("the path {0} leads into git's own directory")]
    GitDirectory(String),
}

impl Explained for PathProblem {
    fn kind(&self) -> Kind {
        Kind::Safety
    }

    fn hints(&self) -> Vec<String> {
        vec!["give a plain, relative path inside the repository".to_owned()]
    }
}

#[cfg(feature = "samples")]
impl crate::failure::Sampled for PathProblem {
    fn samples() -> Vec<Self> {
        let name = || "PATH".to_owned();
        crate::samples!(PathProblem {
            PathProblem::Empty => PathProblem::Empty,
            PathProblem::Absolute(_) => PathProblem::Absolute(name()),
            PathProblem::TooLong(_) => PathProblem::TooLong(name()),
            PathProblem::ComponentTooLong(_) => PathProblem::ComponentTooLong(name()),
            PathProblem::EmptyComponent(_) => PathProblem::EmptyComponent(name()),
            PathProblem::DotComponent(_) => PathProblem::DotComponent(name()),
            PathProblem::ControlCharacter(_) => PathProblem::ControlCharacter(name()),
            PathProblem::HiddenCharacter(_) => PathProblem::HiddenCharacter(name()),
            PathProblem::ForbiddenCharacter(_) => PathProblem::ForbiddenCharacter(name()),
            PathProblem::SlashLookAlike(_) => PathProblem::SlashLookAlike(name()),
            PathProblem::NotNormalised(_) => PathProblem::NotNormalised(name()),
            PathProblem::LeadingCharacter(_) => PathProblem::LeadingCharacter(name()),
            PathProblem::TrailingCharacter(_) => PathProblem::TrailingCharacter(name()),
            PathProblem::DeviceName(_) => PathProblem::DeviceName(name()),
            PathProblem::GitDirectory(_) => PathProblem::GitDirectory(name()),
        })
    }
}

impl ProjectPath {
    /// Checks every lexical rule and wraps the name.
    pub fn parse(path: &str) -> Result<Self, PathProblem> {
        check_whole(path)?;
        for component in path.split('/') {
            check_component(component, path)?;
        }
        Ok(Self(path.to_owned()))
    }

    /// The path as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Whether it is Python by its name.
    pub fn is_python(&self) -> bool {
        self.file_name()
            .rsplit_once('.')
            .is_some_and(|(_, extension)| extension == "py")
    }

    /// The components from the root down.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The directory it lies in; `None` directly under the root.
    pub fn parent(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(parent, _)| parent)
    }

    /// Whether some tool executes or trusts a file of this name automatically.
    ///
    /// Such files are written only if the design document lists them and are always flagged.
    pub fn is_protected(&self) -> bool {
        super::protected_name::is_protected(&self.0)
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for ProjectPath {
    type Error = PathProblem;

    fn try_from(path: String) -> Result<Self, Self::Error> {
        Self::parse(&path)
    }
}

impl From<ProjectPath> for String {
    fn from(path: ProjectPath) -> Self {
        path.0
    }
}

fn check_whole(path: &str) -> Result<(), PathProblem> {
    if path.is_empty() {
        return Err(PathProblem::Empty);
    }
    if path.len() > MAX_PATH_BYTES {
        return Err(PathProblem::TooLong(shown(path)));
    }
    if path.starts_with('/') {
        return Err(PathProblem::Absolute(shown(path)));
    }
    for character in path.chars() {
        if character.is_control() {
            return Err(PathProblem::ControlCharacter(shown(path)));
        }
        // Every white space but the plain one looks like the plain one.
        if is_hidden(character) || (character.is_whitespace() && character != ' ') {
            return Err(PathProblem::HiddenCharacter(shown(path)));
        }
        if SLASH_LOOK_ALIKES.contains(&character) {
            return Err(PathProblem::SlashLookAlike(shown(path)));
        }
        if FORBIDDEN_CHARACTERS.contains(character) {
            return Err(PathProblem::ForbiddenCharacter(shown(path)));
        }
    }
    // Text that the compatibility form leaves alone, the canonical form leaves alone as well.
    if !path.nfkc().eq(path.chars()) {
        return Err(PathProblem::NotNormalised(shown(path)));
    }
    Ok(())
}

fn check_component(component: &str, path: &str) -> Result<(), PathProblem> {
    if component.is_empty() {
        return Err(PathProblem::EmptyComponent(shown(path)));
    }
    let seen = as_seen(component);
    if seen == "." || seen == ".." {
        return Err(PathProblem::DotComponent(shown(path)));
    }
    if component.len() > MAX_COMPONENT_BYTES {
        return Err(PathProblem::ComponentTooLong(shown(path)));
    }
    if component.starts_with(['-', '~']) {
        return Err(PathProblem::LeadingCharacter(shown(path)));
    }
    if component.ends_with(['.', ' ']) {
        return Err(PathProblem::TrailingCharacter(shown(path)));
    }
    let folded = component.to_lowercase();
    if is_git_directory(&folded) || is_git_directory(&seen) {
        return Err(PathProblem::GitDirectory(shown(path)));
    }
    if is_device(&folded) {
        return Err(PathProblem::DeviceName(shown(path)));
    }
    Ok(())
}

/// The component as a reader, or a filesystem that takes letters for each other, may see it: in small letters, with the
/// letters of `.git` for those that look like them, and without the dot that lower case leaves of `İ`.
fn as_seen(component: &str) -> String {
    let plain = |character: char| {
        let like = LOOK_ALIKES
            .iter()
            .find(|(_, others)| others.contains(character));
        like.map_or(character, |(letter, _)| *letter)
    };
    let mapped: String = component.chars().map(plain).collect();
    mapped.to_lowercase().replace('\u{307}', "")
}

/// `.git` itself, or the short name that Windows makes of it.
fn is_git_directory(folded: &str) -> bool {
    folded == ".git"
        || folded.strip_prefix("git~").is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

fn is_device(folded: &str) -> bool {
    let stem = folded.split('.').next().unwrap_or(folded).trim_end();
    let numbered = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"))
        .is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()));
    numbered || DEVICE_NAMES.contains(&stem)
}

/// The path quoted, with everything that a terminal would act on escaped, and cut when it is long.
fn shown(path: &str) -> String {
    let head: String = path.chars().take(SHOWN_CHARACTERS).collect();
    if head.len() < path.len() {
        format!("{head:?}…")
    } else {
        format!("{head:?}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PathProblem, ProjectPath};

    #[test]
    fn hostile_names_are_refused() {
        let long_name = "a".repeat(256);
        let long_path = "a/".repeat(2048) + "b";
        let hostile = [
            "",
            "/",
            ".",
            "..",
            "../outside/x",
            "src/../../x",
            "../root-evil/s",
            "/etc/passwd",
            "//etc/passwd",
            "src/a.py/",
            "src//a.py",
            "./a.py",
            "src/./a.py",
            "a/..",
            ".git/hooks/pre-commit",
            ".GIT/config",
            ".git\\config",
            "sub/.git/config",
            ".git",
            ".Git",
            "git~1/config",
            "GIT~1",
            "sub/GIT~2/hooks/x",
            ".git./config",
            ".git /config",
            ".g\u{200C}it/config",
            ".git\u{200D}/config",
            "\u{FEFF}.git/config",
            ".git::$INDEX_ALLOCATION/config",
            "C:\\x",
            "C:x",
            "\\\\srv\\s",
            "a\\b",
            "CON",
            "aux.rs",
            "src/NUL.txt",
            "com1",
            "LPT9.log",
            "nul .txt",
            "CONIN$",
            "a\0b",
            "a\nb",
            "a\rb",
            "a\tb",
            "a\u{1b}[2Jb",
            "a\u{7f}",
            "a\u{9b}b",
            "a\u{202E}yp.exe",
            "a\u{200B}b",
            "a\u{2028}b",
            "a\u{3000}b",
            "a\u{a0}b",
            "a\u{E0041}b",
            "\u{FF0E}\u{FF0E}/x",
            "src\u{2215}a.py",
            "..\u{2044}a.py",
            ".git\u{29F8}config",
            "a\u{2216}b",
            ".g\u{131}t/config",
            ".G\u{130}T/config",
            ".gi\u{307}t/config",
            "sub/.g\u{456}t/hooks/x",
            ".\u{261}it/config",
            ".gi\u{442}",
            "g\u{131}t~1/config",
            "\u{A4F8}\u{A4F8}/x",
            ".\u{660}/x",
            "e\u{301}.py",
            "\u{FB01}le.py",
            "-rf",
            "src/-x",
            "~root/x",
            "~",
            "src/~a",
            ":(top)x",
            "a:b",
            "a*b",
            "a?b",
            "a\"b",
            "a<b",
            "a>b",
            "a|b",
            "a.",
            "a ",
            "dir./x",
            "dir /x",
            "...",
            &long_name,
            &long_path,
        ];
        for path in hostile {
            assert!(ProjectPath::parse(path).is_err(), "accepted {path:?}");
        }
    }

    #[test]
    fn ordinary_names_are_accepted() {
        let longest = "a".repeat(255);
        let legitimate = [
            "é.py",
            "a; rm -rf .py",
            "$(whoami).txt",
            "src/app.test.tsx",
            "docs/[id].md",
            "a",
            ".gitignore",
            ".github/workflows/ci.yml",
            "src/__init__.py",
            "a/b/c/d.rs",
            "x~1.txt",
            "console.rs",
            "com10.txt",
            "auxiliary.py",
            "中文/文件.py",
            "..a",
            "a..b",
            "git~x",
            "it's.md",
            "a&b.py",
            "#1.md",
            " lead.py",
            "日本語.md",
            "ノート/丿.md",
            "dı\u{15F}/\u{130}zmir.py",
            "гит/файл.py",
            "docs/٣.md",
            ".gitı",
            ".gît",
            &longest,
        ];
        for path in legitimate {
            let parsed = ProjectPath::parse(path);
            assert_eq!(parsed.as_ref().map(ProjectPath::as_str), Ok(path));
        }
    }

    #[test]
    fn message_names_the_path_without_its_raw_bytes() {
        let problem = ProjectPath::parse("a\u{1b}[2J\u{202E}").expect_err("it is hostile");
        assert_eq!(
            problem.to_string(),
            "the path \"a\\u{1b}[2J\\u{202e}\" contains a control character"
        );
    }

    #[test]
    fn message_of_a_long_path_is_short() {
        let problem = ProjectPath::parse(&"a".repeat(9000)).expect_err("it is too long");
        assert!(matches!(problem, PathProblem::TooLong(_)));
        assert!(problem.to_string().len() < 300);
    }

    #[test]
    fn parts_of_a_path_are_its_own_text() {
        let path = ProjectPath::parse("src/deep/a.py").expect("it is valid");
        assert_eq!(path.file_name(), "a.py");
        assert_eq!(path.parent(), Some("src/deep"));
        assert_eq!(
            path.components().collect::<Vec<_>>(),
            ["src", "deep", "a.py"]
        );
        assert_eq!(
            ProjectPath::parse("a.py").expect("it is valid").parent(),
            None
        );
    }

    #[test]
    fn deserialising_validates() {
        let good: ProjectPath = serde_json::from_str("\"src/a.py\"").expect("it is valid");
        assert_eq!(
            serde_json::to_string(&good).expect("it is text"),
            "\"src/a.py\""
        );
        assert!(serde_json::from_str::<ProjectPath>("\"../a.py\"").is_err());
    }

    proptest! {
        #[test]
        fn accepted_paths_have_no_forbidden_component(path in "\\PC{0,40}|[./~a-zA-Z\\-]{0,20}|(\\.\\.?|\\.git|a|con|/){1,8}") {
            if let Ok(accepted) = ProjectPath::parse(&path) {
                for component in accepted.components() {
                    prop_assert!(!["", ".", ".."].contains(&component));
                    prop_assert!(!component.eq_ignore_ascii_case(".git"));
                    prop_assert!(!component.starts_with('-'));
                    prop_assert!(component.len() <= 255);
                }
                prop_assert!(!path.starts_with('/'));
            }
        }

        #[test]
        fn any_text_is_judged_without_panic(path in any::<String>()) {
            if let Err(problem) = ProjectPath::parse(&path) {
                prop_assert!(!problem.to_string().chars().any(char::is_control));
            }
        }
    }
}
