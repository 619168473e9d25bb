//! What earlier judgements found out about a tree, so that none is run twice.
//!
//! The suite at the base and the red of the tests alone do not depend on the implementation, which is what changes
//! between two calls of `proctor gate`. They are kept in the cache directory, which what is judged never sees, under a
//! digest of everything that their outcome may rest on: trees, settings, sandbox, interpreter, installed packages, and
//! Proctor itself. Where that cannot be told, or nothing confined the tests, nothing is kept.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use proctor_core::safe_write::sha256;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::arbiter::Arbiter;
use crate::files::{remove_own, write_own};
use crate::process::SandboxLevel;
use crate::test_runner::{installed, judged_environment};

/// Tests may look at the date, and somebody may edit an installed package by hand.
const LONGEST: Duration = Duration::from_hours(24);

/// What was found out before.
pub(super) struct Memory {
    directory: PathBuf,
    /// Everything that an outcome may rest on besides what was asked.
    grounds: String,
}

impl Memory {
    /// The memory of an arbiter whose bench is ready.
    pub(super) fn of(arbiter: &Arbiter<'_>, level: SandboxLevel) -> Option<Self> {
        if level == SandboxLevel::Off || !arbiter.bench.extras().is_empty() {
            return None;
        }
        let checkout = arbiter.place.repository.top();
        let environment = arbiter.place.surroundings.all();
        let program = arbiter.command.first()?.as_ref();
        let mut environment = judged_environment(environment, Some(checkout), program);
        // What lies there is hidden.
        environment.retain(|(name, _)| name != "HOME");
        let proctor = fs::metadata(arbiter.place.launcher.helper.as_ref()?).ok()?;
        let grounds = (
            (proctor.size(), proctor.mtime(), proctor.mtime_nsec()),
            installed(&arbiter.command, checkout)?,
            environment,
            &arbiter.command,
            &arbiter.settings.test,
            &arbiter.test_paths,
            level,
        );
        let directory = arbiter.place.surroundings.cache_directory()?;
        Some(Self {
            directory: directory.join("judged"),
            grounds: format!("{grounds:?}"),
        })
    }

    /// What was found out about this, if it was.
    pub(super) fn recall<T: DeserializeOwned>(&self, asked: &impl std::fmt::Debug) -> Option<T> {
        let path = self.place(asked);
        let age = fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok()?;
        if age > LONGEST {
            return None;
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Keeps it. A memory that cannot be written is one that has to be found out again.
    pub(super) fn keep(&self, asked: &impl std::fmt::Debug, found: &impl Serialize) {
        self.forget_the_old();
        if let Ok(text) = serde_json::to_vec(found) {
            let _ = write_own(&self.place(asked), &text);
        }
    }

    fn place(&self, asked: &impl std::fmt::Debug) -> PathBuf {
        let digest = sha256(format!("{}\n{asked:?}", self.grounds).as_bytes());
        self.directory.join(format!("{digest}.json"))
    }

    fn forget_the_old(&self) {
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|facts| facts.modified());
            let is_old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age > LONGEST);
            if modified.is_ok_and(is_old) {
                let _ = remove_own(&entry.path());
            }
        }
    }
}
