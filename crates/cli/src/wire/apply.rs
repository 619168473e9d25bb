//! `apply`.

use proctor_core::edit::{AppliedChange, Refusal};
use proctor_core::path::ProjectPath;
use serde::Serialize;

/// Changes and their fate.
#[derive(Serialize)]
pub(crate) struct ApplyDocument<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) applied: bool,
    pub(crate) changes: &'a [AppliedChange],
    pub(crate) errors: &'a [Refusal],
    /// With `--dry-run`: the changes that would have been made.
    #[serde(flatten)]
    pub(crate) rehearsal: Option<Rehearsal<'a>>,
}

/// Changes that were not written.
#[derive(Serialize)]
pub(crate) struct Rehearsal<'a> {
    dry_run: bool,
    diff: &'a str,
}

impl<'a> Rehearsal<'a> {
    pub(crate) fn new(diff: &'a str) -> Self {
        Self {
            dry_run: true,
            diff,
        }
    }
}
