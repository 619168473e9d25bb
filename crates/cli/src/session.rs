//! What the commands share: the repository, its journal, and driving a run to its rest.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proctor_core::secrets::Fingerprint;
use proctor_core::workflow::{Event, State, Waiting};
use proctor_host::clock::Clock;
use proctor_host::driver::{DriveError, Driver, Inputs, Local};
use proctor_host::gate::Place;
use proctor_host::git::Repository;
use proctor_host::journal::{Journal, JournalError, RunId, RunLock, RunRow};
use proctor_host::model::{Model, ModelSpec};
use proctor_host::process::{Editor, Interrupt, Launcher};
use proctor_host::run_data::data_directory;
use proctor_host::settings::{ModelSettings, Settings};
use proctor_host::surroundings::Surroundings;
use serde_json::{Value, json};

use crate::arguments::{Color, Global};
use crate::caller::Caller;
use crate::commands::demo;
use crate::commands::status::{document, summary};
use crate::diagnostics;
use crate::failure::{Bug, Failure, Kind, Misuse, Obstacle, Refused, Unanswered};
use crate::output::Output;
use crate::terminal::{ColourChoice, Progress, Screen, TerminalApprover, Verbosity};

/// One invocation of the program.
pub(crate) struct Session<'a> {
    pub(crate) global: &'a Global,
    pub(crate) output: &'a Output,
    pub(crate) surroundings: Surroundings,
    pub(crate) directory: PathBuf,
    pub(crate) interrupt: Interrupt,
    pub(crate) launcher: Launcher,
    pub(crate) clock: Clock,
    /// One for all: what is being drawn gives way to what is asked.
    screen: Screen,
}

fn screen(global: &Global, surroundings: &Surroundings) -> Screen {
    let choice = match global.color {
        Color::Auto => ColourChoice::Auto,
        Color::Always => ColourChoice::Always,
        Color::Never => ColourChoice::Never,
    };
    let screen = Screen::stderr(choice, surroundings);
    if global.no_pager {
        screen.without_pager()
    } else {
        screen
    }
}

/// How a run is picked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent<'a> {
    /// Go on by itself as far as it can.
    GoOn {
        /// Findings of the secret scan that the person lets through.
        allowed: &'a [Fingerprint],
    },
    /// A person came for the review.
    Review,
    /// A person wants it ended.
    Abort,
}

impl<'a> Session<'a> {
    pub(crate) fn new(global: &'a Global, output: &'a Output) -> Result<Self, Failure> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one place that decides the directory"
        )]
        let here = std::env::current_dir();
        let here = here.map_err(Obstacle::NoCurrentDirectory)?;
        let directory = match &global.directory {
            Some(directory) => here.join(directory),
            None => here,
        };
        if !directory.is_dir() {
            return Err(Misuse::NoDirectory(directory).into());
        }
        // Git names the root without links in it; paths are compared with that.
        let directory = directory.canonicalize().unwrap_or(directory);
        let interrupt = Interrupt::install().map_err(Obstacle::Signals)?;
        let launcher =
            std::env::current_exe().map_or_else(|_| Launcher::plain(), Launcher::through);
        let surroundings = Surroundings::of_this_process();
        diagnostics::start(&surroundings)?;
        Ok(Self {
            screen: screen(global, &surroundings),
            global,
            output,
            surroundings,
            directory,
            interrupt,
            launcher,
            clock: Clock::system(),
        })
    }

    /// The same invocation, in another directory.
    pub(crate) fn at<'b>(&self, global: &'b Global) -> Session<'b>
    where
        'a: 'b,
    {
        Session {
            global,
            output: self.output,
            surroundings: self.surroundings.clone(),
            directory: global
                .directory
                .clone()
                .unwrap_or_else(|| self.directory.clone()),
            interrupt: self.interrupt.clone(),
            launcher: self.launcher.clone(),
            clock: self.clock,
            screen: self.screen.clone(),
        }
    }

    /// Standard error, for people.
    pub(crate) fn screen(&self) -> Screen {
        self.screen.clone()
    }

    /// What is told while something works.
    pub(crate) fn progress(&self) -> Progress {
        let verbosity = match (self.global.quiet, self.global.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Usual,
        };
        Progress::new(self.screen(), verbosity)
    }

    pub(crate) fn repository(&self) -> Result<Repository, Failure> {
        Ok(Repository::discover(&self.directory, &self.surroundings)?)
    }

    pub(crate) fn journal(&self, repository: &Repository) -> Result<Journal, Failure> {
        Ok(Journal::open(&data_directory(repository), self.clock)?)
    }

    /// The journal, if any run was ever made here.
    pub(crate) fn existing_journal(
        &self,
        repository: &Repository,
    ) -> Result<Option<Journal>, Failure> {
        Ok(Journal::open_existing(
            &data_directory(repository),
            self.clock,
        )?)
    }

    /// The journal and the named run, or the newest one.
    pub(crate) fn find_any_run(
        &self,
        repository: &Repository,
        name: Option<&str>,
    ) -> Result<(Journal, RunRow), Failure> {
        if name.is_some() {
            return self.find_run(repository, name);
        }
        let journal = self.existing_journal(repository)?;
        let newest = match &journal {
            Some(journal) => journal.runs()?.pop(),
            None => None,
        };
        Ok(journal.zip(newest).ok_or(Misuse::NoRunYet)?)
    }

    /// The journal and the named run, or the newest run that has not ended.
    pub(crate) fn find_run(
        &self,
        repository: &Repository,
        name: Option<&str>,
    ) -> Result<(Journal, RunRow), Failure> {
        let journal = self.existing_journal(repository)?;
        let journal = journal.ok_or_else(|| match name {
            Some(name) => Failure::from(JournalError::NoSuchRun(name.to_owned())),
            None => Misuse::NothingToGoOnWith.into(),
        })?;
        let row = match name {
            Some(name) => journal.run(name)?,
            None => journal
                .runs()?
                .into_iter()
                .rev()
                .find(|row| !(row.run.state().has_ended() && row.run.worktree_removed()))
                .ok_or(Misuse::NothingToGoOnWith)?,
        };
        Ok((journal, row))
    }

    /// The model of a run, with the script lines that it has used already marked as used.
    fn model(
        &self,
        journal: &Journal,
        row: &RunRow,
        inputs: &Inputs,
    ) -> Result<Box<dyn Model>, Failure> {
        let used: Vec<usize> = journal
            .events(&row.id)?
            .iter()
            .filter_map(|event| match event {
                Event::ModelReplied(reply) => reply.script_line,
                _ => None,
            })
            .collect();
        let spec = ModelSpec::parse(&inputs.model, Path::new("/"))?;
        self.open_model(&spec, &used, &inputs.settings.model)
    }

    /// A model that can be asked; `used` are the script lines that have been used already.
    pub(crate) fn open_model(
        &self,
        spec: &ModelSpec,
        used: &[usize],
        settings: &ModelSettings,
    ) -> Result<Box<dyn Model>, Failure> {
        Ok(spec.open(
            demo::SCRIPT,
            used,
            settings,
            &self.launcher,
            self.surroundings.all(),
            &self.interrupt,
        )?)
    }

    /// Drives a run until it rests, and prints what came of it. `_lock` is held meanwhile.
    pub(crate) fn drive(
        &self,
        repository: &Repository,
        journal: &mut Journal,
        row: RunRow,
        intent: Intent<'_>,
        _lock: &RunLock,
    ) -> Result<(), Failure> {
        let mut inputs = inputs_of(&row)?;
        if intent != Intent::Abort {
            // What a run may cost and how long it may wait is the person's wish of today.
            let default = inputs.settings.model.default.take();
            inputs.settings.model = Settings::read(repository.top())?.model;
            inputs.settings.model.default = default;
        }
        let id = row.id.clone();
        let top = repository.top().to_owned();
        let mut caller = Caller::new(self, inputs.settings.notify.clone(), id.to_string(), top);
        let mut approver = TerminalApprover::new(self.screen(), self.interrupt.clone())
            .with_editor(Editor::of(&self.surroundings));
        let model = match intent {
            Intent::Abort => None,
            Intent::GoOn { .. } | Intent::Review if row.run.state().has_ended() => None,
            Intent::GoOn { .. } | Intent::Review => Some(self.model(journal, &row, &inputs)?),
        };
        let place = Place {
            repository,
            surroundings: &self.surroundings,
            launcher: &self.launcher,
            interrupt: &self.interrupt,
        };
        let mut local = Local::new(place, &row, inputs, model, &mut approver, self.clock);
        let mut driver = Driver {
            journal,
            watcher: &mut caller,
            interrupt: &self.interrupt,
            performer: &mut local,
            row,
            review_requested: intent == Intent::Review,
        };
        let ended = match intent {
            Intent::Abort => driver.abort(),
            Intent::GoOn { allowed } => driver
                .allow_secrets(allowed)
                .and_then(|()| driver.go_on())
                .and_then(|()| driver.drive()),
            Intent::Review => driver.go_on().and_then(|()| driver.drive()),
        };
        let row = driver.row;
        if let Err(error) = &ended
            && !matches!(error, DriveError::Interrupted)
        {
            caller.call(&row.run, format!("something to be mended: {error}"));
        }
        caller.finish();
        match ended {
            Ok(()) => self.report(repository, &row, intent),
            Err(error) => {
                let way_on = self.way_on(&id, intent, &error);
                let failure = Failure::from(error);
                let failure = match (failure.kind, way_on) {
                    (Kind::Bug, _) | (_, None) => failure,
                    (_, Some(way_on)) => failure.hint(way_on),
                };
                Err(failure.details(document(&row, repository)))
            }
        }
    }

    /// What helps once what went wrong is mended; whoever wants to end a run knows.
    fn way_on(&self, run: &RunId, intent: Intent<'_>, error: &DriveError) -> Option<String> {
        match (intent, error) {
            (Intent::Abort, _) => None,
            (_, DriveError::WorktreeGone { .. }) => {
                let abort = self.command(&format!("abort {run}"));
                Some(format!("end the run with `{abort}`"))
            }
            _ => {
                let resume = self.command(&format!("resume {run}"));
                Some(format!("go on with `{resume}`"))
            }
        }
    }

    /// A command line that works from where the user is.
    pub(crate) fn command(&self, words: &str) -> String {
        format!("{} {words}", self.program())
    }

    /// How such a line begins.
    fn program(&self) -> String {
        match &self.global.directory {
            Some(directory) => format!("proctor -C {}", directory.display()),
            None => "proctor".to_owned(),
        }
    }

    /// What a run that rests means for the exit code.
    fn report(
        &self,
        repository: &Repository,
        row: &RunRow,
        intent: Intent<'_>,
    ) -> Result<(), Failure> {
        let details = document(row, repository);
        match row.run.state() {
            State::Merged(_) => {
                let mut text = summary(row);
                let base = &row.run.started().base_branch;
                if repository.checkout()?.branch()?.as_ref() != Some(base) {
                    let _ = writeln!(
                        text,
                        "your checkout is not on {base}; `git switch {base}` gets you there"
                    );
                }
                self.output.result(&text, &ok(details));
                Ok(())
            }
            State::Aborted if intent == Intent::Abort => {
                self.output.result(&summary(row), &ok(details));
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
            proctor: self.program(),
        }
        .into()
    }
}

/// What a run was started with.
pub(crate) fn inputs_of(row: &RunRow) -> Result<Inputs, Failure> {
    let read = serde_json::from_str(&row.inputs);
    Ok(read.map_err(|problem| Obstacle::Inputs {
        run: row.id.to_string(),
        problem: problem.to_string(),
    })?)
}

/// Marks a document as a success.
pub(crate) fn ok(mut document: Value) -> Value {
    if let Value::Object(fields) = &mut document {
        fields.insert("schema".to_owned(), json!(1));
        fields.insert("ok".to_owned(), json!(true));
    }
    document
}

/// Takes a run for this process, as it is once it is taken: whoever had it may have gone on.
pub(crate) fn take(journal: &Journal, row: &RunRow) -> Result<(RunRow, RunLock), Failure> {
    let lock = journal.lock(&row.id)?;
    Ok((journal.run(row.id.as_str())?, lock))
}
