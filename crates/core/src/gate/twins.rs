//! The result of the new tests' twins at green.
//!
//! A twin has to fail where the test passes, by an assertion of its own. In the negated twin that is certain for honest
//! code: it does what the test did up to the first inverted assertion, or up to its end, and fails there. If it passes,
//! something makes tests pass whatever they assert; if it fails by an error of the source, the source behaves
//! differently because the test is different. Both make every verdict of that run worthless. The changed twin compares
//! with values that no one intended, which honest code may refuse to do, so it only has to reach that point. A twin
//! without a result leaves the test unverified, which alone refuses nothing.
//!
//! All twins of a kind share a process, and a test that fails may leave state behind that it would have cleaned up at
//! its end. So a twin that seems to contradict its test is run again, without the others.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::test_files::TestFiles;
use super::{Analysis, CheckName, Rule, TwinKind, Verified};
use crate::test_outcome::{
    Ending, FailureKind, Observation, Raised, Report, Summary, file_of, function_of,
};

/// One run of the twins, under the ids of the originals.
#[derive(Debug, Clone, Copy)]
pub struct TwinRun<'a> {
    /// How they differ.
    pub kind: TwinKind,
    /// The result of all of them in one process.
    pub observation: &'a Observation,
    /// The results of those that were run again without the others.
    pub apart: &'a [Apart],
}

/// Some twins run again, without those that may have left something behind.
#[derive(Debug, Clone)]
pub struct Apart {
    /// The only ones that were run.
    pub ids: Vec<String>,
    /// Its result.
    pub observation: Observation,
}

/// The facts that twins are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Originals<'a> {
    /// The tests, all of which passed.
    pub(super) passed: &'a [&'a str],
    /// The analysis of them.
    pub(super) analysis: &'a Analysis,
    /// The files of the tests.
    pub(super) test_files: TestFiles<'a>,
}

/// The verdict on each test after all twins ran.
#[derive(Debug, Default)]
pub(super) struct TwinVerdict<'a> {
    verified: BTreeSet<&'a str>,
    unverified: BTreeMap<&'a str, &'static str>,
    /// Came to none of their assertions.
    ended: BTreeSet<&'a str>,
    /// Whether a twin contradicts a test.
    refused: bool,
}

impl<'a> Originals<'a> {
    /// The twins that contradict their tests so far. Honest ones may do so because of state that another left behind,
    /// so they are to be run apart.
    pub(super) fn against(&self, run: &TwinRun<'_>) -> Vec<&'a str> {
        let Ok(report) = run.observation.complete() else {
            return Vec::new();
        };
        let sayings = self.sayings(run, report);
        let is_against = |id: &&str| sayings.get(id).is_some_and(Saying::is_against);
        self.passed.iter().copied().filter(is_against).collect()
    }

    /// The result of each twin of this kind; where it was run apart and fails there as it should, that counts.
    fn sayings(&self, run: &TwinRun<'_>, report: &Report) -> BTreeMap<&'a str, Saying> {
        let turned = |id: &&&str| {
            let test = self.analysis.definition(id);
            let places = test.and_then(|test| test.places.get(&run.kind));
            places.is_some_and(|places| *places > 0)
        };
        let turned: Vec<&'a str> = self.passed.iter().filter(turned).copied().collect();
        let mut sayings = self.heard(run.kind, &turned, report);
        for apart in run.apart {
            let Ok(report) = apart.observation.complete() else {
                continue;
            };
            let again: Vec<&'a str> = turned
                .iter()
                .copied()
                .filter(|id| apart.ids.iter().any(|other| other == id))
                .filter(|id| sayings.get(id).is_some_and(Saying::is_against))
                .collect();
            for (id, saying) in self.heard(run.kind, &again, report) {
                if matches!(saying, Saying::Fails) {
                    sayings.insert(id, saying);
                }
            }
        }
        sayings
    }

    /// The results of these tests' twins in one run.
    fn heard(&self, kind: TwinKind, ids: &[&'a str], report: &Report) -> BTreeMap<&'a str, Saying> {
        let summaries = report.summaries();
        let by_id: BTreeMap<&str, &Summary<'_>> = summaries
            .iter()
            .map(|summary| (summary.id, summary))
            .collect();
        let saying = |id: &&'a str| {
            let twin = Twin {
                kind,
                id,
                report,
                test_files: self.test_files,
                summary: by_id.get(id).copied(),
            };
            (*id, twin.saying())
        };
        ids.iter().map(saying).collect()
    }
}

impl Findings {
    /// Holds the twins of tests against them.
    pub(super) fn compare_with_twins<'a>(
        &mut self,
        originals: Originals<'a>,
        runs: &[TwinRun<'_>],
    ) -> TwinVerdict<'a> {
        let mut verdict = TwinVerdict::default();
        let reasons = self.reasons();
        for run in runs {
            let words = run.kind.words();
            let report = match run.observation.complete() {
                Ok(report) => report,
                Err(problem) => {
                    self.refuse(
                        Rule::TwinUnreadable,
                        None,
                        format!(
                            "the tests themselves came to their end, but their twins, {words}, cannot be \
                             judged: {problem}"
                        ),
                    );
                    continue;
                }
            };
            let mut sayings = originals.sayings(run, report);
            for id in originals.passed.iter().copied() {
                let Some(saying) = sayings.remove(id) else {
                    continue;
                };
                match saying {
                    Saying::Fails => {
                        verdict.verified.insert(id);
                    }
                    Saying::Nothing(reason) => {
                        verdict.unverified.entry(id).or_insert(reason);
                    }
                    Saying::Ends => {
                        verdict.ended.insert(id);
                        verdict.unverified.insert(id, "comes to none of its assertions");
                    }
                    Saying::Passes => self.refuse(
                        Rule::TwinPasses,
                        Some(id),
                        format!(
                            "passes, and so does its twin, {words}: something makes tests pass whatever \
                             they say"
                        ),
                    ),
                    Saying::Differs(how) => self.refuse(
                        Rule::TwinDiffers,
                        Some(id),
                        format!(
                            "passes, but its twin, {words}, {how} instead of failing by an assertion: the \
                             code behaves otherwise because the test is another"
                        ),
                    ),
                }
            }
        }
        for id in originals.passed {
            if !verdict.verified.contains(id) {
                verdict.unverified.entry(id).or_insert("has no twin");
            }
        }
        self.every_test_comes_to_an_assertion(originals, &verdict.ended);
        verdict.refused = self.reasons() > reasons;
        verdict
    }

    /// A test none of whose cases reaches an assertion checks nothing. One case of several may: that something must not
    /// raise is an honest expectation.
    fn every_test_comes_to_an_assertion(
        &mut self,
        originals: Originals<'_>,
        ended: &BTreeSet<&str>,
    ) {
        let Originals {
            passed, analysis, ..
        } = originals;
        let mut functions: BTreeMap<&str, bool> = BTreeMap::new();
        for id in passed {
            let whole = || {
                analysis
                    .definition(id)
                    .is_some_and(|test| test.turned_whole)
            };
            let idle = ended.contains(id) && whole();
            let all_idle = functions.entry(function_of(id)).or_insert(true);
            *all_idle = *all_idle && idle;
        }
        for (function, _) in functions.into_iter().filter(|(_, all_idle)| *all_idle) {
            self.refuse(
                Rule::ReachesNoAssertion,
                Some(function),
                "passes without coming to any of its assertions, so it holds nothing",
            );
        }
    }
}

/// The twin of a test that passed.
struct Twin<'a> {
    kind: TwinKind,
    id: &'a str,
    report: &'a Report,
    test_files: TestFiles<'a>,
    summary: Option<&'a Summary<'a>>,
}

/// A twin's result for its test.
enum Saying {
    /// It fails as it should.
    Fails,
    /// It passes as well.
    Passes,
    /// Something in the source kept it from failing as it should.
    Differs(&'static str),
    /// It reached its end without an assertion.
    Ends,
    Nothing(&'static str),
}

impl Saying {
    /// Whether it contradicts the test.
    fn is_against(&self) -> bool {
        matches!(self, Self::Passes | Self::Differs(_))
    }
}

impl Twin<'_> {
    fn saying(&self) -> Saying {
        // Up to the inverted place a twin behaves as the test did.
        let reached = self.report.reached.contains(self.id);
        let strict = self.kind == TwinKind::Negated || !reached;
        let Some(summary) = self.summary else {
            return self.missing();
        };
        let raised = summary.raised.map(|(_, raised)| raised);
        match summary.ending {
            Ending::Passed if reached || self.kind == TwinKind::Negated => Saying::Passes,
            Ending::Passed => Saying::Nothing("reaches none of its assertions"),
            Ending::Failed if !reached && self.report.ended.contains(self.id) => Saying::Ends,
            Ending::Failed if raised.is_some_and(|raised| self.failed_by_assertion(raised)) => {
                Saying::Fails
            }
            Ending::Failed | Ending::Error
                if strict && raised.is_some_and(|raised| self.came_from_source(raised)) =>
            {
                Saying::Differs("fails in the source")
            }
            Ending::Skipped | Ending::Xfailed | Ending::Xpassed if strict => {
                Saying::Differs("is skipped or expected to fail")
            }
            Ending::NotRun if strict => Saying::Differs("is not run to its end"),
            _ => Saying::Nothing("its twin fails for another reason than its assertion"),
        }
    }

    /// Nothing was seen of it.
    fn missing(&self) -> Saying {
        let file = file_of(self.id);
        let mut errors = self.report.errors.iter();
        if let Some(error) = errors.find(|error| file_of(&error.file) == file) {
            return if self.came_from_source(&error.raised) {
                Saying::Differs("cannot be loaded because of the source")
            } else {
                Saying::Nothing("its twin cannot be loaded")
            };
        }
        // An id that is made of the time or of an address has another name each time.
        let function = function_of(self.id);
        let mut others = self.report.collected.iter();
        if others.any(|other| function_of(other) == function) {
            return Saying::Nothing("its twin has another name");
        }
        Saying::Differs("is not collected")
    }

    fn failed_by_assertion(&self, raised: &Raised) -> bool {
        let crash = raised.crash.as_ref();
        raised.kind == FailureKind::Assertion
            && crash.is_some_and(|crash| self.test_files.contains(&crash.path))
    }

    fn came_from_source(&self, raised: &Raised) -> bool {
        let crash = raised.crash.as_ref();
        crash.is_some_and(|crash| !self.test_files.contains(&crash.path))
    }
}

impl TwinVerdict<'_> {
    /// Whether a twin of the test failed by its assertion.
    pub(super) fn is_verified(&self, id: &str) -> bool {
        self.verified.contains(id)
    }

    /// Reports what was verified, and what could not be.
    pub(super) fn report(&self, findings: &mut Findings) {
        let left: Vec<_> = self
            .unverified
            .iter()
            .filter(|(id, _)| !self.verified.contains(*id))
            .collect();
        let of = self.verified.len() + left.len();
        let detail = format!(
            "twins: {} of {of} new tests fail when their assertions are turned",
            self.verified.len(),
        );
        findings.verified(Verified {
            of,
            twin: self.verified.len(),
            unverified: left.len(),
            ..Verified::default()
        });
        if self.refused {
            findings.refused(CheckName::Twins, detail);
        } else if self.verified.is_empty() {
            findings.unverified(CheckName::Twins, detail);
        } else {
            findings.held(CheckName::Twins, detail);
        }
        for (id, reason) in left {
            findings.note(format!("{id}: unverified, {reason}"));
        }
    }
}
