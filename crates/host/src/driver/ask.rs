//! Asking the model.

use proctor_core::generation::prompts::{self, Background, FileTask, LastAttempt, ShownFile};
use proctor_core::generation::{Strategy, check_budget, check_tokens};
use proctor_core::lld::ChangeType;
use proctor_core::path::ProjectPath;
use proctor_core::tokens::count_tokens;
use proctor_core::workflow::Event;

use super::DriveError;
use super::audience::Watcher;
use super::case::Case;
use crate::files::{OwnFileError, write_own};
use crate::journal::Journal;
use crate::model::{Asking, Destination, Model, ModelError, Request, clear, record};

/// Asks the model.
pub(super) struct Questions<'c> {
    pub(super) case: Case<'c>,
    pub(super) model: Option<&'c mut (dyn Model + 'static)>,
    /// Where earlier replies are, for a recording.
    pub(super) journal: &'c Journal,
    pub(super) watcher: &'c mut dyn Watcher,
}

impl Questions<'_> {
    pub(super) fn ask_for_tests(&mut self, attempt: u32) -> Result<Event, DriveError> {
        let circumstances = self.case.circumstances();
        let last = self.last_attempt();
        let now = self.tests_now()?;
        let now = borrow(&now);
        let mut by_changes = false;
        let prompt = self.with_background(|background| {
            let is_test = |path: &str| background.tests.iter().any(|it| it.path.as_str() == path);
            let existing = background.before.iter().filter(|file| is_test(file.path));
            let as_it_is = |file: &ShownFile<'_>| {
                let shown = now.iter().find(|now| now.path == file.path);
                shown.map_or(file.text, |now| now.text).to_owned()
            };
            let changed: Vec<&str> = existing
                .filter(|file| {
                    Strategy::choose(Some(&as_it_is(file)), &circumstances) == Strategy::Changes
                })
                .map(|file| file.path)
                .collect();
            by_changes = !changed.is_empty();
            prompts::scaffold(background, &now, &changed, last)
        })?;
        let tests: Vec<ProjectPath> = self
            .case
            .inputs
            .loaded
            .tests
            .iter()
            .map(|it| it.path.clone())
            .collect();
        let question = Question {
            request: Request {
                asking: Asking::Scaffold,
                attempt,
                cut_off: self.case.run().attempts_here().cut_off(),
                prompt: &prompt,
            },
            about: &tests,
            for_changes: by_changes,
        };
        self.ask(&question)
    }

    /// The current tests, if there are any.
    fn tests_now(&self) -> Result<Vec<(String, String)>, DriveError> {
        let run = self.case.run();
        let names: Vec<&str> = run.test_files().iter().map(ProjectPath::as_str).collect();
        match run.tree() {
            Some(tree) if !names.is_empty() => self.case.texts_at(tree, &names),
            _ => Ok(Vec::new()),
        }
    }

    /// The result of the last attempt, for the model.
    fn last_attempt(&self) -> LastAttempt<'_> {
        LastAttempt {
            wish: self.case.run().wish(),
            feedback: self.case.run().feedback(),
            refusal: self.case.run().refusal(),
        }
    }

    pub(super) fn ask_for_file(
        &mut self,
        path: &ProjectPath,
        attempt: u32,
    ) -> Result<Event, DriveError> {
        let run = self.case.run();
        let Some(file) = run.current_file() else {
            unreachable!("a file is asked for only while one is in the queue");
        };
        let sealed = run
            .sealed()
            .map(|sealed| sealed.files.as_slice())
            .unwrap_or_default();
        let staged = run.staged().into_iter().flat_map(|staged| &staged.files);
        let others = run
            .source_files()
            .iter()
            .chain(staged)
            .filter(|other| *other != path);
        // All at once: each lookup costs a process, however much it returns.
        let wanted: Vec<&str> = std::iter::once(path)
            .chain(sealed)
            .chain(others)
            .map(ProjectPath::as_str)
            .collect();
        let mut found = match run.working_tree() {
            Some(tree) => self.case.texts_at(tree, &wanted)?,
            None => Vec::new(),
        };
        let is_current = |(name, _): &(String, String)| name == path.as_str();
        let current = found
            .iter()
            .position(is_current)
            .map(|index| found.remove(index));
        let (tests, written): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(name, _)| sealed.iter().any(|test| test.as_str() == name));
        let held_out = self.case.held_out()?;
        let tests: Vec<(String, String)> = tests
            .into_iter()
            .map(|(name, text)| {
                let shown = held_out.shown(&name, &text);
                (name, shown)
            })
            .collect();
        let current = current.as_ref().map(|(_, text)| text.as_str());
        let strategy = Strategy::choose(current, &self.case.circumstances());
        let task = FileTask {
            file,
            current,
            strategy,
            tests: &borrow(&tests),
            hidden_tests: held_out.hidden(),
            written: &borrow(&written),
        };
        let prompt = self.with_background(|background| {
            prompts::implement(background, &task, self.last_attempt())
        })?;
        let question = Question {
            request: Request {
                asking: Asking::Implement(path),
                attempt,
                cut_off: self.case.run().attempts_here().cut_off(),
                prompt: &prompt,
            },
            about: std::slice::from_ref(path),
            for_changes: strategy == Strategy::Changes,
        };
        self.ask(&question)
    }

    fn with_background<T>(&self, body: impl FnOnce(&Background<'_>) -> T) -> Result<T, DriveError> {
        let loaded = &self.case.inputs.loaded;
        let listed: Vec<&str> = loaded
            .sources
            .iter()
            .chain(&loaded.tests)
            .filter(|file| file.change != ChangeType::Delete)
            .map(|file| file.path.as_str())
            .collect();
        let before = match self.case.run().base_tree() {
            Some(tree) => self.case.texts_at(tree, &listed)?,
            None => Vec::new(),
        };
        Ok(body(&Background {
            runner: self.case.inputs.runner(),
            document: &self.case.inputs.document,
            before: &borrow(&before),
            context: &borrow(&self.case.inputs.context),
            sources: &loaded.sources,
            tests: &loaded.tests,
        }))
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Event, DriveError> {
        let seen = self.case.seen(question.about)?;
        let request = &question.request;
        let model = self.model.as_deref_mut().ok_or(DriveError::NoModel)?;
        let allowed = self.case.run().allowed_secrets();
        let cleared = match clear(model, request, allowed) {
            Ok(cleared) => cleared,
            Err(hold) => return Ok(Event::RequestHeld(hold)),
        };
        let settings = &self.case.inputs.settings.model;
        let spent = self.case.run().usage();
        if let Some(limit) = settings.max_cost_micro_usd() {
            let most = model.most_micro_usd(&cleared);
            if let Err(hold) = check_budget(limit, spent.known_micro_usd, most) {
                return Ok(Event::RequestHeld(hold));
            }
        }
        if let Some(limit) = settings.max_run_tokens {
            let spent = spent.input_tokens + spent.output_tokens;
            if let Err(hold) = check_tokens(limit, spent, model.most_tokens(&cleared)) {
                return Ok(Event::RequestHeld(hold));
            }
        }
        let destination = model.destination();
        let first = self.case.run().scaffold().asked() == 0;
        if first && destination != Destination::Nowhere {
            let tokens = count_tokens(cleared.sent());
            self.watcher.about_to_send(&destination, tokens);
        }
        let watcher = &mut self.watcher;
        let replied = model.send_telling(&cleared, &mut |news| watcher.model_news(&news));
        let mut reply = replied.map_err(|error| match error {
            ModelError::Interrupted => DriveError::Interrupted,
            other => other.into(),
        })?;
        reply.text = allowed.mask(&reply.text).into_owned();
        reply.seen = seen;
        reply.asked_for_changes = question.for_changes;
        let event = Event::ModelReplied(reply);
        if let Some(directory) = &self.case.inputs.record {
            let mut events = self.journal.events(&self.case.row.id)?;
            events.push(event.clone());
            let path = directory.join(format!("{}.jsonl", self.case.row.id));
            write_own(&path, record(self.case.run().started(), &events).as_bytes())
                .map_err(OwnFileError::at(&path))?;
        }
        Ok(event)
    }
}

/// A request, and the facts to keep about it.
struct Question<'a> {
    request: Request<'a>,
    /// The files that it is about.
    about: &'a [ProjectPath],
    /// Whether it asks for changes.
    for_changes: bool,
}

fn borrow(files: &[(String, String)]) -> Vec<ShownFile<'_>> {
    files
        .iter()
        .map(|(path, text)| ShownFile { path, text })
        .collect()
}
