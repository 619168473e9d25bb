//! A reply's effect on the files: read, checked, its changes applied; all of it or nothing.

use proctor_core::diff::line_count;
use proctor_core::edit::{self, Refusal};
use proctor_core::generation::{
    AllowedFile, Body, Circumstances, ModelReply, Reply, Rules, StopReason, Strategy, ask_for_less,
    is_cut_off, parse_reply,
};
use proctor_core::lld::PlannedFile;
use proctor_core::merge::Merge;
use proctor_core::path::ProjectPath;
use proctor_core::remark::{Remark, Remarks};
use proctor_core::safe_write::Proposal;
use proctor_core::workflow::{Event, Stage};

use super::DriveError;
use super::apply::Writing;
use crate::git::{Entries, FileMode};

/// Why a reply is not used.
#[derive(Debug)]
pub(super) enum Halt {
    /// This happened instead.
    Instead(Box<Event>),
    /// An obstacle; the reply is used when the run continues.
    Error(DriveError),
}

impl<E: Into<DriveError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

pub(super) fn refused(reason: impl Into<Remarks>) -> Halt {
    instead(Event::ReplyRefused {
        reason: reason.into(),
    })
}

pub(super) fn instead(event: Event) -> Halt {
    Halt::Instead(Box::new(event))
}

impl Writing<'_> {
    /// The files of the pending reply that may be written.
    pub(super) fn read_reply(&self, base: &Entries) -> Result<Vec<AllowedFile>, Halt> {
        let run = self.case.run();
        let Some(reply) = run.pending() else {
            return Err(refused("there is no reply"));
        };
        self.check_whole(reply)?;
        let loaded = &self.case.inputs.loaded;
        let sole = match (run.current_file(), loaded.tests.as_slice()) {
            (Some(file), _) => Some(&file.path),
            (None, [only]) => Some(&only.path),
            _ => None,
        };
        let files = match parse_reply(&reply.text, sole) {
            Ok(Reply::Files(files)) => files,
            Ok(Reply::GiveUp(reason)) => return Err(instead(Event::GaveUp { reason })),
            Ok(Reply::TestsAreWrong(reason)) if run.stage() == Stage::Implement => {
                return Err(instead(Event::TestsDisputed { reason }));
            }
            Ok(Reply::TestsAreWrong(_)) => {
                let wrong = "the reply calls the tests wrong, and they are what is asked for";
                return Err(refused(
                    Remark::from(wrong).so("send them as they should be"),
                ));
            }
            Err(malformed) => {
                let reason = Remark::from(malformed).about("the reply is malformed");
                return Err(if reply.asked_for_changes {
                    instead(Event::ChangesUnreadable {
                        reason: reason.into(),
                    })
                } else {
                    refused(reason)
                });
            }
        };
        let listed: Vec<PlannedFile> = loaded
            .sources
            .iter()
            .chain(&loaded.tests)
            .cloned()
            .collect();
        let base = base.keys().cloned().collect();
        // An earlier scaffold's files go when the next one comes.
        let tests = if run.stage() == Stage::Scaffold {
            &[]
        } else {
            run.test_files()
        };
        let staged = run.staged().map(|staged| staged.files.as_slice());
        let written = run
            .source_files()
            .iter()
            .chain(tests)
            .chain(staged.unwrap_or_default())
            .map(ToString::to_string)
            .collect();
        let rules = Rules {
            listed: &listed,
            base: &base,
            written: &written,
            test_paths: &self.case.inputs.settings.test.paths,
        };
        let allowed = match run.current_file() {
            Some(file) => rules.implement(&file.path, files),
            None => rules.scaffold(files),
        };
        allowed.map_err(|reason| refused(Remark::from(reason).about("the reply was refused")))
    }

    /// Whether the reply came whole, and may be looked at.
    fn check_whole(&self, reply: &ModelReply) -> Result<(), Halt> {
        let run = self.case.run();
        if is_cut_off(reply, self.case.inputs.settings.model.max_output_tokens) {
            let reason = ask_for_less(run.attempts_here().cut_off());
            let reason = reason.into();
            return Err(instead(Event::ReplyCutOff { reason }));
        }
        if reply.stop_reason == StopReason::Refusal {
            let reason = format!("the model refused: {}", reply.text.trim());
            return Err(instead(Event::GaveUp { reason }));
        }
        if let Some(found) = run.allowed_secrets().find(&reply.text).first() {
            let fact = format!(
                "the reply holds what looks like {}; nothing of it was used",
                found.description
            );
            let order = "write something in its place that cannot be taken for a real one";
            return Err(refused(Remark::from(fact).so(order)));
        }
        Ok(())
    }

    /// The new state of every file, or all problems with the changes.
    pub(super) fn resolve(
        &self,
        files: Vec<AllowedFile>,
        contents: Vec<Option<Vec<u8>>>,
        base: &Entries,
    ) -> Result<Vec<Proposal>, Halt> {
        let mut proposals = Vec::new();
        let mut problems = Vec::new();
        for (file, before) in files.into_iter().zip(contents) {
            let mode = base.get(file.path.as_str());
            if matches!(mode, Some(FileMode::Symlink | FileMode::Submodule)) {
                let reason = format!("{} is a link and cannot be replaced by a file", file.path);
                return Err(refused(reason));
            }
            match self.proposal(file, before) {
                // A protected name got this far only because the design document lists it.
                Ok(proposal) => proposals.push(proposal.listed()),
                Err(problem) => problems.extend(problem.remarks()),
            }
        }
        if problems.is_empty() {
            Ok(proposals)
        } else {
            Err(refused(problems.into_iter().collect::<Remarks>()))
        }
    }

    fn proposal(&self, file: AllowedFile, before: Option<Vec<u8>>) -> Result<Proposal, Unfit> {
        let path = file.path;
        match (file.body, before) {
            (Body::Whole(_), Some(before)) if !self.may_come_whole(&before) => {
                let lines = line_count(&before);
                Err(Unfit::Whole { path, lines })
            }
            (Body::Whole(text), before) => {
                let whole = Proposal::new(path, before, text.into_bytes(), Merge::Replace);
                Ok(whole.expect("replacing works with any bytes"))
            }
            (Body::Edits(_), None) => Err(Unfit::Missing { path }),
            (Body::Edits(changes), Some(before)) => match edit::apply(&before, &changes) {
                Ok(applied) => Ok(Proposal::edited(path, before, applied)),
                Err(refusals) => Err(Unfit::Changes { path, refusals }),
            },
        }
    }

    /// Whether a reply may bring an existing file whole, even if changes were asked for.
    fn may_come_whole(&self, before: &[u8]) -> bool {
        let circumstances = Circumstances {
            was_cut_off: false,
            ..self.case.circumstances()
        };
        let forced = circumstances.autonomy.auto && circumstances.autonomy.force;
        let text = String::from_utf8_lossy(before);
        forced || Strategy::choose(Some(&text), &circumstances) == Strategy::Whole
    }
}

/// Why a file of a reply is not a proposal.
#[derive(Debug)]
enum Unfit {
    /// It is too large to come whole.
    Whole { path: ProjectPath, lines: usize },
    /// There is nothing to change.
    Missing { path: ProjectPath },
    /// Its changes do not apply.
    Changes {
        path: ProjectPath,
        refusals: Vec<Refusal>,
    },
}

impl Unfit {
    fn remarks(self) -> Remarks {
        match self {
            Self::Whole { path, lines } => Remark::from(format!(
                "{path} has {lines} lines and is not replaced as a whole"
            ))
            .so(
                "send only what changes, as `### CHANGE` sections with `FIND:` and `REPLACE WITH:` \
                 blocks",
            )
            .into(),
            Self::Missing { path } => Remark::from(format!(
                "{path} does not exist, so nothing in it can be changed"
            ))
            .so("send it whole")
            .into(),
            Self::Changes { path, refusals } => {
                edit::summary(&refusals).about(format_args!("the changes of {path} do not apply"))
            }
        }
    }
}
