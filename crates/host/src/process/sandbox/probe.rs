//! Trying forbidden actions.
//!
//! A version number shows a kernel's features, not whether they may be used here. So one small job, started like every
//! other, tries to write, read, connect and signal where it must not. Its report is compared with observations from
//! outside.

use std::io::{Error, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::test_outcome::Exit;
use rustix::process::{Pid, test_kill_process};

use super::super::helper::{HELPER_WORD, Words};
use super::super::{Interrupt, Job, Launcher, watch};
use super::{Confinement, LevelError, Limits, Sandbox};

/// The stage's name.
pub(in super::super) const PROBE_STAGE: &str = "probe";

const TIME_LIMIT: Duration = Duration::from_secs(10);
const CONNECT_TIME: Duration = Duration::from_millis(500);
const OWN_NAMESPACE: &str = "/proc/self/ns/pid";

/// Something that a job could do and perhaps should not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Changing a file that it may only read.
    Write,
    /// Reading a hidden file.
    Secret,
    /// Reaching a port of this machine.
    Connect,
    /// Reading the environment of a process that is not the job's.
    Environment,
    /// Sending a signal to one.
    Signal,
    /// Seeing a process outside.
    Processes,
}

impl Deed {
    const ALL: [Self; 6] = [
        Self::Write,
        Self::Secret,
        Self::Connect,
        Self::Environment,
        Self::Signal,
        Self::Processes,
    ];

    /// A phrase that completes "a job can".
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Write => "change files outside its scratch directories",
            Self::Secret => "read hidden files",
            Self::Connect => "reach the network",
            Self::Environment => "read the environment of other processes",
            Self::Signal => "send signals to other processes",
            Self::Processes => "see other processes",
        }
    }
}

/// A probe's result.
pub(super) struct Found {
    /// Actions that worked and perhaps should not have.
    pub(super) possible: Vec<Deed>,
}

/// Runs the probe in a sandbox.
pub(super) fn try_out(sandbox: &Sandbox, launcher: &Launcher) -> Result<Found, LevelError> {
    let ground = Ground::prepare().map_err(|error| LevelError::NoGround(error.to_string()))?;
    let helper = launcher.helper.clone().ok_or(LevelError::NoHelper)?;
    let mut job = Job::new(&helper, &ground.scratch, TIME_LIMIT);
    job.arguments = vec![HELPER_WORD.into(), PROBE_STAGE.into()];
    for (name, value) in [
        ("--visible", ground.visible.clone().into()),
        ("--port", ground.port.to_string().into()),
        ("--process", std::process::id().to_string().into()),
        ("--namespace", own_namespace().into_os_string()),
    ] {
        job.arguments.extend([name.into(), value]);
    }
    job.confinement = Some(Confinement {
        sandbox: sandbox.clone(),
        read_only: vec![ground.visible.clone()],
        writable: vec![ground.scratch.clone()],
        hidden: vec![ground.visible.join("hidden")],
        absent: Vec::new(),
        limits: Limits::default(),
    });
    let finished = watch(&job, launcher, &Interrupt::never(), &mut |_| {})
        .map_err(|error| LevelError::Process(error.to_string()))?;
    let text = finished.output.text();
    if finished.exit != Exit::Code(0) {
        // The first failure has the reason.
        let first = text.lines().find(|line| !line.trim().is_empty());
        return Err(match first {
            Some(line) => LevelError::Process(line.trim().to_owned()),
            None => LevelError::Silent(finished.exit),
        });
    }
    if !ground.scratch.join("written").is_file() {
        return Err(LevelError::ScratchNotWritable);
    }
    let mut possible: Vec<Deed> = Deed::ALL
        .into_iter()
        .filter(|deed| text.lines().any(|line| line == format!("{deed:?}")))
        .collect();
    // Not from the probe's own report but from its effects.
    let emptied = std::fs::read(ground.visible.join("plain")).is_ok_and(|text| text.is_empty());
    if emptied || ground.visible.join("written").exists() {
        possible.push(Deed::Write);
    }
    let connected = |listener: &TcpListener| listener.accept().is_ok();
    if ground.listener.as_ref().is_some_and(connected) {
        possible.push(Deed::Connect);
    }
    Ok(Found { possible })
}

/// Where the probe tries.
struct Ground {
    _directory: tempfile::TempDir,
    visible: PathBuf,
    scratch: PathBuf,
    /// None where there is no network to begin with.
    listener: Option<TcpListener>,
    port: u16,
}

impl Ground {
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory of Proctor's own, outside every tree: the safe write does not apply"
    )]
    fn prepare() -> Result<Self, Error> {
        let directory = tempfile::Builder::new()
            .prefix("proctor-probe-")
            .tempdir()?;
        let root = std::fs::canonicalize(directory.path())?;
        let [visible, scratch] = ["visible", "scratch"].map(|name| root.join(name));
        std::fs::create_dir_all(visible.join("hidden"))?;
        std::fs::create_dir(&scratch)?;
        std::fs::write(visible.join("hidden/secret"), "secret")?;
        std::fs::write(visible.join("plain"), "plain")?;
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).ok();
        let mut port = 0;
        if let Some(listener) = &listener {
            listener.set_nonblocking(true)?;
            port = listener.local_addr()?.port();
        }
        Ok(Self {
            _directory: directory,
            visible,
            scratch,
            listener,
            port,
        })
    }
}

/// Opens a file for reading only, in the one way that changes it nevertheless.
fn empty(file: &Path) -> bool {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).custom_flags(libc::O_TRUNC);
    options.open(file).is_ok()
}

fn own_namespace() -> PathBuf {
    std::fs::read_link(OWN_NAMESPACE).unwrap_or_default()
}

/// The job itself: prints the deeds that worked.
#[expect(
    clippy::disallowed_methods,
    reason = "the probe writes where it must not be able to"
)]
pub(in super::super) fn probe(words: &Words) -> Result<u8, Error> {
    let visible = words.option("--visible").map(PathBuf::from);
    let visible = visible.ok_or_else(|| super::super::helper::invalid("no place to try"))?;
    // Actions that must work.
    let plain = visible.join("plain");
    std::fs::read(&plain)?;
    std::fs::write("written", "")?;

    let process = words.number("--process").and_then(Pid::from_raw);
    // Ids of another namespace mean other processes here.
    let process = process
        .filter(|_| words.option("--namespace").map(Path::new) == Some(own_namespace().as_path()));
    let port = words.number("--port").unwrap_or(0);
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let environment = |process: Pid| format!("/proc/{}/environ", process.as_raw_nonzero());
    let worked = |deed: &Deed| match deed {
        Deed::Write => std::fs::write(visible.join("written"), "").is_ok() || empty(&plain),
        Deed::Secret => {
            std::fs::read(visible.join("hidden/secret")).is_ok_and(|secret| !secret.is_empty())
        }
        Deed::Connect => TcpStream::connect_timeout(&address, CONNECT_TIME).is_ok(),
        Deed::Environment => process.is_some_and(|pid| std::fs::read(environment(pid)).is_ok()),
        Deed::Signal => process.is_some_and(|pid| test_kill_process(pid).is_ok()),
        Deed::Processes => process.is_some(),
    };
    for deed in Deed::ALL.iter().filter(|deed| worked(deed)) {
        writeln!(std::io::stdout(), "{deed:?}")?;
    }
    Ok(0)
}
