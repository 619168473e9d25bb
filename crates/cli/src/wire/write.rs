//! `write`.

use proctor_core::safe_write::Proposal;
use serde::Serialize;

/// A write that was proposed, and whether it was carried out.
#[derive(Serialize)]
pub(crate) struct WriteDocument<'a> {
    path: &'a str,
    existed: bool,
    existing_lines: usize,
    new_lines: usize,
    requires_approval: bool,
    strategy: &'static str,
    written: bool,
    sha256_before: Option<String>,
    sha256_after: String,
}

impl<'a> WriteDocument<'a> {
    pub(crate) fn of(proposal: &'a Proposal, written: bool) -> Self {
        Self {
            path: proposal.path.as_str(),
            existed: proposal.existed(),
            existing_lines: proposal.existing_lines(),
            new_lines: proposal.new_lines(),
            requires_approval: proposal.concern().is_some(),
            strategy: proposal.way.key(),
            written,
            sha256_before: proposal.sha256_before(),
            sha256_after: proposal.sha256_after(),
        }
    }
}
