//! The runs for a change of source alone.

use std::collections::BTreeSet;
use std::time::Duration;

use proctor_core::gate::{
    Analysis, Baseline, ChangeSeen, DataFile, GreenSuite, IntactSeal, flag_of_mutants,
    flags_of_deeds, judge_suite,
};
use proctor_core::mutants::MutantRule;
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::workflow::GateResult;

use super::arbiter::{Arbiter, Sitting, Wanted};
use super::blind::{BlindTwice, Heard, Scope, Sent};
use super::mutants::Seen;
use super::{GateError, Told, texts};
use crate::test_runner::{Variant, Watched};

/// A change that brings no tests.
pub(super) struct RefactorOrder<'a> {
    pub(super) tree: &'a TreeId,
    /// The files that differ and are not neutral.
    pub(super) sources: &'a [ProjectPath],
    /// Those of them that are not Python.
    pub(super) data: &'a [DataFile],
    pub(super) baseline: &'a Baseline,
}

impl Arbiter<'_> {
    /// Runs and judges a change of source alone.
    pub(super) fn refactor(
        &mut self,
        base: &TreeId,
        order: &RefactorOrder<'_>,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<GateResult, GateError> {
        self.sit(base, "refactor", told)?.refactor(order)
    }
}

impl Sitting<'_, '_> {
    fn refactor(&mut self, order: &RefactorOrder<'_>) -> Result<GateResult, GateError> {
        let tree = order.tree;
        let no_tests: &[ProjectPath] = &[];
        let seal = match IntactSeal::check::<Vec<u8>>(no_tests, &[], &[]) {
            Ok(seal) => seal,
            Err(verdict) => return self.conclude(tree, verdict, None, Vec::new()),
        };
        if let Some(verdict) = self.unreadable(tree, order.sources)? {
            return self.conclude(tree, verdict, None, Vec::new());
        }
        let plugins = Some(order.baseline.plugins.as_slice());
        let sent = self.blind(
            "the suite, judged blind",
            tree,
            Scope::Suite(no_tests),
            plugins,
        )?;
        self.show_held(tree)?;
        let suite = |what| Wanted {
            what,
            select: Vec::new(),
            plugins,
            variant: Variant::Plain,
        };
        let mut wanted = suite("the suite with the change");
        wanted.select = self.selection(no_tests);
        let observation = self.run(&wanted)?;
        let test_paths = self.arbiter.test_paths.clone();
        let (analysis, none) = (Analysis::default(), BTreeSet::new());
        let judged = judge_suite(&GreenSuite {
            observation: &observation,
            baseline: order.baseline,
            seal: &seal,
            existing: &[],
            test_paths: &test_paths,
            analysis: &analysis,
            passed_at_red: &none,
            failed_at_red: &none,
            listed_tests: &[],
        });
        let mut judged = match judged {
            Ok(judged) => judged,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), Vec::new()),
        };
        self.rerun(judged.reruns(), tree, &order.baseline.plugins)?;
        let passing = match judged.settle_alone() {
            Ok(passing) => passing,
            Err(verdict) => return self.conclude(tree, verdict, Some(&observation), Vec::new()),
        };
        let blind = self.blind_or_not_at_all(sent, plugins)?;
        let doubted = passing.files_to_judge_again(blind.blind());
        let again = self.blind_again(tree, &doubted, plugins)?;
        let untold = self.untold_flags(blind.blind(), no_tests, plugins)?;
        self.show_held(tree)?;
        let mut wanted = suite("the suite with the change, watched line by line");
        wanted.select = self.selection(no_tests);
        let traced = self.watch(&wanted, &Watched::Files(texts(order.sources)))?;
        let elapsed = Duration::from_millis(self.evidence.elapsed_ms());
        let changed = self.changed_lines(tree, order.sources)?;
        let tries_mutants = self.arbiter.tries_mutants();
        let lines = self.source_lines(&changed.added, tries_mutants)?;
        let tests = passing.passing(&traced);
        let mut verdict = passing.judge(&ChangeSeen {
            blind: blind.blind(),
            blind_again: again.as_ref().and_then(BlindTwice::as_rules),
            traced: &traced,
            sources: &lines,
            data: order.data,
            removed: &changed.removed,
        });
        let mut flags = self.flags(tree, no_tests, order.sources)?;
        flags.extend(untold);
        flags.extend(flags_of_deeds(&self.deeds, &texts(order.sources)));
        if verdict.is_accepted() && tries_mutants {
            let seen = Seen {
                tree,
                plugins,
                tests: &tests,
                judged: elapsed,
            };
            let report = self.mutants_of(&lines, &changed.added, &traced, seen)?;
            flags.extend(report.as_ref().and_then(flag_of_mutants));
            verdict = verdict.with_mutants(report, MutantRule::Report);
        }
        self.conclude(tree, verdict, Some(&observation), flags)
    }

    /// The referee's report; a suite that cannot be run blind at the base either is not the change's fault.
    fn blind_or_not_at_all(
        &mut self,
        sent: Sent,
        plugins: Option<&[String]>,
    ) -> Result<Heard, GateError> {
        let heard = self.hear(sent, &[])?;
        if !heard.is_unusable() {
            return Ok(heard);
        }
        let base = self.base.clone();
        let what = "the suite at the base, judged blind";
        let at_base = self.blind(what, &base, Scope::Suite(&[]), plugins)?;
        if self.hear(at_base, &[])?.is_unusable() {
            let why =
                "the suite cannot be run without its expected values, with the change or without";
            return Ok(Heard::Impossible(why.to_owned()));
        }
        Ok(heard)
    }
}
