//! Calls the person when a run needs one: by the terminal's bell, and by a command of theirs.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use proctor_core::workflow::{Effect, Event, Run, State, Waiting};
use proctor_host::driver::Watcher;
use proctor_host::model::{Destination, News};
use proctor_host::notification::{Notice, Notification};
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::settings::NotifySettings;
use proctor_host::surroundings::Surroundings;

use crate::terminal::Progress;

/// Tells what happens, and notifies a person when they are needed.
pub(crate) struct Caller<'a> {
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) launcher: &'a Launcher,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) progress: Progress,
    pub(crate) settings: NotifySettings,
    pub(crate) run: String,
    pub(crate) repository: PathBuf,
    /// When the person last did something.
    pub(crate) since: Instant,
    pub(crate) sent: Vec<Notification>,
}

impl Caller<'_> {
    /// Notifies a person, for this.
    pub(crate) fn call(&mut self, run: &Run, waiting_for: String) {
        let patience = Duration::from_secs(self.settings.bell_after_seconds);
        if self.settings.bell && self.since.elapsed() >= patience {
            self.progress.ring();
        }
        let notice = Notice {
            run: self.run.clone(),
            issue: run.started().issue.clone(),
            stage: run.stage().key().to_owned(),
            state: run.state().key().to_owned(),
            waiting_for,
            repository: self.repository.clone(),
        };
        self.sent.extend(Notification::send(
            &self.settings.command,
            &notice,
            self.surroundings.all(),
            self.launcher,
            self.interrupt,
        ));
    }

    /// Waits for the commands that are under way.
    pub(crate) fn finish(mut self) {
        for notification in std::mem::take(&mut self.sent) {
            if let Some(problem) = notification.finish() {
                let words = format!("the command of `[notify]` did not do its work: {problem}");
                self.progress.remark(&words);
            }
        }
    }
}

impl Watcher for Caller<'_> {
    fn begins(&mut self, run: &Run, effect: &Effect) {
        // One call, whether a person is at the terminal or the run parks at once.
        if matches!(effect, Effect::AskPerson { .. }) {
            self.call(run, Waiting::Review.to_string());
        }
        self.progress.begins(run, effect);
    }

    fn check(&mut self, what: &str) {
        self.progress.check(what);
    }

    fn line(&mut self, line: &str) {
        self.progress.line(line);
    }

    fn record(&mut self, run: &Run, event: &Event) {
        self.progress.record(run, event);
        match run.state() {
            State::Parked(Waiting::Review) => {}
            State::Parked(waiting) => self.call(run, waiting.to_string()),
            _ => {}
        }
        if matches!(event, Event::PersonDecided(_)) {
            self.since = Instant::now();
        }
    }

    fn remark(&mut self, text: &str) {
        self.progress.remark(text);
    }

    fn about_to_send(&mut self, destination: &Destination, tokens: usize) {
        self.progress.about_to_send(destination, tokens);
    }

    fn model_news(&mut self, news: &News) {
        self.progress.model_news(news);
    }
}
