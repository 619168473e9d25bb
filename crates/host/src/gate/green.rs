//! What has to be run for a green.

use std::collections::BTreeSet;

use proctor_core::gate::{Analysis, Baseline, GreenEvidence, is_green_so_far, judge_green};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;

use super::evidence::Evidence;
use super::{Gate, GateError, Judged, Wanted, borrowed, collected, texts};
use crate::crash_point::crash_point;
use crate::test_runner::Variant;

/// A change that has to make its tests pass.
#[derive(Debug, Clone, Copy)]
pub struct GreenRequest<'a> {
    /// What it is a change of.
    pub base: &'a TreeId,
    /// The base with the sealed tests and nothing else.
    pub sealed: &'a TreeId,
    /// Everything together.
    pub tree: &'a TreeId,
    /// The sealed test files.
    pub tests: &'a [ProjectPath],
    /// The other files that it changes.
    pub sources: &'a [ProjectPath],
    /// The suite at the base.
    pub baseline: &'a Baseline,
    /// New tests that passed at red already.
    pub passed_at_red: &'a BTreeSet<String>,
}

impl Gate<'_> {
    /// Runs and judges a change.
    pub fn green(&mut self, request: &GreenRequest<'_>) -> Result<Judged, GateError> {
        let mut evidence = Evidence::default();
        let analysis = self.analyse(request.base, request.tree, request.tests, &mut evidence)?;
        self.show_held(request.base, request.tree)?;
        crash_point("judged tree laid out");
        let wanted = Wanted {
            what: "the suite with the change",
            select: self.selection(request.tests),
            plugins: Some(&request.baseline.plugins),
            variant: Variant::Plain,
        };
        let observation = self.run(&wanted, &mut evidence)?;
        let sealed_files = texts(request.tests);
        let first = GreenEvidence {
            observation: &observation,
            baseline: request.baseline,
            sealed_files: &sealed_files,
            test_paths: self.test_paths,
            analysis: &analysis,
            passed_at_red: request.passed_at_red,
            again: None,
            reverted: None,
            earlier: None,
            twins: &[],
        };
        if !is_green_so_far(&first) {
            let verdict = judge_green(&first);
            return Ok(Judged {
                verdict: self.narrowed(verdict),
                runs: evidence.keep(&self.evidence)?,
                flags: Vec::new(),
                observation,
            });
        }
        let new = || collected(&observation, request.tests);
        let further = |what, variant| Wanted {
            what,
            select: new(),
            plugins: wanted.plugins,
            variant,
        };
        self.show_held(request.base, request.tree)?;
        let opposite = further("the new tests in the opposite order", Variant::Reversed);
        let again = self.run(&opposite, &mut evidence)?;
        self.show_held(request.base, request.sealed)?;
        let without = further("the new tests without the change", Variant::Plain);
        let reverted = self.run(&without, &mut evidence)?;
        let earlier = self.as_they_were(request, &analysis, &wanted, &mut evidence)?;
        let twins = self.all_twins(
            request.base,
            request.tree,
            &analysis,
            &wanted,
            &mut evidence,
        )?;
        let verdict = judge_green(&GreenEvidence {
            again: Some(&again),
            reverted: Some(&reverted),
            earlier: earlier.as_ref(),
            twins: &borrowed(&twins),
            ..first
        });
        let flags = self.flags(request.base, request.tree, request.tests, request.sources)?;
        Ok(Judged {
            verdict: self.narrowed(verdict),
            runs: evidence.keep(&self.evidence)?,
            flags,
            observation,
        })
    }

    /// Existing tests that were changed, as they were at the base commit, with the source change; none if
    /// there are none.
    fn as_they_were(
        &mut self,
        request: &GreenRequest<'_>,
        analysis: &Analysis,
        wanted: &Wanted<'_>,
        evidence: &mut Evidence,
    ) -> Result<Option<Observation>, GateError> {
        let changed = analysis.files_with_changed_tests();
        if changed.is_empty() {
            return Ok(None);
        }
        let before = self.repository.objects().files_at(request.base, &changed)?;
        self.show_held(request.base, request.tree)?;
        let mut select = Vec::new();
        for (path, content) in changed.into_iter().zip(before) {
            if let (Ok(path), Some(content)) = (ProjectPath::parse(path), content) {
                self.bench.alter(&path, Some(&content))?;
                select.push(path.to_string());
            }
        }
        let wanted = Wanted {
            what: "changed tests as they were",
            select,
            plugins: wanted.plugins,
            variant: Variant::Plain,
        };
        self.run(&wanted, evidence).map(Some)
    }
}
