//! Driving a run until it rests, and the exit code that follows.

use std::path::Path;
use std::time::Instant;

use proctor_core::secrets::Fingerprint;
use proctor_core::workflow::{Event, Stage, State, Waiting};
use proctor_host::driver::{DriveError, Driver, Inputs, Local, StartRequest, start};
use proctor_host::journal::{Journal, RunId, RunLock, RunRow};
use proctor_host::model::{Model, ModelSpec, Story};
use proctor_host::process::Editor;
use proctor_host::settings::{ModelSettings, SettingsFile};
use proctor_host::workspace::Workspace;

use super::{Session, inputs_of};
use crate::caller::Caller;
use crate::failure::{Bug, Failure, Kind, Refused, Unanswered};
use crate::run_view::summary;
use crate::wire::{RunDocument, ok};

/// The replies of the model that `proctor demo` and `AGENTOS_MOCK_LLM=1` select.
fn built_in_replies(story: Story) -> &'static str {
    match story {
        Story::Python => include_str!("../commands/demo/python/script.jsonl"),
        Story::TypeScript => include_str!("../commands/demo/typescript/script.jsonl"),
    }
}

/// How a run is picked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent<'a> {
    /// Continue as far as possible.
    GoOn {
        /// Findings of the secret scan that the person lets through.
        allowed: &'a [Fingerprint],
        /// The person's requested change to the tests.
        tests: Option<&'a str>,
        /// The model that the person wants asked from now on.
        model: Option<&'a str>,
    },
    /// A person came for the review.
    Review {
        /// Whether they want it in their browser.
        web: bool,
    },
    /// A person wants it ended.
    Abort,
}

impl Session<'_> {
    /// Registers a run and drives it.
    pub(crate) fn begin(
        &self,
        workspace: &Workspace,
        request: &StartRequest<'_>,
        allowed: &[Fingerprint],
    ) -> Result<(), Failure> {
        let mut journal = workspace.journal()?;
        let repository = workspace.repository();
        let (row, lock) = start(repository, &mut journal, &self.surroundings, request)?;
        let intent = Intent::GoOn {
            allowed,
            tests: None,
            model: None,
        };
        self.drive(workspace, &mut journal, row, intent, &lock)
    }

    /// The model of a run, with the script lines that it has used already marked as used.
    fn model(
        &self,
        journal: &Journal,
        row: &RunRow,
        inputs: &Inputs,
        wanted: Option<&str>,
    ) -> Result<Box<dyn Model>, Failure> {
        let mut used = Vec::new();
        let mut asked = inputs.model.clone();
        for event in journal.events(&row.id)? {
            match event {
                Event::ModelReplied(reply) => used.extend(reply.script_line),
                // Another script has used nothing yet.
                Event::ModelChosen { model } if model != asked => {
                    used.clear();
                    asked = model;
                }
                _ => {}
            }
        }
        let wanted = wanted.map_or_else(|| asked.clone(), ToOwned::to_owned);
        if wanted != asked {
            used.clear();
        }
        let spec = ModelSpec::parse(&wanted, Path::new("/"))?;
        self.open_model(&spec, &used, &inputs.settings.model)
    }

    /// A model that can be asked; `used` are the script lines that have been used already.
    pub(crate) fn open_model(
        &self,
        spec: &ModelSpec,
        used: &[usize],
        settings: &ModelSettings,
    ) -> Result<Box<dyn Model>, Failure> {
        let built_in = match spec {
            ModelSpec::BuiltIn(story) => built_in_replies(*story),
            _ => "",
        };
        Ok(spec.open(
            built_in,
            used,
            settings,
            &self.launcher,
            self.surroundings.all(),
            &self.interrupt,
        )?)
    }

    /// Drives a run until it rests, and prints the result. `_lock` is held meanwhile.
    pub(crate) fn drive(
        &self,
        workspace: &Workspace,
        journal: &mut Journal,
        row: RunRow,
        intent: Intent<'_>,
        _lock: &RunLock,
    ) -> Result<(), Failure> {
        let mut inputs = inputs_of(&row)?;
        if intent != Intent::Abort {
            // A run's cost limit and waiting time follow the person's current wishes.
            let default = inputs.settings.model.default.take();
            let today = SettingsFile::read(workspace.top())?;
            inputs.settings.model = today.protective().model.clone();
            inputs.settings.model.default = default;
        }
        let id = row.id.clone();
        let mut caller = Caller {
            surroundings: &self.surroundings,
            launcher: &self.launcher,
            interrupt: &self.interrupt,
            progress: self.progress(),
            settings: inputs.settings.notify.clone(),
            run: id.to_string(),
            repository: workspace.top().to_owned(),
            since: Instant::now(),
            sent: Vec::new(),
        };
        let terminal = self.approver();
        let mut approver = self.person(terminal.with_editor(Editor::of(self.surroundings.all())));
        if intent == (Intent::Review { web: true }) {
            approver = approver.on_page(false)?;
        }
        let chosen = match intent {
            Intent::GoOn {
                model: Some(text), ..
            } => Some(ModelSpec::parse(text, &self.directory)?.to_text()),
            _ => None,
        };
        let model = match intent {
            Intent::Abort => None,
            Intent::GoOn { .. } | Intent::Review { .. } if row.run.state().has_ended() => None,
            Intent::GoOn { .. } | Intent::Review { .. } => {
                Some(self.model(journal, &row, &inputs, chosen.as_deref())?)
            }
        };
        let place = self.place(workspace);
        let mut local = Local::new(place, &row, inputs, model, &mut approver, self.clock);
        let mut driver = Driver {
            journal,
            watcher: &mut caller,
            interrupt: &self.interrupt,
            performer: &mut local,
            row,
            review_requested: matches!(intent, Intent::Review { .. }),
        };
        let ended = match intent {
            Intent::Abort => driver.abort(),
            Intent::GoOn { allowed, tests, .. } => driver
                .allow_secrets(allowed)
                .and_then(|()| match chosen {
                    Some(model) if !driver.row.run.state().has_ended() => {
                        driver.choose_model(&model)
                    }
                    _ => Ok(()),
                })
                .and_then(|()| driver.notice_own_tests())
                .and_then(|_| match tests {
                    Some(text) => driver.reopen_tests(text),
                    None => driver.go_on(),
                })
                .and_then(|()| driver.drive()),
            Intent::Review { .. } => driver
                .notice_own_tests()
                .and_then(|taken| match driver.row.run.stage() {
                    // They are judged first.
                    _ if taken => Ok(()),
                    Stage::Review => driver.go_on(),
                    _ => driver.recall_green(),
                })
                .and_then(|()| driver.drive()),
        };
        let row = driver.row;
        if let Err(error) = &ended
            && !matches!(error, DriveError::Interrupted)
        {
            caller.call(&row.run, format!("something to be fixed: {error}"));
        }
        caller.finish();
        match ended {
            Ok(()) => self.report(workspace, &row, intent),
            Err(error) => {
                let way_on = self.way_on(&id, intent, &error);
                let failure = Failure::from(error);
                let failure = match (failure.kind, way_on) {
                    (Kind::Bug, _) | (_, None) => failure,
                    (_, Some(way_on)) => failure.hint(way_on),
                };
                Err(failure.details(RunDocument::of(&row, workspace)))
            }
        }
    }

    /// The command to continue once the problem is fixed; a user who wants to end a run knows how.
    fn way_on(&self, run: &RunId, intent: Intent<'_>, error: &DriveError) -> Option<String> {
        match (intent, error) {
            (Intent::Abort, _) => None,
            (_, DriveError::WorktreeGone { .. }) => {
                let abort = self.command(&format!("abort {run}"));
                Some(format!("end the run with `{abort}`"))
            }
            // A run keeps its base commit, so a failure there stays.
            (_, DriveError::Baseline(_)) => {
                let abort = self.command(&format!("abort {run}"));
                let resume = self.command(&format!("resume {run}"));
                Some(format!(
                    "where the base commit itself is broken: `{abort}`, commit what repairs it, and start again with \
                     `proctor run`; where it was this machine: `{resume}`"
                ))
            }
            _ => {
                let resume = self.command(&format!("resume {run}"));
                Some(format!("go on with `{resume}`"))
            }
        }
    }

    /// The exit code for a run that rests.
    fn report(
        &self,
        workspace: &Workspace,
        row: &RunRow,
        intent: Intent<'_>,
    ) -> Result<(), Failure> {
        let details = RunDocument::of(row, workspace);
        match row.run.state() {
            State::Merged(_) => {
                let mut text = summary(row, None);
                let base = &row.run.started().base_branch;
                if workspace.current_branch()?.as_ref() != Some(base) {
                    text.line(format_args!(
                        "your checkout is not on {base}; `git switch {base}` gets you there"
                    ));
                }
                self.output.result(text, &ok(details));
                Ok(())
            }
            State::Aborted if intent == Intent::Abort => {
                self.output.result(summary(row, None), &ok(details));
                Ok(())
            }
            State::Aborted => {
                let (run, rescued) = (row.id.to_string(), row.run.rescue().is_some());
                Err(Failure::from(Refused::Ended { run, rescued }).details(details))
            }
            State::Parked(waiting) => Err(self.parked(row, waiting.clone()).details(details)),
            State::Running => {
                Err(Failure::from(Bug::NoReason(row.id.to_string())).details(details))
            }
        }
    }

    fn parked(&self, row: &RunRow, waiting: Waiting) -> Failure {
        Unanswered::Parked {
            run: row.id.to_string(),
            waiting,
            auto: row.run.started().autonomy.auto,
            offered: row.run.offered().is_some(),
            proctor: self.program(),
        }
        .into()
    }
}
