//! What the commands share: the repository, its journal, and driving a run to its rest.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proctor_core::context::Fingerprint;
use proctor_core::generation::Hold;
use proctor_core::workflow::{Event, REVIEW_CANNOT_BE_BYPASSED, State, Waiting};
use proctor_host::clock::Clock;
use proctor_host::driver::{DriveError, Driver, Inputs, World};
use proctor_host::git::Repository;
use proctor_host::journal::{Journal, RunLock, RunRow};
use proctor_host::model::{Model, ModelSpec};
use proctor_host::process::{Editor, Interrupt, Launcher};
use proctor_host::settings::{ModelSettings, Settings};
use proctor_host::surroundings::Surroundings;
use serde_json::{Value, json};

use crate::arguments::{Color, Global};
use crate::caller::Caller;
use crate::commands::demo;
use crate::commands::status::{document, summary};
use crate::failure::{Failure, Kind};
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
        let here = here.map_err(|error| {
            Failure::new(
                Kind::Environment,
                format!("the current directory is gone: {error}"),
            )
        })?;
        let directory = match &global.directory {
            Some(directory) => here.join(directory),
            None => here,
        };
        if !directory.is_dir() {
            let message = format!("there is no directory {}", directory.display());
            return Err(Failure::new(Kind::Usage, message));
        }
        // Git names the root without links in it; paths are compared with that.
        let directory = directory.canonicalize().unwrap_or(directory);
        let interrupt = Interrupt::install().map_err(|error| {
            Failure::new(
                Kind::Environment,
                format!("signals cannot be handled: {error}"),
            )
        })?;
        let launcher =
            std::env::current_exe().map_or_else(|_| Launcher::plain(), Launcher::through);
        let surroundings = Surroundings::of_this_process();
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
        Ok(Journal::open(&repository.data_directory(), self.clock)?)
    }

    /// The journal, if any run was ever made here.
    pub(crate) fn existing_journal(
        &self,
        repository: &Repository,
    ) -> Result<Option<Journal>, Failure> {
        Ok(Journal::open_existing(
            &repository.data_directory(),
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
        journal.zip(newest).ok_or_else(|| {
            Failure::new(Kind::Usage, "there is no run yet")
                .hint("start one with `proctor run --issue ID --lld FILE`")
        })
    }

    /// The journal and the named run, or the newest run that has not ended.
    pub(crate) fn find_run(
        &self,
        repository: &Repository,
        name: Option<&str>,
    ) -> Result<(Journal, RunRow), Failure> {
        let none = || {
            Failure::new(Kind::Usage, "there is no run to go on with")
                .hint("start one with `proctor run --issue ID --lld FILE`")
        };
        let journal = self.existing_journal(repository)?.ok_or_else(none)?;
        let row = match name {
            Some(name) => journal.run(name)?,
            None => journal
                .runs()?
                .into_iter()
                .rev()
                .find(|row| !(row.run.state().has_ended() && row.run.worktree_removed()))
                .ok_or_else(none)?,
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
        let mut inputs: Inputs = serde_json::from_str(&row.inputs).map_err(|problem| {
            Failure::new(
                Kind::Environment,
                format!("the inputs of run {} cannot be read: {problem}", row.id),
            )
        })?;
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
        let world = World {
            repository,
            journal,
            surroundings: &self.surroundings,
            launcher: &self.launcher,
            interrupt: &self.interrupt,
            clock: self.clock,
            watcher: &mut caller,
            approver: &mut approver,
            review_requested: intent == Intent::Review,
        };
        let mut driver = Driver::new(world, model, row, inputs);
        let ended = match intent {
            Intent::Abort => proctor_host::driver::abort(&mut driver),
            Intent::GoOn { allowed } => driver
                .allow_secrets(allowed)
                .and_then(|()| driver.go_on())
                .and_then(|()| driver.drive()),
            Intent::Review => driver.go_on().and_then(|()| driver.drive()),
        };
        let row = driver.row().clone();
        drop(driver);
        if let Err(error) = &ended
            && !matches!(error, DriveError::Interrupted)
        {
            caller.call(&row.run, format!("something to be mended: {error}"));
        }
        caller.finish();
        match ended {
            Ok(()) => self.report(repository, &row, intent),
            Err(error) => {
                let failure = Failure::from(error);
                let failure = match failure.kind {
                    Kind::Bug => failure,
                    _ => failure.hint(format!(
                        "go on with `{}`",
                        self.command(&format!("resume {id}"))
                    )),
                };
                Err(failure.details(document(&row, repository)))
            }
        }
    }

    /// A command line that works from where the user is.
    pub(crate) fn command(&self, words: &str) -> String {
        match &self.global.directory {
            Some(directory) => format!("proctor -C {} {words}", directory.display()),
            None => format!("proctor {words}"),
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
                if repository.current_branch()?.as_ref() != Some(base) {
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
                let failure = Failure::new(
                    Kind::Refused,
                    format!("run {} was ended; nothing was merged", row.id),
                );
                let failure = match row.run.rescue() {
                    Some(_) => failure.hint(format!(
                        "what was uncommitted is kept: git show refs/proctor/rescue/{}",
                        row.id
                    )),
                    None => failure,
                };
                Err(failure.details(details))
            }
            State::Parked(waiting) => Err(self.parked(row, waiting).details(details)),
            State::Running => Err(Failure::new(
                Kind::Bug,
                format!("run {} stopped without a reason", row.id),
            )
            .details(details)),
        }
    }

    fn parked(&self, row: &RunRow, waiting: &Waiting) -> Failure {
        let message = if *waiting == Waiting::Review && row.run.started().autonomy.auto {
            format!("{REVIEW_CANNOT_BE_BYPASSED} Run {} waits for it", row.id)
        } else {
            format!("run {} waits for {waiting}", row.id)
        };
        let failure = Failure::new(Kind::NeedsPerson, message);
        let (review, resume, abort) = (
            self.command(&format!("review {}", row.id)),
            self.command(&format!("resume {}", row.id)),
            self.command(&format!("abort {}", row.id)),
        );
        match waiting {
            Waiting::Review => failure.hint(format!("at a terminal: `{review}`")),
            Waiting::Attempts { .. } | Waiting::GaveUp { .. } => failure.hint(format!(
                "`{resume}` gives the model three more attempts, `{abort}` ends the run"
            )),
            Waiting::Judgement { .. } => failure.hint(format!(
                "when that is mended, `{resume}` judges again; `{abort}` ends the run"
            )),
            Waiting::Request(Hold::OverBudget { .. }) => failure.hint(format!(
                "raise `[model] max_cost_usd` or set the model's price in `[model.prices]`, both in proctor.toml, \
                 then `{resume}`; `{abort}` ends the run"
            )),
            Waiting::Request(Hold::OverTokens { .. }) => failure.hint(format!(
                "raise `[model] max_run_tokens` in proctor.toml, then `{resume}`; `{abort}` ends the run"
            )),
            Waiting::Request(hold) => {
                let options: Vec<String> = hold
                    .fingerprints()
                    .map(|fingerprint| format!("--allow-secret {fingerprint}"))
                    .collect();
                failure.hint(if options.is_empty() {
                    format!("`{abort}` ends the run; start again with less context")
                } else {
                    format!(
                        "if that is no secret, `{resume} {}` lets it pass; otherwise `{abort}` and start again without it",
                        options.join(" ")
                    )
                })
            }
            Waiting::Worktree { .. } => failure.hint(format!("then `{resume}`; `{abort}` ends the run")),
            Waiting::Write { .. } => failure.hint(format!("at a terminal: `{resume}`")),
            Waiting::Conflict { .. } => failure.hint(format!(
                "`{resume}` tries again when the base branch has changed; `{abort}` ends the run and keeps its work"
            )),
            Waiting::Checkout { .. } => failure.hint(format!(
                "commit or stash what is in the way, then `{resume}`; the approval stays valid"
            )),
        }
    }
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
