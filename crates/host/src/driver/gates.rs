//! Running the tests and the linter on trees.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proctor_core::gate::{Disposition, Reason, Verdict, feedback};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::{Event, GateResult, LintResult, SealedTests};

use super::{DriveError, Driver};
use crate::gate::{Gate, GateError, GreenRequest, Judged, LintCall, LintRequest, RedRequest};
use crate::git::{Change, FileMode};
use crate::preparation::{Preparation, PreparationError};
use crate::process::{ProcessError, Sandbox, SandboxLevel};
use crate::project::{Programs, find_linters};
use crate::run_data::Kept;

/// The most that goes back to the model from one run of the tests.
const FEEDBACK_BYTES: usize = 12_000;

impl Driver<'_> {
    pub(super) fn take_baseline(&mut self) -> Result<Event, DriveError> {
        let tree = self.base()?.tree;
        let name = format!("baseline-{}", tree.short());
        let (baseline, _) = self.with_gate(&name, |gate| gate.baseline(&tree))?;
        let baseline = baseline.map_err(DriveError::Baseline)?;
        Ok(Event::BaselineTaken { baseline })
    }

    pub(super) fn judge_red(&mut self) -> Result<Event, DriveError> {
        let tree = self.candidate();
        let name = format!("red-{}-{}", self.row.run.scaffold().current(), tree.short());
        let base = self.base()?.tree;
        let loaded = &self.inputs.loaded;
        let declared: Vec<ProjectPath> = loaded
            .sources
            .iter()
            .chain(&loaded.tests)
            .map(|file| file.path.clone())
            .collect();
        let tests = self.row.run.test_files().to_vec();
        let baseline = self.row.run.baseline().cloned().unwrap_or_default();
        let rule = self.inputs.settings.test.red;
        let judged = self.with_gate(&name, |gate| {
            gate.red(&RedRequest {
                base: &base,
                tree: &tree,
                tests: &tests,
                declared: &declared,
                open: false,
                baseline: &baseline,
                rule,
            })
        })?;
        if judged.verdict.disposition == Disposition::Accepted {
            self.data().keep(Kept::Sealed, &tree)?;
        }
        let sandbox = self.sandbox()?.level();
        Ok(Event::RedJudged(result(tree, judged, &name, sandbox)))
    }

    pub(super) fn judge_green(&mut self) -> Result<Event, DriveError> {
        let tree = self.candidate();
        let run = &self.row.run;
        let name = format!("green-{}-{}", run.implement().current(), tree.short());
        let Some(sealed) = run.sealed().cloned() else {
            unreachable!("a green is judged only after a valid red");
        };
        let broken = self.broken_seal(&tree)?;
        let base = self.base()?.tree;
        let sealed_tree = self.sealed_on(&base, &sealed)?;
        let run = &self.row.run;
        let baseline = run.baseline().cloned().unwrap_or_default();
        let sources = run.source_files().to_vec();
        let passed_at_red: BTreeSet<String> = run
            .red()
            .iter()
            .flat_map(|red| &red.verdict.tests)
            .filter(|test| test.outcome == "passed")
            .map(|test| test.id.clone())
            .collect();
        let mut judged = self.with_gate(&name, |gate| {
            gate.green(&GreenRequest {
                base: &base,
                sealed: &sealed_tree,
                tree: &tree,
                tests: &sealed.files,
                sources: &sources,
                baseline: &baseline,
                passed_at_red: &passed_at_red,
            })
        })?;
        if let Some(path) = broken {
            judged.verdict = seal_broken(&judged.observation, &path);
        }
        let sandbox = self.sandbox()?.level();
        Ok(Event::GreenJudged(result(tree, judged, &name, sandbox)))
    }

    /// The sealed tests on top of a base and nothing else. They were judged on the base that the run
    /// started from; it may have moved since.
    fn sealed_on(&self, base: &TreeId, sealed: &SealedTests) -> Result<TreeId, DriveError> {
        if self.row.run.base_tree() == Some(base) {
            return Ok(sealed.tree.clone());
        }
        let paths: Vec<&str> = sealed.files.iter().map(ProjectPath::as_str).collect();
        let contents = self
            .world
            .repository
            .objects()
            .files_at(&sealed.tree, &paths)?;
        let changes: Vec<Change> = sealed
            .files
            .iter()
            .zip(contents)
            .filter_map(|(path, content)| {
                Some(Change::Write {
                    path: path.clone(),
                    content: content?,
                    mode: FileMode::Regular,
                })
            })
            .collect();
        Ok(self.world.repository.objects().write_tree(base, &changes)?)
    }

    /// The sandbox, chosen when something is first run in it.
    fn sandbox(&mut self) -> Result<Sandbox, DriveError> {
        if let Some(sandbox) = &self.sandbox {
            return Ok(sandbox.clone());
        }
        let sandbox = Sandbox::choose(
            self.inputs.settings.sandbox.mode,
            self.world.launcher,
            self.world.surroundings.all(),
        )?;
        if sandbox.level() == SandboxLevel::Off {
            let words = "the sandbox is off: tests and linter can do whatever you can";
            self.world.watcher.remark(words);
        }
        self.sandbox = Some(sandbox.clone());
        Ok(sandbox)
    }

    /// What tests and linters have no business with: history, other runs, Proctor's own data.
    fn hidden(&self) -> Vec<PathBuf> {
        let repository = self.world.repository;
        let mut hidden = vec![
            repository.common_directory().to_owned(),
            repository.top().join(".git"),
            self.row.worktree.clone(),
        ];
        hidden.extend(self.world.surroundings.state_directory());
        hidden
    }

    /// Judges with everything that a gate needs; what it runs is kept under this name.
    fn with_gate<T>(
        &mut self,
        name: &str,
        judge: impl FnOnce(&mut Gate<'_>) -> Result<T, GateError>,
    ) -> Result<T, DriveError> {
        self.prepare()?;
        let evidence = self.data().evidence_directory().join(format!("{name}.txt"));
        let sandbox = self.sandbox()?;
        let hidden = self.hidden();
        let watcher = &mut *self.world.watcher;
        let mut on_line = |line: &str| watcher.line(line);
        let mut gate = Gate {
            repository: self.world.repository,
            bench: &mut self.bench,
            command: self.inputs.test_command.iter().map(Into::into).collect(),
            settings: &self.inputs.settings.test,
            test_paths: &self.inputs.settings.test.paths,
            launcher: self.world.launcher,
            sandbox: &sandbox,
            hidden,
            interrupt: self.world.interrupt,
            environment: self.world.surroundings.all(),
            evidence,
            on_line: &mut on_line,
        };
        judge(&mut gate).map_err(|error| {
            if error.is_interrupt() {
                DriveError::Interrupted
            } else {
                error.into()
            }
        })
    }

    /// Has what the tests need besides git made, once for each base, with the settings that the run was started with.
    fn prepare(&mut self) -> Result<(), DriveError> {
        let base = self.base()?.tree;
        if self.prepared.as_ref() == Some(&base) {
            return Ok(());
        }
        let name = format!("setup-{}.txt", base.short());
        let evidence = self.data().evidence_directory().join(name);
        let directory = self.data().prepared_directory();
        let watcher = &mut *self.world.watcher;
        let mut on_line = |line: &str| watcher.line(line);
        let mut preparation = Preparation {
            repository: self.world.repository,
            settings: &self.inputs.settings.worktree,
            directory,
            evidence,
            launcher: self.world.launcher,
            interrupt: self.world.interrupt,
            environment: self.world.surroundings.all(),
            on_line: &mut on_line,
        };
        let extras = preparation.prepare(&base).map_err(|error| match error {
            PreparationError::Process(ProcessError::Interrupted) => DriveError::Interrupted,
            other => other.into(),
        })?;
        self.bench.furnish(extras);
        self.prepared = Some(base);
        Ok(())
    }

    fn candidate(&self) -> TreeId {
        self.row
            .run
            .tree()
            .cloned()
            .expect("a gate comes after files were written")
    }

    /// A sealed test file whose bytes in `tree` are not those of the valid red. Replies cannot cause
    /// that; commits that arrived on the base branch in the meantime can.
    fn broken_seal(&self, tree: &TreeId) -> Result<Option<String>, DriveError> {
        let Some(sealed) = self.row.run.sealed() else {
            return Ok(None);
        };
        let side = |tree: &TreeId| {
            sealed
                .files
                .iter()
                .map(|path| format!("{tree}:{path}"))
                .collect()
        };
        let names: [Vec<String>; 2] = [side(&sealed.tree), side(tree)];
        let contents = self
            .world
            .repository
            .objects()
            .files_named(&names.concat())?;
        let (then, now) = contents.split_at(sealed.files.len());
        let broken = sealed
            .files
            .iter()
            .zip(then.iter().zip(now))
            .find(|(_, (then, now))| then != now);
        Ok(broken.map(|(path, _)| path.to_string()))
    }

    pub(super) fn lint(&mut self) -> Result<Event, DriveError> {
        let calls = self.lint_calls()?;
        if calls.is_empty() {
            return Ok(Event::Linted(LintResult::Absent));
        }
        let tree = self.candidate();
        let base = self.base()?.tree;
        let run = &self.row.run;
        let name = format!("lint-{}", tree.short());
        let files: Vec<ProjectPath> = run
            .source_files()
            .iter()
            .chain(run.test_files())
            .cloned()
            .collect();
        let mut result = self.with_gate(&name, |gate| {
            gate.lint(&LintRequest {
                base: &base,
                tree: &tree,
                files: &files,
                calls: &calls,
            })
        })?;
        if let LintResult::Complaints { output, .. } = &mut result {
            *output = tail(output, FEEDBACK_BYTES);
        }
        Ok(Event::Linted(result))
    }

    /// The configured linter, else those that the project uses. The settings are those that the run was started
    /// with, and the checkout is nothing that a model writes to.
    fn lint_calls(&self) -> Result<Vec<LintCall>, DriveError> {
        let top = self.world.repository.top();
        let programs = Programs::of(top, &self.inputs.test_command, self.world.surroundings);
        let Some(words) = &self.inputs.settings.lint.command else {
            let found = find_linters(&programs);
            return Ok(found.iter().map(LintCall::found).collect());
        };
        let Some(first) = words.first() else {
            return Ok(Vec::new());
        };
        let program = programs.find(first).ok_or_else(|| {
            let program = first.into();
            GateError::Linter(ProcessError::NotFound { program })
        })?;
        Ok(vec![LintCall::configured(words, program)])
    }
}

fn tail(text: &str, limit: usize) -> String {
    let start = text.len().saturating_sub(limit);
    let start = (start..=text.len()).find(|index| text.is_char_boundary(*index));
    text[start.unwrap_or(text.len())..].to_owned()
}

fn seal_broken(observation: &Observation, path: &str) -> Verdict {
    Verdict {
        disposition: Disposition::Escalate,
        exit_code: observation.exit.code(),
        tests: Vec::new(),
        reasons: vec![Reason {
            rule: "seal_broken".to_owned(),
            test: Some(path.to_owned()),
            message: format!(
                "{path} is not the file that failed at the red gate; the base branch changed it"
            ),
        }],
        checks: Vec::new(),
        notes: Vec::new(),
    }
}

fn result(tree: TreeId, judged: Judged, name: &str, sandbox: SandboxLevel) -> GateResult {
    GateResult {
        tree,
        feedback: feedback(&judged.observation, &judged.verdict, FEEDBACK_BYTES),
        verdict: judged.verdict,
        evidence: format!("{name}.txt"),
        command: judged
            .runs
            .first()
            .map_or_else(String::new, |run| run.command.clone()),
        elapsed_ms: judged.runs.iter().map(|run| run.elapsed_ms).sum(),
        flags: judged.flags,
        sandbox: sandbox.to_string(),
        runs: judged.runs,
    }
}
