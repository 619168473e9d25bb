//! Twins: tests that have to fail where the originals pass.

use proctor_core::gate::{Analysis, TwinKind, TwinRun};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;

use super::GateError;
use super::arbiter::{Sitting, Wanted};
use crate::test_runner::Variant;

/// The runs of twins, and how each kind differs.
pub(super) struct Twins(Vec<(TwinKind, Observation)>);

impl Twins {
    /// As the rules take them.
    pub(super) fn runs(&self) -> Vec<TwinRun<'_>> {
        let runs = self.0.iter();
        runs.map(|(kind, observation)| TwinRun {
            kind: *kind,
            observation,
        })
        .collect()
    }
}

impl Sitting<'_, '_> {
    /// Runs the twins of these kinds in the place of a tree's tests, under their names: each kind needs a process
    /// of its own.
    pub(super) fn twins(
        &mut self,
        kinds: &[TwinKind],
        tree: &TreeId,
        analysis: &Analysis,
        plugins: &[String],
    ) -> Result<Twins, GateError> {
        let mut runs = Vec::new();
        for kind in kinds {
            self.show_held(tree)?;
            let mut select = Vec::new();
            for file in &analysis.files {
                let twin = file.twins.get(kind);
                if let (Some(twin), Ok(path)) = (twin, ProjectPath::parse(&file.path)) {
                    self.bench().alter(&path, Some(twin.as_bytes()))?;
                    select.push(file.path.clone());
                }
            }
            let observation = self.run(&Wanted {
                what: match kind {
                    TwinKind::Negated => "twins, every assertion negated",
                    TwinKind::Changed => "twins, other values expected",
                },
                select,
                plugins: Some(plugins),
                variant: Variant::Plain,
            })?;
            runs.push((*kind, observation));
        }
        Ok(Twins(runs))
    }
}
