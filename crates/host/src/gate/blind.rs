//! The blind run: tests are run without their expected values, and the values they sent are compared elsewhere.
//!
//! This module does not know the consequences; the rules are in `proctor_core::gate`.

use std::collections::VecDeque;

use proctor_core::dialect::is_test_file;
use proctor_core::gate::{
    AloneRun, Baseline, Blind, BlindAgain, BlindReport, BlindRun, SettledTests, SourceFlag, Untold,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::secrets::mask_secrets;
use proctor_core::test_outcome::Observation;

use super::arbiter::{Sitting, Wanted};
use super::parts::Carried;
use super::readers::Cuts;
use super::{GateError, texts};
use crate::test_runner::{CutFile, CutSource, ReadError, TestLimit, Variant};

/// Test files that are more than this together are not cut all at once: the new ones alone are.
const MOST_TEXT: usize = 8 * 1024 * 1024;
/// The run in which the new tests go in the opposite order.
pub(super) const REVERSED: &str = "the new tests in the opposite order";
/// No more tests than this are each run in a process of their own.
const MOST_ALONE: usize = 3;

/// Which tests are judged blind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope<'a> {
    /// All of the suite, with these new files.
    Suite(&'a [ProjectPath]),
    /// Some files of tests.
    Files {
        /// The files that are cut.
        cut: &'a [ProjectPath],
        /// The files whose tests are run.
        select: &'a [String],
    },
    /// Some tests, by name; the others lose their bodies.
    Alone {
        /// The files that are cut.
        cut: &'a [ProjectPath],
        /// The tests' names.
        tests: &'a [String],
    },
}

/// The new tests in the opposite order.
#[derive(Clone, Copy)]
pub(super) struct Reversing<'a> {
    pub(super) tree: &'a TreeId,
    pub(super) files: &'a [&'a str],
    pub(super) plugins: Option<&'a [String]>,
    pub(super) limit: Option<&'a TestLimit>,
}

/// A run of cut tests, or why there is none.
pub(super) enum Sent {
    Run(Box<SentRun>),
    /// The files cannot be cut.
    Impossible(String),
}

/// A run of cut tests.
pub(super) struct SentRun {
    cut: Cuts,
    observation: Observation,
    sent: Vec<(String, String)>,
    whole: bool,
}

/// The result of a blind run.
pub(super) enum Heard {
    Run(Box<HeardRun>),
    Impossible(String),
}

/// A run of cut tests and the referee's report.
pub(super) struct HeardRun {
    observation: Observation,
    report: BlindReport,
    whole: bool,
}

impl Heard {
    /// As the rules take it.
    pub(super) fn blind(&self) -> Blind<'_> {
        match self {
            Self::Run(run) => Blind::Run(BlindRun {
                observation: &run.observation,
                report: &run.report,
                whole: run.whole,
            }),
            Self::Impossible(why) => Blind::Impossible(why),
        }
    }

    /// Whether nothing can be concluded from it.
    pub(super) fn is_unusable(&self) -> bool {
        match self.blind() {
            Blind::Run(run) => run.problem().is_some(),
            Blind::Impossible(_) => true,
        }
    }
}

impl Sent {
    /// For a run of the marked files; none if nothing was cut.
    pub(super) fn cut(&self) -> Option<&Cuts> {
        match self {
            Self::Run(run) => Some(&run.cut),
            Self::Impossible(_) => None,
        }
    }
}

/// Old tests that need no second run, and the report that says so.
#[derive(Default)]
pub(super) struct Settled {
    tests: SettledTests,
    report: BlindReport,
}

impl Settled {
    /// The files that are to be run with their expected values; none if that is the whole suite.
    pub(super) fn others(&self, sent: &Sent, sealed: &[String]) -> Option<Vec<String>> {
        self.tests.others(self.run(sent)?, sealed)
    }

    /// The suite, of which only the others were run.
    pub(super) fn joined(&self, sent: &Sent, others: Observation) -> Observation {
        match self.run(sent) {
            Some(run) => self.tests.joined(run, others),
            None => others,
        }
    }

    /// For a person who reads the verdict.
    pub(super) fn note(&self) -> Option<String> {
        self.tests.note()
    }

    fn run<'s>(&'s self, sent: &'s Sent) -> Option<BlindRun<'s>> {
        match sent {
            Sent::Run(run) => Some(BlindRun {
                observation: &run.observation,
                report: &self.report,
                whole: run.whole,
            }),
            Sent::Impossible(_) => None,
        }
    }
}

/// New tests, judged blind without the others.
pub(super) struct Alone {
    heard: Heard,
    whole: Option<Observation>,
}

impl Alone {
    /// As the rules take it.
    pub(super) fn as_rules(&self) -> AloneRun<'_> {
        AloneRun {
            blind: self.heard.blind(),
            whole: self.whole.as_ref(),
        }
    }
}

/// Old suspect tests, run blind again.
pub(super) struct BlindTwice {
    judged: Heard,
    base: Heard,
}

impl BlindTwice {
    /// As the rules take it; none if one of them could not be run.
    pub(super) fn as_rules(&self) -> Option<BlindAgain<'_>> {
        match (self.judged.blind(), self.base.blind()) {
            (Blind::Run(judged), Blind::Run(base)) => Some(BlindAgain { judged, base }),
            _ => None,
        }
    }
}

impl Sitting<'_, '_> {
    /// Runs a tree's tests without their expected values.
    pub(super) fn blind(
        &mut self,
        what: &'static str,
        tree: &TreeId,
        scope: Scope<'_>,
        plugins: Option<&[String]>,
    ) -> Result<Sent, GateError> {
        let files = match scope {
            Scope::Suite(_) => self.test_files(tree)?,
            Scope::Files { cut, .. } | Scope::Alone { cut, .. } => cut.to_vec(),
        };
        let only = match scope {
            Scope::Alone { tests, .. } => Some(tests),
            Scope::Suite(_) | Scope::Files { .. } => None,
        };
        let cut = match self.cut(tree, &files, only)? {
            Ok(cut) => cut,
            Err(why) => {
                self.evidence
                    .remark(&format!("{what}: the test files cannot be cut: {why}"));
                return Ok(Sent::Impossible(why));
            }
        };
        self.show_held(tree)?;
        self.lay(&cut.files, |file| file.cut.as_deref())?;
        let (select, whole) = match scope {
            Scope::Suite(tests) => (self.selection(tests), true),
            Scope::Files { select, .. } => (select.to_vec(), false),
            Scope::Alone { tests, .. } => (tests.to_vec(), false),
        };
        let wanted = Wanted {
            what,
            select,
            plugins,
            variant: Variant::Blind(cut.marker),
        };
        let Carried {
            observation, sent, ..
        } = self.run_within(&wanted, None)?;
        Ok(Sent::Run(Box::new(SentRun {
            cut,
            observation,
            sent,
            whole,
        })))
    }

    /// Lays one of their texts over the files of the tree.
    fn lay<'c>(
        &mut self,
        files: impl IntoIterator<Item = &'c CutFile>,
        text: impl Fn(&CutFile) -> Option<&str>,
    ) -> Result<(), GateError> {
        for file in files {
            if let (Some(text), Ok(path)) = (text(file), ProjectPath::parse(&file.path)) {
                self.bench().alter(&path, Some(text.as_bytes()))?;
            }
        }
        Ok(())
    }

    /// The new tests in the opposite order, marked where they were cut, with the values they sent.
    pub(super) fn marked(
        &mut self,
        reversing: &Reversing<'_>,
        cut: Option<&Cuts>,
    ) -> Result<Carried, GateError> {
        let files = reversing.files;
        self.show_held(reversing.tree)?;
        let cut_files = cut.iter().flat_map(|cut| &cut.files);
        let own = cut_files.filter(|file| files.contains(&file.path.as_str()));
        self.lay(own, |file| file.marked.as_deref())?;
        let wanted = Wanted {
            what: REVERSED,
            select: texts(files),
            plugins: reversing.plugins,
            variant: cut.map_or(Variant::Reversed, |cut| Variant::Marked(cut.marker)),
        };
        self.run_within(&wanted, reversing.limit)
    }

    /// Has the sent values compared with the expected ones. A run that cannot be compared at all is a problem of the
    /// run.
    pub(super) fn hear(
        &mut self,
        sent: Sent,
        marked: &[(String, String)],
    ) -> Result<Heard, GateError> {
        let run = match sent {
            Sent::Run(run) => run,
            Sent::Impossible(why) => return Ok(Heard::Impossible(why)),
        };
        let report = self.compared(&run, marked)?;
        Ok(Heard::Run(Box::new(HeardRun {
            observation: run.observation,
            report,
            whole: run.whole,
        })))
    }

    /// Old tests that need no second run.
    pub(super) fn settled(
        &mut self,
        sent: &Sent,
        baseline: &Baseline,
        sealed: &[String],
    ) -> Result<Settled, GateError> {
        let Sent::Run(run) = sent else {
            return Ok(Settled::default());
        };
        let mut settled = Settled {
            report: self.compared(run, &[])?,
            ..Settled::default()
        };
        if let Some(blind) = settled.run(sent) {
            settled.tests = SettledTests::of(blind, baseline, sealed);
        }
        Ok(settled)
    }

    /// The referee's report on a run.
    fn compared(
        &mut self,
        run: &SentRun,
        marked: &[(String, String)],
    ) -> Result<BlindReport, GateError> {
        let mut report = if run.sent.is_empty() {
            BlindReport::default()
        } else {
            match self.readers().referee(&run.cut, &run.sent, marked) {
                Ok(report) => report,
                Err(ReadError::Runner(error)) => return Err(error.into()),
                Err(problem @ (ReadError::Failed { .. } | ReadError::Answer(_))) => BlindReport {
                    problems: vec![format!("what was sent cannot be compared: {problem}")],
                    ..BlindReport::default()
                },
            }
        };
        for place in &mut report.places {
            if let Some(reason) = &mut place.reason {
                *reason = mask_secrets(reason).into_owned();
            }
        }
        Ok(report)
    }

    /// Judges old tests blind once more, alone, with the change and without it.
    pub(super) fn blind_again(
        &mut self,
        tree: &TreeId,
        files: &[&str],
        plugins: Option<&[String]>,
    ) -> Result<Option<BlindTwice>, GateError> {
        if files.is_empty() {
            return Ok(None);
        }
        let (base, select) = (self.base.clone(), texts(files));
        let mut judge = |what, tree: &TreeId| {
            // A file may run tests that are written in others.
            let scope = Scope::Files {
                cut: &self.test_files(tree)?,
                select: &select,
            };
            let sent = self.blind(what, tree, scope, plugins)?;
            self.hear(sent, &[])
        };
        Ok(Some(BlindTwice {
            judged: judge("tests in doubt, judged blind again", tree)?,
            base: judge("tests in doubt, judged blind at the base", &base)?,
        }))
    }

    /// Runs new tests blind in a process in which the other tests have no bodies; those whose answer is still visible
    /// each in one of their own.
    pub(super) fn alone(
        &mut self,
        tree: &TreeId,
        tests: Vec<String>,
        plugins: Option<&[String]>,
    ) -> Result<Vec<Alone>, GateError> {
        let mut runs = Vec::new();
        let mut groups = VecDeque::from([tests]);
        while let Some(group) = groups.pop_front().filter(|group| !group.is_empty()) {
            let run = self.alone_in_one(tree, &group, plugins)?;
            if let Heard::Run(heard) = &run.heard
                && group.len() > 1
            {
                let still = heard.report.answered_elsewhere();
                let each = still.iter().take(MOST_ALONE);
                groups.extend(each.map(|test| vec![(*test).to_owned()]));
            }
            runs.push(run);
        }
        Ok(runs)
    }

    fn alone_in_one(
        &mut self,
        tree: &TreeId,
        tests: &[String],
        plugins: Option<&[String]>,
    ) -> Result<Alone, GateError> {
        let scope = Scope::Alone {
            cut: &self.test_files(tree)?,
            tests,
        };
        let what = "new tests whose answer stands in another, judged blind without the others";
        let sent = self.blind(what, tree, scope, plugins)?;
        let cut = sent.cut().cloned();
        let mut run = Alone {
            heard: self.hear(sent, &[])?,
            whole: None,
        };
        if let Some(cut) = cut.filter(|_| run.as_rules().is_in_doubt()) {
            self.show_held(tree)?;
            self.lay(&cut.files, |file| file.marked.as_deref())?;
            run.whole = Some(self.run(&Wanted {
                what: "the same tests without the others, with what they expect",
                select: tests.to_vec(),
                plugins,
                variant: Variant::Marked(cut.marker),
            })?);
        }
        Ok(run)
    }

    /// Old tests whose values told at the base whether they are right, and do not with the change.
    pub(super) fn untold_flags(
        &mut self,
        blind: Blind<'_>,
        changed: &[ProjectPath],
        plugins: Option<&[String]>,
    ) -> Result<Vec<SourceFlag>, GateError> {
        let untold = Untold::of(blind, &texts(changed));
        let select = untold.files();
        if select.is_empty() {
            return Ok(Vec::new());
        }
        let base = self.base.clone();
        let memory = self.memory();
        let asked = ("places of old tests at the base", &base, &select, plugins);
        let known = memory.as_ref().and_then(|memory| memory.recall(&asked));
        let at_base: BlindReport = if let Some(known) = known {
            known
        } else {
            let scope = Scope::Files {
                cut: &self.test_files(&base)?,
                select: &select,
            };
            let what = "old tests that compare by themselves, judged blind at the base";
            let sent = self.blind(what, &base, scope, plugins)?;
            let Heard::Run(heard) = self.hear(sent, &[])? else {
                return Ok(Vec::new());
            };
            if let Some(memory) = memory {
                memory.keep(&asked, &heard.report);
            }
            heard.report
        };
        Ok(untold.flags(&at_base))
    }

    /// Test files without their expected values, or why they cannot be cut.
    fn cut(
        &self,
        tree: &TreeId,
        files: &[ProjectPath],
        only: Option<&[String]>,
    ) -> Result<Result<Cuts, String>, GateError> {
        let code: Vec<&str> = files
            .iter()
            .filter(|path| self.arbiter.reads(path))
            .map(ProjectPath::as_str)
            .collect();
        let contents = self.objects().files_at(tree, &code)?;
        let sources: Vec<CutSource> = code
            .into_iter()
            .zip(contents)
            .filter_map(|(path, content)| {
                Some(CutSource {
                    path: path.to_owned(),
                    text: String::from_utf8(content?).ok()?,
                })
            })
            .collect();
        let length: usize = sources.iter().map(|source| source.text.len()).sum();
        if sources.is_empty() || length > MOST_TEXT {
            let why = if sources.is_empty() {
                "there are no test files that could be cut".to_owned()
            } else {
                format!("the test files have {length} bytes")
            };
            return Ok(Err(why));
        }
        match self.readers().cut(&sources, only) {
            Ok(cut) if cut.files.iter().all(|file| file.cut.is_none()) => {
                let mut errors = cut.files.into_iter().filter_map(|file| file.error);
                Ok(Err(errors.next().unwrap_or_default()))
            }
            Ok(cut) => Ok(Ok(cut)),
            Err(ReadError::Runner(error)) => Err(error.into()),
            Err(problem) => Ok(Err(problem.to_string())),
        }
    }

    /// Every test file of a tree, and the files that tests import helpers from.
    fn test_files(&self, tree: &TreeId) -> Result<Vec<ProjectPath>, GateError> {
        let entries = self.objects().entries(tree)?;
        let tests = entries
            .iter()
            .filter(|(path, mode)| mode.is_file() && is_test_file(path, &self.arbiter.test_paths));
        Ok(tests
            .filter_map(|(path, _)| ProjectPath::parse(path).ok())
            .filter(|path| self.arbiter.reads(path))
            .collect())
    }
}
