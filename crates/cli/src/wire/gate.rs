//! `gate`.

use proctor_host::gate::{ChangeJudged, WhichGate};
use serde::Serialize;

use super::verdict::{Conclusion, Grounds, VerdictWord};

/// What a gate says about the changes in a checkout.
#[derive(Serialize)]
pub(crate) struct GateDocument<'a> {
    #[serde(flatten)]
    conclusion: Conclusion<'a>,
    runner_exit_code: Option<i32>,
    #[serde(flatten)]
    grounds: Grounds<'a>,
}

impl<'a> GateDocument<'a> {
    pub(crate) fn of(gate: WhichGate, judged: &'a ChangeJudged) -> Self {
        let verdict = &judged.verdict;
        let word = match gate {
            WhichGate::Red => VerdictWord::red(verdict),
            WhichGate::Green => VerdictWord::green(verdict),
        };
        Self {
            conclusion: Conclusion::new(word, verdict),
            runner_exit_code: verdict.exit_code,
            grounds: Grounds {
                checks: &verdict.checks,
                notes: &verdict.notes,
                runs: &judged.runs,
                flags: &judged.flags,
                sandbox: judged.sandbox.to_string(),
            },
        }
    }
}
