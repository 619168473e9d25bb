//! Running the tests and the linter on trees.

use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::context::{LineMask, ProjectPath, mask_secrets};
use proctor_core::test_outcome::{
    Baseline, Declared, Disposition, GreenEvidence, Observation, Reason, RedEvidence, Verdict,
    feedback, judge_green, judge_red,
};
use proctor_core::workflow::{Event, GateResult, LintResult, TreeId};

use super::{DriveError, Driver};
use crate::crash_point::crash_point;
use crate::files::{remove_own_directory, write_own};
use crate::process::{Job, ProcessError, watch};
use crate::test_runner::{PytestOutcome, PytestRun, RunnerError, start_environment};

/// The most that goes back to the model from one run of the tests.
const FEEDBACK_BYTES: usize = 12_000;

impl Driver<'_> {
    pub(super) fn take_baseline(&mut self) -> Result<Event, DriveError> {
        let tree = self.base()?.tree;
        let name = format!("baseline-{}", tree.short());
        let outcome = self.run_tests(&tree, &name)?;
        let baseline =
            Baseline::from_observation(&outcome.observation).map_err(DriveError::Baseline)?;
        Ok(Event::BaselineTaken { baseline })
    }

    pub(super) fn judge_red(&mut self) -> Result<Event, DriveError> {
        let tree = self.candidate();
        let name = format!("red-{}-{}", self.row.run.scaffold().current(), tree.short());
        let outcome = self.run_tests(&tree, &name)?;
        let loaded = &self.inputs.loaded;
        let declared: Vec<String> = loaded
            .sources
            .iter()
            .chain(&loaded.tests)
            .map(|file| file.path.to_string())
            .collect();
        let verdict = judge_red(&RedEvidence {
            observation: &outcome.observation,
            baseline: self.row.run.baseline().unwrap_or(&Baseline::default()),
            test_files: &texts(self.row.run.test_files()),
            declared: &Declared::from_paths(&declared),
        });
        if verdict.disposition == Disposition::Accepted {
            self.keep("sealed", &tree)?;
        }
        Ok(Event::RedJudged(result(tree, verdict, &outcome, &name)))
    }

    pub(super) fn judge_green(&mut self) -> Result<Event, DriveError> {
        let tree = self.candidate();
        let name = format!(
            "green-{}-{}",
            self.row.run.implement().current(),
            tree.short()
        );
        let outcome = self.run_tests(&tree, &name)?;
        let sealed = self
            .row
            .run
            .sealed()
            .map(|sealed| sealed.files.clone())
            .unwrap_or_default();
        let verdict = match self.broken_seal(&tree)? {
            Some(path) => seal_broken(&outcome.observation, &path),
            None => judge_green(&GreenEvidence {
                observation: &outcome.observation,
                baseline: self.row.run.baseline().unwrap_or(&Baseline::default()),
                sealed_files: &texts(&sealed),
            }),
        };
        Ok(Event::GreenJudged(result(tree, verdict, &outcome, &name)))
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
        let contents = self.world.repository.files_named(&names.concat())?;
        let (then, now) = contents.split_at(sealed.files.len());
        let broken = sealed
            .files
            .iter()
            .zip(then.iter().zip(now))
            .find(|(_, (then, now))| then != now);
        Ok(broken.map(|(path, _)| path.to_string()))
    }

    /// Runs the whole suite on a tree, in a directory that is made for it and removed again.
    fn run_tests(&mut self, tree: &TreeId, name: &str) -> Result<PytestOutcome, DriveError> {
        let directory = self.lay_out(tree)?;
        let settings = &self.inputs.settings.test;
        let mut select = settings.paths.clone();
        // Where only some paths are run, the run's own tests belong to them.
        if !select.is_empty() {
            let own = self.row.run.test_files().iter().map(ToString::to_string);
            select.extend(own.filter(|path| directory.join(path).is_file()));
        }
        let run = PytestRun {
            command: self.inputs.test_command.iter().map(Into::into).collect(),
            tree: directory.clone(),
            checkout: Some(self.world.repository.top().to_owned()),
            timeout: Duration::from_secs(settings.timeout_seconds),
            select,
            environment: self.world.surroundings.all().clone(),
            confinement: None,
        };
        let watcher = &mut *self.world.watcher;
        let mut mask = LineMask::default();
        let ended = run.run(self.world.launcher, self.world.interrupt, &mut |line| {
            watcher.line(&mask.line(line));
        });
        let mut outcome = ended.map_err(interrupted)?;
        outcome.observation = outcome.observation.masked();
        remove_judged(&directory)?;
        let text = format!(
            "$ {}\n{}\n{:?} after {:.1} s\n",
            outcome.command,
            outcome.observation.output,
            outcome.observation.exit,
            outcome.elapsed.as_secs_f64()
        );
        self.keep_evidence(name, &text)?;
        Ok(outcome)
    }

    fn lay_out(&self, tree: &TreeId) -> Result<PathBuf, DriveError> {
        let directory = self.judged_directory();
        let failed = |source| DriveError::Own {
            path: directory.clone(),
            source,
        };
        remove_own_directory(&directory).map_err(failed)?;
        std::fs::create_dir_all(&directory).map_err(failed)?;
        self.world.repository.materialise(tree, &directory)?;
        crash_point("judged tree laid out");
        Ok(directory)
    }

    fn keep_evidence(&self, name: &str, text: &str) -> Result<(), DriveError> {
        let path = self.evidence_directory().join(format!("{name}.txt"));
        write_own(&path, text.as_bytes()).map_err(|source| DriveError::Own { path, source })
    }

    pub(super) fn evidence_directory(&self) -> PathBuf {
        self.world
            .repository
            .data_directory()
            .join("evidence")
            .join(self.row.id.as_str())
    }

    pub(super) fn lint(&mut self) -> Result<Event, DriveError> {
        let words = self.inputs.settings.lint.command.clone();
        let Some((program, rest)) = words.split_first() else {
            return Ok(Event::Linted(LintResult::Absent));
        };
        let tree = self.candidate();
        let directory = self.lay_out(&tree)?;
        let all = self
            .row
            .run
            .source_files()
            .iter()
            .chain(self.row.run.test_files());
        let files: Vec<&str> = all
            .map(ProjectPath::as_str)
            .filter(|path| directory.join(path).is_file())
            .collect();
        // A path in the configuration is meant from the checkout, where virtual environments are.
        let program = if program.contains('/') {
            self.world.repository.top().join(program)
        } else {
            PathBuf::from(program)
        };
        let limit = Duration::from_secs(self.inputs.settings.test.timeout_seconds);
        let mut job = Job::new(program, &directory, limit);
        job.arguments = rest
            .iter()
            .map(String::as_str)
            .chain(files)
            .map(Into::into)
            .collect();
        job.environment = start_environment(self.world.surroundings.all());
        let watcher = &mut *self.world.watcher;
        let mut mask = LineMask::default();
        let finished = watch(
            &job,
            self.world.launcher,
            self.world.interrupt,
            &mut |line| watcher.line(&mask.line(line)),
        );
        let finished = finished.map_err(|error| match error {
            ProcessError::Interrupted => DriveError::Interrupted,
            other => DriveError::Lint(other),
        })?;
        remove_judged(&directory)?;
        let command = shell_words::join(&words);
        let output = finished.output.text();
        let output = mask_secrets(&output);
        self.keep_evidence(
            &format!(
                "lint-{}-{}",
                self.row.run.implement().current(),
                tree.short()
            ),
            &format!("$ {command}\n{output}\n{:?}\n", finished.exit),
        )?;
        Ok(Event::Linted(if finished.exit.code() == Some(0) {
            LintResult::Clean { command }
        } else {
            let output = tail(&output, FEEDBACK_BYTES);
            LintResult::Complaints { command, output }
        }))
    }
}

fn remove_judged(directory: &Path) -> Result<(), DriveError> {
    remove_own_directory(directory).map_err(|source| DriveError::Own {
        path: directory.to_owned(),
        source,
    })
}

fn interrupted(error: RunnerError) -> DriveError {
    match error {
        RunnerError::Process(ProcessError::Interrupted) => DriveError::Interrupted,
        other => other.into(),
    }
}

fn texts(paths: &[ProjectPath]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
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
        notes: Vec::new(),
    }
}

fn result(tree: TreeId, verdict: Verdict, outcome: &PytestOutcome, name: &str) -> GateResult {
    GateResult {
        tree,
        feedback: feedback(&outcome.observation, &verdict, FEEDBACK_BYTES),
        verdict,
        evidence: format!("{name}.txt"),
        command: outcome.command.clone(),
        elapsed_ms: u64::try_from(outcome.elapsed.as_millis()).unwrap_or(u64::MAX),
    }
}
