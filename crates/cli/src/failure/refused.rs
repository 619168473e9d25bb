//! Refused on its merits: a person said no, a gate was not passed, changes do not fit.

use proctor_core::edit::Refusal;
#[cfg(test)]
use proctor_core::failure::Sampled;
use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::Reason;
#[cfg(test)]
use proctor_core::object_id::CommitId;
use proctor_host::run_data::rescue_reference;
use thiserror::Error;

/// Why the work was refused.
#[derive(Debug, Error)]
pub(crate) enum Refused {
    /// A person ended the run at its review.
    #[error("run {run} was ended; nothing was merged")]
    Ended {
        /// The run's id.
        run: String,
        /// Whether something was uncommitted in its worktree.
        rescued: bool,
    },
    /// The run is not at its review.
    #[error("run {run} is at {stage} and has nothing to review yet")]
    NotAtReview {
        /// The run's id.
        run: String,
        /// Where it is.
        stage: &'static str,
        /// The command that continues it.
        resume: String,
    },
    /// The run has no tests that could be written again now.
    #[error("run {run} is {state} at {stage}, where its tests cannot be written again")]
    NoTestsToOpen {
        /// The run's id.
        run: String,
        /// `running`, `merged` or `aborted`.
        state: &'static str,
        /// Where it is.
        stage: &'static str,
    },
    /// The run's review is over.
    #[error("run {run} is {state} and has nothing to review any more")]
    Over {
        /// The run's id.
        run: String,
        /// `merged` or `aborted`.
        state: &'static str,
    },
    /// A merged run cannot be ended.
    #[error("run {run} is merged as {commit} and cannot be aborted")]
    Merged {
        /// The run's id.
        run: String,
        /// Its commit, short.
        commit: String,
    },
    /// The audit trail is not as it was written.
    #[error("record {seq} of the audit trail is broken: {problem}")]
    BrokenTrail {
        /// The first that does not hold.
        seq: i64,
        /// The problem.
        problem: &'static str,
    },
    /// The audit trail is shorter, or another, than it was when something was approved.
    #[error("the audit trail lacks what signed approvals name, so it was truncated or rewritten{}", lines_below(.0))]
    LostTrail(Vec<String>),
    /// A gate alone was not passed; a line for every reason.
    #[error("{words}{}", reasons_below(reasons))]
    Gate {
        /// The verdict, in words.
        words: String,
        /// The reasons for it.
        reasons: Vec<Reason>,
        /// The next step.
        next: &'static str,
    },
    /// A model's changes do not fit; a line for each.
    #[error("{}", all_of(.0))]
    Changes(Vec<Refusal>),
    /// Commits without an approval that counts; a line for each.
    #[error("{} of {of} commits not approved{}", missing.len(), lines_below(missing))]
    NotApproved {
        /// How many were looked at.
        of: usize,
        /// Which are not, and why.
        missing: Vec<String>,
        /// The remedies.
        hints: Vec<String>,
    },
    /// A push does something that no push may; a line for each ref.
    #[error("the push is declined{}", lines_below(.0))]
    Declined(Vec<String>),
    /// Commits that no gate has accepted; a line for each.
    #[error("nothing becomes part of a branch that no gate has accepted{}", lines_below(.0))]
    Unjudged(Vec<String>),
    /// The guard does not let the work continue like this.
    #[error("that is not possible now: {0}")]
    Guarded(String),
    /// A person left the guard as it is.
    #[error("the guard stays as it is")]
    GuardStays,
    /// Installed hooks do not answer; a line for each.
    #[error("the guard does not hold here{}", lines_below(.0))]
    GuardSilent(Vec<String>),
    /// A person did not trust the settings.
    #[error("nothing is trusted")]
    NotTrusted,
    /// There is no file that a model's changes could be made in.
    #[error("{0} does not exist, so there is nothing to change in it")]
    NothingToChange(String),
}

/// A line for every reason, which begins with its subject.
pub(super) fn reasons_below(reasons: &[Reason]) -> String {
    let line = |reason: &Reason| {
        let place = match (&reason.test, &reason.path, reason.line) {
            (Some(test), _, _) => format!("{test}: "),
            (None, Some(path), Some(line)) => format!("{path} line {line}: "),
            (None, Some(path), None) => format!("{path}: "),
            (None, None, _) => String::new(),
        };
        format!("\n{place}{} ({})", reason.message, reason.rule)
    };
    reasons.iter().map(line).collect()
}

fn lines_below(lines: &[String]) -> String {
    lines.iter().flat_map(|line| ["\n", line]).collect()
}

fn all_of(refusals: &[Refusal]) -> String {
    let texts: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    texts.join("\n")
}

impl Explained for Refused {
    fn kind(&self) -> Kind {
        Kind::Refused
    }

    fn is_answer(&self) -> bool {
        matches!(self, Self::Ended { .. } | Self::NotTrusted)
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Refused::Ended { run, rescued: true } => {
                let reference = rescue_reference(run);
                format!("what was uncommitted is kept: `git show {reference}`")
            }
            Refused::Ended { rescued: false, .. } => "its branch and its worktree are removed; `proctor log` has all of it".to_owned(),
            Refused::NotAtReview { resume, .. } => format!("go on with `{resume}`"),
            Refused::NoTestsToOpen { run, .. } => {
                format!("`proctor status {run}` says where it stands; `proctor resume {run}` goes on without `--tests`")
            }
            Refused::Over { run, .. } => {
                format!("`proctor report {run}` makes a page about what it did")
            }
            Refused::Merged { .. } => "`git revert` undoes a merged commit".to_owned(),
            Refused::BrokenTrail { .. } => "the database was changed; compare it with a backup".to_owned(),
            Refused::LostTrail(_) => "compare the database with a backup; where Proctor was ended while it approved, approve the same again, which needs no second touch".to_owned(),
            Refused::Gate { next, .. } => (*next).to_owned(),
            Refused::Changes(_) => "nothing was written; have all changes sent again".to_owned(),
            Refused::NotApproved { hints, .. } => return hints.clone(),
            Refused::Declined(_) => {
                "push commits on top of what is there, and approvals under names of their own".to_owned()
            }
            Refused::Unjudged(_) => {
                "fix what is named and try again; `proctor review` commits what a person approves".to_owned()
            }
            Refused::Guarded(_) | Refused::GuardStays => {
                "`proctor guard status` says how far the change is".to_owned()
            }
            Refused::GuardSilent(_) => {
                "fix what is named: proctor has to be on the search path of the client, and the client has to run its hooks".to_owned()
            }
            Refused::NotTrusted => {
                "take out of proctor.toml what you do not want; everything else in it counts".to_owned()
            }
            Refused::NothingToChange(_) => {
                "give the path from where you are; a new file is written whole, with `proctor write`".to_owned()
            }
        }]
    }
}

#[cfg(test)]
impl Sampled for Refused {
    fn samples() -> Vec<Self> {
        let text = str::to_owned;
        proctor_core::samples!(Refused {
            Refused::Ended { rescued: true, .. } => Refused::Ended { run: text("RUN"), rescued: true },
            Refused::Ended { rescued: false, .. } => Refused::Ended { run: text("RUN"), rescued: false },
            Refused::NotAtReview { .. } => Refused::NotAtReview {
                run: text("RUN"), stage: "STAGE", resume: text("proctor resume RUN"),
            },
            Refused::NoTestsToOpen { .. } => Refused::NoTestsToOpen { run: text("RUN"), state: "merged", stage: "STAGE" },
            Refused::Over { .. } => Refused::Over { run: text("RUN"), state: "merged" },
            Refused::Merged { .. } => Refused::Merged { run: text("RUN"), commit: text("COMMIT") },
            Refused::BrokenTrail { .. } => Refused::BrokenTrail { seq: 7, problem: "REASON" },
            Refused::LostTrail(_) => Refused::LostTrail(vec![text("REFERENCE")]),
            Refused::Gate { .. } => Refused::Gate { words: text("this is not a valid red"), reasons: vec![Reason {
                rule: text("RULE").into(), test: Some(text("TEST")), path: None, line: None, message: text("REASON"), order: None,
            }], next: "fix the problems above and run the gate again" },
            Refused::Changes(_) => Refused::Changes(vec![Refusal {
                index: Some(1), kind: proctor_core::edit::RefusalKind::NotFound, message: text("REASON").into(), lines: Vec::new(),
            }]),
            Refused::NotApproved { .. } => {
                let commit = CommitId::parse(&"0".repeat(40)).expect("forty digits");
                let reason = proctor_core::approval::Reason::NoApproval;
                Refused::NotApproved {
                    of: 2,
                    missing: vec![format!("COMMIT: {reason} ({})", reason.key())],
                    hints: vec![reason.hint(&commit, proctor_host::run_data::FETCH_APPROVALS).replace(commit.short(), "COMMIT")],
                }
            },
            Refused::Declined(_) => Refused::Declined(vec![text("REFERENCE: REASON")]),
            Refused::Unjudged(_) => Refused::Unjudged(vec![text("COMMIT: REASON")]),
            Refused::Guarded(_) => Refused::Guarded(text("REASON")),
            Refused::GuardStays => Refused::GuardStays,
            Refused::GuardSilent(_) => Refused::GuardSilent(vec![text("CLIENT: REASON")]),
            Refused::NotTrusted => Refused::NotTrusted,
            Refused::NothingToChange(_) => Refused::NothingToChange(text("PATH")),
        })
    }
}
