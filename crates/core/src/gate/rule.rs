//! The rules that a reason may name.

use serde::{Deserialize, Serialize};

/// Makes the rules from one table, so that a rule and its name cannot part.
macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident => $name:literal,)*) => {
        /// Why a gate refuses, by its stable name: scripts and journals know it.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
            /// A rule of another version, in a journal of its time.
            Other(String),
        }

        impl Rule {
            /// The name outside.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$rule => $name,)*
                    Self::Other(name) => name,
                }
            }
        }

        impl From<String> for Rule {
            fn from(name: String) -> Self {
                match name.as_str() {
                    $($name => Self::$rule,)*
                    _ => Self::Other(name),
                }
            }
        }
    };
}

rules! {
    // Of the run as a whole.
    /// The tests did not end in time.
    Timeout => "timeout",
    /// A signal ended the run.
    Killed => "killed",
    /// There is no report that can be trusted.
    NoReport => "no_report",
    /// The runner could not start.
    UsageError => "usage_error",
    /// The run was broken off.
    Interrupted => "interrupted",
    /// The runner itself failed.
    InternalError => "internal_error",
    /// The exit code and the records tell different things.
    RecordsDisagree => "records_disagree",
    /// The JUnit report tells another story than the records.
    ReportsDisagree => "reports_disagree",
    /// The code changes the runner that judges it.
    RunnerTampered => "runner_tampered",
    /// An error outside any test was not caught.
    Unhandled => "unhandled_error",
    /// Modules were loaded from outside the judged tree.
    WrongTree => "wrong_tree",
    /// A further run that the verdict needs was not made.
    RunMissing => "run_missing",
    // Of the change.
    /// A name is not a valid path of a project.
    InvalidPath => "invalid_path",
    /// A file acts on the runner by its name.
    ActsOnRunner => "acts_on_runner",
    /// A person cannot read a file as the interpreter does.
    Unreadable => "unreadable",
    /// A link is where a file has to be.
    Link => "link",
    /// A sealed test differs from the one at red.
    SealBroken => "seal_broken",
    /// There is no difference.
    NothingChanged => "nothing_changed",
    /// A test file is gone.
    RemovedTestFile => "removed_test_file",
    /// No test that passes executes the changed lines.
    UntestedChange => "untested_change",
    /// Whether a test executes the changed lines could not be observed.
    LinesUnverified => "lines_unverified",
    /// No test reads a file that was changed.
    UnreadFile => "unread_file",
    /// Existing tests may depend on the changed files, and no new test covers them.
    ChangedSupport => "changed_support",
    // Of mutants.
    /// A mistake in the change is noticed by no test.
    MutantSurvives => "mutant_survives",
    /// A test notices no mistake in the source that it executes.
    KillsNoMutant => "kills_no_mutant",
    /// A test executes nothing of the source.
    ExecutesNoSource => "executes_no_source",
    // About the suite's results.
    /// The green gate needs new tests.
    NoNewTests => "no_new_tests",
    /// There is no new test.
    NothingCollected => "nothing_collected",
    /// Every new test passes without an implementation.
    NothingFails => "nothing_fails",
    /// A test that passed at the base commit does not pass.
    BaselineBroken => "baseline_broken",
    /// A test that passed at the base commit is gone.
    BaselineMissing => "baseline_missing",
    /// A test is neither the base commit's nor a sealed one.
    UnexpectedTest => "unexpected_test",
    /// A new test still fails.
    TestFails => "test_fails",
    /// A test is skipped.
    Skipped => "skipped",
    /// A test is marked as expected to fail.
    Xfail => "xfail",
    /// A test was not run to its end.
    NotRun => "not_run",
    /// A test was found and left out.
    Deselected => "deselected",
    /// A test file cannot be loaded.
    CollectionError => "collection_error",
    // Of failures that no implementation removes.
    /// The tests cannot be parsed.
    SyntaxError => "syntax_error",
    /// A test uses a name that it does not define.
    NameError => "name_error",
    /// A test calls a function of its own file with other arguments than it takes.
    WrongCall => "wrong_call",
    /// A fixture does not exist.
    FixtureMissing => "fixture_missing",
    /// Set-up or tear-down fails on its own.
    FixtureError => "fixture_error",
    /// An imported module neither exists nor is declared.
    UndeclaredImport => "undeclared_import",
    /// Something that is not the project's lacks an attribute.
    MissingAttribute => "missing_attribute",
    /// A test fails by decree.
    BareFail => "bare_fail",
    // Of the further runs.
    /// A test passes against a stub.
    PassesAgainstStub => "passes_against_stub",
    /// A new test passes before any implementation.
    PassesAlready => "passes_already",
    /// A test passes without the source change.
    PassesWithoutChange => "passes_without_change",
    /// A test does not pass in another order.
    Unstable => "unstable",
    /// Changed tests, as they were, could not be judged.
    EarlierUnreadable => "earlier_unreadable",
    /// An existing test was made weaker.
    WeakenedTest => "weakened_test",
    /// A run without the expected values has no report that can be believed.
    BlindUnreadable => "blind_unreadable",
    /// A test passes, and the code's actual value is not the expected one.
    BlindFails => "blind_fails",
    /// The twins' run has no report that can be believed.
    TwinUnreadable => "twin_unreadable",
    /// A test passes, and so does its twin.
    TwinPasses => "twin_passes",
    /// The code behaves otherwise because the test is another.
    TwinDiffers => "twin_differs",
    /// A test reaches none of its assertions.
    ReachesNoAssertion => "reaches_no_assertion",
    // About the test files' contents.
    /// A test file cannot be read by Proctor.
    NotAnalysed => "not_analysed",
    /// A test of the base commit is gone from its file.
    RemovedTest => "removed_test",
    /// Two tests have one name.
    DuplicateName => "duplicate_name",
    /// A test has no case.
    EmptyParametrisation => "empty_parametrisation",
    /// A test asserts nothing.
    NoOracle => "no_oracle",
    /// An assertion is always false.
    ConstantFalse => "constant_false",
    /// A test returns a value that it should assert.
    ReturnsValue => "returns_value",
    /// A conftest.py brings a hook.
    ConftestHook => "conftest_hook",
    /// A conftest.py brings plugins.
    ConftestPlugins => "conftest_plugins",
    /// A conftest.py changes something else.
    ConftestPatching => "conftest_patching",
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.as_str().to_owned()
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn a_rule_keeps_its_name_and_one_of_another_version_is_read() {
        for (name, rule) in [
            ("syntax_error", Rule::SyntaxError),
            ("from_the_future", Rule::Other("from_the_future".to_owned())),
        ] {
            let json = format!("\"{name}\"");
            let read: Rule = serde_json::from_str(&json).expect("any name is read");
            assert_eq!(read, rule);
            assert_eq!(serde_json::to_string(&read).expect("plain data"), json);
        }
    }
}
