//! Cached results of earlier judgements of a tree, so that none is run twice.
//!
//! The suite at the base and every red and green that was accepted are kept in the cache directory, which judged code
//! never sees, under a digest of everything that their outcome may depend on: trees, settings, sandbox, interpreter,
//! installed packages, and Proctor itself. Where that is unknown, or nothing confined the tests, nothing is kept.
//! Refused changes are judged again: they may have been refused by chance.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proctor_core::gate::Baseline;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::safe_write::sha256;
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateResult;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::GateError;
use super::arbiter::{Arbiter, Sitting};
use crate::files::{remove_own, write_own};
use crate::process::SandboxLevel;
use crate::test_runner::{TestCommand, installed, installed_modules, judged_environment};

/// Tests may look at the date, and the user may edit an installed package by hand.
const LONGEST: Duration = Duration::from_hours(24);

/// A verdict, and whether it is cached.
pub(super) struct Remembered {
    pub(super) result: GateResult,
    pub(super) is_known: bool,
}

/// An accepted verdict with its runs, as cached.
#[derive(Serialize, Deserialize)]
struct Accepted {
    result: GateResult,
    evidence: String,
}

impl Sitting<'_, '_> {
    /// The accepted verdict in the cache for the first of these questions that has one, with the evidence of that time;
    /// without one, the result of `judge`, cached as the answer to the first.
    pub(super) fn remembered(
        &mut self,
        asked: &[impl std::fmt::Debug],
        judge: impl FnOnce(&mut Self) -> Result<GateResult, GateError>,
    ) -> Result<Remembered, GateError> {
        let memory = self.memory();
        let known = memory
            .as_ref()
            .and_then(|memory| asked.iter().find_map(|asked| memory.recall(asked)));
        if let Some(Accepted { result, evidence }) = known {
            let text =
                format!("== cached from an earlier judgement of the same trees\n\n{evidence}");
            self.keep_text(&text)?;
            let evidence = self.kept();
            return Ok(Remembered {
                result: GateResult { evidence, ..result },
                is_known: true,
            });
        }
        let result = judge(self)?;
        if let (Some(memory), Some(asked)) = (memory, asked.first())
            && result.verdict.is_accepted()
        {
            let evidence = self.kept_text()?;
            memory.keep(
                asked,
                &Accepted {
                    result: result.clone(),
                    evidence,
                },
            );
        }
        Ok(Remembered {
            result,
            is_known: false,
        })
    }

    /// A tree whose suite was accepted is the next base once it is committed: its run is kept as the one at that base.
    /// Nothing is kept of a run that the next baseline would not make: with other configuration, or with tests selected.
    pub(super) fn keep_as_baseline(
        &mut self,
        tree: &TreeId,
        tests: &[ProjectPath],
        baseline: &Baseline,
        observation: &Observation,
    ) -> Result<(), GateError> {
        let is_same_run =
            self.held(tree)?.is_empty() && self.selection(tests) == self.selection(&[]);
        let Some(memory) = self.memory().filter(|_| is_same_run) else {
            return Ok(());
        };
        if let Ok(next) = Baseline::from_observation(observation) {
            let plugins = baseline.plugins.clone();
            memory.keep(&suite_at(tree), &Baseline { plugins, ..next });
        }
        Ok(())
    }
}

/// The question about the suite at a base.
pub(super) fn suite_at(base: &TreeId) -> (&'static str, &TreeId) {
    ("the suite at the base", base)
}

/// The cache of results.
pub(super) struct Memory {
    directory: PathBuf,
    /// Everything that an outcome may depend on besides the question.
    grounds: String,
}

impl Memory {
    /// The memory of an arbiter whose bench is ready.
    pub(super) fn of(arbiter: &Arbiter<'_>, level: SandboxLevel) -> Option<Self> {
        let extras = arbiter.bench.extras();
        let parts = &arbiter.parts;
        let has_node = parts
            .iter()
            .any(|part| matches!(part.command, TestCommand::Node(_)));
        // The node command describes the linked packages.
        if level == SandboxLevel::Off || extras.has_files() || (extras.has_packages() && !has_node)
        {
            return None;
        }
        let checkout = arbiter.place.repository.top();
        let environment = arbiter.place.surroundings.all();
        let environments = parts.iter().map(|part| {
            let mut environment =
                judged_environment(environment, Some(checkout), part.command.program()?);
            // Its contents are hidden.
            environment.retain(|(name, _)| name != "HOME");
            Some(environment)
        });
        let home = arbiter.place.surroundings.get("HOME").map(Path::new);
        let installed = parts.iter().map(|part| match &part.command {
            TestCommand::Pytest(words) => installed(words, checkout, home),
            TestCommand::Node(command) => installed_modules(command, checkout),
        });
        let proctor = fs::metadata(arbiter.place.launcher.helper.as_ref()?).ok()?;
        let grounds = (
            (proctor.size(), proctor.mtime(), proctor.mtime_nsec()),
            installed.collect::<Option<Vec<_>>>()?,
            environments.collect::<Option<Vec<_>>>()?,
            parts,
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

    /// The cached answer to this question, if there is one.
    pub(super) fn recall<T: DeserializeOwned>(&self, asked: &impl std::fmt::Debug) -> Option<T> {
        let path = self.place(asked);
        let age = fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok()?;
        if age > LONGEST {
            return None;
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Caches it. An answer that cannot be cached has to be determined again.
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
