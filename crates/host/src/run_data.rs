//! The places of runs' data.
//!
//! Three places: the git common directory has the journal and the evidence, the directory for worktrees has the
//! checked-out files, and refs keep objects from git's clean-up. All of their names are made here, and the code that
//! makes a ref also forgets it. The contents of these places are not known here.

use std::path::{Path, PathBuf};

use proctor_core::approval::{EVIDENCE_FILE, SignedApproval, Stored};
use proctor_core::object_id::{CommitId, TreeId};

use crate::git::{CommitMessage, GitError, Person, Repository, WorktreeError, WorktreeRemoval};
use crate::journal::{RunId, RunRow};
use crate::settings::WorktreeSettings;
use crate::surroundings::Surroundings;

/// Below this are the contents that `proctor write` and `proctor apply` replaced, each under its own name.
pub const REPLACED_FILES: &str = "refs/proctor/rescue/files";

/// The ref that keeps the uncommitted files of a run's worktree when that was removed.
pub fn rescue_reference(run: impl std::fmt::Display) -> String {
    format!("refs/proctor/rescue/{run}")
}

/// Keeps a content that is about to be replaced, on the disk; the ref that leads to it.
pub fn keep_replaced(repository: &Repository, content: &[u8]) -> Result<String, GitError> {
    let blob = repository.objects().write_content(content)?;
    let reference = format!("{REPLACED_FILES}/{blob}");
    repository.refs().keep_on_disk(&reference, blob.as_str())?;
    Ok(reference)
}

/// Below this are signed approvals: by the tree, then by the beginning of the statement's digest.
pub const APPROVALS: &str = "refs/proctor/approvals/";

/// The command that fetches approvals: a clone does not bring them.
pub const FETCH_APPROVALS: &str =
    "git fetch origin '+refs/proctor/approvals/*:refs/proctor/approvals/*'";

/// Keeps a signed approval, on the disk; the ref that leads to it. An existing approval stays as it is.
pub fn keep_approval(
    repository: &Repository,
    tree: &TreeId,
    signed: &SignedApproval,
) -> Result<String, GitError> {
    let name = Stored::of(signed).name;
    let reference = format!("{APPROVALS}{tree}/{name}");
    if repository.refs().below(&reference)?.is_empty() {
        let kept = repository.objects().write_kept_tree(&[
            (EVIDENCE_FILE, signed.evidence.as_bytes()),
            ("signature", signed.signature.as_bytes()),
            ("statement", signed.statement.as_bytes()),
        ])?;
        repository.refs().keep_on_disk(&reference, kept.as_str())?;
    }
    Ok(reference)
}

/// The signed approvals of a tree that are whole.
pub fn kept_approvals(
    repository: &Repository,
    tree: &TreeId,
) -> Result<Vec<SignedApproval>, GitError> {
    let kept = repository.refs().below(&format!("{APPROVALS}{tree}/"))?;
    let whole = whole_approvals(repository, &kept)?.into_iter();
    Ok(whole.map(|(_, signed)| signed).collect())
}

/// Every signed approval that is whole, with the tree that its name says.
pub fn every_approval(repository: &Repository) -> Result<Vec<(String, SignedApproval)>, GitError> {
    let kept = repository.refs().below(APPROVALS)?;
    let whole = whole_approvals(repository, &kept)?.into_iter();
    let tree = |name: &str| {
        let rest = name.strip_prefix(APPROVALS).unwrap_or_default();
        rest.split('/').next().unwrap_or_default().to_owned()
    };
    Ok(whole.map(|(name, signed)| (tree(&name), signed)).collect())
}

/// Those of some refs that are whole, each with its ref.
fn whole_approvals(
    repository: &Repository,
    kept: &[(String, String)],
) -> Result<Vec<(String, SignedApproval)>, GitError> {
    let files = ["statement", "signature", EVIDENCE_FILE];
    let names: Vec<String> = kept
        .iter()
        .flat_map(|(_, object)| files.map(|file| format!("{object}:{file}")))
        .collect();
    let texts = repository.objects().files_named(&names)?.into_iter();
    let texts: Vec<Option<String>> = texts.map(|bytes| String::from_utf8(bytes?).ok()).collect();
    let rows = kept.iter().zip(texts.chunks(files.len()));
    let whole = rows.filter_map(|((name, _), files)| match files {
        [Some(statement), Some(signature), Some(evidence)] => {
            let signed = SignedApproval {
                statement: statement.clone(),
                signature: signature.clone(),
                evidence: evidence.clone(),
            };
            Some((name.clone(), signed))
        }
        _ => None,
    });
    Ok(whole.collect())
}

/// Proctor's directory inside the repository: the journal, and the evidence of all runs.
pub fn data_directory(repository: &Repository) -> PathBuf {
    repository.common_directory().join("proctor")
}

/// The guard's directory for a checkout; every worktree has its own.
pub fn guard_directory(repository: &Repository) -> PathBuf {
    let top = repository.top().as_os_str().as_encoded_bytes();
    let key = proctor_core::safe_write::sha256(top);
    data_directory(repository).join("guard").join(&key[..16])
}

/// The guard's cached verdicts on trees of the repository.
pub fn guard_verdicts(repository: &Repository) -> PathBuf {
    data_directory(repository).join("guard").join("judged")
}

/// The commits that were there before the guard's hooks of git, a line each: it does not judge earlier ones.
pub fn guard_beginning(repository: &Repository) -> PathBuf {
    data_directory(repository).join("guard").join("beginning")
}

/// The default path of the page about a run.
pub fn report_page(repository: &Repository, run: &RunId) -> PathBuf {
    let directory = data_directory(repository).join("reports");
    directory.join(format!("{run}.html"))
}

/// The directory for the worktrees of all repositories, or of this one if its settings name one. None where the user's
/// state directory is unknown.
pub fn worktrees_directory(
    repository: Option<&Repository>,
    settings: &WorktreeSettings,
    surroundings: &Surroundings,
) -> Option<PathBuf> {
    match (&settings.directory, repository) {
        (Some(directory), Some(repository)) => Some(repository.top().join(directory)),
        _ => surroundings.state_directory(),
    }
}

/// Where the worktree of a new run goes.
pub fn worktree_of(worktrees: &Path, repository: &Repository, run: &RunId) -> PathBuf {
    worktrees
        .join(repository_name(repository))
        .join(run.as_str())
}

/// A directory name that tells repositories of the same name apart.
fn repository_name(repository: &Repository) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(repository.common_directory().as_os_str().as_encoded_bytes());
    let name = repository
        .top()
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let plain: String = name
        .chars()
        .filter(|character| character.is_ascii_alphanumeric() || *character == '-')
        .collect();
    format!(
        "{plain}-{:02x}{:02x}{:02x}{:02x}",
        digest[0], digest[1], digest[2], digest[3]
    )
}

/// A tree that a run needs while it lives, or that is named by it afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The files of the last complete round.
    Candidate,
    /// The files of the round that is under way; the candidate has to stay meanwhile.
    Staged,
    /// The tests as they were at the valid red.
    Sealed,
    /// The same when there was the first one.
    FirstSealed,
    /// The files beside which tests are written again.
    SetAside,
    /// Tests that were written again, with these files.
    Carried,
    /// The last green that was accepted.
    Accepted,
    /// The tests of that green as they were at its red.
    AcceptedSealed,
    /// The last judged tree of an aborted run; it stays.
    Last,
}

impl Kept {
    /// Those that go with the worktree.
    const PASSING: [Self; 8] = [
        Self::Candidate,
        Self::Staged,
        Self::Sealed,
        Self::FirstSealed,
        Self::SetAside,
        Self::Carried,
        Self::Accepted,
        Self::AcceptedSealed,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Staged => "staged",
            Self::Sealed => "sealed",
            Self::FirstSealed => "first-sealed",
            Self::SetAside => "set-aside",
            Self::Carried => "carried",
            Self::Accepted => "accepted",
            Self::AcceptedSealed => "accepted-sealed",
            Self::Last => "last",
        }
    }
}

/// The directories and refs of one run.
#[derive(Debug, Clone, Copy)]
pub struct RunData<'a> {
    repository: &'a Repository,
    run: &'a RunId,
    worktree: &'a Path,
}

impl<'a> RunData<'a> {
    /// Of a run with this worktree.
    pub fn new(repository: &'a Repository, run: &'a RunId, worktree: &'a Path) -> Self {
        Self {
            repository,
            run,
            worktree,
        }
    }

    /// Of a registered run.
    pub fn of(repository: &'a Repository, row: &'a RunRow) -> Self {
        Self::new(repository, &row.id, &row.worktree)
    }

    /// The gates' output. It outlives the worktree, until `proctor clean`.
    pub fn evidence_directory(&self) -> PathBuf {
        data_directory(self.repository)
            .join("evidence")
            .join(self.run.as_str())
    }

    /// Where trees are judged: never the user's checkout, and not the worktree either, where anything may have been left
    /// lying.
    pub fn judged_directory(&self) -> PathBuf {
        beside(self.worktree, ".judged")
    }

    /// The tests' files besides git's.
    pub fn prepared_directory(&self) -> PathBuf {
        beside(self.worktree, ".prepared")
    }

    fn kept_reference(&self, kept: Kept) -> String {
        format!("refs/proctor/runs/{}/{}", self.run, kept.name())
    }

    /// Protects a tree from git's clean-up, most of them until the worktree is removed.
    pub fn keep(&self, kept: Kept, tree: &TreeId) -> Result<(), GitError> {
        self.repository
            .refs()
            .keep(&self.kept_reference(kept), tree.as_str())
    }

    /// Saves uncommitted files under the run's rescue ref, then removes worktree and branch and forgets the kept trees.
    /// `settled` is the tree that is already safe: the merged one, or the base's. The commit under the rescue ref, if
    /// there was something to save.
    pub fn remove_worktree(
        &self,
        branch: &str,
        settled: &TreeId,
        person: &Person,
        seconds: i64,
    ) -> Result<Option<CommitId>, WorktreeError> {
        self.repository.worktrees().remove(&WorktreeRemoval {
            path: self.worktree,
            branch,
            settled,
            rescue: &rescue_reference(self.run),
            message: CommitMessage {
                text: &format!("What was uncommitted in the worktree of run {}\n", self.run),
                person,
                seconds,
            },
            obsolete: &Kept::PASSING.map(|kept| self.kept_reference(kept)),
        })
    }
}

/// Appended, because an issue may have dots in it.
fn beside(worktree: &Path, suffix: &str) -> PathBuf {
    let mut path = worktree.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_issues_with_dots_are_judged_in_different_places() {
        let judged = |name: &str| beside(Path::new(name), ".judged");
        assert_ne!(judged("/state/9.1-aaaaaa"), judged("/state/9.2-bbbbbb"));
        assert_ne!(judged("/state/9.1-aaaaaa"), judged("/state/9.1-bbbbbb"));
    }
}
