//! What a reply makes of the files: read, checked, its changes applied; all of it or nothing.

use proctor_core::diff::line_count;
use proctor_core::edit::{self, Refusal};
use proctor_core::generation::{
    AllowedFile, Body, Circumstances, Reply, Rules, Strategy, USUAL_OUTPUT_TOKENS, ask_for_less,
    is_cut_off, parse_reply,
};
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::lld::PlannedFile;
use proctor_core::workflow::{Event, Stage};

use super::Driver;
use crate::git::{Entries, FileMode};

/// A file as a reply wants it.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) file: AllowedFile,
    /// As it is now, if it exists.
    pub(super) before: Option<Vec<u8>>,
    /// As it is to be.
    pub(super) after: Vec<u8>,
    pub(super) mode: FileMode,
}

/// The event instead of a write.
pub(super) type Instead = Box<Event>;

pub(super) fn refused(reason: impl Into<String>) -> Instead {
    Box::new(Event::ReplyRefused {
        reason: reason.into(),
    })
}

impl Driver<'_> {
    /// What decides how a file is asked for, and what a reply to that may bring.
    pub(super) fn circumstances(&self) -> Circumstances {
        let run = &self.row.run;
        let limit = self.inputs.settings.model.max_output_tokens;
        Circumstances {
            autonomy: run.started().autonomy,
            output_limit: limit.unwrap_or(USUAL_OUTPUT_TOKENS),
            changes_were_unreadable: run.changes_were_unreadable(),
            was_cut_off: run.attempts_here().cut_off() > 0,
        }
    }

    /// The files of the pending reply that may be written.
    pub(super) fn read_reply(&self, base: &Entries) -> Result<Vec<AllowedFile>, Instead> {
        let run = &self.row.run;
        let Some(reply) = run.pending() else {
            return Err(refused("there is no reply"));
        };
        self.check_whole(reply)?;
        let loaded = &self.inputs.loaded;
        let sole = match (run.current_file(), loaded.tests.as_slice()) {
            (Some(file), _) => Some(&file.path),
            (None, [only]) => Some(&only.path),
            _ => None,
        };
        let files = match parse_reply(&reply.text, sole) {
            Ok(Reply::Files(files)) => files,
            Ok(Reply::GiveUp(reason)) => return Err(Box::new(Event::GaveUp { reason })),
            Err(malformed) => {
                let reason = format!("the reply is malformed: {malformed}");
                return Err(if reply.asked_for_changes {
                    Box::new(Event::ChangesUnreadable { reason })
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
            test_paths: &self.inputs.settings.test.paths,
        };
        let allowed = match run.current_file() {
            Some(file) => rules.implement(&file.path, files),
            None => rules.scaffold(files),
        };
        allowed.map_err(|reason| refused(format!("the reply was refused: {reason}")))
    }

    /// Whether the reply came whole, and may be looked at.
    fn check_whole(&self, reply: &ModelReply) -> Result<(), Instead> {
        let run = &self.row.run;
        if is_cut_off(reply, self.inputs.settings.model.max_output_tokens) {
            let reason = ask_for_less(run.attempts_here().cut_off());
            return Err(Box::new(Event::ReplyCutOff { reason }));
        }
        if reply.stop_reason == StopReason::Refusal {
            let reason = format!("the model refused: {}", reply.text.trim());
            return Err(Box::new(Event::GaveUp { reason }));
        }
        if let Some(found) = run.allowed_secrets().find(&reply.text).first() {
            return Err(refused(format!(
                "the reply holds what looks like {}; nothing of it was used: write something in its \
                 place that nobody can take for a real one",
                found.description
            )));
        }
        Ok(())
    }

    /// What becomes of every file, or everything that is wrong with the changes of all of them.
    pub(super) fn resolve(
        &self,
        files: Vec<AllowedFile>,
        contents: Vec<Option<Vec<u8>>>,
        base: &Entries,
    ) -> Result<Vec<Wanted>, Instead> {
        let mut wanted = Vec::new();
        let mut problems = Vec::new();
        for (file, before) in files.into_iter().zip(contents) {
            let mode = base.get(file.path.as_str()).copied();
            if matches!(mode, Some(FileMode::Symlink | FileMode::Submodule)) {
                let reason = format!("{} is a link and cannot be replaced by a file", file.path);
                return Err(refused(reason));
            }
            match self.content(&file, before.as_deref()) {
                Ok(after) => wanted.push(Wanted {
                    file,
                    before,
                    after,
                    mode: mode.unwrap_or(FileMode::Regular),
                }),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            Ok(wanted)
        } else {
            Err(refused(problems.join("\n")))
        }
    }

    fn content(&self, file: &AllowedFile, before: Option<&[u8]>) -> Result<Vec<u8>, String> {
        let path = &file.path;
        match (&file.body, before) {
            (Body::Whole(text), None) => Ok(text.clone().into_bytes()),
            (Body::Whole(text), Some(before)) if self.may_come_whole(before) => {
                Ok(text.clone().into_bytes())
            }
            (Body::Whole(_), Some(before)) => Err(format!(
                "{path} has {} lines and is not replaced as a whole; send only what changes, as \
                 `### CHANGE` sections with `FIND:` and `REPLACE WITH:` blocks",
                line_count(before)
            )),
            (Body::Edits(_), None) => Err(format!(
                "{path} does not exist, so nothing in it can be changed; send it whole"
            )),
            (Body::Edits(changes), Some(before)) => edit::apply(before, changes)
                .map(|applied| applied.content)
                .map_err(|refusals| in_words(path.as_str(), &refusals)),
        }
    }

    /// Whether a reply may bring an existing file whole, whatever it was asked for.
    fn may_come_whole(&self, before: &[u8]) -> bool {
        let circumstances = Circumstances {
            was_cut_off: false,
            ..self.circumstances()
        };
        let forced = circumstances.autonomy.auto && circumstances.autonomy.force;
        let text = String::from_utf8_lossy(before);
        forced || Strategy::choose(Some(&text), &circumstances) == Strategy::Whole
    }
}

fn in_words(path: &str, refusals: &[Refusal]) -> String {
    format!(
        "the changes of {path} do not apply: {}",
        edit::summary(refusals)
    )
}
