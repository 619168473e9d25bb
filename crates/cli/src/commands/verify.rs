//! `proctor verify`

use std::io::Read as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proctor_core::approval::{Accepted, Reason, Revoked, Signers};
use proctor_core::gate::{SourceFlag, VerdictWord};
use proctor_host::approval::{
    Push, Range, Verification, VerifiedCommit, VerifyError, guarded_branches, read_revoked,
    read_signers,
};
use proctor_host::driver::Watcher as _;
use proctor_host::gate::{ChangeRequest, Judged, Pace, Told, WhichGate, judge_change};
use proctor_host::run_data::FETCH_APPROVALS;
use proctor_host::workspace::Workspace;
use serde_json::Value;

use crate::failure::{Failure, Obstacle, Refused};
use crate::output::Text;
use crate::session::Session;
use crate::wire::{VerifyDocument, VerifyRow, ok};

/// Verify that people approved every commit
///
/// For every commit on the line of first parents: whether there is a signed approval for exactly its tree and its first
/// parent, by a signer whom that first parent's `.proctor/allowed_signers` allows, as its proctor.toml asks for it
/// (`[approval]`). Nothing in a commit has a say in who approves it. With --rejudge the gates judge each of them again, on
/// this machine, so that nothing from the author's has to be believed.
///
/// Example: proctor verify origin/main..HEAD
#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// BASE..TIP, or a tip [default: HEAD from --base on]
    #[arg(value_name = "RANGE", conflicts_with = "hook")]
    range: Option<String>,
    /// The commit before the first one to verify [default: the upstream of the branch]
    #[arg(long, value_name = "REV", conflicts_with = "hook")]
    base: Option<String>,
    /// Who may approve, instead of what each commit's first parent says; in the format of `allowed_signers`
    #[arg(long, value_name = "FILE")]
    signers: Option<PathBuf>,
    /// Keys that do not count, beside what each commit's first parent says: public keys, or a revocation list
    #[arg(long, value_name = "FILE")]
    revoked: Option<PathBuf>,
    /// Judge every commit again with `gate change`
    #[arg(long, conflicts_with = "hook")]
    rejudge: bool,
    /// Read a push from standard input, as git's hook of this name does, and decline it unless all of it is approved
    #[arg(long, value_enum, value_name = "HOOK")]
    hook: Option<Hook>,
    /// With --hook: a branch to guard; may be given several times [default: the one that HEAD names]
    #[arg(long, value_name = "NAME", requires = "hook")]
    branch: Vec<String>,
}

/// The hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hook {
    /// Before anything of a push is accepted
    PreReceive,
}

/// One commit, and the result of judging it again.
struct Row {
    verified: VerifiedCommit,
    rejudged: Option<(VerdictWord, Vec<SourceFlag>)>,
}

pub(crate) fn verify(session: &Session<'_>, arguments: &VerifyArguments) -> Result<(), Failure> {
    let workspace = session.history()?;
    let signers = arguments.signers.as_deref().map(read_signers).transpose()?;
    let revoked = arguments.revoked.as_deref().map(read_revoked).transpose()?;
    if arguments.hook.is_some() {
        return decline_or_accept(
            session,
            &workspace,
            arguments,
            signers.as_ref(),
            revoked.as_ref(),
        );
    }
    let repository = workspace.repository();
    let range = Range::parse(
        repository,
        arguments.range.as_deref(),
        arguments.base.as_deref(),
    )?;
    let verification = Verification {
        repository,
        tip: &range.tip,
        base: Some(&range.base),
        signers: signers.as_ref(),
        revoked: revoked.as_ref(),
        proposed: &[],
        now: session.clock.seconds(),
        at_server: false,
    };
    let verified = session
        .progress()
        .during("verifying approvals", || verification.verify())?;
    let mut rows: Vec<Row> = verified.into_iter().map(Row::of).collect();
    if arguments.rejudge {
        for row in &mut rows {
            rejudge(session, &workspace, row)?;
        }
    }
    report(session, &rows, &[])
}

/// A server's answer to a push.
fn decline_or_accept(
    session: &Session<'_>,
    workspace: &Workspace,
    arguments: &VerifyArguments,
    signers: Option<&Signers>,
    revoked: Option<&Revoked>,
) -> Result<(), Failure> {
    let repository = workspace.repository();
    let mut input = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut input);
    read.map_err(Obstacle::StandardInput)?;
    let push = Push::parse(&input, &guarded_branches(repository, &arguments.branch)?)?;
    let mut declined: Vec<String> = push
        .declined
        .iter()
        .map(|(reference, why)| format!("{reference}: {why}"))
        .collect();
    let mut rows = Vec::new();
    for (reference, old, new) in &push.branches {
        let verification = Verification {
            repository,
            tip: new,
            base: old.as_ref(),
            signers,
            revoked,
            proposed: &push.approvals,
            now: session.clock.seconds(),
            at_server: true,
        };
        match verification.verify() {
            Ok(verified) => rows.extend(verified.into_iter().map(Row::of)),
            // The branch was reset, or comes from elsewhere.
            Err(error @ VerifyError::NotFromBase { .. }) => {
                declined.push(format!("{reference}: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    report(session, &rows, &declined)
}

impl Row {
    fn of(verified: VerifiedCommit) -> Self {
        Self {
            verified,
            rejudged: None,
        }
    }

    fn wire(&self) -> VerifyRow<'_> {
        let it = &self.verified;
        VerifyRow::of(
            (&it.commit, &it.tree, it.base.as_ref()),
            it.outcome.as_deref(),
            self.rejudged
                .as_ref()
                .map(|(word, flags)| (*word, flags.as_slice())),
        )
    }
}

/// Judges an approved commit again; where a gate would leave the decision to a person, one has already decided.
fn rejudge(session: &Session<'_>, workspace: &Workspace, row: &mut Row) -> Result<(), Failure> {
    let (Ok(_), Some(base)) = (&row.verified.outcome, &row.verified.base) else {
        return Ok(());
    };
    let place = session.place(workspace);
    let request = ChangeRequest {
        gate: WhichGate::Change,
        judged: Judged::Commit(row.verified.commit.as_str()),
        base: Some(base.as_str()),
        tests: &[],
        fresh: true,
        pace: Pace::Thorough,
    };
    let mut progress = session.progress();
    progress.check(&format!("judging {} again", row.verified.commit.short()));
    let judged = judge_change(place, &request, &mut |told| match told {
        Told::Check(what) => progress.check(what),
        Told::Line(line) => progress.line(line),
    })?;
    drop(progress);
    let found = judged.word;
    let stands = found.is_good()
        || matches!(
            found,
            VerdictWord::NeedsPerson | VerdictWord::NothingChanged
        );
    row.rejudged = Some((found, judged.flags));
    if !stands {
        let claim = row.verified.claim;
        row.verified.outcome = Err(Reason::Rejudged { claim, found });
    }
    Ok(())
}

fn report(session: &Session<'_>, rows: &[Row], declined: &[String]) -> Result<(), Failure> {
    let document = VerifyDocument {
        commits: rows.iter().map(Row::wire).collect(),
        declined,
    };
    let text = text_of(rows, declined);
    let missing: Vec<(String, &Reason, String)> = rows
        .iter()
        .filter_map(|row| {
            let (commit, reason) = (&row.verified.commit, row.verified.outcome.as_ref().err()?);
            Some((
                commit.short().to_owned(),
                reason,
                reason.hint(commit, FETCH_APPROVALS),
            ))
        })
        .collect();
    if missing.is_empty() && declined.is_empty() {
        session.output.result(text, &ok(document));
        return Ok(());
    }
    if !session.output.is_json() {
        session.output.result(text, &Value::Null);
    }
    let failure = if declined.is_empty() {
        let mut hints: Vec<String> = Vec::new();
        for (_, _, hint) in &missing {
            if !hints.contains(hint) {
                hints.push(hint.clone());
            }
        }
        let missing: Vec<String> = missing
            .iter()
            .map(|(commit, reason, _)| format!("{commit}: {reason} ({})", reason.key()))
            .collect();
        Refused::NotApproved {
            of: rows.len(),
            missing,
            hints,
        }
    } else {
        Refused::Declined(declined.to_vec())
    };
    Err(Failure::from(failure).details(document))
}

/// The text for a person.
fn text_of(rows: &[Row], declined: &[String]) -> Text {
    if rows.is_empty() && declined.is_empty() {
        return Text::from("there is no commit to verify");
    }
    let mut text = Text::default();
    for row in rows {
        let commit = row.verified.commit.short();
        match &row.verified.outcome {
            Ok(accepted) => {
                let judged = row.rejudged.as_ref().map_or_else(String::new, |(word, _)| {
                    format!("; judged again: {}", word.words())
                });
                text.line(format_args!(
                    "{commit}  approved by {}{judged}",
                    people(accepted)
                ));
            }
            Err(reason) => text.line(format_args!("{commit}  not approved ({})", reason.key())),
        }
    }
    text
}

fn people(accepted: &[Accepted]) -> String {
    let words = accepted
        .iter()
        .map(|it| format!("{} ({})", it.by, it.presence.as_str()));
    words.collect::<Vec<_>>().join(", ")
}
