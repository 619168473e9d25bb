//! One run of vitest, jest or node's runner in a tree.
//!
//! The runner is started so that only the tree decides what is tested and nothing else decides how: an environment made
//! from nothing, the project's own configuration but none from directories above it, every file that a runner would
//! leave behind in a private directory. Every run's files look the same.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::dialect::Runner;
use proctor_core::javascript::{
    OwnPackages, attribute_missing_names, exit_meaning, files_of, parse_report,
};
use proctor_core::test_outcome::{JUnit, JUnitError, Observation, Report, TwinKind};
use serde_json::{Value, json};

use crate::process::{Confinement, Environment, Interrupt, Job, Launcher, RecordStream, watch};

use super::super::judged_environment;
use super::super::stream::{records_of, secret_word};
use super::account::counts;
use super::find::NodeCommand;
use super::programs::{ACCOUNT, ENTRY, NOTES, Private, STOPPED, file_url};
use super::{RunOutcome, RunnerError, TestLimit, Variant};

/// The variable that tells the reporter which descriptor its records go to.
const STREAM_VARIABLE: &str = "PROCTOR_NODE_STREAM_FD";
/// A stream longer than this is not read: it is not a report but an attack on memory.
const LONGEST_STREAM: usize = 64 * 1024 * 1024;
/// More of other files is not read.
const LONGEST_TEXT: usize = 1024 * 1024;
/// Longer terms are not sent on the stream, which is not read before all of it is written.
const LONGEST_TERMS: usize = 100_000;

/// The parameters of a run.
#[derive(Debug, Clone)]
pub struct NodeRun {
    /// The runner, from [`node_command`](super::node_command).
    pub command: NodeCommand,
    /// The directory of the judged tree, with its packages.
    pub tree: PathBuf,
    /// The directory in it whose tests are run; empty for all of it.
    pub root: String,
    /// The person's checkout, if the tree is another: no variable of the tests names it, and modules loaded from there
    /// are not the judged ones.
    pub checkout: Option<PathBuf>,
    /// How long the whole suite may take.
    pub timeout: Duration,
    /// Files or ids to run; empty for the whole suite.
    pub select: Vec<String>,
    /// The part of the suite to run, and how. Node's own runner has no other order: there the opposite one is an
    /// ordinary run.
    pub variant: Variant,
    /// Files whose types are not checked, where a runner does that: those that Proctor altered.
    pub unchecked: Vec<String>,
    /// Proctor's own environment; only the variables that start node are taken from it.
    pub environment: Environment,
    /// The sandbox, and its hidden paths; the tree and a place for temporary files are added to it. Without it the
    /// tests can do everything that their user can.
    pub confinement: Option<Confinement>,
}

impl NodeRun {
    /// Runs the tests, with a limit for each; lines of output go to `on_line` as they appear.
    pub fn run_within(
        &self,
        limit: Option<&TestLimit>,
        launcher: &Launcher,
        interrupt: &Interrupt,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<RunOutcome, RunnerError> {
        let whole = fs::canonicalize(&self.tree)
            .map_err(|error| RunnerError::file("read", &self.tree, error))?;
        let tree = whole.join(&self.root);
        let reversed = self.variant.is_reversed();
        let program = self.command.program.as_deref();
        let private = Private::create(program, reversed, limit.is_some())?;
        let word = secret_word();
        let mut job = Job::new(&self.command.node, &tree, self.timeout);
        job.arguments = self.command.options.iter().map(OsString::from).collect();
        job.arguments.push(private.at(ENTRY).into());
        job.environment = self.child_environment(&private);
        job.stream = Some(RecordStream {
            variable: STREAM_VARIABLE.into(),
            longest: LONGEST_STREAM,
            word: format!("{word} {}", self.terms(&tree, &private, limit)?),
        });
        job.confinement = self.confinement.clone().map(|mut confinement| {
            confinement
                .read_only
                .extend([whole.clone(), private.at("plugin")]);
            confinement.writable.push(private.at("tmp"));
            confinement
        });
        let finished = watch(&job, launcher, interrupt, on_line)?;
        let written = records_of(&finished.records, &word);
        let sent = match (self.variant.marker(), &written) {
            (Some(_), Ok(written)) => written.clone(),
            _ => String::new(),
        };
        let turned = self.variant.turned();
        let mut report = written.and_then(|records| parse_report(&records, turned, tree.to_str()));
        if let Ok(report) = &mut report {
            tell_missing_names(report, &tree);
        }
        let meaning = exit_meaning(finished.exit, report.is_ok());
        Ok(RunOutcome {
            sent,
            stopped: limit.and_then(|_| private.read(STOPPED, LONGEST_TEXT).ok()),
            observation: Observation {
                exit: finished.exit,
                meaning,
                timeout_seconds: self.timeout.as_secs(),
                junit: self.account(&tree, &private, report.as_ref().ok()),
                report,
                output: finished.output.text(),
            },
            command: self.shown(),
            elapsed: finished.elapsed,
        })
    }

    fn account(
        &self,
        tree: &Path,
        private: &Private,
        report: Option<&Report>,
    ) -> Result<JUnit, JUnitError> {
        let text = private.read(ACCOUNT, LONGEST_STREAM)?;
        let mut counts = counts(&text, tree, report, !self.select.is_empty())?;
        // A twin with other values that reached none of them reports it by a failure, which has no meaning.
        let idle = report.filter(|_| self.variant.turned() == Some(TwinKind::Changed));
        let idle = idle.map_or(0, |report| report.ended.len());
        if idle <= counts.failed {
            counts.failed -= idle;
            counts.passed += idle;
        }
        Ok(counts)
    }

    /// How the reporter makes this run. Only the reporter receives this: code that can tell runs apart can behave
    /// differently in them.
    fn terms(
        &self,
        tree: &Path,
        private: &Private,
        limit: Option<&TestLimit>,
    ) -> Result<String, RunnerError> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let limit = limit.map(|limit| {
            json!({
                "seconds": limit.seconds,
                "only": limit.only,
                "without": limit.without,
                "file": text(&private.at(STOPPED)),
            })
        });
        let checkout = self.checkout.as_deref().map(|checkout| {
            let checkout = fs::canonicalize(checkout).unwrap_or_else(|_| checkout.to_owned());
            (checkout != tree).then(|| text(&checkout))
        });
        let terms: Value = json!({
            "checkout": checkout.flatten(),
            "runner": self.command.runner.name(),
            "program": self.command.program.as_deref().map(file_url),
            "tree": text(tree),
            "plugin": text(&private.at("plugin")),
            "account": text(&private.at(ACCOUNT)),
            "cache": text(&private.at("tmp/cache")),
            "notes": text(&private.at(NOTES)),
            "select": self.select,
            "reversed": self.variant.is_reversed(),
            "bail": self.variant == Variant::FirstFailure,
            "unchecked": self.unchecked,
            "patterns": self.command.patterns,
            "flags": self.command.loaded,
            "limit": limit,
        });
        let said = terms.to_string();
        if said.len() <= LONGEST_TERMS {
            return Ok(said);
        }
        let path = private.put("terms.json", &said)?;
        Ok(json!({"file": text(&path)}).to_string())
    }

    /// Everything the tests' process gets to see.
    fn child_environment(&self, private: &Private) -> Environment {
        let node = &self.command.node;
        let mut environment = judged_environment(&self.environment, self.checkout.as_deref(), node);
        environment.retain(|(name, _)| {
            ["PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
                .iter()
                .any(|known| name == known)
        });
        let mut set = |name: &str, value: OsString| environment.push((name.into(), value));
        set("LANG", "C.UTF-8".into());
        set("TZ", "UTC".into());
        // New snapshots are not written, and `.only` is an error.
        set("CI", "1".into());
        set("COLUMNS", "200".into());
        set("TMPDIR", private.at("tmp").into());
        // With a socket for its standard input, `bash -c` believes that it was called over a network
        // and reads the person's configuration, unless another shell has called it.
        set("SHLVL", "1".into());
        environment
    }

    /// The command as a person would type it.
    fn shown(&self) -> String {
        let words: &[&str] = match self.command.runner {
            Runner::Vitest => &["npx", "vitest", "run"],
            Runner::Jest => &["npx", "jest", "--ci"],
            Runner::Node | Runner::Pytest => &["node", "--test"],
        };
        let words = words.iter().map(|word| (*word).to_owned());
        let options = self.command.loaded.iter().cloned();
        let selected = self.select.iter().cloned();
        shell_words::join(words.chain(options).chain(selected))
    }
}

/// Names the modules that are missing or lack a name: a package's own by their files, and those of type errors in tests,
/// which do not say which module lacks the name that they stumble over.
fn tell_missing_names(report: &mut Report, tree: &Path) {
    if report.raised().next().is_none() {
        return;
    }
    let read = |path: &str| fs::read_to_string(tree.join(path)).ok();
    let files = files_of(report);
    let own = OwnPackages::of(files.iter().map(String::as_str), &read);
    own.name_modules(report, &read);
    let crashes = report.raised().filter_map(|raised| raised.crash.as_ref());
    let paths: BTreeSet<String> = crashes.map(|crash| crash.path.clone()).collect();
    let tests: Vec<(String, String)> = paths
        .into_iter()
        .filter_map(|path| {
            let text = read(&path)?;
            Some((path, text))
        })
        .collect();
    let tests = own.as_relative_imports(tests, &read);
    attribute_missing_names(report, &tests, &read);
}
