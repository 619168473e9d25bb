//! What has to be run for a red.

use std::path::Path;

use proctor_core::gate::{Analysis, RedOrder, RedSuite, StubsAndTwins, judge_scaffold};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::pytest::{Declared, place_of_module, stub_module, with_stub};
use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Sitting, Wanted};
use super::twins::Originals;
use super::{GateError, running, texts};
use crate::crash_point::crash_point;
use crate::test_runner::Variant;

impl Arbiter<'_> {
    /// Runs and judges new tests.
    pub fn red(
        &mut self,
        base: &TreeId,
        order: &RedOrder,
        name: &str,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<GateResult, GateError> {
        self.sit(base, name, on_line)?.red(order)
    }
}

impl Sitting<'_, '_> {
    fn red(&mut self, order: &RedOrder) -> Result<GateResult, GateError> {
        let tree = &order.tree;
        let mut analysis = self.analyse(tree, &order.tests)?;
        self.show_held(tree)?;
        crash_point("judged tree laid out");
        let plugins = Some(order.baseline.plugins.as_slice());
        let observation = self.run(&Wanted {
            what: "the suite with the new tests",
            select: self.selection(&order.tests),
            plugins,
            variant: Variant::Plain,
        })?;
        if let Ok(report) = &observation.report {
            analysis.follow(report);
        }
        let declared = Declared::from_paths(&texts(&order.declared));
        let declared = if order.open {
            declared.and_perhaps_more()
        } else {
            declared
        };
        let test_files = texts(&order.tests);
        let test_paths = self.arbiter.test_paths.clone();
        let suite = judge_scaffold(&RedSuite {
            observation: &observation,
            baseline: &order.baseline,
            test_files: &test_files,
            test_paths: &test_paths,
            declared: &declared,
            analysis: &analysis,
            rule: self.arbiter.settings.test.red,
        });
        let flags = analysis.changed_flags();
        let suite = match suite {
            Ok(suite) => suite,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), flags),
        };
        let stubbed = if suite.needs_stubs() {
            Some(self.against_stubs(order, &observation, &analysis)?)
        } else {
            None
        };
        let originals = Originals {
            tree,
            analysis: &analysis,
            observation: &observation,
            plugins,
        };
        let twins = self.twins(&suite.twins(), originals, &|run| {
            texts(&suite.twins_to_run_apart(run))
        })?;
        let verdict = suite.judge(&StubsAndTwins {
            stubbed: stubbed.as_ref(),
            twins: &twins.runs(),
        });
        self.conclude(tree, verdict, Some(&observation), flags)
    }

    /// The tests that could not be collected, with raising stubs for all that is declared.
    fn against_stubs(
        &mut self,
        order: &RedOrder,
        observation: &Observation,
        analysis: &Analysis,
    ) -> Result<Observation, GateError> {
        let tests: Vec<&str> = order.tests.iter().map(ProjectPath::as_str).collect();
        self.show_held(&order.tree)?;
        let mut sources: Vec<&ProjectPath> = order
            .declared
            .iter()
            .filter(|path| path.is_python() && !order.tests.contains(path))
            .collect();
        let missing = if order.open {
            missing_modules(observation, &self.directory().join("src"))
        } else {
            Vec::new()
        };
        sources.extend(missing.iter().filter(|path| !order.declared.contains(path)));
        let names: Vec<&str> = sources.iter().map(|path| path.as_str()).collect();
        let contents = self.objects().files_at(&order.tree, &names)?;
        for (path, content) in sources.into_iter().zip(contents) {
            let stub = match content {
                None => stub_module(),
                Some(content) => with_stub(&String::from_utf8_lossy(&content)),
            };
            self.bench().alter(path, Some(stub.as_bytes()))?;
        }
        self.run(&Wanted {
            what: "against stubs that raise",
            select: running(observation, analysis, &tests),
            plugins: Some(&order.baseline.plugins),
            variant: Variant::Plain,
        })
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
