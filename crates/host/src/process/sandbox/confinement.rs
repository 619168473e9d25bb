//! The paths that one job may see and change.

use std::path::PathBuf;

use super::{Limits, Sandbox};

/// The paths that one job may see and change. Everything else of the system can be read and not changed.
///
/// The rule for the longest path counts: a readable directory in a hidden one can be read, a hidden one in a readable
/// one cannot. Paths that do not exist are ignored.
#[derive(Debug, Clone)]
pub struct Confinement {
    /// The sandbox that enforces it.
    pub sandbox: Sandbox,
    /// Readable paths inside a hidden place: the judged tree, a virtual environment. The program's own environment is
    /// found without being named.
    pub read_only: Vec<PathBuf>,
    /// Scratch directories.
    pub writable: Vec<PathBuf>,
    /// Hidden paths besides credentials: the git directory, Proctor's own data.
    pub hidden: Vec<PathBuf>,
    /// Hidden paths that, where the level allows it, have no name either: the person's checkout.
    pub absent: Vec<PathBuf>,
    /// The job's resource limits.
    pub limits: Limits,
}

impl Confinement {
    /// Nothing writable, nothing hidden but credentials, the default limits.
    pub fn new(sandbox: Sandbox) -> Self {
        Self {
            sandbox,
            read_only: Vec::new(),
            writable: Vec::new(),
            hidden: Vec::new(),
            absent: Vec::new(),
            limits: Limits::default(),
        }
    }
}
