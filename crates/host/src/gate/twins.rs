//! Twins: tests that have to fail where the originals pass.

use proctor_core::gate::{Analysis, Apart, TwinKind, TwinRun};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::test_outcome::Observation;

use super::GateError;
use super::arbiter::{Sitting, Wanted};
use crate::test_runner::Variant;

/// The runs of twins, and how each kind differs.
pub(super) struct Twins(Vec<(TwinKind, Observation, Vec<Apart>)>);

impl Twins {
    /// As the rules take them.
    pub(super) fn runs(&self) -> Vec<TwinRun<'_>> {
        let runs = self.0.iter();
        runs.map(|(kind, observation, apart)| TwinRun {
            kind: *kind,
            observation,
            apart,
        })
        .collect()
    }
}

/// The originals of twins.
#[derive(Clone, Copy)]
pub(super) struct Originals<'a> {
    pub(super) tree: &'a TreeId,
    pub(super) analysis: &'a Analysis,
    pub(super) plugins: Option<&'a [String]>,
    /// The tests whose twins are run.
    pub(super) tests: &'a [String],
    /// The files that differ from the tree.
    pub(super) laid: &'a [(ProjectPath, String)],
}

impl Sitting<'_, '_> {
    /// Runs the twins of these kinds in the place of a tree's tests, under their names: each kind needs a process of
    /// its own. `against` names those that contradict their tests: they are run again without the others, then one by
    /// one, until one does so even alone.
    pub(super) fn twins(
        &mut self,
        kinds: &[TwinKind],
        originals: Originals<'_>,
        against: &dyn Fn(&TwinRun<'_>) -> Vec<String>,
    ) -> Result<Twins, GateError> {
        let mut runs = Vec::new();
        for kind in kinds.iter().copied() {
            let what = match kind {
                TwinKind::Negated => "twins, every assertion negated",
                TwinKind::Changed => "twins, other values expected",
            };
            let observation = self.twin(kind, originals, what, originals.tests)?;
            let mut apart: Vec<Apart> = Vec::new();
            loop {
                let ids = against(&TwinRun {
                    kind,
                    observation: &observation,
                    apart: &apart,
                });
                let alone = apart.last().filter(|apart| apart.ids.len() == 1);
                let Some(first) = ids.first() else {
                    break;
                };
                if alone.is_some_and(|apart| apart.ids[0] == *first) {
                    break;
                }
                let ids = if apart.is_empty() {
                    ids
                } else {
                    vec![first.clone()]
                };
                let observation = self.twin(kind, originals, "twins again, apart", &ids)?;
                apart.push(Apart { ids, observation });
            }
            runs.push((kind, observation, apart));
        }
        Ok(Twins(runs))
    }

    /// Runs the twins of one kind of these tests.
    fn twin(
        &mut self,
        kind: TwinKind,
        originals: Originals<'_>,
        what: &'static str,
        tests: &[String],
    ) -> Result<Observation, GateError> {
        self.show_held(originals.tree)?;
        for (path, content) in originals.laid {
            self.bench().alter(path, Some(content.as_bytes()))?;
        }
        for file in &originals.analysis.files {
            let twin = file.twins.get(&kind);
            if let (Some(twin), Ok(path)) = (twin, ProjectPath::parse(&file.path)) {
                self.bench().alter(&path, Some(twin.as_bytes()))?;
            }
        }
        self.run(&Wanted {
            what,
            select: tests.to_vec(),
            plugins: originals.plugins,
            variant: Variant::Turned(kind),
        })
    }
}
