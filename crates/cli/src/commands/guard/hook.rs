//! `proctor guard hook`: there is always an answer, and if anything is unclear it is no.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use proctor_core::guard::{Answer, Client};
use proctor_host::clock::Clock;
use proctor_host::gate::Place;
use proctor_host::guard::{GitHook, Guard, Report, Update};
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::surroundings::Surroundings;
use proctor_host::workspace::Workspace;

use crate::clients::{Heard, Moment, NotUnderstood, hear, print};
use crate::failure::{Failure, Misuse, Obstacle, Refused};
use crate::session::Session;

/// How long children are given to end once the time is up.
const FAREWELL: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
pub(crate) struct HookArguments {
    /// Whose hook it is
    #[arg(value_parser = hook_of())]
    client: HookOf,
    /// The event, where the client does not name it; git's name of the hook
    event: Option<String>,
    /// What git tells its hook besides
    #[arg(hide = true)]
    rest: Vec<String>,
    /// Answer no after so many seconds; a client that gives up waiting lets everything through
    #[arg(long, value_name = "SECONDS", default_value_t = 570)]
    deadline: u64,
}

/// Whose hook it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookOf {
    Client(Client),
    Git,
}

fn hook_of() -> impl TypedValueParser<Value = HookOf> {
    const GIT: &str = "git";
    PossibleValuesParser::new(Client::ALL.map(Client::name).into_iter().chain([GIT]))
        .map(|name| Client::named(&name).map_or(HookOf::Git, HookOf::Client))
}

pub(super) fn hook(session: &Session<'_>, arguments: &HookArguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let patience = Duration::from_secs(arguments.deadline);
    let asked = Asked {
        surroundings: session.surroundings.clone(),
        launcher: session.launcher.clone(),
        interrupt: session.interrupt.clone(),
        clock: session.clock,
        directory: session.directory.clone(),
    };
    let input = within(patience, &session.interrupt, standard_input);
    let left = patience.saturating_sub(begun.elapsed());
    let event = arguments.event.as_deref();
    let HookOf::Client(client) = arguments.client else {
        return git(asked, event, &input?, left);
    };
    let heard = input
        .map_err(|failure| NotUnderstood::unreadable(failure.message))
        .and_then(|input| hear(client, event, &input));
    let heard = match heard {
        Ok(heard) => heard,
        Err(error) => {
            // A client that reads the answer with any exit code is told as well.
            let name = event.unwrap_or("PreToolUse");
            let no = Answer::Refuse(error.to_string());
            let printed = print(client, name, Moment::Before, &no);
            session.output.document(&printed.document);
            return Err(Misuse::Hook(error.to_string()).into());
        }
    };
    let answer = match heard.report.clone() {
        None => Ok(Answer::Pass(None)),
        Some(report) => {
            let here = heard.directory.clone();
            within(left, &session.interrupt, move || {
                asked.answer(&report, here)
            })
        }
    };
    say(session, client, &heard, answer)
}

fn standard_input() -> Result<String, Failure> {
    let mut input = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut input);
    read.map_err(Obstacle::StandardInput)?;
    Ok(input)
}

/// Prints the answer; a hook that has none says no, as far as the client allows it.
fn say(
    session: &Session<'_>,
    client: Client,
    heard: &Heard,
    answer: Result<Answer, Failure>,
) -> Result<(), Failure> {
    let (answer, failed) = match answer {
        Ok(answer) => (answer, None),
        Err(failure) => {
            let words = format!("{}; {}", failure.message, failure.hints().join("; "));
            let answer = match heard.moment {
                // A guard that does not work must not block the agent forever.
                Moment::End { repeated: true } | Moment::Start | Moment::Other => {
                    told(session, client, heard, &words);
                    return Ok(());
                }
                _ => Answer::Refuse(format!("Proctor's guard cannot judge: {words}")),
            };
            (answer, Some(words))
        }
    };
    let printed = print(client, &heard.event, heard.moment, &answer);
    session.output.document(&printed.document);
    match failed.or(printed.complaint) {
        Some(words) => Err(Misuse::Hook(words).into()),
        None => Ok(()),
    }
}

fn told(session: &Session<'_>, client: Client, heard: &Heard, words: &str) {
    let words = format!("Proctor's guard does not work here, a person is needed: {words}");
    let answer = Answer::Pass(Some(words));
    let printed = print(client, &heard.event, heard.moment, &answer);
    session.output.document(&printed.document);
}

/// Git's own hooks: refusals go to standard error, and git reports that the hook declined.
fn git(asked: Asked, event: Option<&str>, input: &str, patience: Duration) -> Result<(), Failure> {
    let mut hooks = GitHook::ALL.into_iter();
    let hook = hooks.find(|hook| Some(hook.name()) == event);
    let hook =
        hook.ok_or_else(|| Misuse::Hook("git has no such hook that Proctor answers".to_owned()))?;
    let updates = Update::read(hook, input);
    if updates.is_empty() {
        return Ok(());
    }
    let interrupt = asked.interrupt.clone();
    let declined = within(patience, &interrupt, move || {
        let workspace = asked.workspace(&asked.directory)?;
        Ok(asked.guard(&workspace).declined(hook, &updates)?)
    })?;
    if declined.is_empty() {
        return Ok(());
    }
    Err(Refused::Unjudged(declined).into())
}

/// The result of `work`, unless the time is up first; then it is asked to stop.
fn within<T: Send + 'static>(
    patience: Duration,
    interrupt: &Interrupt,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(work()));
    match receiver.recv_timeout(patience) {
        Ok(result) => result,
        // It has panicked; the message is on standard error.
        Err(RecvTimeoutError::Disconnected) => {
            Err(Misuse::Hook("a bug in Proctor stopped it".to_owned()).into())
        }
        Err(RecvTimeoutError::Timeout) => {
            interrupt.set();
            let _ = receiver.recv_timeout(FAREWELL);
            let seconds = patience.as_secs();
            let words = format!(
                "judging took longer than {seconds} seconds; run `proctor gate change`, then try again"
            );
            Err(Misuse::Hook(words).into())
        }
    }
}

/// All that an answer needs, so that it can be waited for.
struct Asked {
    surroundings: Surroundings,
    launcher: Launcher,
    interrupt: Interrupt,
    clock: Clock,
    directory: PathBuf,
}

impl Asked {
    /// The answer of every checkout that the report is about; the first objection counts.
    fn answer(&self, report: &Report, here: Option<PathBuf>) -> Result<Answer, Failure> {
        let here = here.filter(|path| path.is_absolute() && path.is_dir());
        let here = here.unwrap_or_else(|| self.directory.clone());
        let first = self.workspace(&here)?;
        let others = self.others(report, &here, &first);
        let mut answer = self.guard(&first).answer(report, &here)?;
        for workspace in &others {
            if let Answer::Pass(_) = answer {
                answer = self.guard(workspace).answer(report, &here)?;
            }
        }
        Ok(answer)
    }

    /// Other checkouts of the repository in which a file is about to be edited: the agent may have moved from one to
    /// another.
    fn others(&self, report: &Report, here: &Path, first: &Workspace) -> Vec<Workspace> {
        let edited = match report {
            Report::Edit(paths) | Report::Command { edits: paths, .. } => paths.as_slice(),
            _ => &[],
        };
        let mut others: Vec<Workspace> = Vec::new();
        for path in edited {
            let path = here.join(path);
            let directory = path.ancestors().skip(1).find(|above| above.is_dir());
            let around = directory
                .filter(|directory| !directory.starts_with(first.top()))
                .and_then(|directory| self.discover(directory).ok());
            if let Some(around) = around
                && around.is_of_the_same_repository(first)
                && around.top() != first.top()
                && others.iter().all(|other| other.top() != around.top())
            {
                others.push(around);
            }
        }
        others
    }

    fn guard<'a>(&'a self, workspace: &'a Workspace) -> Guard<'a> {
        let place = Place {
            repository: workspace.repository(),
            surroundings: &self.surroundings,
            launcher: &self.launcher,
            interrupt: &self.interrupt,
        };
        let clock = self.clock;
        Guard { place, clock }
    }

    fn discover(&self, directory: &Path) -> Result<Workspace, Failure> {
        let found = Workspace::discover(directory, &self.surroundings, self.clock);
        Ok(found?)
    }

    /// The checkout that is guarded: the one around the directory, unless the client says which project it has open and
    /// that is another repository. An agent that walks away stays guarded.
    fn workspace(&self, here: &Path) -> Result<Workspace, Failure> {
        let around = self.discover(here);
        let Some(project) = self.surroundings.get("CLAUDE_PROJECT_DIR") else {
            return around;
        };
        let project = self.discover(Path::new(project))?;
        Ok(match around {
            Ok(around) if around.is_of_the_same_repository(&project) => around,
            _ => project,
        })
    }
}
