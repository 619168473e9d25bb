//! The findings about the candidate, and a merge's requirements.

use std::collections::BTreeSet;

use super::{Choice, Decision, GateResult, LintResult, MergeOrder};
use crate::gate::{Baseline, SealedTests};
use crate::object_id::TreeId;
use crate::path::ProjectPath;
use crate::test_outcome::function_of;

/// The red gate's last verdict; the tests are sealed only by one that accepts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Red {
    pub(super) result: GateResult,
    pub(super) sealed: Option<SealedTests>,
}

/// Facts about trees, each with the tree that it is about. None of them is believed for another tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Verdicts {
    /// The suite at the base.
    pub(super) baseline: Option<Baseline>,
    pub(super) red: Option<Red>,
    /// The green gate's last verdict.
    pub(super) green: Option<GateResult>,
    /// Tests, without their parameters, that have failed at green since they were sealed.
    pub(super) failed: BTreeSet<String>,
    /// The linter's last result.
    pub(super) lint: Option<LintResult>,
    /// The approval in force.
    pub(super) approval: Option<Decision>,
    /// The tests as they were when they were first sealed.
    pub(super) first_sealed: Option<SealedTests>,
}

impl Verdicts {
    /// Freezes the tests that the red gate has just accepted.
    pub(super) fn seal(&mut self, base: &TreeId, files: &[ProjectPath]) {
        self.failed.clear();
        if let Some(red) = &mut self.red {
            let sealed = SealedTests {
                tree: red.result.tree.clone(),
                base: base.clone(),
                files: files.to_vec(),
            };
            self.first_sealed.get_or_insert_with(|| sealed.clone());
            red.sealed = Some(sealed);
        }
    }

    /// The tests may be changed again. Nothing can be merged until others are sealed, passed and approved.
    pub(super) fn lift_seal(&mut self) {
        self.approval = None;
        if let Some(red) = &mut self.red {
            red.sealed = None;
        }
    }

    /// Records the green gate's result.
    pub(super) fn judged_green(&mut self, result: &GateResult) {
        let failed = result.verdict.failed();
        self.failed
            .extend(failed.iter().map(|id| function_of(id).to_owned()));
        self.green = Some(result.clone());
    }

    /// The base is another commit: its measurements, and a person's approval on top of it, are void.
    pub(super) fn base_moved(&mut self) {
        self.baseline = None;
        self.approval = None;
    }

    /// Principle four in one expression: red and green and approved, for the same tree.
    pub(super) fn merge_order(&self, tree: &TreeId, approval: &Decision) -> Option<MergeOrder> {
        let red = self.red.as_ref()?;
        let green = self.green.as_ref()?;
        let stands = red.sealed.is_some()
            && red.result.verdict.is_accepted()
            && green.verdict.is_accepted()
            && green.tree == *tree
            && approval.tree == *tree
            && approval.choice == Choice::Approve;
        stands.then(|| MergeOrder {
            tree: tree.clone(),
            approval: approval.clone(),
        })
    }
}
