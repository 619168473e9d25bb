//! Events, in a person's words.

use proctor_core::gate::{Baseline, Disposition};
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::path::ProjectPath;
use proctor_core::permission::REVIEW_CANNOT_BE_BYPASSED;
use proctor_core::test_outcome::Ending;
use proctor_core::workflow::{Choice, Effect, Event, GateResult, LintResult, Run};

use super::gate_words::{Gate, counts, reason};
use super::text::{counted, grouped, phrase};

/// How many paths a line names.
const PATHS_NAMED: usize = 3;

/// Whether it is good news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A step that succeeded.
    Good,
    /// A refusal.
    Bad,
    /// Neither of the two.
    Fact,
}

/// One permanent line and the lines below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) mark: Mark,
    pub(crate) words: String,
    pub(crate) details: Vec<String>,
}

impl Outcome {
    fn new(mark: Mark, words: impl Into<String>) -> Self {
        Self {
            mark,
            words: words.into(),
            details: Vec::new(),
        }
    }

    fn with(self, details: Vec<String>) -> Self {
        Self { details, ..self }
    }

    /// `effect` is the effect that the event answers; `run` is the run after the event.
    pub(crate) fn of(run: &Run, effect: Option<&Effect>, event: &Event) -> Self {
        let branch = &run.started().base_branch;
        match event {
            Event::ContextLoaded(context) => Self::new(
                Mark::Good,
                format!(
                    "{} and {} to write, about {} tokens",
                    counted(context.sources.len(), "source file"),
                    counted(context.tests.len(), "test file"),
                    grouped(context.tokens as u64)
                ),
            ),
            Event::WorktreeCreated { .. } => Self::new(
                Mark::Good,
                format!("worktree made from {branch} at {}", run.base().short()),
            ),
            Event::BaselineTaken { baseline } => Self::new(Mark::Good, baseline_words(baseline)),
            Event::RequestHeld(hold) => refused("the model was not asked", &hold.to_string()),
            Event::SecretAllowed { fingerprint } => Self::new(
                Mark::Fact,
                format!("the finding {fingerprint} of the secret scan is let through"),
            ),
            Event::ModelReplied(reply) => reply_outcome(reply),
            Event::ReplyRefused { reason } | Event::ChangesUnreadable { reason } => {
                refused("reply refused", &reason.facts())
            }
            Event::ReplyCutOff { reason } => refused("reply not used", &reason.facts()),
            Event::FileChanged { reason } => refused("nothing written", reason),
            Event::GaveUp { reason } => refused("the model gave up", reason),
            Event::TestsDisputed { .. }
            | Event::TestsReopened { .. }
            | Event::TestsTaken { .. }
            | Event::GreenRecalled { .. }
            | Event::ModelChosen { .. } => way_back(event),
            Event::WriteNeedsPerson { reason } => refused("a person has to allow this", reason),
            Event::FilesWritten { paths, .. } => {
                let verb = match effect {
                    Some(Effect::DeleteFile { .. }) => "deleted",
                    _ => "wrote",
                };
                Self::new(Mark::Good, format!("{verb} {}", named(paths)))
            }
            Event::RedJudged(result) => gate_outcome(Gate::Red, result, run.baseline()),
            Event::GreenJudged(result) => gate_outcome(Gate::Green, result, run.baseline()),
            Event::Linted(result) => lint_outcome(result),
            Event::PersonDecided(decision) => {
                let (mark, verb) = match decision.choice {
                    Choice::Approve => (Mark::Good, "approved"),
                    Choice::Comment { .. } => (Mark::Fact, "sent back with comments"),
                    Choice::Reject { .. } => (Mark::Bad, "rejected"),
                    Choice::Abort => (Mark::Bad, "aborted"),
                };
                Self::new(mark, format!("{verb} by {}", decision.by))
            }
            Event::NoOneToAsk => Self::new(Mark::Fact, REVIEW_CANNOT_BE_BYPASSED),
            Event::BaseMoved { tip, .. } => Self::new(
                Mark::Fact,
                format!(
                    "{branch} has moved to {}; the merged result is judged again",
                    tip.short()
                ),
            ),
            Event::MergeConflicted { files } => Self::new(
                Mark::Bad,
                format!("{branch} has changed the same lines of these files:"),
            )
            .with(files.clone()),
            Event::CheckoutBusy { reason } => refused("not merged", reason),
            Event::Merged { commit } => Self::new(
                Mark::Good,
                format!("merged into {branch} as {}", commit.short()),
            ),
            Event::Resumed => Self::new(Mark::Fact, "going on"),
            Event::Aborted => Self::new(Mark::Bad, "aborted"),
            Event::WorktreeRemoved { rescue: None } => Self::new(Mark::Fact, "worktree removed"),
            Event::WorktreeRemoved {
                rescue: Some(commit),
            } => Self::new(
                Mark::Fact,
                format!(
                    "worktree removed; what was uncommitted is kept in commit {}",
                    commit.short()
                ),
            ),
        }
    }
}

/// Events that lift the seal of the tests, and a person's action on a run that got stuck.
fn way_back(event: &Event) -> Outcome {
    let words = match event {
        Event::TestsDisputed { reason } => {
            return refused("the model says that the tests are wrong", reason);
        }
        Event::TestsReopened { by, .. } => format!("{by} has the tests written again"),
        Event::TestsTaken { by, paths, .. } => {
            format!("{} as edited by {by}; the red gate is next", named(paths))
        }
        Event::GreenRecalled { tree } => format!(
            "back to the last green that was accepted, tree {}",
            tree.short()
        ),
        Event::ModelChosen { model } => format!("{model} is asked from now on"),
        _ => String::new(),
    };
    Outcome::new(Mark::Fact, words)
}

/// The first line of the reason beside the heading, the others below it.
fn refused(heading: &str, reason: &str) -> Outcome {
    let others = reason
        .lines()
        .filter(|line| !line.trim().is_empty())
        .skip(1)
        .map(phrase)
        .collect();
    Outcome::new(Mark::Bad, format!("{heading}: {}", phrase(reason))).with(others)
}

fn baseline_words(baseline: &Baseline) -> String {
    let count = |endings: &[Ending]| {
        let tests = baseline.tests.values();
        tests.filter(|test| endings.contains(&test.ending)).count()
    };
    let passed = count(&[Ending::Passed]);
    let verb = if passed == 1 { "passes" } else { "pass" };
    let mut parts = vec![format!("{} {verb} at the base", counted(passed, "test"))];
    let mut say = |number: usize, one: &str, many: &str| {
        if number > 0 {
            let verb = if number == 1 { one } else { many };
            parts.push(format!("{} {verb}", grouped(number as u64)));
        }
    };
    say(count(&[Ending::Failed, Ending::Error]), "fails", "fail");
    say(count(&[Ending::Skipped]), "is skipped", "are skipped");
    let (one, many) = ("fails as expected", "fail as expected");
    say(count(&[Ending::Xfailed]), one, many);
    let (one, many) = ("passes against its mark", "pass against their marks");
    say(count(&[Ending::Xpassed]), one, many);
    say(
        count(&[Ending::Deselected]),
        "is deselected",
        "are deselected",
    );
    say(count(&[Ending::NotRun]), "was not run", "were not run");
    let files = baseline.uncollectable.len();
    if files > 0 {
        parts.push(format!("{} cannot be loaded", counted(files, "file")));
    }
    parts.join(", ")
}

fn reply_outcome(reply: &ModelReply) -> Outcome {
    // Scripts and programs do not count.
    let tokens = match reply.output_tokens {
        0 => String::new(),
        tokens => format!(", {} tokens", grouped(tokens)),
    };
    match reply.stop_reason {
        StopReason::EndTurn => Outcome::new(Mark::Good, format!("the model replied{tokens}")),
        StopReason::MaxTokens => Outcome::new(
            Mark::Bad,
            format!("the reply is cut off at its limit{tokens}"),
        ),
        StopReason::Refusal => Outcome::new(Mark::Bad, "the model declined to answer"),
    }
}

fn named(paths: &[ProjectPath]) -> String {
    let mut names: Vec<String> = paths
        .iter()
        .take(PATHS_NAMED)
        .map(ToString::to_string)
        .collect();
    if paths.len() > PATHS_NAMED {
        names.push(format!("{} more", paths.len() - PATHS_NAMED));
    }
    names.join(", ")
}

fn gate_outcome(gate: Gate, result: &GateResult, baseline: Option<&Baseline>) -> Outcome {
    let verdict = &result.verdict;
    let counts = counts(gate, verdict, baseline);
    let colour = match gate {
        Gate::Red => "red",
        Gate::Green => "green",
    };
    if verdict.is_accepted() {
        let words = if counts.is_empty() {
            colour.to_owned()
        } else {
            format!("{colour}: {counts}")
        };
        let notes = verdict
            .notes
            .iter()
            .map(|note| format!("note: {}", phrase(note)))
            .collect();
        return Outcome::new(Mark::Good, words).with(notes);
    }
    let heading = match verdict.disposition() {
        Disposition::Escalate => "cannot be judged",
        Disposition::Reopen => "the tests are at fault",
        Disposition::Accepted | Disposition::Revise => "refused",
    };
    let reasons = verdict.reasons.iter().map(reason);
    let reasons: Vec<String> = reasons.collect();
    match reasons.as_slice() {
        [only] => Outcome::new(Mark::Bad, format!("{heading}: {only}")).with(
            Some(counts)
                .filter(|it| !it.is_empty())
                .into_iter()
                .collect(),
        ),
        _ if counts.is_empty() => {
            let number = counted(reasons.len(), "reason");
            Outcome::new(Mark::Bad, format!("{heading} for {number}")).with(reasons)
        }
        // Otherwise it would read as if passing were the reason.
        _ if gate == Gate::Green
            && verdict
                .tests
                .iter()
                .all(|test| test.outcome == Ending::Passed) =>
        {
            Outcome::new(Mark::Bad, format!("{heading}, although {counts}")).with(reasons)
        }
        _ => Outcome::new(Mark::Bad, format!("{heading}: {counts}")).with(reasons),
    }
}

fn lint_outcome(result: &LintResult) -> Outcome {
    let at_base = |known: usize| match known {
        0 => String::new(),
        _ => format!(", {} that the base has too", counted(known, "complaint")),
    };
    match result {
        LintResult::Absent => Outcome::new(Mark::Fact, "no linter is configured or found"),
        LintResult::Clean { command, known } => Outcome::new(
            Mark::Good,
            format!("no complaint from `{}`{}", phrase(command), at_base(*known)),
        ),
        LintResult::Complaints {
            command,
            output,
            known,
        } => {
            let lines = output.lines().filter(|line| !line.trim().is_empty());
            Outcome::new(
                Mark::Bad,
                format!("complaints from `{}`{}", phrase(command), at_base(*known)),
            )
            .with(lines.map(phrase).collect())
        }
        LintResult::Unusable { command, reason } => Outcome::new(
            Mark::Bad,
            format!("`{}` could not be run; the review says so", phrase(command)),
        )
        .with(vec![phrase(reason)]),
    }
}
