//! A job's resource limits.
//!
//! The limits are set by the supervisor on itself and inherited. Time and output are limited by the watcher of the job.

use std::ffi::OsString;
use std::io::Error;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::super::helper::Words;

const GIBIBYTE: u64 = 1024 * 1024 * 1024;

/// Resource limits of each process of a job; none means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of private writable memory of a process.
    pub memory: Option<u64>,
    /// Bytes of address space, much more: libraries reserve space that they never use.
    pub address_space: Option<u64>,
    /// Processes and threads, beyond those that the user has already. The system does not count
    /// root's.
    pub processes: Option<u64>,
    /// Bytes in one file.
    pub file_size: Option<u64>,
    /// Bytes of a core dump.
    pub core: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: Some(8 * GIBIBYTE),
            address_space: Some(64 * GIBIBYTE),
            processes: Some(2048),
            file_size: Some(GIBIBYTE),
            core: Some(0),
        }
    }
}

type Field = fn(&mut Limits) -> &mut Option<u64>;

/// The options of the helper that carry limits.
const OPTIONS: [(&str, Field); 5] = [
    ("--memory", |limits| &mut limits.memory),
    ("--address-space", |limits| &mut limits.address_space),
    ("--processes", |limits| &mut limits.processes),
    ("--file-size", |limits| &mut limits.file_size),
    ("--core", |limits| &mut limits.core),
];

impl Limits {
    /// No limits at all.
    pub fn none() -> Self {
        Self {
            memory: None,
            address_space: None,
            processes: None,
            file_size: None,
            core: None,
        }
    }

    /// The words that carry the limits to the helper.
    pub(in super::super) fn words(mut self) -> Vec<OsString> {
        let mut words = Vec::new();
        for (name, field) in OPTIONS {
            if let Some(value) = *field(&mut self) {
                words.extend([name.into(), value.to_string().into()]);
            }
        }
        words
    }

    /// The limits that the helper was given.
    pub(in super::super) fn from_words(words: &Words) -> Self {
        let mut limits = Self::none();
        for (name, field) in OPTIONS {
            *field(&mut limits) = words.number(name);
        }
        limits
    }

    /// Limits this process and everything it starts.
    pub(in super::super) fn apply(self) -> Result<(), Error> {
        let limits = [
            (Resource::Data, self.memory),
            (Resource::As, self.address_space),
            (Resource::Fsize, self.file_size),
            (Resource::Core, self.core),
            (
                Resource::Nproc,
                self.processes.map(|more| more + tasks_of_this_user()),
            ),
        ];
        for (resource, wanted) in limits {
            let Some(wanted) = wanted else { continue };
            // A stricter existing limit stays; raising it would not be allowed.
            let strictest = getrlimit(resource)
                .maximum
                .map_or(wanted, |maximum| maximum.min(wanted));
            let limit = Rlimit {
                current: Some(strictest),
                maximum: Some(strictest),
            };
            setrlimit(resource, limit)?;
        }
        Ok(())
    }
}

/// The number of threads of this process's user, all processes together, which the system compares with the limit.
fn tasks_of_this_user() -> u64 {
    let user = rustix::process::getuid();
    // Root's are not limited; looking at every process would be for nothing.
    if user.is_root() {
        return 0;
    }
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("status")).ok())
        .filter_map(|status| {
            let text = String::from_utf8_lossy(&status);
            let number = |name: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(name))?;
                line.split_whitespace().next()?.parse::<u64>().ok()
            };
            (number("Uid:")? == u64::from(user.as_raw())).then(|| number("Threads:"))?
        })
        .sum()
}
