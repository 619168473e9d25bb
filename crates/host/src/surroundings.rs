//! The environment, read once.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use proctor_core::guard::AGENT_MARKS;

use crate::process::{Environment, find_program, variable};

/// Everything Proctor takes from its environment variables.
#[derive(Debug, Clone)]
pub struct Surroundings {
    all: Environment,
}

impl Surroundings {
    /// The process's own environment.
    pub fn of_this_process() -> Self {
        Self {
            all: std::env::vars_os().collect(),
        }
    }

    /// A made-up one, for tests.
    pub fn from_list(all: Environment) -> Self {
        Self { all }
    }

    /// One variable; empty counts as absent.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        variable(&self.all, name).filter(|value| !value.is_empty())
    }

    /// One variable as text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str)
    }

    /// All of it, for tools that the user could have called the same way (pip).
    pub fn all(&self) -> &Environment {
        &self.all
    }

    /// Those of the named variables that are set.
    pub fn only(&self, names: &[&str]) -> Environment {
        names
            .iter()
            .filter_map(|name| {
                self.get(name)
                    .map(|value| (OsString::from(name), value.to_owned()))
            })
            .collect()
    }

    /// The variable by which a coding agent marks the shells that it opens, if this is one. It raises the cost of an
    /// answer that no person gave and proves nothing: any program that opens a terminal can unset a variable.
    pub fn agent_mark(&self) -> Option<&'static str> {
        AGENT_MARKS
            .into_iter()
            .find(|name| self.get(name).is_some())
    }

    /// The search path.
    pub fn path(&self) -> &OsStr {
        self.get("PATH")
            .unwrap_or_else(|| OsStr::new("/usr/local/bin:/usr/bin:/bin"))
    }

    /// A program on the search path, as an absolute path.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        find_program(Path::new(name), self.path(), Path::new("/"))
    }

    /// Where worktrees go: `PROCTOR_STATE_DIR`, else `$XDG_STATE_HOME/proctor`, else
    /// `~/.local/state/proctor`.
    pub fn state_directory(&self) -> Option<PathBuf> {
        self.directory("PROCTOR_STATE_DIR", "XDG_STATE_HOME", ".local/state")
    }

    /// Where things go that can be made again: `PROCTOR_CACHE_DIR`, else `$XDG_CACHE_HOME/proctor`, else
    /// `~/.cache/proctor`.
    pub fn cache_directory(&self) -> Option<PathBuf> {
        self.directory("PROCTOR_CACHE_DIR", "XDG_CACHE_HOME", ".cache")
    }

    /// A relative value of an XDG variable is ignored, as its specification asks.
    fn directory(&self, own: &str, shared: &str, below_home: &str) -> Option<PathBuf> {
        let absolute = |name: &str| {
            self.get(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        absolute(own)
            .or_else(|| absolute(shared).map(|path| path.join("proctor")))
            .or_else(|| absolute("HOME").map(|path| path.join(below_home).join("proctor")))
    }
}
