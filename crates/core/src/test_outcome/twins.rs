//! What the twins of the new tests say about a green.
//!
//! A twin has to fail where the test passes. If it passes as well although it reached a place that was
//! turned, then something makes tests pass whatever they say, and no verdict of that run is worth
//! anything. A twin that fails for another reason, or that never reaches a turned place, says nothing:
//! the test is called unverified, which alone refuses nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::summary::{Ending, Summary};
use super::{Analysis, Exit, Observation, TwinKind};

/// One run of the twins, under the ids of the originals.
#[derive(Debug, Clone, Copy)]
pub struct TwinRun<'a> {
    /// How they differ.
    pub kind: TwinKind,
    /// What came of it.
    pub observation: &'a Observation,
}

/// What is known about each test after all twins ran.
#[derive(Debug, Default)]
pub(super) struct TwinVerdict<'a> {
    verified: BTreeSet<&'a str>,
    unverified: BTreeMap<&'a str, &'static str>,
}

impl Findings {
    /// Holds the twins of these tests, all of which passed, against them.
    pub(super) fn compare_with_twins<'a>(
        &mut self,
        passed: &[&'a str],
        analysis: &Analysis,
        runs: &[TwinRun<'_>],
    ) -> TwinVerdict<'a> {
        let mut verdict = TwinVerdict::default();
        for run in runs {
            let report = match (&run.observation.report, run.observation.exit) {
                (Ok(report), Exit::Code(code)) if report.finished_exit == Some(code) => report,
                (_, Exit::TimedOut) => {
                    for id in passed {
                        verdict
                            .unverified
                            .entry(id)
                            .or_insert("its twin did not end in time");
                    }
                    continue;
                }
                _ => {
                    self.refuse(
                        "twin_unreadable",
                        None,
                        format!(
                            "the twins of the new tests, {}, ended without a report that can be \
                             believed, although the tests themselves did not",
                            run.kind.words()
                        ),
                    );
                    continue;
                }
            };
            let summaries = report.summaries();
            let by_id: BTreeMap<&str, &Summary<'_>> = summaries
                .iter()
                .map(|summary| (summary.id, summary))
                .collect();
            for id in passed {
                let turned = analysis
                    .test(id)
                    .and_then(|test| test.places.get(&run.kind))
                    .is_some_and(|places| *places > 0);
                if !turned {
                    continue;
                }
                let reached = report.reached.contains(*id);
                match by_id
                    .get(id)
                    .map(|summary| (summary.ending, summary.raised))
                {
                    Some((Ending::Failed, Some((_, raised)))) if raised.is("AssertionError") => {
                        verdict.verified.insert(id);
                    }
                    Some((Ending::Passed, _)) if reached => self.refuse(
                        "twin_passes",
                        Some(id),
                        format!(
                            "passes, and so does its twin, {}: something makes tests pass whatever \
                             they say",
                            run.kind.words()
                        ),
                    ),
                    Some((Ending::Passed, _)) => {
                        verdict
                            .unverified
                            .entry(id)
                            .or_insert("reaches none of its assertions");
                    }
                    _ => {
                        verdict
                            .unverified
                            .entry(id)
                            .or_insert("its twin fails for another reason than its assertion");
                    }
                }
            }
        }
        for id in passed {
            if !verdict.verified.contains(id) {
                verdict.unverified.entry(id).or_insert("has no twin");
            }
        }
        verdict
    }
}

impl TwinVerdict<'_> {
    /// Whether a twin of the test failed by its assertion.
    pub(super) fn is_verified(&self, id: &str) -> bool {
        self.verified.contains(id)
    }

    /// Says what was verified, and what could not be.
    pub(super) fn report(&self, findings: &mut Findings) {
        let left: Vec<_> = self
            .unverified
            .iter()
            .filter(|(id, _)| !self.verified.contains(*id))
            .collect();
        findings.check(format!(
            "twins: {} of {} new tests fail when their assertions are turned",
            self.verified.len(),
            self.verified.len() + left.len()
        ));
        for (id, reason) in left {
            findings.note(format!("{id}: unverified, {reason}"));
        }
    }
}
