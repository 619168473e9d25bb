//! The guard outside its rules: sessions on the disk, the facts that an event needs, the clients' settings and git's
//! hooks.
//!
//! [`Guard::answer`] is the loop: [`decide`] names the facts it needs, this module determines them with the same gates
//! as everywhere else, and the session is saved with the answer. Events of one checkout wait for each other. The
//! clients' JSON is not known here.

mod commits;
mod git_hooks;
mod installing;
mod judging;
mod store;
mod templates;
mod trying;

use std::path::{Path, PathBuf};

use proctor_core::failure::{Explained, Kind};
use proctor_core::guard::{
    Answer, Client, Command, Effect, Event, JsonTextError, Known, Place as EditedPlace, Role,
    SealedFile, Session, Stage, Step, decide, role_of,
};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use serde_json::json;
use thiserror::Error;

use crate::clock::Clock;
use crate::crash_point::crash_point;
use crate::files::OwnFileError;
use crate::gate::{ChangeError, Naming, Place};
use crate::git::{GitError, SnapshotError};
use crate::journal::{Journal, JournalError};
use crate::run_data::data_directory;
use crate::settings::Settings;
use crate::workspace::{CommittedSettingsError, settings_at};

pub use git_hooks::{GitHook, Update, git_hooks_installed};
pub use installing::{Installation, PlannedFile, has_own_hooks, installed_clients};
pub use store::SessionFile;
pub use templates::hook_command;
pub use trying::{Trial, try_hook};

/// The kind of the trail's records about guard sessions.
pub const GUARD_RECORD: &str = "guard";

/// Why the guard cannot do its work.
#[derive(Debug, Error)]
pub enum GuardError {
    /// A client's settings cannot be added to.
    #[error("hooks cannot be added to {path}: {problem}")]
    Settings {
        /// The file's path.
        path: String,
        /// The problem with it.
        problem: JsonTextError,
    },
    /// Another tool's git hook is there.
    #[error("git has a hook at {} already, and it is not Proctor's", path.display())]
    ForeignHook {
        /// The hook's path.
        path: PathBuf,
        /// The line that would have to be in it.
        line: String,
    },
    /// Something could not be judged.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// A file of the guard's own could not be written, or a client's settings.
    #[error(transparent)]
    Own(#[from] OwnFileError),
    /// The trail could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Explained for GuardError {
    fn kind(&self) -> Kind {
        match self {
            Self::Settings { .. } | Self::ForeignHook { .. } => Kind::Environment,
            Self::Change(error) => error.kind(),
            Self::Own(error) => error.kind(),
            Self::Journal(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Settings { .. } => {
                vec!["fix the file by hand, then try again; nothing was written".to_owned()]
            }
            Self::ForeignHook { line, .. } => vec![format!(
                "add this to it yourself, and have it end with its exit code: `{line}`"
            )],
            Self::Change(error) => error.hints(),
            Self::Own(error) => error.hints(),
            Self::Journal(error) => error.hints(),
        }
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for GuardError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(GuardError {
            GuardError::Settings { .. } => GuardError::Settings {
                path: "PATH".to_owned(),
                problem: JsonTextError::NotJson("REASON".to_owned()),
            },
            GuardError::ForeignHook { .. } => GuardError::ForeignHook { path: "PATH".into(), line: "COMMAND".to_owned() },
            GuardError::Change(_) => GuardError::Change(ChangeError::NoCommit("REVISION".to_owned())),
            GuardError::Own(_) => GuardError::Own(OwnFileError::sample()),
            GuardError::Journal(_) => GuardError::Journal(JournalError::sample()),
        })
    }
}

impl From<GitError> for GuardError {
    fn from(error: GitError) -> Self {
        Self::Change(error.into())
    }
}

impl From<SnapshotError> for GuardError {
    fn from(error: SnapshotError) -> Self {
        Self::Change(error.into())
    }
}

impl From<CommittedSettingsError> for GuardError {
    fn from(error: CommittedSettingsError) -> Self {
        Self::Change(error.into())
    }
}

/// A client's event, with names as the client gave them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// See [`Event::Start`].
    Start,
    /// These files are about to be changed.
    Edit(Vec<PathBuf>),
    /// This command is about to be run; it may hold edits that can be read off it.
    Command {
        /// The command line.
        text: String,
        /// Files that are named as edited in it.
        edits: Vec<PathBuf>,
    },
    /// See [`Event::Done`].
    Done,
    /// See [`Event::End`].
    End {
        /// See [`Event::End`].
        repeated: bool,
    },
    /// See [`Event::Settings`].
    Settings(Client),
    /// See [`Event::Refactor`].
    Refactor,
}

/// The guard of one checkout.
#[derive(Clone, Copy)]
pub struct Guard<'a> {
    /// Where trees are judged.
    pub place: Place<'a>,
    /// The time.
    pub clock: Clock,
}

/// The current commit.
struct HeadNow {
    tree: TreeId,
    commit: Option<CommitId>,
}

impl Guard<'_> {
    /// The answer to a client's event. Relative names are meant from `here`.
    pub fn answer(&self, report: &Report, here: &Path) -> Result<Answer, GuardError> {
        let head = self.head()?;
        let file = SessionFile::lock(self.place)?;
        let before = file.read(&head.tree);
        let settings = settings_at(self.place.repository, &head.tree)?;
        let settings = settings.protective();
        let event = self.event(report, here, &head.tree, settings)?;
        let mut known = Known::default();
        loop {
            let now = (&head.tree, head.commit.as_ref());
            match decide(&before, now, &event, &known) {
                Step::Do(effect) => {
                    self.find_out(effect, &before, &head, settings, &mut known)?;
                }
                Step::Say(answer, after) => {
                    crash_point("guard decided");
                    if *after != before {
                        file.write(&after)?;
                    }
                    if after.stage() != before.stage() {
                        self.note(&after, "agent")?;
                    }
                    return Ok(answer);
                }
            }
        }
    }

    /// The session as it is; nothing is written.
    pub fn session(&self) -> Result<Session, GuardError> {
        let head = self.head()?;
        Ok(SessionFile::lock(self.place)?.read(&head.tree))
    }

    /// Something that a person decides about the session.
    pub fn by_person(
        &self,
        person: &str,
        change: impl FnOnce(Session, &TreeId) -> Session,
    ) -> Result<Session, GuardError> {
        let head = self.head()?;
        let file = SessionFile::lock(self.place)?;
        let after = change(file.read(&head.tree), &head.tree);
        // Before it takes effect: the trail names the person who wanted it.
        self.note(&after, person)?;
        file.write(&after)?;
        Ok(after)
    }

    fn note(&self, session: &Session, actor: &str) -> Result<(), GuardError> {
        let mut journal = Journal::open(&data_directory(self.place.repository), self.clock)?;
        let stage: Stage = session.stage();
        let sealed: Vec<&str> = session.seal.0.iter().map(|it| it.path.as_str()).collect();
        let body = json!({
            "stage": stage,
            "base": session.base,
            "sealed": sealed,
            "green": session.green,
            "checkout": self.place.repository.top(),
        });
        Ok(journal.note(None, actor, GUARD_RECORD, &body)?)
    }

    fn head(&self) -> Result<HeadNow, GuardError> {
        let checkout = self.place.repository.checkout()?;
        let head = checkout.head()?;
        Ok(HeadNow {
            tree: checkout.tree_of_head(&head)?,
            commit: head.commit,
        })
    }

    fn find_out(
        &self,
        effect: Effect,
        session: &Session,
        head: &HeadNow,
        settings: &Settings,
        known: &mut Known,
    ) -> Result<(), GuardError> {
        match effect {
            Effect::CompareSeals => known.drifted = Some(self.drifted(session)),
            Effect::JudgeRed => known.red = Some(self.red(&head.tree, settings)?),
            Effect::JudgeChange => known.change = Some(self.change(&head.tree, settings)?),
            Effect::JudgeCommits => {
                let since = session.since.as_ref();
                known.unjudged = Some(self.unjudged_since(since, head.commit.as_ref())?);
            }
        }
        Ok(())
    }

    fn drifted(&self, session: &Session) -> Vec<SealedFile> {
        let top = self.place.repository.top();
        session.seal.drifted(|path| {
            let path = top.join(path.as_str());
            let is_file = path.symlink_metadata().is_ok_and(|facts| facts.is_file());
            let content = is_file.then(|| std::fs::read(&path).ok()).flatten()?;
            Some(proctor_core::safe_write::sha256(&content))
        })
    }

    fn event(
        &self,
        report: &Report,
        here: &Path,
        base: &TreeId,
        settings: &Settings,
    ) -> Result<Event, GuardError> {
        Ok(match report {
            Report::Start => Event::Start,
            Report::Done => Event::Done,
            Report::End { repeated } => Event::End {
                repeated: *repeated,
            },
            Report::Refactor => Event::Refactor,
            Report::Settings(client) => Event::Settings {
                intact: has_own_hooks(self.place.repository, *client),
            },
            Report::Edit(paths) => Event::Edit(self.places(paths, here, base, settings)?),
            Report::Command { text, edits } if !edits.is_empty() => {
                let command = Command::read(text);
                if command.wishes.is_empty() {
                    Event::Edit(self.places(edits, here, base, settings)?)
                } else {
                    self.command(&command, here, base, settings)?
                }
            }
            Report::Command { text, .. } => {
                self.command(&Command::read(text), here, base, settings)?
            }
        })
    }

    fn command(
        &self,
        command: &Command,
        here: &Path,
        base: &TreeId,
        settings: &Settings,
    ) -> Result<Event, GuardError> {
        let writes: Vec<PathBuf> = command.writes.iter().map(PathBuf::from).collect();
        Ok(Event::Command {
            wishes: command.wishes.iter().copied().collect(),
            writes: self.places(&writes, here, base, settings)?,
        })
    }

    /// The roles of files that a client named; links are followed, because writing does.
    fn places(
        &self,
        paths: &[PathBuf],
        here: &Path,
        base: &TreeId,
        settings: &Settings,
    ) -> Result<Vec<EditedPlace>, GuardError> {
        let repository = self.place.repository;
        let located: Vec<PathBuf> = paths
            .iter()
            .map(|path| resolved(&here.join(path)))
            .collect();
        let top = resolved(repository.top());
        let names: Vec<Option<&str>> = located
            .iter()
            .map(|path| path.strip_prefix(&top).ok().and_then(Path::to_str))
            .collect();
        let inside: Vec<&str> = names.iter().flatten().copied().collect();
        let naming = Naming::new(repository, base, settings, &inside)?;
        let mut places = Vec::new();
        for (path, name) in located.iter().zip(&names) {
            places.push(match name {
                Some(name) => EditedPlace {
                    role: role(name, &naming, settings)?,
                    path: (*name).to_owned(),
                },
                None => EditedPlace {
                    path: path.display().to_string(),
                    role: self.role_outside(path),
                },
            });
        }
        Ok(places)
    }

    /// A linked worktree's git directory lies elsewhere, and so does Proctor's state.
    fn role_outside(&self, path: &Path) -> Role {
        let surroundings = self.place.surroundings;
        let own = [
            Some(self.place.repository.common_directory().to_owned()),
            surroundings.state_directory(),
            surroundings.cache_directory(),
        ];
        let mut own = own
            .into_iter()
            .flatten()
            .map(|directory| resolved(&directory));
        if own.any(|directory| path.starts_with(directory)) {
            Role::Machinery
        } else {
            Role::Outside
        }
    }
}

fn role(name: &str, naming: &Naming<'_>, settings: &Settings) -> Result<Role, GuardError> {
    // A name that no project file can have is git's own, or one that is not written by accident.
    let Ok(path) = ProjectPath::parse(name) else {
        return Ok(Role::Machinery);
    };
    let mut failed = None;
    let scratch = &settings.guard.scratch;
    let role = role_of(&path, naming.test_paths(), scratch, || {
        naming.is_neutral(&path).unwrap_or_else(|error| {
            failed = Some(error);
            false
        })
    });
    failed.map_or(Ok(role), |error| Err(error.into()))
}

/// A path without links and dots, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
        plain = plain.canonicalize().unwrap_or(plain);
    }
    plain
}
