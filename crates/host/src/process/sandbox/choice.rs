//! The level that a job is confined with, and the gaps of each level.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::{Environment, Launcher};
use super::bubblewrap::Bubblewrap;
use super::credentials::credentials;
use super::services::services;
use super::{Means, Sandbox, SandboxLevel, SandboxMode};
use proctor_core::failure::{Explained, Kind};
use proctor_core::test_outcome::Exit;

/// The gaps of every level.
const GAPS_ALWAYS: [&str; 3] = [
    "files of the system and of the user that are not hidden can be read",
    "memory is limited for each process, not for all of a job's together",
    "the number of processes is not limited when proctor runs as root",
];

/// Landlock's gaps on every kernel.
const GAPS_LANDLOCK: [&str; 6] = [
    "names, sizes and times of hidden files can be seen",
    "modes, owners, times and extended attributes of the user's files can be changed",
    "other processes can be seen, their command lines too",
    "shared memory (/dev/shm, System V) is the same as that of the user's other programs",
    "tests that use the network fail, on this machine's own address too",
    "tests that open a terminal, write to /tmp or list a directory with a hidden entry fail",
];

/// Kernels before 6.12.
const GAP_SIGNALS: &str = "other processes of the same user can be sent signals";

/// Where a service answers on a unix socket, and where none did when the sandbox was chosen.
const GAP_NO_UNIX_SOCKETS: &str = "tests that use unix sockets, other than connected pairs, fail";
const GAP_UNIX_SOCKETS: &str = "a service that starts to listen on a unix socket can be reached";

/// The gaps without a sandbox.
pub(super) const GAPS_OFF: &[&str] = &[
    "a job can do whatever its user can: files, network, processes, credentials",
    "a job that kills its supervisor can leave processes behind",
];

/// Why no sandbox can be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// Jobs are started without the helper, which every level needs.
    #[error("tests cannot be confined without proctor's own helper")]
    NoHelper,
    /// None of the levels that would do holds here.
    #[error("tests cannot be confined here: {}", reasons(.0))]
    Unavailable(Vec<(SandboxLevel, LevelError)>),
}

/// Why one level does not hold here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// Another system.
    #[error("this needs Linux")]
    NotLinux,
    /// The program that makes the namespaces is missing.
    #[error("the program bwrap is not installed")]
    NotInstalled,
    /// Jobs are started without the helper.
    #[error("there is no helper")]
    NoHelper,
    /// There is no place for the probe; the operating system's words.
    #[error("cannot be tried: {0}")]
    NoGround(String),
    /// A process could not be run, or its own message says what is missing.
    #[error("{0}")]
    Process(String),
    /// The probe failed without a word.
    #[error("the probe ended with {0:?}")]
    Silent(Exit),
    /// A required action does not work.
    #[error("a job cannot write to its scratch directory")]
    ScratchNotWritable,
    /// A forbidden action works; a phrase that completes "a job can".
    #[error("a job can {0}")]
    Open(&'static str),
}

impl Explained for SandboxError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec![
            "install bubblewrap, or let tests run unconfined with `mode = \"off\"` under `[sandbox]` in proctor.toml"
                .to_owned(),
        ]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for SandboxError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(SandboxError {
            SandboxError::NoHelper => SandboxError::NoHelper,
            SandboxError::Unavailable(_) => SandboxError::Unavailable(vec![(SandboxLevel::Bubblewrap, LevelError::Process("REASON".to_owned()))]),
        })
    }
}

fn reasons(failed: &[(SandboxLevel, LevelError)]) -> String {
    let each = failed
        .iter()
        .map(|(level, reason)| format!("{level}: {reason}"));
    each.collect::<Vec<_>>().join("; ")
}

pub(super) fn choose(
    mode: SandboxMode,
    launcher: &Launcher,
    environment: &Environment,
) -> Result<Sandbox, SandboxError> {
    let levels: &[SandboxLevel] = match mode {
        SandboxMode::Auto => &[SandboxLevel::Bubblewrap, SandboxLevel::Landlock],
        SandboxMode::Bubblewrap => &[SandboxLevel::Bubblewrap],
        SandboxMode::Landlock => &[SandboxLevel::Landlock],
        SandboxMode::Off => return Ok(Sandbox::off()),
    };
    if launcher.helper.is_none() {
        return Err(SandboxError::NoHelper);
    }
    let mut failed = Vec::new();
    for level in levels {
        match set_up(*level, launcher, environment) {
            Ok(sandbox) => return Ok(sandbox),
            Err(reason) => failed.push((*level, reason)),
        }
    }
    Err(SandboxError::Unavailable(failed))
}

fn set_up(
    level: SandboxLevel,
    launcher: &Launcher,
    environment: &Environment,
) -> Result<Sandbox, LevelError> {
    let mut hidden = services();
    let means = match level {
        SandboxLevel::Bubblewrap => Means::Bubblewrap(Bubblewrap::find(environment)?),
        SandboxLevel::Landlock => Means::Landlock {
            unix_sockets: hidden.is_empty(),
        },
        SandboxLevel::Off => return Ok(Sandbox::off()),
    };
    let mut sandbox = Sandbox {
        means,
        hidden: Arc::default(),
        gaps: Vec::new(),
    };
    sandbox.gaps = remembered(&sandbox, launcher)?;
    hidden.extend(credentials(environment));
    sandbox.hidden = hidden.into();
    Ok(sandbox)
}

type Outcome = Result<Vec<&'static str>, LevelError>;

/// The probe's result, cached in this process for each helper and each means.
fn remembered(sandbox: &Sandbox, launcher: &Launcher) -> Outcome {
    static KNOWN: Mutex<Vec<(Means, Option<PathBuf>, Outcome)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known
        .iter()
        .find(|(means, helper, _)| *means == sandbox.means && *helper == launcher.helper);
    if let Some((_, _, outcome)) = found {
        return outcome.clone();
    }
    let outcome = tried(sandbox, launcher);
    known.push((
        sandbox.means.clone(),
        launcher.helper.clone(),
        outcome.clone(),
    ));
    outcome
}

#[cfg(target_os = "linux")]
fn tried(sandbox: &Sandbox, launcher: &Launcher) -> Outcome {
    use super::probe::Deed;
    let possible = super::probe::try_out(sandbox, launcher)?.possible;
    let mut gaps = GAPS_ALWAYS.to_vec();
    let mut tolerated: &[Deed] = &[];
    if let Means::Landlock { unix_sockets } = sandbox.means {
        tolerated = &[Deed::Processes, Deed::Signal];
        gaps.extend(GAPS_LANDLOCK);
        gaps.extend(possible.contains(&Deed::Signal).then_some(GAP_SIGNALS));
        gaps.push(if unix_sockets {
            GAP_UNIX_SOCKETS
        } else {
            GAP_NO_UNIX_SOCKETS
        });
    }
    match possible.iter().find(|deed| !tolerated.contains(deed)) {
        Some(deed) => Err(LevelError::Open(deed.phrase())),
        None => Ok(gaps),
    }
}

#[cfg(not(target_os = "linux"))]
fn tried(_: &Sandbox, _: &Launcher) -> Outcome {
    Err(LevelError::NotLinux)
}
