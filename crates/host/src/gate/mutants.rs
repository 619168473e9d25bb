//! Running tests against mutants of the source.
//!
//! Every mutant is a run of its own. As many are tried at a time as the machine has cores, each on a bench of its own,
//! until the time is up; the order is fixed, so more time means more of the same.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use proctor_core::diff::LineDiff;
use proctor_core::gate::{Verdict, feedback};
use proctor_core::mutants::{
    Fate, LinesOf, Mutant, MutantReport, MutantRule, SourceLines, Survivor, budget, spread,
    time_limit,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::{Observation, Trace};
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Place, Sitting, Wanted};
use super::bench::Bench;
use super::blind::REVERSED;
use super::configuration::Held;
use super::parts::{Carried, Order};
use super::{FEEDBACK_BYTES, GateError, Told};
use crate::process::{SandboxLevel, joined};
use crate::test_runner::{ReadError, Variant, Watched};

/// More mutants than this are not tried at a time.
const MOST_BENCHES: usize = 4;
/// A bench is worth its making for this many mutants.
const MUTANTS_PER_BENCH: usize = 3;
/// More tests than this are not run against one mutant.
const MOST_TESTS: usize = 100;
/// So few mutants are tried with all new tests, if these are few as well: determining first which test executes which
/// line takes as long as some of the mutants. Counted and not timed, so that the same change is always judged by the
/// same runs.
const FEW_MUTANTS: usize = 10;
const FEW_TESTS: usize = 10;

/// Changed lines of source files.
pub(super) struct ChangedLines {
    /// The added lines of Python files.
    pub(super) added: Vec<LinesOf>,
    /// Files of which more lines are gone than came, and how many.
    pub(super) removed: Vec<(String, usize)>,
}

/// A mutant, the file with it, and the tests that execute its line.
pub(super) struct Trial {
    pub(super) mutant: Mutant,
    content: Vec<u8>,
    pub(super) tests: Vec<String>,
}

/// How mutants are tried.
#[derive(Clone, Copy)]
pub(super) struct Trials<'a> {
    pub(super) tree: &'a TreeId,
    pub(super) plugins: Option<&'a [String]>,
    pub(super) variant: Variant,
    /// How long one run may take.
    pub(super) limit: Duration,
    /// How long all of them may take.
    pub(super) budget: Duration,
    /// In which files an assertion that fails has noticed something.
    pub(super) counts: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a mutant is still of interest when it is its turn.
    pub(super) wanted: &'a (dyn Fn(&Trial) -> bool + Sync),
    /// Called when one was tried.
    pub(super) tried: &'a (dyn Fn(&Trial, &Fate) + Sync),
}

impl Arbiter<'_> {
    /// A verdict with survivors refused, if the settings want that.
    pub(super) fn demanded(&self, mut verdict: Verdict) -> Verdict {
        let report = verdict.mutants.take();
        verdict.with_mutants(report, self.settings.test.mutants)
    }

    /// A result with survivors refused, if the settings demand that, and with the feedback to the model.
    pub fn demanding(&self, mut result: GateResult) -> GateResult {
        let accepted = result.verdict.is_accepted();
        result.verdict = self.demanded(result.verdict);
        if accepted && !result.verdict.is_accepted() {
            result.feedback = feedback(None, &result.verdict, FEEDBACK_BYTES);
        }
        result
    }
}

impl Arbiter<'_> {
    /// Whether a change that is accepted is tried with mutants.
    pub(super) fn tries_mutants(&self) -> bool {
        match self.settings.test.mutants {
            MutantRule::Off => false,
            MutantRule::Report => !self.is_quick,
            MutantRule::Demand => true,
        }
    }
}

impl Sitting<'_, '_> {
    /// The result of mutants of the lines that a change added, as a part of a verdict that accepts.
    pub(super) fn with_mutants(
        &mut self,
        verdict: Verdict,
        tree: &TreeId,
        sources: &[ProjectPath],
        plugins: Option<&[String]>,
    ) -> Result<Verdict, GateError> {
        if !verdict.is_accepted() || !self.arbiter.tries_mutants() {
            return Ok(verdict);
        }
        let judged = Duration::from_millis(self.evidence.elapsed_ms());
        let changed = self.changed_lines(tree, sources)?;
        let lines = self.source_lines(&changed.added, true)?;
        let tests = verdict.passed();
        if lines.iter().all(|file| file.mutants.is_empty()) || tests.is_empty() {
            return Ok(verdict);
        }
        let seen = Seen {
            tree,
            plugins,
            tests: &tests,
            judged,
        };
        let count: usize = lines.iter().map(|file| file.mutants.len()).sum();
        let is_little = count <= FEW_MUTANTS && tests.len() <= FEW_TESTS;
        let took = self.evidence.elapsed_of(REVERSED);
        let report = if let Some(took) = took.filter(|_| is_little) {
            Some(self.mutants_of_all(&lines, &changed.added, seen, took)?)
        } else {
            let traced = self.watch_new_tests(&changed.added, seen)?;
            self.mutants_of(&lines, &changed.added, &traced, seen)?
        };
        Ok(verdict.with_mutants(report, MutantRule::Report))
    }

    /// Runs the new tests, and records which of these lines each of them executes.
    fn watch_new_tests(
        &mut self,
        files: &[LinesOf],
        seen: Seen<'_>,
    ) -> Result<Observation, GateError> {
        self.show_held(seen.tree)?;
        let watched = files.iter().map(|file| file.path.clone());
        self.watch(
            &Wanted {
                what: "the new tests, watched line by line",
                select: select(seen.tests),
                plugins: seen.plugins,
                variant: Variant::Plain,
            },
            &Watched::Files(watched.collect()),
        )
    }

    /// Tries a few mutants against all of the tests. The tests that execute a line are determined only for those that
    /// survive.
    fn mutants_of_all(
        &mut self,
        lines: &[SourceLines],
        files: &[LinesOf],
        seen: Seen<'_>,
        took: Duration,
    ) -> Result<MutantReport, GateError> {
        let mut trials = trials_of(lines, files, None, seen.tests);
        let fates = self.try_each(&trials, seen, took)?;
        if fates.iter().flatten().any(|fate| !fate.is_killed()) {
            let traced = self.watch_new_tests(files, seen)?;
            let trace = traced.report.as_ref().ok().map(|report| &report.trace);
            trials = trials_of(lines, files, trace, seen.tests);
        }
        Ok(self.reported(&trials, &fates))
    }

    /// `[test] mutants`. For tests that come alone, or pass already at red, a mutant is a demand.
    pub(super) fn rule(&self) -> MutantRule {
        self.arbiter.settings.test.mutants
    }

    /// Tries the mutants of these lines against the tests that execute them, by a run that was watched: the last one.
    pub(super) fn mutants_of(
        &mut self,
        lines: &[SourceLines],
        files: &[LinesOf],
        traced: &Observation,
        seen: Seen<'_>,
    ) -> Result<Option<MutantReport>, GateError> {
        let Ok(report) = &traced.report else {
            return Ok(None);
        };
        let trials = trials_of(lines, files, Some(&report.trace), seen.tests);
        if trials.is_empty() {
            return Ok(None);
        }
        let fates = self.try_each(&trials, seen, self.evidence.last_elapsed())?;
        Ok(Some(self.reported(&trials, &fates)))
    }

    /// Tries all of them; `took` is how long their tests take without a mutant.
    fn try_each(
        &mut self,
        trials: &[Trial],
        seen: Seen<'_>,
        took: Duration,
    ) -> Result<Vec<Option<Fate>>, GateError> {
        self.try_mutants(
            trials,
            Trials {
                tree: seen.tree,
                plugins: seen.plugins,
                variant: Variant::FirstFailure,
                limit: time_limit(took),
                counts: &|_| true,
                budget: budget(self.arbiter.settings.test.mutant_seconds, seen.judged),
                wanted: &|_| true,
                tried: &|_, _| {},
            },
        )
    }

    fn reported(&mut self, trials: &[Trial], fates: &[Option<Fate>]) -> MutantReport {
        let report = report_of(trials, fates, |_| true);
        self.keep_report(&report);
        report
    }

    /// Adds their results to the evidence.
    pub(super) fn keep_report(&mut self, report: &MutantReport) {
        self.evidence.remark(&report.to_string());
        for survivor in &report.survived {
            self.evidence
                .remark(&format!("a mutant that survived: {survivor}"));
        }
    }

    /// The lines that differ from the base in files of code.
    pub(super) fn changed_lines(
        &self,
        tree: &TreeId,
        sources: &[ProjectPath],
    ) -> Result<ChangedLines, GateError> {
        let code = sources.iter().filter(|path| self.arbiter.reads(path));
        let paths: Vec<&str> = code.map(ProjectPath::as_str).collect();
        let now = self.objects().files_at(tree, &paths)?;
        let before = self.objects().files_at(self.base, &paths)?;
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for (path, (now, before)) in paths.into_iter().zip(now.into_iter().zip(before)) {
            let now = now.unwrap_or_default();
            let difference = LineDiff::between(&before.unwrap_or_default(), &now);
            if difference.deleted > difference.added {
                let gone = difference.deleted - difference.added;
                removed.push((path.to_owned(), gone));
            }
            let lines = difference.added_lines();
            if !lines.is_empty() || difference.is_binary {
                added.push(LinesOf {
                    path: path.to_owned(),
                    text: String::from_utf8_lossy(&now).into_owned(),
                    lines,
                });
            }
        }
        Ok(ChangedLines { added, removed })
    }

    /// The reader's facts about lines. A file that it cannot read is reported as unreadable.
    pub(super) fn source_lines(
        &mut self,
        files: &[LinesOf],
        mutants: bool,
    ) -> Result<Vec<SourceLines>, GateError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        match self.readers().source_lines(files, mutants) {
            Ok(lines) => Ok(lines),
            Err(ReadError::Runner(error)) => Err(error.into()),
            Err(problem @ (ReadError::Failed { .. } | ReadError::Answer(_))) => {
                let problem = problem.to_string();
                self.evidence
                    .remark(&format!("the source could not be read: {problem}"));
                let unreadable = files.iter().map(|file| SourceLines {
                    path: file.path.clone(),
                    error: Some(problem.clone()),
                    ..SourceLines::default()
                });
                Ok(unreadable.collect())
            }
        }
    }

    /// The fate of each mutant; none for those that were no longer needed or for which there was no time.
    pub(super) fn try_mutants(
        &mut self,
        trials: &[Trial],
        rules: Trials<'_>,
    ) -> Result<Vec<Option<Fate>>, GateError> {
        let wanted = Wanted {
            what: "a mutant",
            select: Vec::new(),
            plugins: rules.plugins,
            variant: rules.variant,
        };
        let run = self.order(&wanted, &Watched::Nothing).within(rules.limit);
        (self.told)(Told::Check(
            "the tests against mistakes put into the source",
        ));
        let held = self.held(rules.tree)?;
        let shared = Shared {
            place: self.arbiter.place,
            trials,
            rules,
            run,
            held,
            confidential: self.confidential().to_vec(),
            trusted: self.level() != SandboxLevel::Off,
            began: Instant::now(),
            next: AtomicUsize::new(0),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let benches = cores
            .min(MOST_BENCHES)
            .min(trials.len().div_ceil(MUTANTS_PER_BENCH));
        let mut others: Vec<Bench> = (1..benches)
            .map(|number| {
                let directory = self.arbiter.rooms.own.join(format!("mutants-{number}"));
                let mut bench = Bench::new(directory);
                bench.set_extras(self.arbiter.bench.extras().clone());
                bench
            })
            .collect();
        let found = std::thread::scope(|scope| {
            let shared = &shared;
            let beside: Vec<_> = others
                .iter_mut()
                .map(|bench| scope.spawn(move || shared.work(bench)))
                .collect();
            let mut found = shared.work(&mut self.arbiter.bench);
            for thread in beside {
                let more = joined(thread);
                found = found.and_then(|mut all| {
                    all.extend(more?);
                    Ok(all)
                });
            }
            found
        });
        for bench in &mut others {
            bench.clear()?;
        }
        let mut fates: Vec<Option<Fate>> = trials.iter().map(|_| None).collect();
        for (index, fate) in found? {
            fates[index] = Some(fate);
        }
        Ok(fates)
    }
}

/// The facts known before mutants are tried.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) tree: &'a TreeId,
    pub(super) plugins: Option<&'a [String]>,
    /// The tests that count.
    pub(super) tests: &'a BTreeSet<String>,
    /// How long the judgement took before.
    pub(super) judged: Duration,
}

/// Shared by the threads that try mutants.
struct Shared<'a> {
    place: Place<'a>,
    trials: &'a [Trial],
    rules: Trials<'a>,
    run: Order,
    held: Vec<Held>,
    confidential: Vec<String>,
    /// Whether the judged code cannot have written to the bench.
    trusted: bool,
    began: Instant,
    next: AtomicUsize,
}

impl Shared<'_> {
    fn work(&self, bench: &mut Bench) -> Result<Vec<(usize, Fate)>, GateError> {
        let mut found = Vec::new();
        while self.began.elapsed() < self.rules.budget {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(trial) = self.trials.get(index) else {
                break;
            };
            if !(self.rules.wanted)(trial) {
                continue;
            }
            let fate = if trial.tests.is_empty() {
                Fate::Survived
            } else {
                self.one(bench, trial)?
            };
            (self.rules.tried)(trial, &fate);
            found.push((index, fate));
        }
        Ok(found)
    }

    fn one(&self, bench: &mut Bench, trial: &Trial) -> Result<Fate, GateError> {
        bench.show(self.place.repository, self.rules.tree)?;
        for (path, content) in &self.held {
            bench.alter(path, content.as_deref())?;
        }
        if let Ok(path) = ProjectPath::parse(&trial.mutant.path) {
            bench.alter(&path, Some(&trial.content))?;
        }
        let run = self.run.of(bench.directory(), &trial.tests);
        let (launcher, interrupt) = (self.place.launcher, self.place.interrupt);
        let outcome = run.carry_out(None, launcher, interrupt, &mut |_| {});
        if !self.trusted {
            bench.invalidate();
        }
        let observation = Carried::of(outcome?).observation.masked(&self.confidential);
        Ok(Fate::of(&observation, &trial.tests, self.rules.counts))
    }
}

/// Every mutant that the files can have, with the tests that execute its line; without a trace, with all of them.
pub(super) fn trials_of(
    lines: &[SourceLines],
    files: &[LinesOf],
    trace: Option<&Trace>,
    tests: &BTreeSet<String>,
) -> Vec<Trial> {
    let mutants = lines.iter().flat_map(|file| file.mutants.clone()).collect();
    let content = |path: &str| {
        let mut files = files.iter();
        files.find(|file| file.path == path).map(|file| &file.text)
    };
    spread(mutants)
        .into_iter()
        .filter_map(|mutant| {
            let content = mutant.applied(content(&mutant.path)?.as_bytes())?;
            let tests = match trace {
                Some(trace) => tests_at(&mutant, lines, trace, tests),
                None => tests.iter().take(MOST_TESTS).cloned().collect(),
            };
            Some(Trial {
                mutant,
                content,
                tests,
            })
        })
        .collect()
}

/// The tests that execute the line of a mutant; all of them if it is executed while modules are loaded.
fn tests_at(
    mutant: &Mutant,
    lines: &[SourceLines],
    trace: &Trace,
    tests: &BTreeSet<String>,
) -> Vec<String> {
    let needed = lines
        .iter()
        .filter(|file| file.path == mutant.path)
        .flat_map(|file| &file.needed)
        .filter(|needed| needed.line == mutant.line);
    let seen_at: Vec<i64> = needed.flat_map(|needed| needed.seen_at.clone()).collect();
    let at = trace.tests_at(&mutant.path, &seen_at);
    let executing = tests.iter().filter(|test| at.contains(test.as_str()));
    let executing: Vec<String> = executing.take(MOST_TESTS).cloned().collect();
    if executing.is_empty() && at.contains("") {
        return tests.iter().take(MOST_TESTS).cloned().collect();
    }
    executing
}

/// Counts the tried mutants. `open` says whether one that was not tried is still of interest.
pub(super) fn report_of(
    trials: &[Trial],
    fates: &[Option<Fate>],
    open: impl Fn(&Trial) -> bool,
) -> MutantReport {
    let mut report = MutantReport::default();
    for (trial, fate) in trials.iter().zip(fates) {
        match fate {
            None => report.left_out += usize::from(open(trial)),
            Some(fate) if fate.is_killed() => report.killed += 1,
            Some(_) => {
                let mut what = trial.mutant.what.clone();
                if trial.tests.is_empty() {
                    what.push_str(", which no test executes");
                }
                report.survived.push(Survivor {
                    path: trial.mutant.path.clone(),
                    line: trial.mutant.line,
                    what,
                });
            }
        }
        report.made += usize::from(fate.is_some());
    }
    report.survived.sort();
    report
}

/// The runner's names for these tests: themselves, or their files where there are very many.
pub(super) fn select(tests: &BTreeSet<String>) -> Vec<String> {
    if tests.len() <= MOST_TESTS {
        return tests.iter().cloned().collect();
    }
    let files = tests.iter().map(|id| id.split("::").next().unwrap_or(id));
    let files: BTreeSet<&str> = files.collect();
    files.into_iter().map(str::to_owned).collect()
}
