//! Facts from outside. Each is journalled before anything follows from it.

use serde::{Deserialize, Serialize};

use crate::approval::SignedApproval;
use crate::gate::{Baseline, SourceFlag, Verdict};
use crate::generation::{Hold, ModelReply};
use crate::lld::PlannedFile;
use crate::object_id::{CommitId, TreeId};
use crate::path::ProjectPath;
use crate::permission::Autonomy;
use crate::remark::Remarks;
use crate::secrets::Fingerprint;
use crate::test_outcome::SandboxLevel;

/// Something that happened in the world. Replaying a run's events gives its [`Run`](super::Run).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The design document was usable and every context file allowed.
    ContextLoaded(ContextLoaded),
    /// The worktree exists, checked out at the base commit.
    WorktreeCreated {
        /// The base commit's tree, which the model's files are added to.
        tree: TreeId,
    },
    /// The suite ran at the base commit.
    BaselineTaken {
        /// The tests' results there.
        baseline: Baseline,
    },
    /// The request may not leave as it is; the model was not asked.
    RequestHeld(Hold),
    /// The model answered; nothing has been done with the answer yet.
    ModelReplied(ModelReply),
    /// The reply could not be used; nothing of it was written.
    ReplyRefused {
        /// The model gets it back.
        reason: Remarks,
    },
    /// The reply's changes could not even be read; nothing of it was written. Unlike after any other refusal,
    /// the whole file may be asked for next.
    ChangesUnreadable {
        /// The model gets it back.
        reason: Remarks,
    },
    /// The reply ends before its end; nothing of it was written. Not the model's mistake, so it spends no
    /// attempt; the same question may be answered like that three times.
    ReplyCutOff {
        /// The model is asked for less.
        reason: Remarks,
    },
    /// The model said that it cannot do this.
    GaveUp {
        /// In its own words.
        reason: String,
    },
    /// The model that was to make the tests pass says that they are wrong.
    TestsDisputed {
        /// In its own words.
        reason: String,
    },
    /// The reply would replace an existing file, and no person was there to allow it.
    WriteNeedsPerson {
        /// The file and the numbers.
        reason: String,
    },
    /// A file was changed in the worktree after the model was asked about it; nothing was written over it.
    FileChanged {
        /// The file, and how to continue.
        reason: String,
    },
    /// The reply's files are in `tree`, and in the worktree once all files of the round have come.
    FilesWritten {
        /// The files written or, for a Delete row, removed.
        paths: Vec<ProjectPath>,
        /// The tree with these files.
        tree: TreeId,
        /// For tests that are written again: the same with the source files that were set aside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carried: Option<TreeId>,
    },
    /// A person has the tests written again.
    TestsReopened {
        /// The requested changes.
        text: String,
        /// The person, as `Name <address>`.
        by: String,
    },
    /// A person's own edit of the tests in the worktree takes their place.
    TestsTaken {
        /// The person, as `Name <address>`.
        by: String,
        /// The test files, those included that were not edited.
        paths: Vec<ProjectPath>,
        /// The base with them.
        tree: TreeId,
        /// The same with the source files that were written so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carried: Option<TreeId>,
    },
    /// A person goes back to the last green that was accepted.
    GreenRecalled {
        /// Its tree.
        tree: TreeId,
    },
    /// The red gate looked at the new tests.
    RedJudged(GateResult),
    /// The green gate looked at everything.
    GreenJudged(GateResult),
    /// The linter ran, or there is none.
    Linted(LintResult),
    /// A person at a terminal decided about the diff of `tree`.
    PersonDecided(Decision),
    /// Proctor could not ask for confirmation: no terminal, or `--auto`. Journals know it by its first name.
    #[serde(rename = "nobody_to_ask")]
    NoOneToAsk,
    /// The base branch has new commits; they merge cleanly into a new tree that was never judged.
    BaseMoved {
        /// The base branch's new tip.
        tip: CommitId,
        /// Its tree with the run's changes merged in.
        tree: TreeId,
        /// Its tree; journals of earlier versions do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base_tree: Option<TreeId>,
    },
    /// The base branch has new commits that clash with the run's.
    MergeConflicted {
        /// The files that clash.
        files: Vec<String>,
    },
    /// The base branch is checked out and that checkout cannot follow.
    CheckoutBusy {
        /// The reason.
        reason: String,
    },
    /// The base branch contains the approved tree.
    Merged {
        /// The commit that brought it there.
        commit: CommitId,
    },
    /// A person lets one finding of the secret scan through. Changes nothing else about the run.
    SecretAllowed {
        /// The secret's fingerprint.
        fingerprint: Fingerprint,
    },
    /// A person has another model asked from now on. Changes nothing else about the run.
    ModelChosen {
        /// As `--model` has it.
        model: String,
    },
    /// A person asked a parked run to continue.
    Resumed,
    /// A person ended the run.
    Aborted,
    /// The worktree and the branch are gone; uncommitted files are kept.
    WorktreeRemoved {
        /// The commit under the rescue ref, if there was anything to save.
        rescue: Option<CommitId>,
    },
}

/// The facts that N0 found before anything was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextLoaded {
    /// The design document's files that are not tests, in the order in which they are asked for.
    pub sources: Vec<PlannedFile>,
    /// The test files that it lists.
    pub tests: Vec<PlannedFile>,
    /// Estimated tokens of the design document and the context.
    pub tokens: usize,
}

/// A gate's verdict about one tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateResult {
    /// The tree whose files were run.
    pub tree: TreeId,
    /// The rules' conclusion.
    pub verdict: Verdict,
    /// The feedback to the model if the verdict sends the work back.
    pub feedback: String,
    /// Where command and output are kept, below the run's evidence directory.
    pub evidence: String,
    /// The command, for people.
    pub command: String,
    /// How long all runs took.
    pub elapsed_ms: u64,
    /// Every run of the test runner that the verdict rests on.
    #[serde(default)]
    pub runs: Vec<GateRun>,
    /// Facts in the source files that a person should look at.
    #[serde(default)]
    pub flags: Vec<SourceFlag>,
    /// The tests' sandbox, where the journal has it; in the journal an empty text means unknown.
    #[serde(default, with = "sandbox_name")]
    pub sandbox: Option<SandboxLevel>,
}

/// A level as journals have it since they have one: its name, or an empty text.
mod sandbox_name {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::test_outcome::SandboxLevel;

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        clippy::ref_option,
        reason = "serde hands over a reference"
    )]
    pub(super) fn serialize<S: Serializer>(
        level: &Option<SandboxLevel>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.map_or("", SandboxLevel::as_str))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SandboxLevel>, D::Error> {
        String::deserialize(deserializer).map(|name| SandboxLevel::named(&name))
    }
}

/// One run of the test runner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateRun {
    /// The run's purpose, in a few words.
    pub what: String,
    /// The command, for people.
    pub command: String,
    /// Its exit code, if it exited.
    pub exit_code: Option<i32>,
    /// How many tests were collected.
    pub tests: usize,
    /// How long it took.
    pub elapsed_ms: u64,
}

/// The linter's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lint", rename_all = "snake_case")]
pub enum LintResult {
    /// No linter is configured, and none was found.
    Absent,
    /// It had no complaint about the change.
    Clean {
        /// The command, for people.
        command: String,
        /// How many complaints it had about the changed files at the base already.
        #[serde(default)]
        known: usize,
    },
    /// It has findings.
    Complaints {
        /// The command, for people.
        command: String,
        /// Its complaints, which the model gets back.
        output: String,
        /// How many more it had at the base already.
        #[serde(default)]
        known: usize,
    },
    /// It is not installed, or crashed: nothing is known about the change, and the model cannot fix that.
    Unusable {
        /// The command, for people.
        command: String,
        /// The problem, in one phrase.
        reason: String,
    },
}

impl LintResult {
    /// The combined result of two linters: complaints count for most, silence for least.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = |one: &str, two: &str| format!("{one} and {two}");
        match (self, other) {
            (Self::Absent, other) | (other, Self::Absent) => other,
            (
                Self::Complaints {
                    command,
                    output,
                    known,
                },
                Self::Complaints {
                    command: second,
                    output: more,
                    known: further,
                },
            ) => Self::Complaints {
                command: both(&command, &second),
                output: format!("{output}\n{more}"),
                known: known + further,
            },
            (complaints @ Self::Complaints { .. }, _)
            | (_, complaints @ Self::Complaints { .. }) => complaints,
            (unusable @ Self::Unusable { .. }, _) | (_, unusable @ Self::Unusable { .. }) => {
                unusable
            }
            (
                Self::Clean { command, known },
                Self::Clean {
                    command: second,
                    known: further,
                },
            ) => Self::Clean {
                command: both(&command, &second),
                known: known + further,
            },
        }
    }
}

/// A person's decision at the review gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The tree whose diff was on the screen.
    pub tree: TreeId,
    /// The person's input, parsed.
    pub choice: Choice,
    /// The person, as `Name <address>`.
    pub by: String,
    /// When, in seconds since 1970; becomes the commit's date, so that a repeated merge makes the
    /// same commit.
    pub at: i64,
    /// The terminal at which it was typed.
    #[serde(default)]
    pub place: String,
    /// A digest of the facts about the tree: its base, and the results of the gates and the linter.
    #[serde(default)]
    pub evidence: String,
    /// Whether it is a comment that names a test file. Said here because journals of earlier versions led such a comment to
    /// the implementation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub about_tests: bool,
    /// The approval as the person signed it, where approvals are signed: a merge that is repeated after a crash needs no
    /// second signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<Box<SignedApproval>>,
}

/// The words of the review gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum Choice {
    /// `APPROVE`: merge exactly this.
    Approve,
    /// Comments that go back to the model.
    Comment {
        /// The person's words.
        text: String,
    },
    /// `REJECT`: the run ends.
    Reject {
        /// The reason, if the person gave one.
        #[serde(default)]
        reason: String,
    },
    /// `ABORT`: the run ends.
    Abort,
}

/// A run's initial settings. The one record that is not an answer to an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The issue, as it appears in the branch name.
    pub issue: String,
    /// The branch that the result is merged into.
    pub base_branch: String,
    /// Its tip when the run started.
    pub base: CommitId,
    /// `--auto` and `--force`.
    pub autonomy: Autonomy,
}

#[cfg(test)]
mod tests {
    use super::GateResult;
    use crate::test_outcome::SandboxLevel;

    #[test]
    fn a_sandbox_that_a_journal_does_not_name_or_this_version_does_not_know_is_unknown() {
        let read = |sandbox: &str| -> GateResult {
            let json = format!(
                r#"{{"tree":"{}","verdict":{{"disposition":"accepted","exit_code":0,"tests":[],"reasons":[],"notes":[]}},
                "feedback":"","evidence":"","command":"","elapsed_ms":1{sandbox}}}"#,
                "a".repeat(40)
            );
            serde_json::from_str(&json).expect("a journal's result is read")
        };
        let table = [
            ("", None),
            (r#","sandbox":"""#, None),
            (r#","sandbox":"gvisor""#, None),
            (r#","sandbox":"landlock""#, Some(SandboxLevel::Landlock)),
        ];
        for (written, level) in table {
            assert_eq!(read(written).sandbox, level, "{written}");
        }
        let kept = serde_json::to_value(read("")).expect("plain data");
        assert_eq!(kept["sandbox"], "");
    }
}
