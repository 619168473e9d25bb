//! Running tests again that may have failed by chance.

use proctor_core::gate::{RerunOn, Reruns};
use proctor_core::object_id::TreeId;

use super::GateError;
use super::arbiter::{Sitting, Wanted};
use crate::test_runner::Variant;

impl Sitting<'_, '_> {
    /// Makes the required reruns. All of them may take as long as one run of the suite may: a rerun that is not made
    /// excuses nothing.
    pub(super) fn rerun(
        &mut self,
        reruns: &mut Reruns,
        tree: &TreeId,
        plugins: &[String],
    ) -> Result<(), GateError> {
        let limit = self.arbiter.settings.test.timeout_seconds * 1000;
        let began = self.evidence.elapsed_ms();
        while let Some(place) = reruns.next() {
            if self.evidence.elapsed_ms() - began > limit {
                self.evidence
                    .remark("tests in doubt are not run again any more: it takes too long");
                break;
            }
            let what = match place {
                RerunOn::Judged => {
                    self.show_held(tree)?;
                    "tests in doubt, alone"
                }
                RerunOn::Base => {
                    self.show(self.base)?;
                    "tests in doubt, alone at the base"
                }
            };
            let observation = self.run(&Wanted {
                what,
                select: reruns.selection(place),
                plugins: Some(plugins),
                variant: Variant::Plain,
            })?;
            reruns.observe(place, &observation);
        }
        Ok(())
    }
}
