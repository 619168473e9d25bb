//! Having trees judged and linted.

use proctor_core::gate::{GreenOrder, RedOrder};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::workflow::{Asker, Event, LintResult};

use super::DriveError;
use super::audience::Watcher;
use super::case::Case;
use crate::gate::{Arbiter, GateError, LintCall, LintRequest, Told};
use crate::process::{ProcessError, SandboxLevel};
use crate::project::{Programs, find_linters};
use crate::run_data::Kept;

/// Has trees judged and linted.
pub(super) struct Judging<'c, 'a> {
    pub(super) case: Case<'c>,
    pub(super) arbiter: &'c mut Arbiter<'a>,
    pub(super) watcher: &'c mut dyn Watcher,
}

impl<'a> Judging<'_, 'a> {
    pub(super) fn take_baseline(&mut self) -> Result<Event, DriveError> {
        let tree = self.case.base()?.tree;
        let (baseline, _) = self.judge(|arbiter, told| arbiter.baseline(&tree, told))?;
        Ok(Event::BaselineTaken { baseline })
    }

    pub(super) fn judge_red(&mut self, order: &RedOrder) -> Result<Event, DriveError> {
        let attempt = self.case.run().scaffold().current();
        let name = format!("red-{attempt}-{}", order.tree.short());
        let base = self.case.base()?.tree;
        let result = self.judge(|arbiter, told| arbiter.red(&base, order, &name, told))?;
        if result.verdict.is_accepted() {
            self.case.data().keep(Kept::Sealed, &order.tree)?;
            if self.case.run().first_sealed().is_none() {
                self.case.data().keep(Kept::FirstSealed, &order.tree)?;
            }
        }
        Ok(Event::RedJudged(result))
    }

    pub(super) fn judge_green(&mut self, order: &GreenOrder) -> Result<Event, DriveError> {
        let attempt = self.case.run().implement().current();
        let name = format!("green-{attempt}-{}", order.tree.short());
        let base = self.case.base()?.tree;
        let mut result = self.judge(|arbiter, told| arbiter.green(&base, order, &name, told))?;
        // Surviving mutants reopen the tests once; after that a person sees them.
        let mut reopenings = self.case.run().reopenings().iter();
        if !reopenings.any(|opened| opened.by == Asker::Gate) {
            result = self.arbiter.demanding(result);
        }
        if result.verdict.is_accepted() {
            let data = self.case.data();
            data.keep(Kept::Accepted, &order.tree)?;
            data.keep(Kept::AcceptedSealed, &order.sealed.tree)?;
        }
        let held_out = self.case.held_out()?;
        if let Some(note) = held_out.note(&result.verdict) {
            result.verdict.notes.push(note);
        }
        result.flags.extend(held_out.flag(&result.verdict));
        Ok(Event::GreenJudged(result))
    }

    /// Judges while the watcher sees every line; names the sandbox once.
    fn judge<T>(
        &mut self,
        judge: impl FnOnce(&mut Arbiter<'a>, &mut dyn FnMut(Told<'_>)) -> Result<T, GateError>,
    ) -> Result<T, DriveError> {
        match self.arbiter.choose_sandbox()? {
            Some(SandboxLevel::Off) => {
                let words = "the sandbox is off: tests and linter can do whatever you can";
                self.watcher.remark(words);
            }
            Some(level) => {
                let words = format!("tests and linter run in the sandbox {level}");
                self.watcher.remark(&words);
            }
            None => {}
        }
        let watcher = &mut *self.watcher;
        Ok(judge(self.arbiter, &mut |told| match told {
            Told::Check(what) => watcher.check(what),
            Told::Line(line) => watcher.line(line),
        })?)
    }

    pub(super) fn lint(
        &mut self,
        tree: &TreeId,
        files: &[ProjectPath],
    ) -> Result<Event, DriveError> {
        let calls = self.lint_calls()?;
        if calls.is_empty() {
            return Ok(Event::Linted(LintResult::Absent));
        }
        let base = self.case.base()?.tree;
        let name = format!("lint-{}", tree.short());
        let calls = &calls;
        let request = LintRequest { tree, files, calls };
        let result = self.judge(|arbiter, told| arbiter.lint(&base, &request, &name, told))?;
        Ok(Event::Linted(result))
    }

    /// The configured linter, else those that the project uses. The settings are those that the run was started
    /// with, and the checkout is nothing that a model writes to.
    fn lint_calls(&self) -> Result<Vec<LintCall>, DriveError> {
        let top = self.case.place.repository.top();
        let programs = Programs::of(
            top,
            &self.case.inputs.test_commands,
            self.case.place.surroundings,
        );
        let Some(words) = &self.case.inputs.settings.lint.command else {
            let found = find_linters(&programs);
            return Ok(found.iter().map(LintCall::found).collect());
        };
        let Some(first) = words.first() else {
            return Ok(Vec::new());
        };
        let program = programs.find(first).ok_or_else(|| {
            let program = first.into();
            GateError::Linter(ProcessError::NotFound { program })
        })?;
        Ok(vec![LintCall::configured(words, program)])
    }
}
