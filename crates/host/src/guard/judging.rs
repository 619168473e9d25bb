//! The differences in the checkout, judged; earlier verdicts are cached by tree.

use std::fs;
use std::time::Duration;

use proctor_core::gate::{VerdictWord, feedback};
use proctor_core::guard::{ChangeFound, RedFound, Seal, SealedFile, is_machinery, is_scratch};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::safe_write::sha256;
use serde::{Deserialize, Serialize};

use super::{Guard, GuardError};
use crate::files::{OwnFileError, write_own};
use crate::gate::{ChangeJudged, ChangeRequest, Judged, Pace, WhichGate, judge_change};
use crate::git::Change;
use crate::run_data::guard_verdicts;
use crate::settings::Settings;

/// The most that goes back to an agent at once.
const REASONS_BYTES: usize = 6_000;

/// How long a refusal of the same tree is repeated without judging again: it may have been chance.
const REFUSAL: Duration = Duration::from_mins(10);

/// A verdict on a tree, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) word: VerdictWord,
    pub(super) reasons: String,
}

impl Kept {
    fn of(judged: &ChangeJudged) -> Self {
        let (word, verdict) = (judged.word, &judged.verdict);
        let reasons = feedback(None, verdict, REASONS_BYTES);
        let next = word.next(verdict);
        let sentence = word.sentence();
        Self {
            word,
            reasons: format!("{sentence}\n{reasons}next: {next}"),
        }
    }

    /// Whether a commit of this may be made without a person. A red waits for its implementation.
    pub(super) fn may_be_committed(&self) -> bool {
        self.word == VerdictWord::NothingChanged
            || self.word.is_good() && self.word != VerdictWord::ValidRed
    }
}

impl Guard<'_> {
    /// Everything in the checkout that an agent may commit, as a tree: without scratch, and with the machinery as it is
    /// committed. A person may have installed the guard a minute ago.
    fn tree(&self, base: &TreeId, settings: &Settings) -> Result<TreeId, GuardError> {
        let repository = self.place.repository;
        let objects = repository.objects();
        let tree = repository.checkout()?.snapshot(base, |_| {})?.tree;
        let scratch = &settings.guard.scratch;
        let mut changes = Vec::new();
        for file in objects.changed_files(base, &tree)? {
            let name = String::from_utf8_lossy(&file.path);
            let left_out =
                is_machinery(&name) || file.before.is_none() && is_scratch(&name, scratch);
            let path = ProjectPath::parse(&name).ok().filter(|_| left_out);
            let Some(path) = path else { continue };
            changes.push(match file.before {
                None => Change::Delete { path },
                Some((mode, blob)) => Change::Write {
                    path,
                    content: objects.blobs(&[blob])?.concat(),
                    mode,
                },
            });
        }
        if changes.is_empty() {
            return Ok(tree);
        }
        Ok(objects.write_tree(&tree, &changes)?)
    }

    pub(super) fn red(&self, base: &TreeId, settings: &Settings) -> Result<RedFound, GuardError> {
        let tree = self.tree(base, settings)?;
        let judged = self.judge(WhichGate::Red, Judged::Tree(&tree))?;
        Ok(RedFound {
            valid: judged.word == VerdictWord::ValidRed,
            tests: self.seal(&tree, &judged.tests)?,
            reasons: feedback(None, &judged.verdict, REASONS_BYTES),
        })
    }

    pub(super) fn change(
        &self,
        base: &TreeId,
        settings: &Settings,
    ) -> Result<ChangeFound, GuardError> {
        let tree = self.tree(base, settings)?;
        let kept = if tree == *base {
            Kept {
                word: VerdictWord::NothingChanged,
                reasons: String::new(),
            }
        } else {
            self.known_or_judged(base, &tree, Judged::Tree(&tree))?
        };
        Ok(ChangeFound {
            tree,
            word: kept.word,
            reasons: kept.reasons,
        })
    }

    /// The cached verdict on a tree, or a new one.
    pub(super) fn known_or_judged(
        &self,
        base: &TreeId,
        tree: &TreeId,
        judged: Judged<'_>,
    ) -> Result<Kept, GuardError> {
        if let Some(kept) = self.known(base, tree) {
            return Ok(kept);
        }
        let kept = Kept::of(&self.judge(WhichGate::Change, judged)?);
        self.keep(base, tree, &kept)?;
        Ok(kept)
    }

    fn judge(&self, gate: WhichGate, judged: Judged<'_>) -> Result<ChangeJudged, GuardError> {
        let request = ChangeRequest {
            gate,
            judged,
            base: None,
            tests: &[],
            fresh: false,
            pace: Pace::Quick,
        };
        Ok(judge_change(self.place, &request, &mut |_| {})?)
    }

    /// The cached verdict on a tree, measured against another one.
    fn known(&self, base: &TreeId, tree: &TreeId) -> Option<Kept> {
        let path = self.verdict_file(base, tree);
        let kept: Kept = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let age = fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok()?;
        (kept.word.is_good() || age < REFUSAL).then_some(kept)
    }

    fn keep(&self, base: &TreeId, tree: &TreeId, kept: &Kept) -> Result<(), GuardError> {
        let path = self.verdict_file(base, tree);
        let text = serde_json::to_vec(kept).unwrap_or_default();
        Ok(write_own(&path, &text).map_err(OwnFileError::at(&path))?)
    }

    fn verdict_file(&self, base: &TreeId, tree: &TreeId) -> std::path::PathBuf {
        guard_verdicts(self.place.repository).join(format!("{base}-{tree}.json"))
    }

    /// Test files as they are in a tree.
    fn seal(&self, tree: &TreeId, tests: &[ProjectPath]) -> Result<Seal, GuardError> {
        let objects = self.place.repository.objects();
        let empty = objects.empty_tree()?;
        let all = objects.changed_files(&empty, tree)?;
        let mut sealed = Vec::new();
        for path in tests {
            let mut files = all.iter();
            let file = files.find(|file| file.path == path.as_str().as_bytes());
            if let Some((_, blob)) = file.and_then(|file| file.after.as_ref()) {
                let contents = objects.blobs(std::slice::from_ref(blob))?;
                sealed.push(SealedFile {
                    path: path.clone(),
                    blob: blob.clone(),
                    sha256: sha256(&contents.concat()),
                });
            }
        }
        Ok(Seal(sealed))
    }
}
