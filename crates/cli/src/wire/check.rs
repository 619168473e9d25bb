//! `check`, and the plan that `run --dry-run` prints.

use proctor_core::limits::{ContextFile, ContextProblem};
use proctor_core::lld::{PlannedFile, Scenario};
use proctor_core::object_id::CommitId;
use serde::Serialize;

/// The contents of a design document and its context, and their problems.
#[derive(Serialize)]
pub(crate) struct CheckDocument<'a> {
    pub(crate) files: Vec<&'a PlannedFile>,
    pub(crate) scenarios: &'a [Scenario],
    pub(crate) requirements: &'a [String],
    pub(crate) context: Vec<ContextRow<'a>>,
    pub(crate) total_tokens: usize,
    pub(crate) problems: Vec<&'a ContextProblem>,
    /// Files that the listed ones import and that are not shown.
    pub(crate) suggested_context: &'a [String],
}

/// A run's plan.
#[derive(Serialize)]
pub(crate) struct PlanDocument<'a> {
    pub(crate) issue: &'a str,
    pub(crate) branch: String,
    pub(crate) base: &'a CommitId,
    pub(crate) model: Option<&'a str>,
    pub(crate) files: Vec<&'a PlannedFile>,
    pub(crate) scenarios: &'a [Scenario],
    pub(crate) requirements: &'a [String],
    pub(crate) context: Vec<ContextRow<'a>>,
    pub(crate) total_tokens: usize,
    pub(crate) warnings: Vec<&'a str>,
    pub(crate) dry_run: bool,
}

/// A context file.
#[derive(Serialize)]
pub(crate) struct ContextRow<'a> {
    path: &'a str,
    bytes: usize,
    tokens: usize,
}

impl<'a> ContextRow<'a> {
    /// A row for each file.
    pub(crate) fn all(files: &'a [ContextFile]) -> Vec<Self> {
        let row = |file: &'a ContextFile| Self {
            path: &file.path,
            bytes: file.bytes,
            tokens: file.tokens,
        };
        files.iter().map(row).collect()
    }
}
