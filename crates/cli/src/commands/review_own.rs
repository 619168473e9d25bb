//! `proctor review` without a run: a person's own changes.

use std::fmt::Write as _;

use proctor_core::diff::escape;
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::permission::Presence;
use proctor_core::review_gate::{Label, ReportedFile, ReviewedFile, in_reading_order};
use proctor_core::workflow::Choice;
use proctor_host::driver::{
    Approver as _, DriveError, ReviewSheet, Subject, Watcher as _, evidence_trailer,
};
use proctor_host::gate::settings_at;
use proctor_host::git::{
    ChangedFile, CommitMessage, GitError, Head, OwnCommit, OwnCommitError, Repository, Snapshot,
};
use proctor_host::process::joined;
use proctor_host::safe_write::WriteApprover as _;
use serde_json::{Value, json};

use super::review::{ReviewArguments, document, shown};
use crate::failure::{Failure, Interruption, Obstacle, Refused, Unanswered};
use crate::session::{Session, ok};
use crate::terminal::{FirstLook, TerminalApprover, counted, first_lines};

/// The kind of the trail's records about reviews of own changes.
pub(super) const REVIEW_RECORD: &str = "review";

/// What is reviewed: a tree, made once and never read again from the checkout.
struct OwnChanges {
    head: Head,
    before: TreeId,
    tree: TreeId,
    what: &'static str,
    left_out: Vec<(String, usize)>,
}

impl OwnChanges {
    /// Reads everything; `look` is told what it is about as soon as that is known.
    fn read(
        repository: &Repository,
        arguments: &ReviewArguments,
        look: &Look<'_>,
    ) -> Result<(Self, Vec<ReportedFile>), Failure> {
        let (objects, checkout) = (repository.objects(), repository.checkout()?);
        // Neither needs the other's answer.
        let (head, staged) = std::thread::scope(|scope| {
            let staged = scope.spawn(|| checkout.staged_tree());
            (checkout.head(), joined(staged))
        });
        let (head, staged) = (head?, staged.map_err(in_conflict)?);
        let before = checkout.tree_of_head(&head)?;
        let take_staged = arguments.staged || (!arguments.all && staged != before);
        let (snapshot, what) = if take_staged {
            (Snapshot::of(staged), "what is staged")
        } else {
            let what = "everything that is not committed";
            let snapshot = checkout.snapshot(&before, |names| {
                let names = names.iter().map(|name| (' ', *name));
                look.show(&head, what, None, names);
            })?;
            (snapshot, what)
        };
        let Snapshot {
            tree,
            hidden,
            left_out,
        } = snapshot;
        let differing = objects.changed_files(&before, &tree)?;
        let names = differing
            .iter()
            .map(|file| (letter(file), file.path.as_slice()));
        look.show(&head, what, Some(&tree), names);
        let (settings, files) = std::thread::scope(|scope| {
            let settings = scope.spawn(|| settings_at(repository, &before));
            let files = objects.reviewed_files(&before, &tree, &differing);
            (joined(settings), files)
        });
        let (test_paths, mut files) = (settings?.test.paths, files?);
        for file in &mut files {
            file.labels = ReviewedFile::labels_of_name(&file.path, &test_paths);
            let hidden = hidden.contains(&file.path);
            file.labels.extend(hidden.then_some(Label::Excluded));
        }
        let changes = Self {
            head,
            before,
            tree,
            what,
            left_out: left_out
                .into_iter()
                .map(|(name, files)| (escape(&name).text, files))
                .collect(),
        };
        Ok((changes, in_reading_order(files)))
    }

    /// What scripts get to know.
    fn document(
        &self,
        files: &[ReportedFile],
        decision: Option<&str>,
        commit: Option<&CommitId>,
    ) -> Value {
        let mut document = document(&self.tree, files, decision, commit);
        let left_out = self
            .left_out
            .iter()
            .map(|(directory, _)| directory.as_str());
        document["left_out"] = left_out.collect();
        document
    }

    /// The branch, as a person calls it.
    fn branch(&self) -> String {
        branch(&self.head)
    }
}

fn branch(head: &Head) -> String {
    let name = head.reference.strip_prefix("refs/heads/");
    match (name, &head.commit) {
        (Some(name), _) => name.to_owned(),
        (None, Some(commit)) => format!("{} (no branch)", commit.short()),
        (None, None) => "HEAD".to_owned(),
    }
}

/// What became of a file, as git abbreviates it.
fn letter(file: &ChangedFile) -> char {
    match (&file.before, &file.after) {
        (None, _) => 'A',
        (_, None) => 'D',
        _ => 'M',
    }
}

/// What a person sees while everything is read, if that is worth a screen.
struct Look<'a> {
    session: &'a Session<'a>,
    first: Option<FirstLook>,
}

impl Look<'_> {
    fn show<'n>(
        &self,
        head: &Head,
        what: &'static str,
        tree: Option<&TreeId>,
        names: impl ExactSizeIterator<Item = (char, &'n [u8])>,
    ) {
        let Some(first) = &self.first else { return };
        let count = names.len();
        let Some(enough) = first.enough().filter(|enough| count > *enough) else {
            return;
        };
        let branch = branch(head);
        let subject = Subject::Own {
            branch: &branch,
            what,
            left_out: &[],
        };
        let screen = self.session.screen();
        let names = names.take(enough);
        let lines = first_lines(&subject, tree, names, screen.appearance(), screen.width());
        let status = format!(" {} are being read", counted(count, "file"));
        first.show(lines, &status);
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
    if let Some(what) = repository.checkout()?.under_way() {
        return Err(Obstacle::UnderWay(what).into());
    }
    if !arguments.dry_run {
        run_hook(session, &repository)?;
    }
    let look = Look {
        session,
        first: (!arguments.dry_run).then(|| FirstLook::on(session.screen())),
    };
    let (changes, files) = session.progress().during("reading what changed", || {
        OwnChanges::read(&repository, arguments, &look)
    })?;
    let branch = changes.branch();
    if files.is_empty() {
        drop(look);
        let document = changes.document(&[], None, None);
        let mut text = "there is nothing to review: no changes\n".to_owned();
        for (directory, _) in &changes.left_out {
            let _ = writeln!(
                text,
                "not looked at, because a list inside the git directory hides it: {directory}"
            );
        }
        session.output.result(&text, &ok(document));
        return Ok(());
    }
    let sheet = ReviewSheet {
        subject: Subject::Own {
            branch: &branch,
            what: changes.what,
            left_out: &changes.left_out,
        },
        tree: &changes.tree,
        files,
        red: None,
        green: None,
        lint: None,
    };
    if arguments.dry_run {
        let document = changes.document(&sheet.files, None, None);
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
        let document = changes.document(&sheet.files, None, None);
        return Err(Failure::from(Unanswered::NoTerminal { again }).details(document));
    }
    let mut journal = session.journal(repository)?;
    let choice = approver.decide(sheet);
    if session.interrupt.is_set() {
        return Err(Interruption::Review { again }.into());
    }
    let (by, place, evidence) = (person.to_string(), approver.place(), sheet.evidence());
    let mut note = |decision: &str, body: Value| {
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
            let document = changes.document(&sheet.files, Some("rejected"), None);
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
    let request = OwnCommit {
        head: &changes.head,
        before: &changes.before,
        tree: &changes.tree,
        message: CommitMessage {
            text: &message,
            person: &person,
            seconds: session.clock.seconds(),
        },
    };
    let (commit, unfinished) = match repository.checkout()?.commit(&request) {
        Ok(commit) => (commit, None),
        Err(OwnCommitError::Unfinished { commit, source }) => {
            let error = OwnCommitError::Unfinished {
                commit: commit.clone(),
                source,
            };
            (commit, Some(error))
        }
        Err(error) => return Err(not_committed(session, repository, changes, error)),
    };
    note("committed", json!({ "commit": commit }))?;
    let document = changes.document(&sheet.files, Some("approved"), Some(&commit));
    if let Some(error) = unfinished {
        return Err(Failure::from(error).details(document));
    }
    let text = format!("committed {} on {}\n", commit.short(), changes.branch());
    session.output.result(&text, &ok(document));
    Ok(())
}

/// Somebody may have committed while the person was reading: what was shown is then no longer the difference.
fn not_committed(
    session: &Session<'_>,
    repository: &Repository,
    changes: &OwnChanges,
    error: OwnCommitError,
) -> Failure {
    let now = repository.checkout().and_then(|checkout| checkout.head());
    let now = now.ok().filter(|head| head.commit.is_some());
    if now.is_some_and(|head| head != changes.head) {
        let again = session.command("review");
        return Refused::BranchMoved { again }.into();
    }
    error.into()
}

/// The person's own hook runs before anything is read, so that what it changes is shown; only if the
/// committed settings say so, because a repository's hooks are programs that anybody may have put there.
fn run_hook(session: &Session<'_>, repository: &Repository) -> Result<(), Failure> {
    let checkout = repository.checkout()?;
    let head = checkout.head()?;
    let tree = checkout.tree_of_head(&head)?;
    if !settings_at(repository, &tree)?.review.pre_commit_hook {
        return Ok(());
    }
    let said = checkout.run_pre_commit_hook().map_err(Refused::Hook)?;
    session.progress().remark(&said);
    Ok(())
}
