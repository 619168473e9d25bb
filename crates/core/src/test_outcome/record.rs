//! A runner's report, in one shape for every runner.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Trace;

/// The three parts of a test's life; a test passed only if all three did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Fixtures and set-up functions.
    Setup,
    /// The test itself.
    Call,
    /// The teardown of fixtures.
    Teardown,
}

/// How one phase of one test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing was raised.
    Passed,
    /// An unexpected exception was raised.
    Failed,
    /// The test, its mark or the code under test asked to be skipped.
    Skipped,
    /// It failed, and its mark said that it would.
    Xfailed,
    /// It passed although its mark said that it would fail.
    Xpassed,
    /// It failed and is about to be run again.
    Rerun,
}

/// A place in a file of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Relative to the tree, with `/`.
    pub path: String,
    /// Counted from 1.
    pub line: u32,
}

/// The kinds of failure that the gates distinguish. A language's reader derives it from the language's own error
/// classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The code cannot be parsed.
    Syntax,
    /// A module that is imported does not exist; see [`Raised::missing_module`].
    MissingModule,
    /// A module exists and lacks a name that is imported from it, or fails to be imported.
    MissingName,
    /// A name is used that is not defined where it is used.
    UndefinedName,
    /// A test asks for a fixture that does not exist.
    MissingFixture,
    /// A value, a class or a module lacks an attribute; see [`Raised::owner`].
    MissingAttribute,
    /// An assertion does not hold.
    Assertion,
    /// The test had itself fail: by decree, or because an error that it expects did not come.
    ExplicitFailure,
    /// The code says that it is still to be written.
    NotImplemented,
    /// A call with wrong arguments, or of something that cannot be called.
    WrongCall,
    /// Anything else.
    #[default]
    Other,
}

/// An exception that ended a phase or a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The name of its class, for words alone; empty where the runner names none.
    pub class: String,
    /// The exception's own text.
    pub message: String,
    /// The dotted name that could not be found, where a module was missing.
    pub missing_module: Option<String>,
    /// The module or class that lacks a name: `from app import x`, `app.x`, `thing.x`.
    pub owner: Option<String>,
    /// Whether that owner is a module, not a value.
    pub owner_is_module: bool,
    /// The owner's file, if it is in the tree.
    pub owner_path: Option<String>,
    /// The deepest frame that lies in the tree.
    pub crash: Option<Location>,
    /// The runner's own account of it, with the traceback.
    pub text: String,
}

impl Raised {
    /// Whether a module, or a name of one, is missing.
    pub(crate) fn is_of_missing_code(&self) -> bool {
        match self.kind {
            FailureKind::MissingModule | FailureKind::MissingName => true,
            FailureKind::MissingAttribute => self.owner_is_module,
            _ => false,
        }
    }

    /// Its name in a message.
    pub fn class(&self) -> &str {
        if self.class.is_empty() {
            "an error"
        } else {
            &self.class
        }
    }
}

/// One phase of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRecord {
    /// The runner's own id of the test.
    pub id: String,
    /// Which part of it ran.
    pub phase: Phase,
    /// How that part ended.
    pub outcome: Outcome,
    /// The error that ended it, unless it simply passed.
    #[serde(default)]
    pub raised: Option<Raised>,
    /// 1 for the first time that the test was run, more if something ran it again.
    #[serde(default)]
    pub attempt: u32,
    /// Whether this is a part of the test that is reported separately. The test has a record of its own.
    #[serde(default)]
    pub subtest: bool,
}

/// A file, or a part of one, whose tests could not be collected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionError {
    /// The file, relative to the tree.
    pub file: String,
    /// The raised error.
    pub raised: Raised,
}

/// A file that asked to be skipped as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedFile {
    /// The file, relative to the tree.
    pub file: String,
    /// The reason it gave.
    pub reason: String,
}

/// Everything that a complete run of the suite told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Ids that were to be run, in order.
    pub collected: Vec<String>,
    /// Tests that are written elsewhere than their id says, in a base class for instance: the id without
    /// parameters, and the one that it would have where it is written.
    #[serde(default)]
    pub definitions: BTreeMap<String, String>,
    /// The lines at which the runner says that tests are written, where it does; titles may be computed.
    #[serde(default)]
    pub written_at: BTreeMap<String, u32>,
    /// Uncaught errors outside any test.
    #[serde(default)]
    pub unhandled: Vec<Raised>,
    /// Ids that were found and left out.
    pub deselected: Vec<String>,
    /// Files that could not be collected.
    pub errors: Vec<CollectionError>,
    /// Files that were skipped as a whole.
    pub skipped_files: Vec<SkippedFile>,
    /// Phases in the order they ended.
    pub records: Vec<TestRecord>,
    /// Whether tests reported parts of themselves; those that did not pass are among the records.
    #[serde(default)]
    pub has_subtests: bool,
    /// Tests with a separately reported part that passed.
    #[serde(default)]
    pub with_passing_parts: BTreeSet<String>,
    /// The exit code that the runner was about to return.
    pub finished_exit: Option<i32>,
    /// Directories of the tree that modules were looked for in; the tree itself is the empty one.
    pub import_roots: Vec<String>,
    /// The project's modules that were loaded from outside the tree, with the file.
    pub foreign_modules: BTreeMap<String, String>,
    /// Plugins of the runner that its environment brought.
    #[serde(default)]
    pub plugins: Vec<String>,
    /// Twins that reached an inverted place.
    #[serde(default)]
    pub reached: BTreeSet<String>,
    /// Twins that reached their end, or the end of one call of them, without such a place.
    #[serde(default)]
    pub ended: BTreeSet<String>,
    /// Tests that reached a stub while they ran.
    #[serde(default)]
    pub used_stubs: BTreeSet<String>,
    /// Those, and tests whose code names a stub.
    #[serde(default)]
    pub knew_stubs: BTreeSet<String>,
    /// Parts of the runner, and of libraries that tests use, that were modified.
    #[serde(default)]
    pub tampered: BTreeSet<String>,
    /// Actions of project code that a person should know of.
    #[serde(default)]
    pub deeds: Vec<Deed>,
    /// The source lines that ran, in a run that was traced line by line.
    #[serde(default)]
    pub trace: Trace,
}

/// Something that code of the project was seen to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Deed {
    /// The interpreter's own name for it: `sys._getframe`, `open` of a test file.
    pub what: String,
    /// The file's path.
    pub path: String,
    /// From 1.
    pub line: u32,
}

impl Report {
    /// Whether the runner found tests below a directory; an empty one is the whole tree.
    pub fn has_tests_below(&self, directory: &str) -> bool {
        let mut ids = self.collected.iter();
        ids.any(|id| {
            id.strip_prefix(directory)
                .is_some_and(|rest| directory.is_empty() || rest.starts_with('/'))
        })
    }

    /// Every exception in it.
    pub fn raised(&self) -> impl Iterator<Item = &Raised> {
        let records = self.records.iter();
        let errors = self.errors.iter().map(|error| &error.raised);
        errors.chain(records.filter_map(|record| record.raised.as_ref()))
    }

    /// The same, to be changed.
    pub(crate) fn raised_mut(&mut self) -> impl Iterator<Item = &mut Raised> {
        let records = self.records.iter_mut();
        let errors = self.errors.iter_mut().map(|error| &mut error.raised);
        errors.chain(records.filter_map(|record| record.raised.as_mut()))
    }
}
