//! `review`.

use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::review_gate::{FileReport, ReportedFile};
use proctor_host::journal::RunId;
use serde::Serialize;

/// The reviewed change, and the decision.
#[derive(Serialize)]
pub(crate) struct ReviewDocument<'a> {
    pub(crate) tree: &'a TreeId,
    pub(crate) flagged: Vec<&'a str>,
    pub(crate) diff_stat: String,
    pub(crate) decision: Option<&'a str>,
    pub(crate) commit: Option<&'a CommitId>,
    pub(crate) files: Vec<&'a FileReport>,
    /// The run, where it is a run's review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<&'a RunId>,
    /// Directories that were not looked at, where it is a review of working changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) left_out: Option<Vec<&'a str>>,
}

impl<'a> ReviewDocument<'a> {
    /// Of something that is yet to be decided; `stat` puts the reports into a table.
    pub(crate) fn of(
        tree: &'a TreeId,
        files: &'a [ReportedFile],
        stat: fn(&[&FileReport]) -> String,
    ) -> Self {
        let reports: Vec<&FileReport> = files.iter().map(|file| &file.report).collect();
        let flagged = reports.iter().filter(|report| report.requires_review);
        Self {
            tree,
            flagged: flagged.map(|report| report.path.as_str()).collect(),
            diff_stat: stat(&reports),
            decision: None,
            commit: None,
            files: reports,
            run: None,
            left_out: None,
        }
    }
}
