//! `proctor review` without a run: a person's own changes.

use proctor_core::review_gate::{ReportedFile, ReviewedFile, in_reading_order};
use proctor_core::workflow::{Choice, Presence, TreeId};
use proctor_host::driver::{
    Approver as _, DriveError, ReviewSheet, Subject, Watcher as _, evidence_trailer,
};
use proctor_host::git::{GitError, Head, OwnCommit, Person, Repository};
use serde_json::json;

use super::gate::settings_at;
use super::review::{ReviewArguments, document, shown};
use crate::failure::{Failure, Interruption, Obstacle, Refused, Unanswered};
use crate::session::{Session, ok};
use crate::terminal::TerminalApprover;

/// The kind of the trail's records about reviews of own changes.
pub(super) const REVIEW_RECORD: &str = "review";

/// What is reviewed: a tree, made once and never read again from the checkout.
struct OwnChanges {
    head: Head,
    before: TreeId,
    tree: TreeId,
    what: &'static str,
}

impl OwnChanges {
    fn read(
        repository: &Repository,
        arguments: &ReviewArguments,
    ) -> Result<(Self, Vec<ReportedFile>), Failure> {
        let head = repository.head()?;
        let before = repository.tree_of_head(&head)?;
        let staged = repository.staged_tree().map_err(in_conflict)?;
        let take_staged = arguments.staged || (!arguments.all && staged != before);
        let (tree, what) = if take_staged {
            (staged, "what is staged")
        } else {
            let tree = repository.checkout_tree(&before)?;
            (tree, "everything that is not committed")
        };
        let test_paths = settings_at(repository, &before)?.test.paths;
        let files = repository.reviewed_files(&before, &tree, |path| {
            ReviewedFile::labels_of_name(path, &test_paths)
        })?;
        let changes = Self {
            head,
            before,
            tree,
            what,
        };
        Ok((changes, in_reading_order(files)))
    }

    /// The branch, as a person calls it.
    fn branch(&self) -> String {
        let name = self.head.reference.strip_prefix("refs/heads/");
        match (name, &self.head.commit) {
            (Some(name), _) => name.to_owned(),
            (None, Some(commit)) => format!("{} (no branch)", commit.short()),
            (None, None) => "HEAD".to_owned(),
        }
    }
}

/// Git has one exit code for all that is wrong with an index, but always the same words, whatever the user's language.
fn in_conflict(error: GitError) -> Failure {
    match &error {
        GitError::Failed { message, .. } if message.contains("unmerged") => {
            Obstacle::Conflict.into()
        }
        _ => error.into(),
    }
}

/// Reviews and, if the person approves, commits.
pub(super) fn review_own(
    session: &Session<'_>,
    arguments: &ReviewArguments,
) -> Result<(), Failure> {
    let repository = session.repository()?;
    if let Some(what) = repository.under_way()? {
        return Err(Obstacle::UnderWay(what).into());
    }
    if !arguments.dry_run {
        run_hook(session, &repository)?;
    }
    let (changes, files) = OwnChanges::read(&repository, arguments)?;
    let branch = changes.branch();
    if files.is_empty() {
        let document = document(&changes.tree, &[], None, None);
        session
            .output
            .result("there is nothing to review: no changes\n", &ok(document));
        return Ok(());
    }
    let sheet = ReviewSheet {
        subject: Subject::Own {
            branch: &branch,
            what: changes.what,
        },
        tree: &changes.tree,
        files,
        red: None,
        green: None,
        lint: None,
    };
    if arguments.dry_run {
        let document = document(&changes.tree, &sheet.files, None, None);
        session
            .output
            .result(&shown(session, &sheet), &ok(document));
        return Ok(());
    }
    decide(session, arguments, &repository, &changes, &sheet)
}

fn decide(
    session: &Session<'_>,
    arguments: &ReviewArguments,
    repository: &Repository,
    changes: &OwnChanges,
    sheet: &ReviewSheet<'_>,
) -> Result<(), Failure> {
    let person = repository.person()?.ok_or(DriveError::NoIdentity)?;
    let mut approver = TerminalApprover::new(session.screen(), session.interrupt.clone());
    let again = session.command("review");
    if approver.presence() == Presence::NoTerminal {
        let document = document(&changes.tree, &sheet.files, None, None);
        return Err(Failure::from(Unanswered::NoTerminal { again }).details(document));
    }
    let mut journal = session.journal(repository)?;
    let choice = approver.decide(sheet);
    if session.interrupt.is_set() {
        return Err(Interruption::Review { again }.into());
    }
    let (by, place, evidence) = (person.to_string(), approver.place(), sheet.evidence());
    let mut note = |decision: &str, body: serde_json::Value| {
        let record = json!({
            "decision": decision,
            "tree": changes.tree,
            "branch": changes.head.reference,
            "files": sheet.files.len(),
            "place": place,
            "evidence": evidence,
            "details": body,
        });
        journal.note(None, &by, REVIEW_RECORD, &record)
    };
    match choice {
        Some(Choice::Approve) => {}
        None | Some(Choice::Comment { .. }) => {
            return Err(Unanswered::Undecided { again }.into());
        }
        Some(Choice::Reject { .. } | Choice::Abort) => {
            let reason = match &choice {
                Some(Choice::Reject { reason }) => reason.clone(),
                _ => String::new(),
            };
            note("rejected", json!({ "reason": reason }))?;
            let document = document(&changes.tree, &sheet.files, Some("rejected"), None);
            return Err(Failure::from(Refused::Rejected).details(document));
        }
    }
    let title = match &arguments.message {
        Some(message) => message.clone(),
        None => approver
            .ask_for_words("Commit message:")
            .ok_or(Unanswered::NoMessage)?,
    };
    // Before the branch moves: whatever happens then, the trail knows what was approved.
    note("approved", json!({ "message": title }))?;
    let message = format!(
        "{}\n\nApproved-By: {person}\n{}",
        title.trim_end(),
        evidence_trailer(&evidence)
    );
    let commit = commit(session, repository, changes, &person, &message)?;
    note("committed", json!({ "commit": commit }))?;
    let document = document(&changes.tree, &sheet.files, Some("approved"), Some(&commit));
    let text = format!("committed {} on {}\n", commit.short(), changes.branch());
    session.output.result(&text, &ok(document));
    Ok(())
}

fn commit(
    session: &Session<'_>,
    repository: &Repository,
    changes: &OwnChanges,
    person: &Person,
    message: &str,
) -> Result<proctor_core::workflow::CommitId, Failure> {
    let request = OwnCommit {
        head: &changes.head,
        before: &changes.before,
        tree: &changes.tree,
        person,
        seconds: session.clock.seconds(),
        message,
    };
    repository.commit_own(&request).map_err(|error| {
        // Somebody committed while the person was reading: what was shown is no longer the difference.
        let now = repository.head().ok().filter(|head| head.commit.is_some());
        let moved = now.is_some_and(|head| head != changes.head);
        if moved {
            let again = session.command("review");
            Refused::BranchMoved { again }.into()
        } else {
            Failure::from(error)
        }
    })
}

/// The person's own hook runs before anything is read, so that what it changes is shown; only if the
/// committed settings say so, because a repository's hooks are programs that anybody may have put there.
fn run_hook(session: &Session<'_>, repository: &Repository) -> Result<(), Failure> {
    let head = repository.head()?;
    let tree = repository.tree_of_head(&head)?;
    if !settings_at(repository, &tree)?.review.pre_commit_hook {
        return Ok(());
    }
    let said = repository.run_pre_commit_hook().map_err(Refused::Hook)?;
    session.progress().remark(&said);
    Ok(())
}
