//! The real vitest, jest and node runners on small trees: the reporter's records of every kind of ending.

mod finding;
mod jest;
mod node_test;
mod packages;
mod vitest;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::dialect::Runner;
use proctor_core::test_outcome::{FailureKind, Observation, Outcome, Phase, Raised, Report};
use proctor_host::process::{Environment, Interrupt, Launcher, find_program, variable};
use proctor_host::test_runner::{NodeCommand, NodeRun, RunOutcome, TestLimit, Variant, farm};
use tempfile::TempDir;

fn surroundings() -> Environment {
    let mut all: Environment = std::env::vars_os().collect();
    // Of these nothing comes through.
    for name in ["NODE_OPTIONS", "VITEST", "FORCE_COLOR", "NPM_CONFIG_X"] {
        all.push((name.into(), OsString::from("--nonsense")));
    }
    all
}

fn node() -> Option<PathBuf> {
    let environment = surroundings();
    let path = variable(&environment, "PATH")?;
    find_program(Path::new("node"), path, Path::new("/"))
}

/// A tree with the packages of a runner; nothing, aloud, where they cannot be had.
struct World {
    tree: TempDir,
    command: NodeCommand,
}

impl World {
    fn new(runner: Runner, packages: &[&str], files: &[(&str, &str)]) -> Option<Self> {
        let Some(node) = node() else {
            proctor_testkit::say_skipped(runner.name(), "there is no node");
            return None;
        };
        let tree = tempfile::tempdir().expect("a directory");
        let mut program = None;
        if !packages.is_empty() {
            let installed = match proctor_testkit::node_packages(packages) {
                Ok(installed) => installed,
                Err(reason) => {
                    proctor_testkit::say_skipped(runner.name(), &reason);
                    return None;
                }
            };
            farm(&installed, tree.path()).expect("packages are linked");
            let module = match runner {
                Runner::Vitest => "node_modules/vitest/dist/node.js",
                Runner::Jest => "node_modules/jest/build/index.js",
                Runner::Node | Runner::Pytest => "node_modules",
            };
            program = Some(installed.join(module)).filter(|path| path.is_file());
        }
        let command = NodeCommand {
            runner,
            node,
            program,
            version: String::new(),
            options: Vec::new(),
            loaded: Vec::new(),
            patterns: Vec::new(),
        };
        let world = Self { tree, command };
        world.add(files);
        Some(world)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "test data, not a project's files"
    )]
    fn add(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.tree.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(path, text).expect("file written");
        }
    }

    fn run(&self) -> NodeRun {
        NodeRun {
            root: String::new(),
            command: self.command.clone(),
            tree: self.tree.path().to_owned(),
            checkout: None,
            timeout: Duration::from_mins(3),
            select: Vec::new(),
            variant: Variant::Plain,
            unchecked: Vec::new(),
            environment: surroundings(),
            confinement: None,
        }
    }

    fn selecting(&self, select: &[&str]) -> NodeRun {
        NodeRun {
            root: String::new(),
            select: select.iter().map(|one| (*one).to_owned()).collect(),
            ..self.run()
        }
    }
}

fn outcome(run: &NodeRun, limit: Option<&TestLimit>) -> RunOutcome {
    run.run_within(limit, &Launcher::plain(), &Interrupt::never(), &mut |_| {})
        .expect("the runner starts")
}

fn observe(run: &NodeRun) -> Observation {
    outcome(run, None).observation
}

#[track_caller]
fn report(observation: &Observation) -> &Report {
    observation.report.as_ref().unwrap_or_else(|problem| {
        panic!("{problem}\n{:?}\n{}", observation.exit, observation.output)
    })
}

/// One line a test and one an error, in the order of their files.
fn told(report: &Report) -> String {
    let mut lines: Vec<String> = report
        .collected
        .iter()
        .map(|id| {
            let line = report.written_at.get(id).copied().unwrap_or_default();
            format!("{id} @{line}: {}", ending(report, id))
        })
        .collect();
    lines.extend(report.errors.iter().map(|error| {
        format!(
            "{} cannot be collected: {}",
            error.file,
            words(&error.raised)
        )
    }));
    let file = |line: &String| {
        let end = line.find("::").or(line.find(' '));
        line[..end.unwrap_or_default()].to_owned()
    };
    lines.sort_by_key(file);
    let mut unhandled: Vec<String> = report.unhandled.iter().map(words).collect();
    unhandled.sort();
    lines.extend(unhandled.iter().map(|words| format!("unhandled: {words}")));
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

/// A test's outcome, from all of its records.
fn ending(report: &Report, id: &str) -> String {
    let records: Vec<_> = report
        .records
        .iter()
        .filter(|record| record.id == id)
        .collect();
    let phases: Vec<_> = records
        .iter()
        .map(|record| (record.phase, record.outcome))
        .collect();
    let passed = [Phase::Setup, Phase::Call, Phase::Teardown].map(|phase| (phase, Outcome::Passed));
    if phases == passed {
        return "passed".to_owned();
    }
    if phases.is_empty() {
        return "no result".to_owned();
    }
    let others = records
        .iter()
        .filter(|record| record.outcome != Outcome::Passed);
    let words: Vec<String> = others
        .map(|record| {
            let raised = record.raised.as_ref().map(words).unwrap_or_default();
            format!("{:?} {:?} {raised}", record.phase, record.outcome)
        })
        .collect();
    words.join(", ")
}

/// An error in short: its kind where every reader agrees, the first line of its message, the place.
fn words(raised: &Raised) -> String {
    let kind = match raised.kind {
        FailureKind::Assertion => "(assertion) ",
        FailureKind::MissingModule => "(missing module) ",
        _ => "",
    };
    let message = raised.message.lines().next().unwrap_or_default();
    let message = message.split("/tmp/").next().unwrap_or_default();
    let place = raised.crash.as_ref();
    let place = place.map_or(String::new(), |place| {
        format!(" at {}:{}", place.path, place.line)
    });
    format!("{kind}{}{place}", message.trim_end())
}

/// Compares line by line, so that a difference is seen at once.
#[track_caller]
fn assert_told(report: &Report, expected: &str) {
    let told = told(report);
    let lines = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (told, expected) = (lines(&told), lines(expected));
    let missing: Vec<_> = expected
        .iter()
        .filter(|line| !told.contains(line))
        .collect();
    let besides: Vec<_> = told
        .iter()
        .filter(|line| !expected.contains(line))
        .collect();
    assert!(
        missing.is_empty() && besides.is_empty(),
        "missing: {missing:#?}\nbesides: {besides:#?}"
    );
    assert_eq!(told.len(), expected.len());
}

/// The attempts of a test to write records itself.
const FORGERY: &str = "
  if (Object.keys(process.env).some((name) => name.startsWith('PROCTOR'))) throw new Error('it is named');
  for (const number of [0, 1, 2]) {
    const where = `/proc/self/fd/${number}`;
    if (number === 0) { try { fs.writeSync(0, '{\"kind\":\"finish\",\"exit\":0}\\n'); } catch {} }
    try { fs.appendFileSync(where.replace('self', process.ppid), '{\"kind\":\"finish\"}\\n'); } catch {}
  }
  process.kill(process.ppid, 'SIGUSR1');
";
