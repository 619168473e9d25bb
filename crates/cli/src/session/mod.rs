//! One invocation of the program: its directory, its arguments, its output.

mod driving;
mod runs;

use std::ffi::OsStr;
use std::path::PathBuf;

use proctor_core::path::ProjectPath;
use proctor_host::clock::Clock;
use proctor_host::gate::Place;
use proctor_host::process::{Interrupt, Launcher, SandboxMode};
use proctor_host::safe_write::WriteError;
use proctor_host::surroundings::Surroundings;
use proctor_host::test_runner::Inquiry;
use proctor_host::workspace::Workspace;

use crate::arguments::{Color, Global};
use crate::browser::Person;
use crate::diagnostics;
use crate::failure::{Failure, Matter, Misuse, Obstacle, Unanswered, Unsafe};
use crate::output::Output;
use crate::terminal::{ColourChoice, Progress, Screen, TerminalApprover, Verbosity};

pub(crate) use driving::Intent;
pub(crate) use runs::{find_any_run, find_run, inputs_of, take};

/// One invocation of the program.
pub(crate) struct Session<'a> {
    pub(crate) global: &'a Global,
    pub(crate) output: &'a Output,
    pub(crate) surroundings: Surroundings,
    pub(crate) directory: PathBuf,
    pub(crate) interrupt: Interrupt,
    pub(crate) launcher: Launcher,
    pub(crate) clock: Clock,
    /// One for all: drawing gives way to questions.
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

    /// The person to ask. In a terminal that a coding agent has marked as its own there is none.
    pub(crate) fn approver(&self) -> TerminalApprover {
        TerminalApprover::new(self.screen(), self.interrupt.clone())
            .unless_anothers(self.surroundings.agent_mark().is_some())
    }

    /// The person who reviews and signs.
    pub(crate) fn person(&self, terminal: TerminalApprover) -> Person {
        Person::at(terminal, self.screen(), self.interrupt.clone())
    }

    /// The refusal in a coding agent's terminal of a matter that only a person can decide.
    pub(crate) fn in_agents_terminal(&self, matter: &Matter<'_>) -> Option<Unanswered> {
        let mark = self.surroundings.agent_mark()?;
        Some(Unanswered::in_terminal_of(mark, matter, &self.program()))
    }

    /// Why `write` or `apply` did not write.
    pub(crate) fn not_written(&self, command: &'static str, error: WriteError) -> Failure {
        let question = match &error {
            WriteError::NeedsPerson { concern, .. } | WriteError::Protected(concern) => {
                self.in_agents_terminal(&Matter::Write(command, concern))
            }
            _ => None,
        };
        question.map_or_else(|| error.into(), Failure::from)
    }

    /// The progress display while something works.
    pub(crate) fn progress(&self) -> Progress {
        let verbosity = match (self.global.quiet, self.global.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Usual,
        };
        Progress::new(self.screen(), verbosity)
    }

    /// How a program is asked for its identity.
    pub(crate) fn inquiry(&self, mode: SandboxMode) -> Inquiry<'_> {
        Inquiry {
            environment: self.surroundings.all(),
            launcher: &self.launcher,
            interrupt: &self.interrupt,
            mode,
        }
    }

    /// Where trees of a repository are judged.
    pub(crate) fn place<'p>(&'p self, workspace: &'p Workspace) -> Place<'p> {
        Place {
            repository: workspace.repository(),
            surroundings: &self.surroundings,
            launcher: &self.launcher,
            interrupt: &self.interrupt,
        }
    }

    /// The repository around the directory.
    pub(crate) fn workspace(&self) -> Result<Workspace, Failure> {
        let workspace = Workspace::discover(&self.directory, &self.surroundings, self.clock);
        Ok(workspace?)
    }

    /// The same for reading its history alone, for which a bare repository will do.
    pub(crate) fn history(&self) -> Result<Workspace, Failure> {
        let workspace =
            Workspace::discover_history(&self.directory, &self.surroundings, self.clock);
        Ok(workspace?)
    }

    /// The repository around the directory, and a path from the command line in it: relative to the person's directory
    /// when given, relative to the root when returned.
    ///
    /// It may lead up only at its beginning: the rest of a path is checked by the rules for paths.
    pub(crate) fn project_path(&self, given: &OsStr) -> Result<(Workspace, ProjectPath), Failure> {
        let given = given.to_str().ok_or(Unsafe::PathNotText)?;
        let workspace = self.workspace()?;
        let here = self.directory.strip_prefix(workspace.top());
        let mut from = here.map_or_else(|_| PathBuf::new(), PathBuf::from);
        let mut rest = given;
        loop {
            if let Some(after) = rest.strip_prefix("./") {
                rest = after;
            } else if let Some(after) = rest.strip_prefix("../")
                && from.pop()
            {
                rest = after;
            } else {
                break;
            }
        }
        let path = if from.as_os_str().is_empty() || rest.starts_with('/') || rest.is_empty() {
            ProjectPath::parse(rest)?
        } else {
            let from = from.to_str().ok_or(Unsafe::PathNotText)?;
            ProjectPath::parse(&format!("{from}/{rest}"))?
        };
        Ok((workspace, path))
    }

    /// A file of the repository, as a path from the person's directory.
    pub(crate) fn seen_from_here(&self, workspace: &Workspace, path: &ProjectPath) -> PathBuf {
        if self.directory == workspace.top() && self.global.directory.is_none() {
            PathBuf::from(path.as_str())
        } else {
            workspace.top().join(path.as_str())
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
}
