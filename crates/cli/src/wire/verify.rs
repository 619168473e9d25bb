//! `verify` and `keys`.

use proctor_core::approval::{Accepted, Reason, SignerLine, UserPresence};
use proctor_core::gate::{SourceFlag, VerdictWord};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_host::run_data::FETCH_APPROVALS;
use serde::Serialize;

/// The facts about every commit.
#[derive(Serialize)]
pub(crate) struct VerifyDocument<'a> {
    pub(crate) commits: Vec<VerifyRow<'a>>,
    /// Refusals of a push that do not depend on approvals.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) declined: &'a [String],
}

/// One commit.
#[derive(Serialize)]
pub(crate) struct VerifyRow<'a> {
    commit: &'a CommitId,
    tree: &'a TreeId,
    base: Option<&'a CommitId>,
    approved: bool,
    /// The approvers' addresses.
    by: Option<String>,
    /// The least that an approval shows.
    presence: Option<UserPresence>,
    /// Why it is not approved, in one word.
    reason: Option<&'static str>,
    /// The same in a sentence.
    message: Option<String>,
    hint: Option<String>,
    rejudged: Option<VerdictWord>,
    /// Facts that a person should look at; only where it was judged again.
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<&'a [SourceFlag]>,
}

impl<'a> VerifyRow<'a> {
    pub(crate) fn of(
        (commit, tree, base): (&'a CommitId, &'a TreeId, Option<&'a CommitId>),
        outcome: Result<&[Accepted], &Reason>,
        rejudged: Option<(VerdictWord, &'a [SourceFlag])>,
    ) -> Self {
        let accepted = outcome.unwrap_or_default();
        let names: Vec<&str> = accepted.iter().map(|it| it.by.as_str()).collect();
        let reason = outcome.err();
        Self {
            commit,
            tree,
            base,
            approved: reason.is_none(),
            by: (!names.is_empty()).then(|| names.join(", ")),
            presence: accepted.iter().map(|it| it.presence).min(),
            reason: reason.map(Reason::key),
            message: reason.map(ToString::to_string),
            hint: reason.map(|reason| reason.hint(commit, FETCH_APPROVALS)),
            rejudged: rejudged.map(|(word, _)| word),
            flags: rejudged.map(|(_, flags)| flags),
        }
    }
}

/// The signers who may approve.
#[derive(Serialize)]
pub(crate) struct KeysDocument<'a> {
    pub(crate) path: &'static str,
    pub(crate) keys: Vec<KeyRow<'a>>,
    /// Lines that say nothing, and why.
    pub(crate) skipped: Vec<SkippedRow>,
    /// The line that was added, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) added: Option<String>,
    /// How many lines were taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) removed: Option<usize>,
}

/// One signer line.
#[derive(Serialize)]
pub(crate) struct KeyRow<'a> {
    principals: &'a [String],
    algorithm: &'static str,
    fingerprint: String,
    hardware: bool,
    authority: bool,
    valid_after: Option<i64>,
    valid_before: Option<i64>,
}

/// One line that says nothing.
#[derive(Serialize)]
pub(crate) struct SkippedRow {
    pub(crate) line: usize,
    pub(crate) reason: String,
}

impl<'a> KeyRow<'a> {
    pub(crate) fn of(line: &'a SignerLine) -> Self {
        Self {
            principals: &line.principals,
            algorithm: line.key.algorithm(),
            fingerprint: line.key.fingerprint(),
            hardware: line.key.material.is_in_hardware(),
            authority: line.is_authority,
            valid_after: line.valid_after,
            valid_before: line.valid_before,
        }
    }
}
