//! Facts that a person should look at before approving code that is green.
//!
//! None of this refuses anything: each has honest uses, and a rule that guessed would kill good runs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::mutants::MutantReport;
use crate::test_outcome::Deed;

/// The kind of flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// A checker is told to look away.
    Silences,
    /// The code inspects its caller.
    LooksAtCaller,
    /// The code reaches into the process that it runs in.
    ReachesIntoProcess,
    /// The code knows of the test runner.
    KnowsRunner,
    /// The code names a test file.
    NamesTests,
    /// The code was seen to open a test file.
    ReadsTests,
    /// The file could not be read by the reader of tricks.
    NotRead,
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
    /// A test was changed after it had been sealed, when code for it may have been seen.
    TestsChanged,
    /// Nothing outside its own process confirms a new test that passes.
    Unverified,
    /// A new test has an assertion that only its own process could answer: a class's own equality, for instance.
    NotCompared,
    /// Every test that was held out of the request had to be shown before the code passed it.
    NothingUnseen,
    /// A new test does not run where it was judged: the machine, the system or a library decides that.
    NotRunHere,
    /// At least half of the mistakes that were put into the changed lines went unnoticed.
    LittleAsked,
}

impl FlagKind {
    /// Every kind.
    pub const ALL: [Self; 18] = [
        Self::Silences,
        Self::LooksAtCaller,
        Self::ReachesIntoProcess,
        Self::KnowsRunner,
        Self::NamesTests,
        Self::ReadsTests,
        Self::NotRead,
        Self::AlwaysEqual,
        Self::CopiesLiterals,
        Self::Shadows,
        Self::ChangesTest,
        Self::ChangesExpectation,
        Self::TestsChanged,
        Self::Unverified,
        Self::NotRunHere,
        Self::NothingUnseen,
        Self::NotCompared,
        Self::LittleAsked,
    ];

    /// The label of the file at review.
    pub fn label(self) -> &'static str {
        match self {
            Self::Silences => "SILENCES-CHECKS",
            Self::LooksAtCaller => "LOOKS-AT-CALLER",
            Self::ReachesIntoProcess => "REACHES-INTO-PROCESS",
            Self::KnowsRunner => "KNOWS-RUNNER",
            Self::NamesTests => "NAMES-TESTS",
            Self::ReadsTests => "READS-TESTS",
            Self::NotRead => "NOT-READ",
            Self::AlwaysEqual => "ALWAYS-EQUAL",
            Self::CopiesLiterals => "COPIES-LITERALS",
            Self::Shadows => "SHADOWS-MODULE",
            Self::ChangesTest => "CHANGES-TEST",
            Self::ChangesExpectation => "CHANGES-EXPECTATION",
            Self::TestsChanged => "TESTS-CHANGED",
            Self::Unverified => "UNVERIFIED-TEST",
            Self::NotRunHere => "NOT-RUN-HERE",
            Self::NothingUnseen => "NOTHING-UNSEEN",
            Self::NotCompared => "NOT-COMPARED",
            Self::LittleAsked => "LITTLE-ASKED",
        }
    }

    /// The code's behaviour, in plain words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Silences => "tells a checker to look away",
            Self::LooksAtCaller => "looks at who called it",
            Self::ReachesIntoProcess => "reaches into the process that it runs in",
            Self::KnowsRunner => "knows of the test runner",
            Self::NamesTests => "names a test file",
            Self::ReadsTests => "was seen to read a test file",
            Self::NotRead => "could not be read for what a person should look at",
            Self::AlwaysEqual => "is true for everything",
            Self::CopiesLiterals => "decides by a value that the tests use",
            Self::Shadows => "is loaded in another module's place",
            Self::ChangesTest => "changes an existing test",
            Self::ChangesExpectation => "changes what an existing test expects",
            Self::TestsChanged => "was changed after the tests had been sealed",
            Self::Unverified => "passes, and nothing outside of its process speaks for it",
            Self::NotRunHere => "has a test that was not run",
            Self::NotCompared => "has an assertion that only its own process could answer",
            Self::LittleAsked => "has changed lines whose tests notice few mistakes",
            Self::NothingUnseen => "has held-out tests that passed only once they were shown",
        }
    }
}

/// One place in a changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFlag {
    /// The file's path.
    pub path: String,
    /// From 1.
    pub line: u32,
    /// The kind of flag.
    pub flag: FlagKind,
    /// The name or value that it is about.
    pub what: String,
}

/// The mutants' result for the tests as a whole: one survivor is common, half of them surviving is not.
pub fn flag_of_mutants(report: &MutantReport) -> Option<SourceFlag> {
    let first = report.survived.first()?;
    let half_survive = report.killed * 2 <= report.made;
    half_survive.then(|| SourceFlag {
        path: first.path.clone(),
        line: first.line,
        flag: FlagKind::LittleAsked,
        what: format!("{} of {} mutants killed", report.killed, report.made),
    })
}

/// Actions of code in these files while tests ran, in any spelling.
pub fn flags_of_deeds(deeds: &BTreeSet<Deed>, sources: &[String]) -> Vec<SourceFlag> {
    deeds
        .iter()
        .filter(|deed| sources.contains(&deed.path))
        .map(|deed| SourceFlag {
            path: deed.path.clone(),
            line: deed.line,
            flag: kind_of(deed),
            what: deed.what.clone(),
        })
        .collect()
}

fn kind_of(deed: &Deed) -> FlagKind {
    match deed.what.as_str() {
        "sys._getframe"
        | "sys._current_frames"
        | "tb_frame"
        | "gi_frame"
        | "cr_frame"
        | "ag_frame" => FlagKind::LooksAtCaller,
        "open" | "__code__" => FlagKind::ReadsTests,
        _ => FlagKind::ReachesIntoProcess,
    }
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
    use super::{FlagKind, SourceFlag, flag_of_mutants};
    use crate::mutants::{MutantReport, Survivor};

    #[test]
    fn tests_that_let_half_of_the_mutants_pass_are_flagged() {
        for (made, killed, flagged) in [
            (1, 0, true),
            (2, 1, true),
            (3, 2, false),
            (5, 3, false),
            (5, 2, true),
        ] {
            let survivor = Survivor {
                path: "a.py".to_owned(),
                line: 3,
                what: "`+` becomes `-`".to_owned(),
            };
            let report = MutantReport {
                made,
                killed,
                survived: vec![survivor; made - killed],
                left_out: 0,
            };
            let flag = flag_of_mutants(&report);
            assert_eq!(flag.is_some(), flagged, "{killed} of {made}");
        }
        assert_eq!(flag_of_mutants(&MutantReport::default()), None);
    }

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
