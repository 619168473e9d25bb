//! The sandbox for jobs that execute unreviewed code: tests and linters.
//!
//! Two levels confine. With bubblewrap a job sees a file system made for it, no network, no process but its own. Where
//! namespaces are unavailable, as in many containers, the helper gives up rights with Landlock and seccomp instead;
//! that leaves the gaps that [`Sandbox::gaps`] names. [`Sandbox::choose`] trusts a level only after a probe, run
//! through the very same launch, has tried forbidden actions. Nothing is ever run without a sandbox unless that was
//! asked for.
//!
//! A [`Confinement`] lists the paths that one job may see and change; [`View`] turns it into one rule per path, from
//! which both levels are made.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Environment, Launcher};

mod bubblewrap;
mod choice;
mod confinement;
mod credentials;
mod limits;
mod program;
mod root;
mod services;
mod view;

#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod system_calls;

pub use choice::{LevelError, SandboxError};
pub use confinement::Confinement;
pub use limits::Limits;
pub use proctor_core::test_outcome::SandboxLevel;

#[cfg(target_os = "linux")]
pub(super) use landlock::{CONFINE_STAGE, confine};
#[cfg(target_os = "linux")]
pub(super) use probe::{PROBE_STAGE, probe};
#[cfg(target_os = "linux")]
pub(super) use system_calls::{Filter, deny_system_calls};

use bubblewrap::Bubblewrap;
use view::View;

/// The repository owner's choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    /// The strongest level that holds here; an error if none does.
    #[default]
    Auto,
    /// Bubblewrap or nothing.
    Bubblewrap,
    /// Landlock or nothing.
    Landlock,
    /// No sandbox.
    Off,
}

/// A level that was seen to hold on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    means: Means,
    /// Credentials and sockets of services, hidden from every job.
    hidden: Arc<[PathBuf]>,
    gaps: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Means {
    Bubblewrap(Bubblewrap),
    Landlock {
        /// Whether a job may make unix sockets other than connected pairs.
        unix_sockets: bool,
    },
    Off,
}

impl Sandbox {
    /// The level that `mode` asks for, probed; `environment` is Proctor's own, which says where
    /// bubblewrap and the person's credentials are.
    pub fn choose(
        mode: SandboxMode,
        launcher: &Launcher,
        environment: &Environment,
    ) -> Result<Self, SandboxError> {
        choice::choose(mode, launcher, environment)
    }

    /// No sandbox: a job has its limits and is ended with all that it started, nothing more.
    pub fn off() -> Self {
        Self {
            means: Means::Off,
            hidden: Arc::default(),
            gaps: choice::GAPS_OFF.to_vec(),
        }
    }

    /// The level in use.
    pub fn level(&self) -> SandboxLevel {
        match self.means {
            Means::Bubblewrap(_) => SandboxLevel::Bubblewrap,
            Means::Landlock { .. } => SandboxLevel::Landlock,
            Means::Off => SandboxLevel::Off,
        }
    }

    /// The actions that this level does not prevent, one phrase each.
    pub fn gaps(&self) -> &[&'static str] {
        &self.gaps
    }

    /// Whether the job's end is reported from inside.
    pub(super) fn reports(&self) -> bool {
        matches!(self.means, Means::Bubblewrap(_))
    }

    /// The words that start `program` confined.
    pub(super) fn wrap(
        &self,
        confinement: &Confinement,
        helper: &Path,
        directory: &Path,
        program: &Path,
        arguments: &[OsString],
    ) -> Vec<OsString> {
        // A link on the way to them may lie in a hidden place.
        let [helper, directory] = [helper, directory].map(canonical);
        let (helper, directory) = (helper.as_path(), directory.as_path());
        let program = &program::in_canonical_directory(program).unwrap_or_else(|| program.into());
        let view = || {
            let private = self.level() == SandboxLevel::Bubblewrap;
            let mut view = View::of_system(private);
            view.hide(self.hidden.iter().chain(&confinement.hidden));
            view.leave_out(&confinement.absent);
            view.expose(confinement.read_only.iter().map(PathBuf::as_path));
            view.open(confinement.writable.iter().map(PathBuf::as_path));
            view.expose_hidden([directory, helper]);
            program::expose(&mut view, program);
            view
        };
        let mut words = match &self.means {
            Means::Bubblewrap(bubblewrap) => bubblewrap.words(&view(), helper, directory),
            #[cfg(target_os = "linux")]
            Means::Landlock { unix_sockets } => landlock::words(&view(), helper, *unix_sockets),
            _ => Vec::new(),
        };
        words.push(program.into());
        words.extend_from_slice(arguments);
        words
    }
}

fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
