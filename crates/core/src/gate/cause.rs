//! Why a test fails, and whether an implementation can do anything about it.
//!
//! A red is valid if writing the code makes it green. So for every failure there is one question: can a change to the
//! project's source, and to nothing else, remove it? Where that is unclear the failure counts and a note says so: a
//! test that can never pass is caught at the green gate, while a good test refused here is lost.

use super::Rule;
use super::test_files::TestFiles;
use crate::dialect::Declared;
use crate::pytest::nothing_runs_it;
use crate::remark::Remark;
use crate::test_outcome::{FailureKind, Phase, Raised};

/// The answer to that question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// An implementation removes it; the phrase names the missing part.
    Mendable(String),
    /// It may be either; counts as fixable, with this phrase as a note.
    Doubtful(String),
    /// Only a change to the tests removes it.
    Unmendable { rule: Rule, message: Remark },
}

/// When it was raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// While the file was imported.
    Collection,
    /// While the test was run.
    Test(Phase),
}

/// The facts about the project that the answer needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Project<'a> {
    pub(super) declared: &'a Declared,
    pub(super) import_roots: &'a [String],
    pub(super) test_files: TestFiles<'a>,
}

impl Project<'_> {
    pub(super) fn provides(&self, module: &str) -> bool {
        self.declared.makes_importable(module, self.import_roots)
    }

    fn is_test(&self, path: &str) -> bool {
        self.test_files.contains(path)
    }

    /// Whether the exception came out of the project's own source.
    pub(super) fn raised_in_source(&self, raised: &Raised) -> bool {
        raised
            .crash
            .as_ref()
            .is_some_and(|crash| !self.is_test(&crash.path))
    }

    pub(super) fn raised_in_test(&self, raised: &Raised) -> bool {
        raised
            .crash
            .as_ref()
            .is_some_and(|crash| self.is_test(&crash.path))
    }

    /// Whether the function that the test called is known and is not the project's. Without an owner that is unknown.
    fn calls_what_is_not_ours(&self, raised: &Raised) -> bool {
        let ours = |path: &String| !self.is_test(path);
        self.raised_in_test(raised)
            && raised.owner.is_some()
            && !raised.owner_path.as_ref().is_some_and(ours)
    }

    /// Answers the question for one exception.
    pub(super) fn cause(&self, when: When, raised: &Raised) -> Cause {
        match raised.kind {
            FailureKind::Syntax => return self.syntax_error(raised),
            FailureKind::MissingModule | FailureKind::MissingName => {
                return self.import_error(raised);
            }
            _ if self.raised_in_source(raised) => {
                let path = raised.crash.as_ref().map_or("", |crash| &crash.path);
                return Cause::Mendable(format!("{} raised in {path}", raised.class()));
            }
            FailureKind::UndefinedName if self.raised_in_test(raised) => {
                return unmendable(
                    Rule::NameError,
                    format!(
                        "the test uses a name that it does not define: {}",
                        first_line(raised)
                    ),
                );
            }
            FailureKind::MissingFixture => {
                return unmendable(
                    Rule::FixtureMissing,
                    format!(
                        "a fixture that the test asks for does not exist: {}",
                        first_line(raised)
                    ),
                );
            }
            FailureKind::MissingAttribute => return self.attribute_error(when, raised),
            FailureKind::WrongCall if self.calls_what_is_not_ours(raised) => {
                let owner = raised.owner.as_deref().unwrap_or("something");
                return unmendable(
                    Rule::WrongCall,
                    format!(
                        "the test calls `{owner}`, which is not part of the source that the design changes, with \
                         arguments that it does not take: {}",
                        first_line(raised)
                    ),
                );
            }
            _ => {}
        }
        match when {
            When::Test(Phase::Call) => call_failure(raised),
            When::Test(phase) => set_up_failure(phase, raised),
            When::Collection => collection_failure(raised),
        }
    }

    /// The same for a run against stubs, which cause many failures of their own: the rule and the message if the test
    /// alone is at fault, whatever the code will be. `used` says whether the test reached a stub.
    pub(super) fn fault(&self, when: When, raised: &Raised, used: bool) -> Option<(Rule, Remark)> {
        let Cause::Unmendable { rule, message } = self.cause(when, raised) else {
            return None;
        };
        let certain = match rule {
            // Not a variable that was left unassigned because of a stub's answer.
            Rule::NameError => names_what_is_undefined(raised),
            Rule::MissingAttribute => raised.owner_is_module,
            Rule::FixtureError | Rule::CollectionError => !used,
            Rule::FixtureMissing | Rule::UndeclaredImport | Rule::SyntaxError | Rule::NotRun => {
                true
            }
            _ => false,
        };
        certain.then_some((rule, message))
    }

    /// The same at green, where the code exists: the rule and the message if the failure lies in the test. A failure
    /// that may come from a value of the code is not the test's.
    pub(super) fn fault_at_green(&self, when: When, raised: &Raised) -> Option<(Rule, Remark)> {
        let Cause::Unmendable { rule, message } = self.cause(when, raised) else {
            return None;
        };
        let in_test = match rule {
            Rule::FixtureMissing | Rule::WrongCall => true,
            Rule::NameError => names_what_is_undefined(raised),
            Rule::FixtureError => {
                when == When::Test(Phase::Setup)
                    && raised.kind == FailureKind::Other
                    && self.raised_in_test(raised)
            }
            _ => false,
        };
        in_test.then_some((rule, message))
    }

    fn syntax_error(&self, raised: &Raised) -> Cause {
        if self.raised_in_source(raised) {
            return Cause::Doubtful(format!(
                "a syntax error in the source: {}",
                first_line(raised)
            ));
        }
        let place = raised.crash.as_ref().map_or_else(String::new, |crash| {
            format!(" in {} line {}", crash.path, crash.line)
        });
        unmendable(
            Rule::SyntaxError,
            format!(
                "the tests have a syntax error{place}: {}",
                first_line(raised)
            ),
        )
    }

    fn import_error(&self, raised: &Raised) -> Cause {
        if let Some(module) = &raised.missing_module {
            if self.provides(module) {
                return Cause::Mendable(format!("the declared module `{module}` is missing"));
            }
            if self.declared.is_open() {
                return Cause::Doubtful(format!("the module `{module}` is missing"));
            }
            return unmendable(
                Rule::UndeclaredImport,
                Remark::from(format!(
                    "the module `{module}` does not exist and the design does not declare it"
                ))
                .so("import only what exists or what the design's files bring"),
            );
        }
        let Some(owner) = &raised.owner else {
            return Cause::Doubtful(format!("an import fails: {}", first_line(raised)));
        };
        let in_source = raised.owner_path.as_ref().map(|path| !self.is_test(path));
        match in_source {
            Some(true) => Cause::Mendable(format!("`{owner}` lacks a name that is imported")),
            None if self.provides(owner) => {
                Cause::Mendable(format!("the declared module `{owner}` lacks a name"))
            }
            _ => unmendable(
                Rule::UndeclaredImport,
                format!(
                    "{}; `{owner}` is not part of the source that the design changes",
                    first_line(raised)
                ),
            ),
        }
    }

    fn attribute_error(&self, when: When, raised: &Raised) -> Cause {
        let owner = raised.owner.as_deref().unwrap_or("a value");
        let ours = match &raised.owner_path {
            Some(path) => !self.is_test(path),
            None => raised
                .owner
                .as_deref()
                .is_some_and(|owner| self.provides(owner)),
        };
        if ours {
            return Cause::Mendable(format!("`{owner}` lacks an attribute"));
        }
        if raised.owner_is_module || raised.owner_path.is_some() {
            return unmendable(
                Rule::MissingAttribute,
                format!(
                    "{}; `{owner}` is not part of the source that the design changes",
                    first_line(raised)
                ),
            );
        }
        match when {
            When::Test(Phase::Call) => Cause::Doubtful(format!(
                "attribute missing on `{owner}`: {}",
                first_line(raised)
            )),
            When::Test(phase) => set_up_failure(phase, raised),
            When::Collection => collection_failure(raised),
        }
    }
}

fn call_failure(raised: &Raised) -> Cause {
    match raised.kind {
        FailureKind::ExplicitFailure if nothing_runs_it(raised) => unmendable(
            Rule::NotRun,
            "the test is asynchronous, and no plugin of the runner's runs such tests".to_owned(),
        ),
        FailureKind::ExplicitFailure if raised.message.trim().is_empty() => unmendable(
            Rule::BareFail,
            Remark::from("the test fails by decree")
                .so("assert something that the implementation can fulfil"),
        ),
        FailureKind::Assertion | FailureKind::ExplicitFailure => {
            Cause::Mendable("assertion failed".to_owned())
        }
        FailureKind::NotImplemented | FailureKind::WrongCall => {
            Cause::Mendable(format!("{}: {}", raised.class(), first_line(raised)))
        }
        _ => Cause::Doubtful(format!(
            "{} raised in the test itself: {}",
            raised.class(),
            first_line(raised)
        )),
    }
}

/// Whether it may be that the code that is called is still to be written, outside of a test's own call too.
fn may_be_unwritten_code(raised: &Raised) -> bool {
    matches!(
        raised.kind,
        FailureKind::NotImplemented | FailureKind::WrongCall
    )
}

fn set_up_failure(phase: Phase, raised: &Raised) -> Cause {
    let part = if phase == Phase::Setup {
        "set-up"
    } else {
        "tear-down"
    };
    if may_be_unwritten_code(raised) {
        return Cause::Doubtful(format!("{part} fails: {}", first_line(raised)));
    }
    unmendable(
        Rule::FixtureError,
        format!(
            "{part} fails by itself with {}: {}",
            raised.class(),
            first_line(raised)
        ),
    )
}

fn collection_failure(raised: &Raised) -> Cause {
    if may_be_unwritten_code(raised) {
        return Cause::Doubtful(format!("importing the tests fails: {}", first_line(raised)));
    }
    unmendable(
        Rule::CollectionError,
        format!(
            "the test file cannot be loaded, {}: {}",
            raised.class(),
            first_line(raised)
        ),
    )
}

fn unmendable(rule: Rule, message: impl Into<Remark>) -> Cause {
    let message = message.into();
    Cause::Unmendable { rule, message }
}

/// Whether the error is of a name that is defined nowhere, in either language's words; not of a variable that is only
/// not assigned yet.
fn names_what_is_undefined(raised: &Raised) -> bool {
    let words = first_line(raised);
    words.starts_with("name '") || words.ends_with(" is not defined")
}

/// The exception's text up to its first line end: enough for a reason, the rest is in the report.
pub(super) fn first_line(raised: &Raised) -> &str {
    raised.message.lines().next().unwrap_or_default()
}
