//! Review, merge, and cleaning up.

use std::collections::BTreeSet;

use proctor_core::approval::SignedApproval;
use proctor_core::gate::{FlagKind, SourceFlag};
use proctor_core::lld;
use proctor_core::object_id::{BlobId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::permission::{Autonomy, Permission};
use proctor_core::review_gate::{Label, ReviewedFile, in_reading_order};
use proctor_core::test_outcome::{Ending, SandboxLevel};
use proctor_core::workflow::{Choice, Decision, Event, GateResult, MergeOrder, Run, State};

use super::audience::{Approver, Watcher};
use super::case::Case;
use super::{DriveError, Inputs, ReviewSheet, Subject};
use crate::approval::{Approved, SigningDesk};
use crate::clock::Clock;
use crate::crash_point::crash_point;
use crate::files::{OwnFileError, remove_own_directory};
use crate::git::{
    CommitMessage, FileMode, GitError, MergeOutcome, MergeRequest, Merging, Person, Repository,
};
use crate::journal::{Journal, RunRow};
use crate::run_data::{Kept, RunData, keep_approval, keep_replaced};

/// The name under which rescued work is committed where git does not know the user.
fn unknown_person() -> Person {
    Person {
        name: "proctor".to_owned(),
        email: "proctor@localhost".to_owned(),
    }
}

/// Brings a run to its end: review, merge, clean-up.
pub(super) struct Finishing<'c> {
    pub(super) case: Case<'c>,
    /// The flags in force.
    pub(super) autonomy: Autonomy,
    pub(super) approver: &'c mut dyn Approver,
    pub(super) watcher: &'c mut dyn Watcher,
    pub(super) clock: Clock,
    pub(super) journal: &'c Journal,
}

impl Finishing<'_> {
    pub(super) fn ask_person(&mut self, tree: &TreeId) -> Result<Event, DriveError> {
        match self.autonomy.at_review(self.approver.presence()) {
            Permission::Ask => {}
            _ => return Ok(Event::NoOneToAsk),
        }
        // Asked for now: a person who has approved should not meet an obstacle that could be known before.
        let person = self
            .case
            .place
            .repository
            .person()?
            .ok_or(DriveError::NoIdentity)?;
        let signing = signing_desk(self.case, self.approver.passkey_only())
            .prepare(Some(self.case.run().base()))?;
        let sheet = review_sheet(
            self.case.place.repository,
            self.case.row,
            self.case.inputs,
            tree,
        )?;
        let Some(choice) = self.approver.decide(&sheet) else {
            if self.case.place.interrupt.is_set() {
                return Err(DriveError::Interrupted);
            }
            return Ok(Event::NoOneToAsk);
        };
        let (at, evidence) = (self.clock.seconds(), sheet.evidence());
        let signed = match signing.filter(|_| choice == Choice::Approve) {
            None => None,
            Some(signing) => {
                let trail = self.journal.ends()?;
                let approved = Approved {
                    tree,
                    branch: &self.case.run().started().base_branch,
                    run: Some(self.case.row.id.as_str()),
                    evidence: &evidence,
                    trail: trail.as_ref(),
                    person: &person,
                    at,
                };
                let signed = signing.sign(&approved, self.approver);
                // Ctrl-C also ends the program that asks for the touch.
                if signed.is_err() && self.case.place.interrupt.is_set() {
                    return Err(DriveError::Interrupted);
                }
                Some(Box::new(signed?))
            }
        };
        let about_tests = match &choice {
            Choice::Comment { text } => self.case.run().is_about_tests(text),
            _ => false,
        };
        Ok(Event::PersonDecided(Decision {
            about_tests,
            tree: tree.clone(),
            choice,
            by: person.to_string(),
            at,
            place: self.approver.place(),
            evidence: evidence.digest(),
            signed,
        }))
    }

    pub(super) fn merge(&mut self, order: &MergeOrder) -> Result<Event, DriveError> {
        // Kept when it was signed; again, in case it was removed: every reader of the commit can see its approval.
        if let Some(signed) = &order.approval().signed {
            keep_approval(self.case.place.repository, order.tree(), signed)?;
            crash_point("approval kept");
        }
        let branch = self.case.run().started().base_branch.clone();
        let outcome = with_request(self.case, order, Merging::merge)?;
        match outcome {
            MergeOutcome::Done {
                commit,
                left_behind,
            } => {
                for reason in left_behind {
                    self.watcher
                        .remark(&format!("a checkout was left as it is: {reason}"));
                }
                Ok(Event::Merged { commit })
            }
            MergeOutcome::Moved { tip, tree } => {
                self.case.data().keep(Kept::Candidate, &tree)?;
                show_in_worktree(self.case, &tree)?;
                let base_tree = Some(self.case.objects().tree_of(&tip)?);
                Ok(Event::BaseMoved {
                    tip,
                    tree,
                    base_tree,
                })
            }
            MergeOutcome::Conflict { files } => Ok(Event::MergeConflicted { files }),
            MergeOutcome::Busy { reason } => Ok(Event::CheckoutBusy { reason }),
            MergeOutcome::NoBranch => Err(DriveError::NoBaseBranch(branch)),
        }
    }

    pub(super) fn remove_worktree(&mut self) -> Result<Event, DriveError> {
        let rescue = remove_leftovers(
            self.case.place.repository,
            self.case.row,
            self.clock.seconds(),
        )?;
        Ok(Event::WorktreeRemoved { rescue })
    }
}

/// Where the person signs.
fn signing_desk(case: Case<'_>, passkey_only: bool) -> SigningDesk<'_> {
    SigningDesk {
        repository: case.place.repository,
        surroundings: case.place.surroundings,
        passkey_only,
    }
}

/// Brings the worktree's files up to `tree`, for people who look there. A person's changes in them are kept.
pub(super) fn show_in_worktree(case: Case<'_>, tree: &TreeId) -> Result<(), DriveError> {
    let Some(current) = case.run().tree() else {
        return Ok(());
    };
    let root = case.worktree_root()?;
    let mut changed = case.objects().changed_files(current, tree)?;
    // Removed files make room for new ones: `a` before `a/b`.
    changed.sort_by_key(|file| file.after.is_some());
    for file in changed {
        let Ok(name) = std::str::from_utf8(&file.path) else {
            continue;
        };
        let Ok(path) = ProjectPath::parse(name) else {
            continue;
        };
        let content_of = |side: &Option<(FileMode, BlobId)>| {
            let Some((FileMode::Regular | FileMode::Executable, blob)) = side else {
                return Ok(None);
            };
            let blobs = case.objects().blobs(std::slice::from_ref(blob))?;
            Ok::<Option<Vec<u8>>, DriveError>(blobs.into_iter().next())
        };
        let before = content_of(&file.before)?;
        let after = content_of(&file.after)?;
        if let Ok(now) = root.read(&path, u64::MAX - 1)
            && Some(&now) != before.as_ref()
            && Some(&now) != after.as_ref()
        {
            keep_replaced(case.place.repository, &now)?;
        }
        match (&file.after, after) {
            (Some((mode, _)), Some(content)) => {
                root.write(&path, &content, *mode == FileMode::Executable)?;
            }
            (Some(_), None) => {}
            (None, _) => root.remove(&path)?,
        }
    }
    Ok(())
}

/// Asks git about the merge that an order is for.
fn with_request<'c, T>(
    case: Case<'c>,
    order: &MergeOrder,
    ask: impl FnOnce(&Merging<'c>, &MergeRequest<'_>) -> Result<T, GitError>,
) -> Result<T, DriveError> {
    let text = commit_message(case.row, case.inputs, order);
    let person = Person::parse(&order.approval().by).ok_or(DriveError::NoIdentity)?;
    let request = MergeRequest {
        branch: &case.run().started().base_branch,
        base: case.run().base(),
        tree: order.tree(),
        message: CommitMessage {
            text: &text,
            person: &person,
            seconds: order.approval().at,
        },
    };
    Ok(ask(&case.place.repository.merging(), &request)?)
}

/// Whether the merge that an order is for has happened.
pub(super) fn is_merged(case: Case<'_>, order: &MergeOrder) -> Result<bool, DriveError> {
    Ok(with_request(case, order, Merging::is_merged)?.is_some())
}

/// Saves uncommitted files, then removes the worktree, the branch and the judged tree.
pub fn remove_leftovers(
    repository: &Repository,
    row: &RunRow,
    seconds: i64,
) -> Result<Option<proctor_core::object_id::CommitId>, DriveError> {
    let data = RunData::of(repository, row);
    for path in [data.judged_directory(), data.prepared_directory()] {
        remove_own_directory(&path).map_err(OwnFileError::at(&path))?;
    }
    let settled = match row.run.state() {
        State::Merged(commit) => repository.objects().tree_of(commit)?,
        _ => repository.objects().tree_of(row.run.base())?,
    };
    // The judged tree keeps its ref as long as the run does: the rescued tree is the worktree's, which may differ from
    // it.
    if let (State::Aborted, Some(tree)) = (row.run.state(), row.run.tree()) {
        data.keep(Kept::Last, tree)?;
    }
    let person = repository.person()?.unwrap_or_else(unknown_person);
    Ok(data.remove_worktree(&row.branch, &settled, &person, seconds)?)
}

/// The review of a tree: every difference from the base.
pub fn review_sheet<'a>(
    repository: &Repository,
    row: &'a RunRow,
    inputs: &Inputs,
    tree: &'a TreeId,
) -> Result<ReviewSheet<'a>, DriveError> {
    let objects = repository.objects();
    let base = objects.tree_of(row.run.base())?;
    let flags: Vec<&SourceFlag> = [row.run.red(), row.run.green()]
        .into_iter()
        .flatten()
        .flat_map(|gate| &gate.flags)
        .collect();
    let changed = objects.changed_files(&base, tree)?;
    let mut files = objects.reviewed_files(&base, tree, &changed)?;
    let opened = changed_since_sealed(repository, &row.run)?;
    for file in &mut files {
        file.labels = labels(&file.path, inputs, &flags);
        if opened.iter().any(|test| test.path == file.path) {
            file.labels.insert(Label::Gate(FlagKind::TestsChanged));
        }
    }
    Ok(ReviewSheet {
        subject: Subject::Run {
            run: &row.id,
            issue: &row.run.started().issue,
            base_branch: &row.run.started().base_branch,
        },
        about: lld::parse(&inputs.document).subject().to_owned(),
        base: Some(row.run.base()),
        tree,
        files: in_reading_order(files),
        opened: in_reading_order(opened),
        reopenings: row.run.reopenings(),
        red: row.run.red(),
        green: row.run.green(),
        lint: row.run.lint(),
    })
}

/// Sealed tests that differ from when tests were first sealed, each from then to now.
fn changed_since_sealed(
    repository: &Repository,
    run: &Run,
) -> Result<Vec<ReviewedFile>, DriveError> {
    let (Some(first), Some(sealed)) = (run.first_sealed(), run.sealed()) else {
        return Ok(Vec::new());
    };
    if first.tree == sealed.tree {
        return Ok(Vec::new());
    }
    let objects = repository.objects();
    let mut changed = objects.changed_files(&first.tree, &sealed.tree)?;
    let ours = |path: &[u8]| {
        let mut files = first.files.iter().chain(&sealed.files);
        files.any(|file| file.as_str().as_bytes() == path)
    };
    changed.retain(|file| ours(&file.path));
    Ok(objects.reviewed_files(&first.tree, &sealed.tree, &changed)?)
}

fn labels(path: &[u8], inputs: &Inputs, flags: &[&SourceFlag]) -> BTreeSet<Label> {
    let mut labels = ReviewedFile::labels_of_name(path, &inputs.settings.test.paths);
    let mut listed = inputs.loaded.sources.iter().chain(&inputs.loaded.tests);
    let is_listed = listed.any(|file| file.path.as_str().as_bytes() == path);
    if !labels.contains(&Label::Test) && !is_listed {
        labels.insert(Label::OutsideLld);
    }
    let here = flags.iter().filter(|flag| flag.path.as_bytes() == path);
    labels.extend(here.map(|flag| Label::Gate(flag.flag)));
    labels
}

/// The commit's message. Everything in it comes from the journal, so a repeated merge makes the same
/// commit.
pub fn commit_message(row: &RunRow, inputs: &Inputs, order: &MergeOrder) -> String {
    let issue = &row.run.started().issue;
    let design = proctor_core::lld::parse(&inputs.document);
    let title = plain_title(&design.title, issue);
    format!(
        "{title}\n\n\
         Issue: {issue}\n\
         Proctor-Run: {}\n\
         Proctor-Red: {}\n\
         Proctor-Green: {}, sandbox {}, tree {}\n\
         Approved-By: {}\n\
         {}{}",
        row.id,
        gate_summary(row.run.red()),
        gate_summary(row.run.green()),
        row.run.green().map_or("off", |green| green
            .sandbox
            .map_or("unknown", SandboxLevel::as_str)),
        order.tree(),
        order.approval().by,
        evidence_trailer(&order.approval().evidence),
        approval_trailer(order.approval().signed.as_deref()),
    )
}

/// The trailer that names a signed approval, for people: only the signature is verified, not the trailer.
pub fn approval_trailer(signed: Option<&SignedApproval>) -> String {
    signed.map_or_else(String::new, |signed| {
        format!("Proctor-Approval: sha256:{}\n", signed.digest())
    })
}

/// The trailer that names an approval's evidence; approvals of earlier versions have none.
pub fn evidence_trailer(evidence: &str) -> String {
    if evidence.is_empty() {
        String::new()
    } else {
        format!("Proctor-Evidence: sha256:{evidence}\n")
    }
}

/// `42 - Feature: Volume Discounts` becomes `Volume Discounts (#42)`.
fn plain_title(title: &str, issue: &str) -> String {
    let words = title.split_once(" - ").map_or(title, |(_, rest)| rest);
    let words = words.strip_prefix("Feature:").unwrap_or(words);
    let clean: String = words
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String = clean.chars().take(60).collect();
    if clean.is_empty() {
        format!("Issue {issue}")
    } else {
        format!("{clean} (#{issue})")
    }
}

fn gate_summary(result: Option<&GateResult>) -> String {
    let Some(result) = result else {
        return "not run".to_owned();
    };
    let word = if result.verdict.is_accepted() {
        "valid"
    } else {
        "invalid"
    };
    // A file that could not be loaded is among the tests under its own name.
    let (tests, files): (Vec<_>, Vec<_>) =
        (result.verdict.tests.iter()).partition(|test| test.id.contains("::"));
    let count = |outcome: Ending| tests.iter().filter(|test| test.outcome == outcome).count();
    let unseen = match files.len() {
        // Where its tests are known they are counted.
        count if count > 0 && tests.is_empty() => format!(", {count} test files not loaded"),
        _ => String::new(),
    };
    let exit = result
        .verdict
        .exit_code
        .map_or("none".to_owned(), |code| code.to_string());
    format!(
        "{word}, {} passed, {} failed{unseen}, exit code {exit}",
        count(Ending::Passed),
        count(Ending::Failed) + count(Ending::Error) + count(Ending::NotRun)
    )
}
