//! `gate`.

use proctor_core::gate::{ChangeKind, Verified};
use proctor_core::mutants::{MutantReport, Survivor};
use proctor_host::gate::ChangeJudged;
use serde::Serialize;

use super::verdict::{Conclusion, Grounds};

/// A gate's verdict on the changes in a checkout.
#[derive(Serialize)]
pub(crate) struct GateDocument<'a> {
    kind: ChangeKind,
    #[serde(flatten)]
    conclusion: Conclusion<'a>,
    verified: Verified,
    mutants: Option<Mutants<'a>>,
    runner: &'a str,
    runner_exit_code: Option<i32>,
    #[serde(flatten)]
    grounds: Grounds<'a>,
    next: &'a str,
}

/// The mutants' result.
#[derive(Serialize)]
pub(super) struct Mutants<'a> {
    made: usize,
    killed: usize,
    survived: &'a [Survivor],
}

impl<'a> Mutants<'a> {
    pub(super) fn of(report: &'a MutantReport) -> Self {
        Self {
            made: report.made,
            killed: report.killed,
            survived: &report.survived,
        }
    }
}

impl<'a> GateDocument<'a> {
    pub(crate) fn of(judged: &'a ChangeJudged, next: &'a str) -> Self {
        let verdict = &judged.verdict;
        Self {
            kind: judged.kind,
            conclusion: Conclusion::new(judged.word, verdict),
            verified: verdict.verified,
            mutants: verdict.mutants.as_ref().map(Mutants::of),
            runner: &judged.runner,
            runner_exit_code: verdict.exit_code,
            grounds: Grounds {
                checks: &verdict.checks,
                notes: &verdict.notes,
                runs: &judged.runs,
                flags: &judged.flags,
                sandbox: judged.sandbox.map(|level| level.to_string()),
            },
            next,
        }
    }
}
