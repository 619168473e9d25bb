//! Asking the model.

use proctor_core::context::ProjectPath;
use proctor_core::generation::prompts::{self, Background, FileTask, ShownFile};
use proctor_core::workflow::Event;

use super::{DriveError, Driver};
use crate::files::write_own;
use crate::model::{Asking, Destination, ModelError, Request, record};

impl Driver<'_> {
    pub(super) fn ask_for_tests(&mut self, attempt: u32) -> Result<Event, DriveError> {
        let run = &self.row.run;
        let listed: Vec<&str> = self
            .inputs
            .loaded
            .tests
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        let existing = self.shown(&listed)?;
        let prompt = self.with_background(|background| {
            prompts::scaffold(background, &borrow(&existing), run.feedback())
        });
        self.ask(&Request {
            asking: Asking::Scaffold,
            attempt,
            prompt: &prompt,
        })
    }

    pub(super) fn ask_for_file(
        &mut self,
        path: &ProjectPath,
        attempt: u32,
    ) -> Result<Event, DriveError> {
        let run = &self.row.run;
        let Some(file) = run.current_file() else {
            unreachable!("a file is asked for only while one is in the queue");
        };
        let sealed = run
            .sealed()
            .map(|sealed| sealed.files.as_slice())
            .unwrap_or_default();
        let sources = self
            .inputs
            .loaded
            .sources
            .iter()
            .map(|planned| planned.path.as_str());
        let mut others: Vec<&str> = sources
            .chain(names(run.source_files()))
            .filter(|other| *other != path.as_str())
            .collect();
        others.sort_unstable();
        others.dedup();
        // All at once: what is looked up costs a process, however much it is.
        let wanted = [vec![path.as_str()], names(sealed), others].concat();
        let mut found = self.shown(&wanted)?;
        let is_current = |(name, _): &(String, String)| name == path.as_str();
        let current = found
            .iter()
            .position(is_current)
            .map(|index| found.remove(index));
        let (tests, others): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(name, _)| sealed.iter().any(|test| test.as_str() == name));
        let task = FileTask {
            file,
            current: current.as_ref().map(|(_, text)| text.as_str()),
            tests: &borrow(&tests),
            others: &borrow(&others),
        };
        let prompt = self
            .with_background(|background| prompts::implement(background, &task, run.feedback()));
        self.ask(&Request {
            asking: Asking::Implement(path),
            attempt,
            prompt: &prompt,
        })
    }

    /// The files of the candidate tree among these, as text.
    fn shown(&self, paths: &[&str]) -> Result<Vec<(String, String)>, DriveError> {
        let Some(tree) = self.row.run.tree() else {
            return Ok(Vec::new());
        };
        let contents = self.world.repository.files_at(tree, paths)?;
        let found = paths.iter().zip(contents).filter_map(|(path, content)| {
            let text = String::from_utf8(content?).ok()?;
            Some(((*path).to_owned(), text))
        });
        Ok(found.collect())
    }

    fn with_background<T>(&self, body: impl FnOnce(&Background<'_>) -> T) -> T {
        let context = borrow(&self.inputs.context);
        body(&Background {
            document: &self.inputs.document,
            context: &context,
            sources: &self.inputs.loaded.sources,
            tests: &self.inputs.loaded.tests,
        })
    }

    fn ask(&mut self, request: &Request<'_>) -> Result<Event, DriveError> {
        let model = self.model.as_mut().ok_or(DriveError::NoModel)?;
        let destination = model.destination();
        let first = self.row.run.scaffold().asked() == 0;
        if first && destination != Destination::Nowhere {
            self.world
                .watcher
                .about_to_send(&destination, self.inputs.loaded.tokens);
        }
        let reply = model.reply(request).map_err(|error| match error {
            ModelError::Interrupted => DriveError::Interrupted,
            other => other.into(),
        })?;
        let event = Event::ModelReplied(reply);
        if let Some(directory) = &self.inputs.record {
            let mut events = self.world.journal.events(&self.row.id)?;
            events.push(event.clone());
            let path = directory.join(format!("{}.jsonl", self.row.id));
            write_own(&path, record(self.row.run.started(), &events).as_bytes())
                .map_err(|source| DriveError::Own { path, source })?;
        }
        Ok(event)
    }
}

fn names(paths: &[ProjectPath]) -> Vec<&str> {
    paths.iter().map(ProjectPath::as_str).collect()
}

fn borrow(files: &[(String, String)]) -> Vec<ShownFile<'_>> {
    files
        .iter()
        .map(|(path, text)| ShownFile { path, text })
        .collect()
}
