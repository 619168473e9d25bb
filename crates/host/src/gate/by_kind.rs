//! Every kind of change is judged by its own demand.

use proctor_core::gate::{
    Baseline, ChangeKind, DataFile, GreenOrder, Readers, RedOrder, RedScope, Rule, SealedTests,
    SortedChange, SourceFlag, Verdict, VerdictWord,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::workflow::{GateResult, GateRun};

use super::change::{Pace, WhichGate, word_of};
use super::memory::Remembered;
use super::refactor::RefactorOrder;
use super::{Arbiter, GateError, Told, texts};
use crate::test_runner::ReadError;

/// A change on its way through the gates.
pub(super) struct Judgement<'j, 'a> {
    pub(super) arbiter: &'j mut Arbiter<'a>,
    pub(super) change: &'j SortedChange,
    pub(super) readers: &'j Readers<'j>,
    pub(super) pace: Pace,
    pub(super) sealed: SealedTests,
    pub(super) told: &'j mut dyn FnMut(Told<'_>),
    pub(super) runs: Vec<GateRun>,
    pub(super) flags: Vec<SourceFlag>,
    /// The cached results, which did not have to be run.
    pub(super) known: Vec<&'static str>,
}

/// The conclusion.
pub(super) struct Said {
    pub(super) kind: ChangeKind,
    pub(super) word: VerdictWord,
    pub(super) verdict: Verdict,
}

impl Judgement<'_, '_> {
    /// The demand of a gate or, if that is asked for, of the kind.
    pub(super) fn judge(
        &mut self,
        gate: WhichGate,
        kind: ChangeKind,
        tree: TreeId,
    ) -> Result<Said, GateError> {
        let mut said = self.conclude(gate, kind, tree)?;
        if !self.known.is_empty() {
            let known = self.known.join(", ");
            let note = format!("not run again: {known}, cached from an earlier gate");
            said.verdict.notes.push(note);
        }
        Ok(said)
    }

    fn conclude(
        &mut self,
        gate: WhichGate,
        kind: ChangeKind,
        tree: TreeId,
    ) -> Result<Said, GateError> {
        if gate == WhichGate::Change {
            return self.by_kind(kind, tree);
        }
        let baseline = self.baseline()?;
        let verdict = self.red_and_green(gate, baseline, tree)?;
        let verdict = self.arbiter.demanded(verdict);
        Ok(Said {
            kind,
            word: word_of(gate, kind, &verdict),
            verdict,
        })
    }

    fn by_kind(&mut self, kind: ChangeKind, tree: TreeId) -> Result<Said, GateError> {
        let gone = self.removed_tests()?;
        if kind == ChangeKind::Removal || !gone.is_empty() {
            let files = self.change.removed_tests().iter();
            let files = files.map(ProjectPath::as_str);
            let verdict = Verdict::removal(gone.iter().map(String::as_str), files);
            return Ok(said(ChangeKind::Removal, verdict));
        }
        let baseline = self.baseline()?;
        let known = baseline.clone();
        let verdict = match kind {
            ChangeKind::Behaviour => self.red_and_green(WhichGate::Green, baseline, tree)?,
            ChangeKind::Tests => {
                let red = self.red(&baseline, tree.clone(), RedScope::Suite)?;
                if red.is_accepted() && red.gone_cases(&known).is_empty() {
                    let word = VerdictWord::red(&red);
                    return Ok(Said {
                        kind,
                        word,
                        verdict: red,
                    });
                }
                if red.is_accepted() {
                    red
                } else {
                    self.tests(red, baseline, tree)?
                }
            }
            _ => self.refactor(&baseline, &tree)?,
        };
        // Tests that a run found missing are as much a removal as those that the difference shows.
        if verdict.is_about_removed_tests() {
            let gone = verdict.reasons.iter().filter_map(|it| it.test.as_deref());
            return Ok(said(ChangeKind::Removal, Verdict::removal(gone, [])));
        }
        let gone = verdict.gone_cases(&known);
        if verdict.is_accepted() && !gone.is_empty() {
            let gone = gone.iter().map(String::as_str);
            return Ok(said(ChangeKind::Removal, Verdict::removal(gone, [])));
        }
        let verdict = match kind {
            // The source is not part of the change: a mistake in it that goes unnoticed is not the change's fault.
            ChangeKind::Tests => verdict,
            _ => self.arbiter.demanded(verdict),
        };
        Ok(said(kind, verdict))
    }

    /// Tests of the base that their file has no more.
    fn removed_tests(&mut self) -> Result<Vec<String>, GateError> {
        let SealedTests { base, tree, .. } = &self.sealed;
        let mut files = self.arbiter.code_files(base, tree, self.change.tests())?;
        files.retain(|file| file.base.is_some());
        if files.is_empty() {
            return Ok(Vec::new());
        }
        match self.arbiter.readers()?.analyse(&files) {
            Ok(analysis) => Ok(analysis
                .files
                .iter()
                .flat_map(|file| {
                    let removed = file.removed.iter();
                    removed.map(|name| format!("{}::{name}", file.path))
                })
                .collect()),
            Err(ReadError::Runner(error)) => Err(error.into()),
            // The red gate reports their problems.
            Err(ReadError::Failed { .. } | ReadError::Answer(_)) => Ok(Vec::new()),
        }
    }

    fn baseline(&mut self) -> Result<Baseline, GateError> {
        let base = self.sealed.base.clone();
        let (baseline, runs) = self.arbiter.baseline(&base, self.told)?;
        if runs.is_empty() {
            self.known.push("the suite at the base");
        }
        self.runs = runs;
        Ok(baseline)
    }

    /// The red of the tests alone and, if that is asked for and the red is valid, the green of everything.
    fn red_and_green(
        &mut self,
        gate: WhichGate,
        baseline: Baseline,
        tree: TreeId,
    ) -> Result<Verdict, GateError> {
        let tree_of_tests = self.sealed.tree.clone();
        let scope = if gate == WhichGate::Red && self.pace == Pace::Thorough {
            RedScope::Suite
        } else {
            let tests = &self.sealed.files;
            let existing = self.arbiter.existing(&self.sealed.base, tests)?;
            RedScope::before_green(tests, &existing)
        };
        let red = self.red(&baseline, tree_of_tests, scope)?;
        if gate == WhichGate::Red || !red.is_accepted() {
            return Ok(red);
        }
        let green = self.green(&red, baseline, tree)?;
        Ok(self.take(green))
    }

    fn red(
        &mut self,
        baseline: &Baseline,
        tree: TreeId,
        scope: RedScope,
    ) -> Result<Verdict, GateError> {
        let order = RedOrder {
            tree,
            tests: self.sealed.files.clone(),
            declared: self.change.sources().to_vec(),
            open: true,
            baseline: baseline.clone(),
            scope,
        };
        let base = self.sealed.base.clone();
        let red = self.arbiter.known_red(&base, &order, "red", self.told)?;
        let red = self.heard(red, "the red of the tests alone");
        Ok(self.take(red))
    }

    fn green(
        &mut self,
        red: &Verdict,
        baseline: Baseline,
        tree: TreeId,
    ) -> Result<GateResult, GateError> {
        let order = GreenOrder {
            tree,
            sealed: self.sealed.clone(),
            sources: self.change.sources().to_vec(),
            baseline,
            passed_at_red: red.passed(),
            stopped_at_red: red.stopped.clone(),
            failed_at_red: red.failed(),
            listed_tests: Vec::new(),
        };
        let base = self.sealed.base.clone();
        let green = self
            .arbiter
            .known_green(&base, &order, "green", self.told)?;
        Ok(self.heard(green, "the green of everything"))
    }

    /// A cached result was not run now.
    fn heard(&mut self, remembered: Remembered, what: &'static str) -> GateResult {
        let Remembered { result, is_known } = remembered;
        if !is_known {
            return result;
        }
        self.known.push(what);
        let runs = Vec::new();
        GateResult { runs, ..result }
    }

    /// Tests alone that are not a red: they pass, can fail and notice a mistake in the source that they execute.
    fn tests(
        &mut self,
        red: Verdict,
        baseline: Baseline,
        tree: TreeId,
    ) -> Result<Verdict, GateError> {
        if red.is_only_about(&Rule::NothingCollected) && red.failed().is_empty() {
            let support = SortedChange::support(&texts(&self.sealed.files));
            return Ok(red.without_new_tests(&support));
        }
        if !red.is_only_about(&Rule::NothingFails) {
            return Ok(red);
        }
        let plugins = baseline.plugins.clone();
        let mut green = self.green(&red, baseline, tree)?;
        green.verdict = green.verdict.of_tests_alone();
        let base = self.sealed.base.clone();
        let tests = self.sealed.files.clone();
        let asked = self
            .arbiter
            .ask(&base, green, &plugins, &tests, self.told)?;
        Ok(self.take(asked))
    }

    fn refactor(&mut self, baseline: &Baseline, tree: &TreeId) -> Result<Verdict, GateError> {
        let sources = self.change.sources().iter();
        let sources = sources.filter(|path| !self.readers.is_neutral(path));
        let sources: Vec<ProjectPath> = sources.cloned().collect();
        let data: Vec<DataFile> = sources
            .iter()
            .filter(|path| !self.arbiter.reads(path))
            .map(|path| DataFile {
                path: path.to_string(),
                in_source: self.readers.is_data(path),
            })
            .collect();
        let order = RefactorOrder {
            tree,
            sources: &sources,
            data: &data,
            baseline,
        };
        let base = self.sealed.base.clone();
        let result = self.arbiter.refactor(&base, &order, self.told)?;
        Ok(self.take(result))
    }

    fn take(&mut self, result: GateResult) -> Verdict {
        self.runs.extend(result.runs);
        self.flags.extend(result.flags);
        let mut verdict = result.verdict;
        verdict.notes.extend_from_slice(self.change.notes());
        verdict
    }
}

fn said(kind: ChangeKind, verdict: Verdict) -> Said {
    Said {
        kind,
        word: VerdictWord::change(kind, &verdict),
        verdict,
    }
}
