//! What has to be run for a red.

use std::path::Path;

use proctor_core::gate::{Baseline, RedEvidence, RedRule, judge_red, red_needs};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::pytest::{Declared, place_of_module, stub_module, with_stub};
use proctor_core::test_outcome::Observation;

use super::evidence::Evidence;
use super::{Gate, GateError, Judged, Wanted, borrowed, collected, texts};
use crate::crash_point::crash_point;
use crate::test_runner::Variant;

/// New tests that have to fail.
#[derive(Debug, Clone, Copy)]
pub struct RedRequest<'a> {
    /// What they are added to.
    pub base: &'a TreeId,
    /// The base with them.
    pub tree: &'a TreeId,
    /// Their files, whatever belongs to them included.
    pub tests: &'a [ProjectPath],
    /// Files that an implementation is going to bring or change.
    pub declared: &'a [ProjectPath],
    /// Whether it may bring others too, because nobody wrote down which.
    pub open: bool,
    /// The suite at the base.
    pub baseline: &'a Baseline,
    /// How many of them have to fail.
    pub rule: RedRule,
}

impl Gate<'_> {
    /// Runs and judges new tests.
    pub fn red(&mut self, request: &RedRequest<'_>) -> Result<Judged, GateError> {
        let mut evidence = Evidence::default();
        let analysis = self.analyse(request.base, request.tree, request.tests, &mut evidence)?;
        self.show_held(request.base, request.tree)?;
        crash_point("judged tree laid out");
        let wanted = Wanted {
            what: "the suite with the new tests",
            select: self.selection(request.tests),
            plugins: Some(&request.baseline.plugins),
            variant: Variant::Plain,
        };
        let observation = self.run(&wanted, &mut evidence)?;
        let declared = Declared::from_paths(&texts(request.declared));
        let declared = if request.open {
            declared.and_perhaps_more()
        } else {
            declared
        };
        let test_files = texts(request.tests);
        let first = RedEvidence {
            observation: &observation,
            baseline: request.baseline,
            test_files: &test_files,
            test_paths: self.test_paths,
            declared: &declared,
            analysis: &analysis,
            stubbed: None,
            twins: &[],
            rule: request.rule,
        };
        let needs = red_needs(&first);
        let stubbed = if needs.stubs {
            self.against_stubs(request, &observation, &wanted, &mut evidence)?
        } else {
            None
        };
        let twins = if needs.twins {
            self.all_twins(
                request.base,
                request.tree,
                &analysis,
                &wanted,
                &mut evidence,
            )?
        } else {
            Vec::new()
        };
        let verdict = judge_red(&RedEvidence {
            stubbed: stubbed.as_ref(),
            twins: &borrowed(&twins),
            ..first
        });
        Ok(Judged {
            verdict: self.narrowed(verdict),
            runs: evidence.keep(&self.evidence)?,
            flags: analysis.changed_flags(),
            observation,
        })
    }

    /// The tests that could not be collected, with raising stubs for all that is declared.
    fn against_stubs(
        &mut self,
        request: &RedRequest<'_>,
        observation: &Observation,
        wanted: &Wanted<'_>,
        evidence: &mut Evidence,
    ) -> Result<Option<Observation>, GateError> {
        self.show_held(request.base, request.tree)?;
        let mut sources: Vec<&ProjectPath> = request
            .declared
            .iter()
            .filter(|path| path.is_python() && !request.tests.contains(path))
            .collect();
        let missing = if request.open {
            missing_modules(observation, &self.bench.directory().join("src"))
        } else {
            Vec::new()
        };
        sources.extend(
            missing
                .iter()
                .filter(|path| !request.declared.contains(path)),
        );
        let names: Vec<&str> = sources.iter().map(|path| path.as_str()).collect();
        let contents = self.repository.objects().files_at(request.tree, &names)?;
        for (path, content) in sources.into_iter().zip(contents) {
            let stub = match content {
                None => stub_module(),
                Some(content) => with_stub(&String::from_utf8_lossy(&content)),
            };
            self.bench.alter(path, Some(stub.as_bytes()))?;
        }
        let wanted = Wanted {
            what: "against stubs that raise",
            select: collected(observation, request.tests),
            plugins: wanted.plugins,
            variant: Variant::Plain,
        };
        self.run(&wanted, evidence).map(Some)
    }
}

/// Where the modules that could not be found would be.
fn missing_modules(observation: &Observation, source: &Path) -> Vec<ProjectPath> {
    let errors = observation.report.iter().flat_map(|report| &report.errors);
    errors
        .filter_map(|error| error.raised.missing_module.as_deref())
        .filter_map(|module| place_of_module(module, |package| source.join(package).is_dir()))
        .collect()
}
