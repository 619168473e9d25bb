//! What a person should look at before approving code that is green.
//!
//! None of this refuses anything: each has honest uses, and a rule that guessed would kill good runs.

use serde::{Deserialize, Serialize};

/// What sort of thing it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// A checker is told to look away.
    Silences,
    /// The code looks at who called it.
    LooksAtCaller,
    /// The code reaches into the process that it runs in.
    ReachesIntoProcess,
    /// The code knows of the test runner.
    KnowsRunner,
    /// The code names a test file.
    NamesTests,
    /// Something is equal to everything, or contains it.
    AlwaysEqual,
    /// The code decides by values that the tests use.
    CopiesLiterals,
    /// The file is loaded in the place of another by its name.
    Shadows,
    /// A test that the base commit has is another now.
    ChangesTest,
    /// The same, and as it was it does not hold any more: the design lists its file, so that is meant.
    ChangesExpectation,
}

impl FlagKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Silences,
        Self::LooksAtCaller,
        Self::ReachesIntoProcess,
        Self::KnowsRunner,
        Self::NamesTests,
        Self::AlwaysEqual,
        Self::CopiesLiterals,
        Self::Shadows,
        Self::ChangesTest,
        Self::ChangesExpectation,
    ];

    /// The label of the file at review.
    pub fn label(self) -> &'static str {
        match self {
            Self::Silences => "SILENCES-CHECKS",
            Self::LooksAtCaller => "LOOKS-AT-CALLER",
            Self::ReachesIntoProcess => "REACHES-INTO-PROCESS",
            Self::KnowsRunner => "KNOWS-RUNNER",
            Self::NamesTests => "NAMES-TESTS",
            Self::AlwaysEqual => "ALWAYS-EQUAL",
            Self::CopiesLiterals => "COPIES-LITERALS",
            Self::Shadows => "SHADOWS-MODULE",
            Self::ChangesTest => "CHANGES-TEST",
            Self::ChangesExpectation => "CHANGES-EXPECTATION",
        }
    }

    /// What the code does, as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Silences => "tells a checker to look away",
            Self::LooksAtCaller => "looks at who called it",
            Self::ReachesIntoProcess => "reaches into the process that it runs in",
            Self::KnowsRunner => "knows of the test runner",
            Self::NamesTests => "names a test file",
            Self::AlwaysEqual => "is true for everything",
            Self::CopiesLiterals => "decides by a value that the tests use",
            Self::Shadows => "is loaded in another module's place",
            Self::ChangesTest => "changes an existing test",
            Self::ChangesExpectation => "changes what an existing test expects",
        }
    }
}

/// One place in a changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFlag {
    /// The file.
    pub path: String,
    /// From 1.
    pub line: u32,
    /// What sort of thing.
    pub flag: FlagKind,
    /// The name or value that it is about.
    pub what: String,
}

impl std::fmt::Display for SourceFlag {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} line {}: {} ({})",
            self.path,
            self.line,
            self.flag.words(),
            self.what
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{FlagKind, SourceFlag};

    #[test]
    fn a_flag_says_where_and_what() {
        let flag: SourceFlag = serde_json::from_str(
            r#"{"path":"a.py","line":3,"flag":"always_equal","what":"__eq__"}"#,
        )
        .expect("what the reader writes");
        assert_eq!(flag.flag, FlagKind::AlwaysEqual);
        assert_eq!(
            flag.to_string(),
            "a.py line 3: is true for everything (__eq__)"
        );
    }
}
