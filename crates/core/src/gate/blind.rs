//! The result of the blind run for tests that pass.
//!
//! The tests were run without their expected values, and a process that never ran project code compared the actual
//! values with them: see decision 0027. A test that passes and does not hold there is refused, a new one as well as an
//! old one that the change could lie to. Assertions that could not be compared outside are not verified by this; only
//! twins can verify them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::case_names::CaseNames;
use super::findings::Findings;
use super::{Baseline, CheckName, Rule};
use crate::test_outcome::{Observation, Report, function_of};

/// The result of a comparison outside the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It is as the test expects.
    Held,
    /// It is not, or was never sent.
    Failed,
    /// The sent value does not tell; only the process itself says that it holds.
    NotJudged,
}

/// The basis of a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// An expected value that was nowhere in the test's code.
    Value,
    /// An expected value that also occurs elsewhere in the cut files: as an input, in another test.
    Visible,
    /// Two values of the process, sent one after the other.
    Both,
    /// Class and state of two objects.
    State,
    /// That two names are one object, which only the process sees.
    Identity,
    /// The class of a value.
    Type,
    /// The class of an exception, and its message if one is expected.
    Exception,
    /// That a text or a container holds something.
    Membership,
    /// That it is larger or smaller.
    Order,
    /// That it is something else.
    Inequality,
    /// That it is true, false or nothing.
    Truth,
}

impl By {
    /// Whether a wrong value would hardly have held.
    pub fn is_telling(self) -> bool {
        matches!(self, Self::Value | Self::Visible | Self::Both | Self::State)
    }
}

/// The outcome of one place of one test, over all its visits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlindPlace {
    /// The test, by the id that it has in the cut run: rows of parameters have other names there.
    pub id: String,
    /// The number of the place.
    pub place: u64,
    /// The file it is in.
    pub path: String,
    /// From 1, in the file as it was given.
    pub line: u32,
    /// The worst of all visits.
    pub judgement: Judgement,
    /// Its basis, where that is known.
    pub by: Option<By>,
    /// Whether the test's text leaves it to the process, whatever the values.
    #[serde(default)]
    pub in_process: bool,
    /// Why it is not held.
    pub reason: Option<String>,
    /// How often the test came by.
    pub visits: u32,
}

/// The outcome of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlindTest {
    /// Its id in the cut run.
    pub id: String,
    /// Failed if any place did, or the test itself; held if at least one place was judged.
    pub judgement: Judgement,
    /// Its problem besides its places.
    pub reason: Option<String>,
    /// Places that held.
    pub held: u32,
    /// Those of them that a wrong value would hardly have held.
    pub telling: u32,
    /// Places that did not.
    pub failed: u32,
    /// Places of which the process alone knows.
    pub not_judged: u32,
}

impl BlindTest {
    /// Whether a place of it does not hold, or something else is wrong with it.
    pub(super) fn does_not_hold(&self) -> bool {
        self.judgement == Judgement::Failed || self.reason.is_some()
    }
}

/// A place that no test reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPlace {
    /// The place's number.
    pub place: u64,
    /// The file's path.
    pub path: String,
    /// From 1.
    pub line: u32,
}

/// A place of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceOf {
    /// The test's id.
    pub id: String,
    /// The place's number.
    pub place: u64,
}

/// All that the referee says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlindReport {
    /// Every place that was reached or should have been.
    pub places: Vec<BlindPlace>,
    /// Every test that ran.
    pub tests: Vec<BlindTest>,
    /// Problems with the run as a whole; then nothing in it can be trusted.
    pub problems: Vec<String>,
    /// Places without a test.
    pub unreached: Vec<OpenPlace>,
    /// Where the two runs sent something else: the clock, chance, addresses, or code that knows the one from the other.
    pub differing: Vec<PlaceOf>,
}

/// A run of tests without their expected values.
#[derive(Debug, Clone, Copy)]
pub struct BlindRun<'a> {
    /// The run itself.
    pub observation: &'a Observation,
    /// The referee's report on it.
    pub report: &'a BlindReport,
    /// Whether it was the whole suite, or the files of the new tests alone.
    pub whole: bool,
}

impl BlindRun<'_> {
    /// Why nothing can be concluded from it; none if something can.
    pub fn problem(&self) -> Option<String> {
        match self.observation.complete() {
            Ok(_) => self.report.problems.first().cloned(),
            Err(problem) => Some(problem.to_string()),
        }
    }

    /// Of these tests, all of which pass in the plain run, those that do not hold, with the reason.
    fn failing<'t>(&self, plain: &Report, ids: &[&'t str]) -> BTreeMap<&'t str, String> {
        let tests = self.tests(plain);
        let missing = || Some("it is not found".to_owned());
        let reason = |id: &str| match tests.get(id) {
            // One that is skipped, or does not reach its end, was not judged and passes all the same.
            Some(test) if test.does_not_hold() => Some(self.report.reason(test)),
            Some(_) => None,
            None => missing(),
        };
        let ids = ids.iter().copied();
        ids.filter_map(|id| Some((id, reason(id)?))).collect()
    }

    /// The outcome of each test, by its name in the plain run.
    fn tests<'p>(&self, plain: &'p Report) -> BTreeMap<&'p str, &BlindTest> {
        let Ok(report) = &self.observation.report else {
            return BTreeMap::new();
        };
        let names = CaseNames::of(plain, report);
        let tests = self.report.tests.iter();
        let tests: BTreeMap<&str, &BlindTest> =
            tests.map(|test| (test.id.as_str(), test)).collect();
        let ids = plain.collected.iter().map(String::as_str);
        ids.filter_map(|id| Some((id, *tests.get(names.get(id)?)?)))
            .collect()
    }
}

impl BlindReport {
    /// Why a test does not hold.
    pub(super) fn reason(&self, test: &BlindTest) -> String {
        let mut places = self.places.iter();
        let place =
            places.find(|place| place.id == test.id && place.judgement == Judgement::Failed);
        match (place, &test.reason) {
            (Some(place), _) => {
                let reason = place.reason.as_deref().unwrap_or("it does not hold");
                format!("{} line {}: {reason}", place.path, place.line)
            }
            (None, Some(reason)) => reason.clone(),
            (None, None) => "it does not hold".to_owned(),
        }
    }
}

/// How the new tests were judged blind.
#[derive(Debug, Clone, Copy)]
pub enum Blind<'a> {
    /// They were run.
    Run(BlindRun<'a>),
    /// They cannot be, for this reason: nothing is verified by it.
    Impossible(&'a str),
}

impl<'a> Blind<'a> {
    /// The run, if there was one that can be believed.
    pub(super) fn usable(self) -> Option<BlindRun<'a>> {
        match self {
            Self::Run(run) if run.problem().is_none() => Some(run),
            Self::Run(_) | Self::Impossible(_) => None,
        }
    }

    /// Those of these tests that are verified by it, and need no twin: they hold something that tells right from wrong,
    /// and nothing was left to the process.
    pub(super) fn verified<'t>(self, plain: &Report, ids: &[&'t str]) -> BTreeSet<&'t str> {
        self.judged(plain, ids, |test| test.telling > 0 && test.not_judged == 0)
    }

    /// Those of these tests of which it knows something that tells right from wrong.
    pub(super) fn telling<'t>(self, plain: &Report, ids: &[&'t str]) -> BTreeSet<&'t str> {
        self.judged(plain, ids, |test| test.telling > 0)
    }

    /// Those of these tests that have an assertion which only their own process could answer.
    pub(super) fn left_to_process<'t>(self, plain: &Report, ids: &[&'t str]) -> BTreeSet<&'t str> {
        self.judged(plain, ids, |test| test.not_judged > 0)
    }

    fn judged<'t>(
        self,
        plain: &Report,
        ids: &[&'t str],
        wanted: impl Fn(&BlindTest) -> bool,
    ) -> BTreeSet<&'t str> {
        let Some(run) = self.usable() else {
            return BTreeSet::new();
        };
        let tests = run.tests(plain);
        let is_wanted = |id: &&&str| tests.get(**id).is_some_and(|test| wanted(test));
        ids.iter().filter(is_wanted).copied().collect()
    }

    /// Old tests that hold in the process and not outside of it. Chance or the mechanism itself may be the reason, so
    /// they are judged again, and at the base.
    pub(super) fn doubted<'b>(
        self,
        plain: &Report,
        new: &[&str],
        baseline: &'b Baseline,
    ) -> Vec<&'b str> {
        let Some(run) = self.usable().filter(|run| run.whole) else {
            return Vec::new();
        };
        let new: BTreeSet<&str> = new.iter().copied().collect();
        let there: BTreeSet<&str> = plain.collected.iter().map(String::as_str).collect();
        let old = baseline.passed();
        let old: Vec<&str> = old
            .filter(|id| !new.contains(id) && there.contains(id))
            .collect();
        run.failing(plain, &old).into_keys().collect()
    }
}

/// Old suspect tests, run blind once more.
#[derive(Debug, Clone, Copy)]
pub struct BlindAgain<'a> {
    /// With the change.
    pub judged: BlindRun<'a>,
    /// Without it: a test that does not hold there either is not the change's fault.
    pub base: BlindRun<'a>,
}

impl BlindAgain<'_> {
    /// Of these tests, those that hold at the base and do not with the change, with the reason.
    fn confirmed<'f>(&self, plain: &Report, doubted: &[&'f str]) -> BTreeMap<&'f str, String> {
        if let Some(problem) = self.judged.problem() {
            return doubted.iter().map(|one| (*one, problem.clone())).collect();
        }
        let mut confirmed = self.judged.failing(plain, doubted);
        if self.base.problem().is_none() {
            let at_base = self.base.failing(plain, doubted);
            confirmed.retain(|id, _| !at_base.contains_key(id));
        }
        confirmed
    }
}

impl Findings {
    /// Compares tests that pass with their judgement outside the process.
    pub(super) fn compare_blind(
        &mut self,
        blind: Blind<'_>,
        again: Option<BlindAgain<'_>>,
        plain: &Report,
        new: &[&str],
        baseline: &Baseline,
    ) {
        const CHECK: CheckName = CheckName::Blind;
        let run = match blind {
            Blind::Run(run) => run,
            Blind::Impossible(why) => {
                return self.unverified(CHECK, format!("judged blind: no test, {why}"));
            }
        };
        if let Some(problem) = run.problem() {
            let message = format!(
                "the tests pass, but cannot be judged without the values that they expect: {problem}"
            );
            self.refuse(Rule::BlindUnreadable, None, message);
            return self.refused(CHECK, problem);
        }
        let failing = self.refuse_failing_blind(run, plain, new);
        let doubted = blind.doubted(plain, new, baseline);
        let refused = failing + self.compare_old_blind(again, plain, &doubted);
        let old: Vec<&str> = baseline.passed().collect();
        let (tests, which) = if new.is_empty() {
            (old.as_slice(), "old")
        } else {
            (new, "new")
        };
        let telling = blind.telling(plain, tests).len();
        let scope = if run.whole {
            ""
        } else {
            "; the old tests could not be judged so"
        };
        let detail = format!(
            "judged blind: {telling} of {} {which} tests give what they expect, compared outside of their process{scope}",
            tests.len()
        );
        if refused > 0 {
            self.refused_blind(refused);
        } else if telling == 0 {
            self.unverified(CHECK, detail);
        } else {
            self.held(CHECK, detail);
        }
        self.note_differing(run.report);
    }

    /// Refuses new tests whose actual values are not the expected ones; returns how many.
    pub(super) fn refuse_failing_blind(
        &mut self,
        run: BlindRun<'_>,
        plain: &Report,
        new: &[&str],
    ) -> usize {
        let failing = run.failing(plain, new);
        for (id, reason) in &failing {
            self.refuse(Rule::BlindFails, Some(id), blind_words(reason));
        }
        failing.len()
    }

    pub(super) fn refused_blind(&mut self, tests: usize) {
        let detail = format!("{tests} tests do not give what they expect");
        self.refused(CheckName::Blind, detail);
    }

    /// Judges old suspect tests; returns how many are refused.
    fn compare_old_blind(
        &mut self,
        again: Option<BlindAgain<'_>>,
        plain: &Report,
        doubted: &[&str],
    ) -> usize {
        if doubted.is_empty() {
            return 0;
        }
        let Some(again) = again else {
            let message =
                "old tests in doubt were not judged again; without that nothing is accepted";
            self.refuse(Rule::RunMissing, None, message);
            return doubted.len();
        };
        let confirmed = again.confirmed(plain, doubted);
        for id in doubted {
            match confirmed.get(id) {
                Some(reason) => {
                    self.refuse(Rule::BlindFails, Some(id), blind_words(reason));
                }
                None => self.note(format!(
                    "{id}: unverified, it cannot be judged blind, with the change or without"
                )),
            }
        }
        confirmed.len()
    }

    /// Values that were others when the expected ones were there: honest code may depend on the clock or on chance.
    fn note_differing(&mut self, report: &BlindReport) {
        let tests: BTreeSet<&str> = report
            .differing
            .iter()
            .map(|one| function_of(&one.id))
            .collect();
        if !tests.is_empty() {
            let shown: Vec<&str> = tests.iter().copied().take(5).collect();
            self.note(format!(
                "other values were seen with and without the expected ones there: {}",
                shown.join(", ")
            ));
        }
    }
}

fn blind_words(reason: &str) -> String {
    format!(
        "passes, but not by what the code gives: without the expected values in the process, {reason}"
    )
}
