//! A person is needed, and was absent or did not answer. Nothing went wrong and nothing is lost.

#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::Reason;
use proctor_core::generation::Hold;
use proctor_core::permission::REVIEW_CANNOT_BE_BYPASSED;
use proctor_core::safe_write::Concern;
use proctor_core::workflow::Waiting;
use proctor_host::trust::by_variable;
use thiserror::Error;

use super::refused::reasons_below;

/// The question that waits for a person.
#[derive(Debug, Error)]
pub(crate) enum Unanswered {
    /// A run is parked.
    #[error("{}", parked(run, waiting, *auto))]
    Parked {
        /// The run's id.
        run: String,
        /// The matter it waits for.
        waiting: Waiting,
        /// Whether it was started with `--auto`.
        auto: bool,
        /// Whether a green that was accepted is still on offer.
        offered: bool,
        /// How a command line for this repository begins.
        proctor: String,
    },
    /// The terminal is a coding agent's.
    #[error("this is a coding agent's terminal ({mark} is set), and {matter}")]
    AgentTerminal {
        /// The variable that marks the terminal.
        mark: &'static str,
        /// The matter that only a person can decide.
        matter: String,
        /// The command that asks one.
        way: String,
    },
    /// A gate cannot decide; a line for everything that a person has to look at.
    #[error("a person has to decide{}", reasons_below(reasons))]
    Gate {
        /// The reasons.
        reasons: Vec<Reason>,
        /// The next step.
        next: &'static str,
    },
    /// No person at a terminal has decided about the guard.
    #[error("a person has to decide about this at a terminal; the guard stays as it is")]
    Guard {
        /// The command that asks.
        way: String,
    },
    /// No person at a terminal has decided whether settings are trusted.
    #[error("a person has to decide about this at a terminal; nothing is trusted")]
    Trust {
        /// The digests that would be trusted.
        digests: String,
    },
}

/// A matter that only a person can decide.
#[derive(Debug)]
pub(crate) enum Matter<'a> {
    /// Whether this run, or the change in the checkout, is approved.
    Review(Option<&'a str>),
    /// Whether `write` or `apply` may make a write of concern.
    Write(&'static str, &'a Concern),
    /// Whether settings are trusted.
    Trust,
    /// The guard's state, through this command.
    Guard(&'static str),
}

impl Unanswered {
    /// Said in place of the question in a terminal that this variable marks as a coding agent's.
    pub(crate) fn in_terminal_of(mark: &'static str, matter: &Matter<'_>, proctor: &str) -> Self {
        let (matter, way) = match matter {
            Matter::Review(run) => {
                let run = run.map(|run| format!(" {run}")).unwrap_or_default();
                let way = format!("`{proctor} review{run}`; `--dry-run` shows the report anywhere");
                ("a review is a person's".to_owned(), way)
            }
            Matter::Write(command, concern) => {
                let way = format!(
                    "`{proctor} {command}` with the content in --from FILE; `--dry-run` says anywhere what would happen"
                );
                (format!("a person has to agree: {concern}"), way)
            }
            Matter::Guard(command) => {
                let way = format!("`{proctor} guard {command}`");
                ("what becomes of the guard is a person's".to_owned(), way)
            }
            Matter::Trust => {
                let way = format!("`{proctor} trust`");
                ("trusting settings is a person's".to_owned(), way)
            }
        };
        Self::AgentTerminal { mark, matter, way }
    }
}

fn parked(run: &str, waiting: &Waiting, auto: bool) -> String {
    if auto && *waiting == Waiting::Review {
        return format!("{REVIEW_CANNOT_BE_BYPASSED} Run {run} waits for it");
    }
    format!("run {run} waits for {waiting}")
}

impl Explained for Unanswered {
    fn kind(&self) -> Kind {
        Kind::NeedsPerson
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Parked {
                run,
                waiting,
                proctor,
                offered,
                ..
            } => ways_on(waiting, run, proctor, *offered),
            Self::AgentTerminal { way, .. } => vec![format!("in a terminal of your own: {way}")],
            Self::Gate { next, .. } => vec![(*next).to_owned()],
            Self::Guard { way } => vec![format!("`{way}` at a terminal asks")],
            Self::Trust { digests } => vec![format!(
                "`proctor trust` at a terminal asks; without a person, {}",
                by_variable(digests)
            )],
        }
    }
}

#[cfg(test)]
impl Sampled for Unanswered {
    fn samples() -> Vec<Self> {
        let reason = || "REASON".to_owned();
        let parked = |waiting, auto| Unanswered::Parked {
            run: "RUN".to_owned(),
            waiting,
            auto,
            offered: false,
            proctor: "proctor".to_owned(),
        };
        let mut samples = proctor_core::samples!(Unanswered {
            Unanswered::Parked { .. } => parked(Waiting::Review, true),
            Unanswered::AgentTerminal { .. } => Self::in_terminal_of("VARIABLE", &Matter::Review(None), "proctor"),
            Unanswered::Gate { .. } => Unanswered::Gate {
                reasons: vec![Reason {
                    rule: "RULE".to_owned().into(),
                    test: Some("TEST".to_owned()),
                    path: None,
                    line: None,
                    message: reason(),
                    order: None,
                }],
                next: "have a person look at what is named: `proctor review`",
            },
            Unanswered::Guard { .. } => Unanswered::Guard { way: "proctor guard reopen".to_owned() },
            Unanswered::Trust { .. } => Unanswered::Trust { digests: "DIGEST".to_owned() },
        });
        let large = Concern::sample();
        for matter in [
            Matter::Trust,
            Matter::Guard("reopen"),
            Matter::Write("write", &large),
        ] {
            samples.push(Self::in_terminal_of("VARIABLE", &matter, "proctor"));
        }
        let over_budget = |most| Hold::OverBudget {
            limit: 1_000_000,
            spent: 900_000,
            most,
        };
        let waiting = proctor_core::samples!(Waiting {
            Waiting::Review => Waiting::Review,
            Waiting::Attempts { .. } => Waiting::Attempts { last_reason: reason() },
            Waiting::GaveUp { .. } => Waiting::GaveUp { reason: reason() },
            Waiting::Tests { .. } => Waiting::Tests { reason: reason() },
            Waiting::Disputed { .. } => Waiting::Disputed { reason: reason() },
            Waiting::OwnTests { .. } => Waiting::OwnTests { reason: reason() },
            Waiting::Judgement { .. } => Waiting::Judgement { reason: reason() },
            Waiting::Request(Hold::Secrets { .. }) => Waiting::Request(held_secrets()),
            Waiting::Request(Hold::TooLarge { .. }) => {
                Waiting::Request(Hold::TooLarge { tokens: 300_000, largest: "PATH".to_owned() })
            },
            Waiting::Request(Hold::OverBudget { most: Some(_), .. }) => Waiting::Request(over_budget(Some(200_000))),
            Waiting::Request(Hold::OverBudget { most: None, .. }) => Waiting::Request(over_budget(None)),
            Waiting::Request(Hold::OverTokens { .. }) => {
                Waiting::Request(Hold::OverTokens { limit: 1000, spent: 900, most: 200 })
            },
            Waiting::Write { .. } => Waiting::Write { reason: reason() },
            Waiting::Worktree { .. } => Waiting::Worktree { reason: reason() },
            Waiting::Conflict { .. } => Waiting::Conflict { files: vec!["PATH".to_owned()] },
            Waiting::Checkout { .. } => Waiting::Checkout { reason: reason() },
        });
        samples.extend(waiting.into_iter().map(|waiting| parked(waiting, false)));
        samples
    }
}

/// A request that is held back because of its contents.
#[cfg(test)]
pub(super) fn held_secrets() -> Hold {
    Hold::Secrets {
        secrets: vec![proctor_core::generation::HeldSecret {
            place: "PATH".to_owned(),
            description: "SECRET".to_owned(),
            fingerprint: "0123456789ab".parse().expect("twelve digits"),
        }],
    }
}

/// Everything that a person can do about a parked run.
fn ways_on(waiting: &Waiting, run: &str, proctor: &str, offered: bool) -> Vec<String> {
    let (review, resume, abort) = (
        format!("{proctor} review {run}"),
        format!("{proctor} resume {run}"),
        format!("{proctor} abort {run}"),
    );
    let opened = format!("`{resume} --tests \"what to change\"` has the tests written again");
    let other = "`--model SPEC` with it asks another model";
    let ended = format!("`{abort}` ends the run");
    let mut ways = match waiting {
        Waiting::Review => vec![format!("at a terminal: `{review}`")],
        Waiting::Attempts { .. } | Waiting::GaveUp { .. } => vec![
            format!("`{resume}` gives the model three more attempts; {other}"),
            opened,
            ended,
        ],
        Waiting::Tests { .. } => vec![
            format!("`{resume}` gives the model three more attempts at the tests; {other}"),
            format!("`{resume} --tests \"what to change\"` does so with your words"),
            ended,
        ],
        Waiting::Disputed { .. } => vec![
            opened,
            format!("`{resume}` keeps them and asks for the code again; {other}"),
            ended,
        ],
        Waiting::OwnTests { .. } => vec![
            format!(
                "edit the tests again, then `{resume}`; without an edit it gives them to the model"
            ),
            ended,
        ],
        Waiting::Judgement { .. } => vec![format!(
            "when that is fixed, `{resume}` judges again; {ended}"
        )],
        Waiting::Request(hold) => vec![way_past(hold, &resume, &abort)],
        Waiting::Worktree { .. } => vec![format!(
            "when it is back as it was, `{resume}` goes on; {ended}"
        )],
        Waiting::Write { .. } => vec![format!("at a terminal: `{resume}`")],
        Waiting::Conflict { .. } => vec![format!(
            "`{resume}` tries again when the base branch has changed; {ended} and keeps its work"
        )],
        Waiting::Checkout { .. } => vec![format!(
            "commit or stash what is in the way, then `{resume}`; the approval stays valid"
        )],
    };
    if offered && *waiting != Waiting::Review {
        ways.push(format!(
            "`{review}` still offers the last green that was accepted"
        ));
    }
    ways
}

/// The way to release a request that was held back.
fn way_past(hold: &Hold, resume: &str, abort: &str) -> String {
    match hold {
        Hold::OverBudget { most: Some(_), .. } => format!(
            "raise `[model] max_cost_usd` in proctor.toml, then `{resume}`; `{abort}` ends the run"
        ),
        Hold::OverBudget { most: None, .. } => format!(
            "set the model's price in `[model.prices]` or take `[model] max_cost_usd` out, both in proctor.toml, \
             then `{resume}`; `{abort}` ends the run"
        ),
        Hold::OverTokens { .. } => format!(
            "raise `[model] max_run_tokens` in proctor.toml, then `{resume}`; `{abort}` ends the run"
        ),
        Hold::TooLarge { .. } => {
            format!("`{abort}` ends the run; start again with less context")
        }
        Hold::Secrets { .. } => {
            let options = hold
                .fingerprints()
                .map(|it| format!(" --allow-secret {it}"));
            format!(
                "if that is not a secret, `{resume}{}` lets it pass; otherwise `{abort}` and start again without it",
                options.collect::<String>()
            )
        }
    }
}
