//! What one job may see and change.

use std::path::PathBuf;

use super::{Limits, Sandbox};

/// What one job may see and change. Everything else of the system can be read and not changed.
///
/// The rule for the longest path counts: a readable directory in a hidden one can be read, a hidden
/// one in a readable one cannot. Paths that do not exist are passed over.
#[derive(Debug, Clone)]
pub struct Confinement {
    /// The sandbox that enforces it.
    pub sandbox: Sandbox,
    /// What stays readable although it lies in a hidden place: the judged tree, a virtual
    /// environment. The program's own environment is found without being named.
    pub read_only: Vec<PathBuf>,
    /// Scratch directories.
    pub writable: Vec<PathBuf>,
    /// What is hidden besides credentials: the git directory, Proctor's own data.
    pub hidden: Vec<PathBuf>,
    /// What is hidden, and where the level can do that has no name either: the person's checkout.
    pub absent: Vec<PathBuf>,
    /// What the job may use up.
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
