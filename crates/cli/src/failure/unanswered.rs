//! A person is needed, and there was none or none who answered. Nothing went wrong and nothing is lost.

use proctor_core::generation::Hold;
use proctor_core::permission::REVIEW_CANNOT_BE_BYPASSED;
use proctor_core::workflow::Waiting;
use thiserror::Error;

use super::{Failure, Kind};

/// What waits for a person.
#[derive(Debug, Error)]
pub(crate) enum Unanswered {
    /// A run is parked.
    #[error("{}", parked(run, waiting, *auto))]
    Parked {
        /// The run.
        run: String,
        /// For what.
        waiting: Waiting,
        /// Whether it was started with `--auto`.
        auto: bool,
        /// How a command line for this repository begins.
        proctor: String,
    },
    /// Somebody's own changes are to be approved and there is no terminal.
    #[error("a person has to approve this at a terminal; nothing was committed")]
    NoTerminal {
        /// The command that asks again.
        again: String,
    },
    /// The question about somebody's own changes was left.
    #[error("nothing was decided, nothing was committed")]
    Undecided {
        /// The command that asks again.
        again: String,
    },
    /// Approved, but without a commit message.
    #[error("there is no message, nothing was committed")]
    NoMessage,
}

fn parked(run: &str, waiting: &Waiting, auto: bool) -> String {
    if auto && *waiting == Waiting::Review {
        return format!("{REVIEW_CANNOT_BE_BYPASSED} Run {run} waits for it");
    }
    format!("run {run} waits for {waiting}")
}

impl From<Unanswered> for Failure {
    fn from(error: Unanswered) -> Self {
        let failure = Self::new(Kind::NeedsPerson, error.to_string());
        match error {
            Unanswered::Parked {
                run,
                waiting,
                proctor,
                ..
            } => failure.hint(way_on(&waiting, &run, &proctor)),
            Unanswered::NoTerminal { again } => failure
                .hint(format!("run `{again}` in a terminal"))
                .hint(format!("`{again} --dry-run` prints the report alone")),
            Unanswered::Undecided { again } => failure.hint(format!("come back with `{again}`")),
            Unanswered::NoMessage => {
                failure.hint("give one with -m MESSAGE, or type one when you are asked")
            }
        }
    }
}

/// What a person can do about a parked run.
fn way_on(waiting: &Waiting, run: &str, proctor: &str) -> String {
    let (review, resume, abort) = (
        format!("{proctor} review {run}"),
        format!("{proctor} resume {run}"),
        format!("{proctor} abort {run}"),
    );
    match waiting {
        Waiting::Review => format!("at a terminal: `{review}`"),
        Waiting::Attempts { .. } | Waiting::GaveUp { .. } => {
            format!("`{resume}` gives the model three more attempts, `{abort}` ends the run")
        }
        Waiting::Judgement { .. } => {
            format!("when that is mended, `{resume}` judges again; `{abort}` ends the run")
        }
        Waiting::Request(Hold::OverBudget { most: Some(_), .. }) => {
            format!(
                "raise `[model] max_cost_usd` in proctor.toml, then `{resume}`; `{abort}` ends the run"
            )
        }
        Waiting::Request(Hold::OverBudget { most: None, .. }) => format!(
            "set the model's price in `[model.prices]` or take `[model] max_cost_usd` out, both in proctor.toml, \
             then `{resume}`; `{abort}` ends the run"
        ),
        Waiting::Request(Hold::OverTokens { .. }) => format!(
            "raise `[model] max_run_tokens` in proctor.toml, then `{resume}`; `{abort}` ends the run"
        ),
        Waiting::Request(Hold::TooLarge { .. }) => {
            format!("`{abort}` ends the run; start again with less context")
        }
        Waiting::Request(hold @ Hold::Secrets { .. }) => {
            let options = hold
                .fingerprints()
                .map(|it| format!(" --allow-secret {it}"));
            format!(
                "if that is no secret, `{resume}{}` lets it pass; otherwise `{abort}` and start again without it",
                options.collect::<String>()
            )
        }
        Waiting::Worktree { .. } => {
            format!("when it is back as it was, `{resume}` goes on; `{abort}` ends the run")
        }
        Waiting::Write { .. } => format!("at a terminal: `{resume}`"),
        Waiting::Conflict { .. } => format!(
            "`{resume}` tries again when the base branch has changed; `{abort}` ends the run and keeps its work"
        ),
        Waiting::Checkout { .. } => {
            format!("commit or stash what is in the way, then `{resume}`; the approval stays valid")
        }
    }
}
