//! The one place where trees are judged, for a run as for `proctor gate`.
//!
//! An [`Arbiter`] owns the parts that every judgement needs in the same form: the bench, the sandbox, the tests' files
//! besides git's, the list of hidden places, the evidence. It does not know its caller, or the consequence of a
//! verdict.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use proctor_core::gate::{Analysis, Baseline, SourceText};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::secrets::LineMask;
use proctor_core::test_outcome::{Deed, Observation};
use proctor_core::workflow::GateRun;

use super::bench::Bench;
use super::evidence::Evidence;
use super::hidden::Places;
use super::memory::{Memory, suite_at};
use super::parts::{Carried, Order, Part};
use super::readers::Readers;
use super::{GateError, Told};
use crate::crash_point::crash_point;
use crate::files::{OwnFileError, write_own};
use crate::git::{Objects, Repository};
use crate::preparation::Preparation;
use crate::process::{Confinement, Interrupt, Launcher, Sandbox, SandboxLevel, SandboxMode};
use crate::settings::Settings;
use crate::surroundings::Surroundings;
use crate::test_runner::{
    CompiledPrograms, Inquiry, NodeRun, PytestRun, PythonReader, Reader, TestCommand, TestLimit,
    TestRun, Variant, Watched,
};

/// The world that an arbiter works in.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The environment.
    pub surroundings: &'a Surroundings,
    /// How jobs are started.
    pub launcher: &'a Launcher,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
}

impl<'a> Place<'a> {
    /// How a program is asked here for its identity.
    pub fn inquiry(self, mode: SandboxMode) -> Inquiry<'a> {
        Inquiry {
            environment: self.surroundings.all(),
            launcher: self.launcher,
            interrupt: self.interrupt,
            mode,
        }
    }
}

/// Where an arbiter keeps its files; all of it lies below `own`, evidence apart.
#[derive(Debug, Clone)]
pub struct Rooms {
    /// Proctor's own directory, hidden from judged code.
    pub own: PathBuf,
    /// The directory in which trees are checked out.
    pub judged: PathBuf,
    /// The tests' files besides git's.
    pub prepared: PathBuf,
    /// The evidence of every run.
    pub evidence: PathBuf,
}

impl Rooms {
    /// Rooms that are all in one directory.
    pub(super) fn below(own: &Path) -> Self {
        Self {
            own: own.to_owned(),
            judged: own.join("tree"),
            prepared: own.join("prepared"),
            evidence: own.join("evidence"),
        }
    }
}

/// Judges trees of one repository.
pub struct Arbiter<'a> {
    pub(super) place: Place<'a>,
    pub(super) settings: Settings,
    /// Test paths besides the usual places: `[test] paths`, and those named beside them.
    pub(super) test_paths: Vec<String>,
    /// The parts of the repository that are tested, each by its own runner.
    pub(super) parts: Vec<Part>,
    pub(super) rooms: Rooms,
    pub(super) bench: Bench,
    /// The base whose extras the bench has.
    prepared: Option<TreeId>,
    sandbox: Option<Sandbox>,
    /// Whether cached verdicts count.
    remembers: bool,
    /// Whether someone waits for the verdict.
    pub(super) is_quick: bool,
    /// The test files that were read last, and their analysis.
    pub(super) analysed: Option<(Vec<SourceText>, Analysis)>,
    /// Proctor's own programs, once they were asked for.
    programs: OnceCell<Option<Arc<CompiledPrograms>>>,
}

impl<'a> Arbiter<'a> {
    /// An arbiter that makes its parts when it first needs them.
    pub fn new(
        place: Place<'a>,
        settings: Settings,
        commands: Vec<TestCommand>,
        rooms: Rooms,
    ) -> Self {
        let parts = Part::all(&settings, commands);
        Self {
            place,
            test_paths: parts.iter().flat_map(Part::test_paths).collect(),
            settings,
            parts,
            bench: Bench::new(rooms.judged.clone()),
            rooms,
            prepared: None,
            sandbox: None,
            remembers: true,
            is_quick: false,
            analysed: None,
            programs: OnceCell::new(),
        }
    }

    /// Further test paths.
    #[must_use]
    pub fn with_tests_at(mut self, paths: &[String]) -> Self {
        self.test_paths.extend_from_slice(paths);
        self
    }

    /// Judges everything again: nothing is taken from the cache, and nothing is put there.
    #[must_use]
    pub fn without_memory(self) -> Self {
        Self {
            remembers: false,
            ..self
        }
    }

    /// Tries no mutants that only inform a person, and runs no old test twice that one run settles.
    #[must_use]
    pub fn quick(self) -> Self {
        Self {
            is_quick: true,
            ..self
        }
    }

    /// Removes the checked-out files.
    pub fn clear(&mut self) -> Result<(), GateError> {
        self.bench.clear()
    }

    /// Chooses the sandbox unless it is chosen; says which only then.
    pub fn choose_sandbox(&mut self) -> Result<Option<SandboxLevel>, GateError> {
        if self.sandbox.is_some() {
            return Ok(None);
        }
        Ok(Some(self.sandbox()?.level()))
    }

    /// The sandbox, chosen when something is first run in it.
    pub(super) fn sandbox(&mut self) -> Result<Sandbox, GateError> {
        if let Some(sandbox) = &self.sandbox {
            return Ok(sandbox.clone());
        }
        let sandbox = Sandbox::choose(
            self.settings.sandbox.mode,
            self.place.launcher,
            self.place.surroundings.all(),
        )?;
        Ok(self.sandbox.insert(sandbox).clone())
    }

    /// The confinement of everything that runs here: it sees nothing of the person's.
    fn confinement(&mut self) -> Result<Confinement, GateError> {
        let sandbox = self.sandbox()?;
        let Places {
            hidden,
            absent,
            shown,
        } = Places::of(
            self.place.repository,
            self.place.surroundings,
            &self.settings.worktree,
            &self.rooms.own,
            self.parts.iter().map(|part| &part.command),
        );
        Ok(Confinement {
            hidden,
            absent,
            read_only: shown,
            ..Confinement::new(sandbox)
        })
    }

    /// The readers of the files of every part, which do not run them.
    pub(super) fn readers(&mut self) -> Result<Readers<'_>, GateError> {
        let confinement = self.confinement()?;
        Ok(self.readers_within(&confinement))
    }

    fn readers_within(&self, confinement: &Confinement) -> Readers<'_> {
        let readers = self.parts.iter().map(|part| {
            let reader = match &part.command {
                TestCommand::Pytest(words) => {
                    Reader::Python(Box::new(self.python(words, confinement.clone())))
                }
                TestCommand::Node(_) => Reader::JavaScript,
            };
            (part, reader)
        });
        Readers(readers.collect())
    }

    /// Whether a file is code that one of the readers reads.
    pub(super) fn reads(&self, path: &ProjectPath) -> bool {
        self.parts.iter().any(|part| part.reads(path))
    }

    /// The test runners, by name; of several parts all of them.
    pub(super) fn runners(&self) -> String {
        let names = self.parts.iter().map(|part| part.command.runner().name());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Only the parts that have these files are judged; all of them if none has.
    pub(super) fn concerns(&mut self, changed: &[&str]) {
        let is_touched = |part: &Part| changed.iter().any(|path| part.inside(path).is_some());
        if self.parts.iter().any(is_touched) {
            self.parts.retain(is_touched);
        }
    }

    fn python<'r>(&'r self, words: &'r [OsString], confinement: Confinement) -> PythonReader<'r> {
        PythonReader {
            command: words,
            environment: self.place.surroundings.all(),
            launcher: self.place.launcher,
            interrupt: self.place.interrupt,
            confinement: Some(confinement),
            programs: self.programs.get().and_then(Option::as_deref),
        }
    }

    /// Has Proctor's own programs compiled, unless they are.
    fn compile_programs(&self, confinement: &Confinement) {
        let mut commands = self.parts.iter().map(|part| &part.command);
        let Some(words) = commands.find_map(|command| match command {
            TestCommand::Pytest(words) => Some(words),
            TestCommand::Node(_) => None,
        }) else {
            return;
        };
        self.programs.get_or_init(|| {
            let cache = self.place.surroundings.cache_directory();
            let cache = cache.filter(|_| self.remembers);
            let reader = self.python(words, confinement.clone());
            CompiledPrograms::of(&reader, cache.as_deref()).map(Arc::new)
        });
    }

    /// The suite at the base commit; without a run where it is cached.
    pub fn baseline(
        &mut self,
        base: &TreeId,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<(Baseline, Vec<GateRun>), GateError> {
        let name = format!("baseline-{}", base.short());
        let mut sitting = self.sit(base, &name, told)?;
        let memory = sitting.memory();
        let asked = suite_at(base);
        if let Some(baseline) = memory.as_ref().and_then(|memory| memory.recall(&asked)) {
            sitting.keep_text("== the suite at the base is cached\n")?;
            return Ok((baseline, Vec::new()));
        }
        sitting.show(base)?;
        crash_point("judged tree laid out");
        let observation = sitting.run(&Wanted {
            what: "the suite at the base",
            select: sitting.selection(&[]),
            plugins: None,
            variant: Variant::Plain,
        })?;
        let runs = sitting.keep()?;
        let baseline = Baseline::from_observation(&observation)?;
        if let Some(memory) = memory {
            memory.keep(&asked, &baseline);
        }
        Ok((baseline, runs))
    }

    /// Everything is ready for judging changes based on `base`; runs are kept under this name.
    pub(super) fn sit<'s>(
        &'s mut self,
        base: &'s TreeId,
        name: &str,
        told: &'s mut dyn FnMut(Told<'_>),
    ) -> Result<Sitting<'s, 'a>, GateError> {
        self.prepare(base, told)?;
        let reading = self.confinement()?;
        self.compile_programs(&reading);
        let mut confinement = reading.clone();
        confinement.read_only.extend(self.bench.extras().exposed());
        Ok(Sitting {
            base,
            evidence: Evidence::default(),
            deeds: BTreeSet::new(),
            kept: self.rooms.evidence.join(format!("{name}.txt")),
            confinement,
            reading,
            told,
            arbiter: self,
        })
    }

    /// Makes the tests' files besides git's, once for each base, by settings that the change cannot influence.
    fn prepare(&mut self, base: &TreeId, told: &mut dyn FnMut(Told<'_>)) -> Result<(), GateError> {
        if self.prepared.as_ref() == Some(base) {
            return Ok(());
        }
        if !self.settings.worktree.setup.is_empty() {
            told(Told::Check("running `[worktree] setup`"));
        }
        let name = format!("setup-{}.txt", base.short());
        let extras = Preparation {
            repository: self.place.repository,
            settings: &self.settings.worktree,
            directory: self.rooms.prepared.clone(),
            evidence: self.rooms.evidence.join(name),
            launcher: self.place.launcher,
            interrupt: self.place.interrupt,
            environment: self.place.surroundings.all(),
            on_line: &mut |line| told(Told::Line(line)),
        }
        .prepare(base)?;
        self.bench.set_extras(extras);
        self.prepared = Some(base.clone());
        Ok(())
    }
}

/// One run that a gate asks for.
pub(super) struct Wanted<'a> {
    /// Its purpose, for the evidence.
    pub(super) what: &'static str,
    pub(super) select: Vec<String>,
    pub(super) plugins: Option<&'a [String]>,
    pub(super) variant: Variant,
}

/// One judgement: all its runs are confined in the same way and kept in one file.
pub(super) struct Sitting<'s, 'a> {
    pub(super) arbiter: &'s mut Arbiter<'a>,
    pub(super) base: &'s TreeId,
    pub(super) confinement: Confinement,
    pub(super) evidence: Evidence,
    /// Actions of project code in any of its runs.
    pub(super) deeds: BTreeSet<Deed>,
    /// The same for readers: nothing of the project is there.
    reading: Confinement,
    kept: PathBuf,
    pub(super) told: &'s mut dyn FnMut(Told<'_>),
}

impl Sitting<'_, '_> {
    pub(super) fn objects(&self) -> Objects<'_> {
        self.arbiter.place.repository.objects()
    }

    pub(super) fn bench(&mut self) -> &mut Bench {
        &mut self.arbiter.bench
    }

    pub(super) fn directory(&self) -> &Path {
        self.arbiter.bench.directory()
    }

    /// Values that must not be readable in any output.
    pub(super) fn confidential(&self) -> &[String] {
        self.arbiter.bench.extras().confidential()
    }

    pub(super) fn level(&self) -> SandboxLevel {
        self.reading.sandbox.level()
    }

    /// The cache.
    pub(super) fn memory(&self) -> Option<Memory> {
        let remembers = self.arbiter.remembers;
        remembers.then(|| Memory::of(self.arbiter, self.level()))?
    }

    /// The readers of the files of every part, which do not run them.
    pub(super) fn readers(&self) -> Readers<'_> {
        self.arbiter.readers_within(&self.reading)
    }

    /// Checks out a tree as it is.
    pub(super) fn show(&mut self, tree: &TreeId) -> Result<(), GateError> {
        let repository = self.arbiter.place.repository;
        self.arbiter.bench.show(repository, tree)
    }

    /// To be called after something ran that could have written to the bench: only a sandbox keeps it from that.
    pub(super) fn ran(&mut self) {
        if self.level() == SandboxLevel::Off {
            self.arbiter.bench.invalidate();
        }
    }

    /// Runs the tests that lie on the bench.
    pub(super) fn run(&mut self, wanted: &Wanted<'_>) -> Result<Observation, GateError> {
        Ok(self.run_within(wanted, None)?.observation)
    }

    /// The same with a limit for each test, and with all that is known of it.
    pub(super) fn run_within(
        &mut self,
        wanted: &Wanted<'_>,
        limit: Option<&TestLimit>,
    ) -> Result<Carried, GateError> {
        let order = self.order(wanted, &Watched::Nothing);
        self.carry_out(&order, wanted.what, limit)
    }

    /// A run of each part that is concerned, on the bench unless it is moved to another.
    pub(super) fn order(&self, wanted: &Wanted<'_>, watched: &Watched) -> Order {
        let runs = self.arbiter.parts.iter().filter_map(|part| {
            let select = part.selected(&wanted.select)?;
            Some((part.clone(), self.run_of(part, select, wanted, watched)))
        });
        Order(runs.collect())
    }

    fn run_of(
        &self,
        part: &Part,
        select: Vec<String>,
        wanted: &Wanted<'_>,
        watched: &Watched,
    ) -> TestRun {
        let arbiter = &*self.arbiter;
        let tree = arbiter.bench.directory().to_owned();
        let root = part.root().to_owned();
        let checkout = Some(arbiter.place.repository.top().to_owned());
        let timeout = Duration::from_secs(part.settings.timeout_seconds);
        let environment = arbiter.place.surroundings.all().clone();
        let confinement = Some(self.confinement.clone());
        match &part.command {
            TestCommand::Pytest(command) => TestRun::Pytest(Box::new(PytestRun {
                command: command.clone(),
                tree,
                root,
                checkout,
                timeout,
                select,
                plugins: wanted.plugins.map(<[String]>::to_vec),
                variant: wanted.variant,
                watched: part.watched(watched),
                programs: arbiter.programs.get().cloned().flatten(),
                environment,
                confinement,
            })),
            TestCommand::Node(command) => TestRun::Node(Box::new(NodeRun {
                command: command.clone(),
                tree,
                root,
                checkout,
                timeout,
                select,
                variant: wanted.variant,
                unchecked: Vec::new(),
                environment,
                confinement,
            })),
        }
    }

    /// Carries an order out, and keeps its result.
    pub(super) fn carry_out(
        &mut self,
        order: &Order,
        what: &str,
        limit: Option<&TestLimit>,
    ) -> Result<Carried, GateError> {
        let arbiter = &*self.arbiter;
        let mut mask = LineMask::default();
        let told = &mut *self.told;
        told(Told::Check(what));
        let (launcher, interrupt) = (arbiter.place.launcher, arbiter.place.interrupt);
        let ended = order.carry_out(limit, launcher, interrupt, &mut |line| {
            told(Told::Line(&mask.line(line)));
        });
        self.ran();
        let mut outcomes = ended?;
        for outcome in &mut outcomes {
            if let Ok(report) = &outcome.observation.report {
                self.deeds.extend(report.deeds.iter().cloned());
            }
            let observation = outcome.observation.clone().masked(self.confidential());
            self.evidence
                .add(what, &outcome.command, &observation, outcome.elapsed);
            outcome.observation = observation;
        }
        Ok(Carried::of(outcomes))
    }

    /// Writes the evidence of the runs.
    pub(super) fn keep(&mut self) -> Result<Vec<GateRun>, GateError> {
        let evidence = std::mem::take(&mut self.evidence);
        self.keep_text(evidence.text())?;
        Ok(evidence.into_runs())
    }

    /// Writes down other words about it.
    pub(super) fn keep_text(&self, text: &str) -> Result<(), GateError> {
        Ok(write_own(&self.kept, text.as_bytes()).map_err(OwnFileError::at(&self.kept))?)
    }

    /// The written evidence.
    pub(super) fn kept_text(&self) -> Result<String, GateError> {
        Ok(std::fs::read_to_string(&self.kept).map_err(OwnFileError::at(&self.kept))?)
    }

    /// The name of the file in which it is kept.
    pub(super) fn kept(&self) -> String {
        let name = self.kept.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}
