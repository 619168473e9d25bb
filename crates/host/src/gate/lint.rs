//! Running linters on the changed files of a tree.
//!
//! They run where the tests do, equally confined, with the base's rules: a change that switches rules off is linted by
//! the old ones. Their findings are compared with the base's, which is linted only if there are any.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::lint::{LintRun, Linter, Voice, is_lint_configuration, judge_lint};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;
use proctor_core::secrets::{LineMask, mask_secrets, mask_values};
use proctor_core::workflow::LintResult;

use super::arbiter::{Arbiter, Place, Sitting};
use super::{FEEDBACK_BYTES, GateError, Told};
use crate::files::OwnFileError;
use crate::process::{Environment, Job, variable, watch};
use crate::project::FoundLinter;
use crate::test_runner::judged_environment;

/// A linter and how it is called.
#[derive(Debug, Clone)]
pub struct LintCall {
    voice: Voice,
    /// None if it is nowhere.
    program: Option<PathBuf>,
    /// Its words for people, without the files.
    words: Vec<String>,
}

impl LintCall {
    /// The linter of the project's settings; `program` is the path of its first word.
    pub fn configured(words: &[String], program: PathBuf) -> Self {
        Self {
            voice: Linter::of_command(words).map_or(Voice::Unknown, Voice::Likely),
            program: Some(program),
            words: words.to_vec(),
        }
    }

    /// A linter that was found automatically.
    pub fn found(found: &FoundLinter) -> Self {
        let mut words = vec![found.linter.program().to_owned()];
        words.extend(found.linter.arguments().iter().map(ToString::to_string));
        Self {
            voice: Voice::Known(found.linter),
            program: found.program.clone(),
            words,
        }
    }

    fn linter(&self) -> Option<Linter> {
        match self.voice {
            Voice::Known(linter) | Voice::Likely(linter) => Some(linter),
            Voice::Unknown => None,
        }
    }

    /// The files that it has something to say about. A command that is not known is given all of them.
    fn takes<'a>(&self, files: &[&'a str]) -> Vec<&'a str> {
        let linter = self.linter();
        let wanted = |path: &str| linter.is_none_or(|linter| linter.takes(path));
        files.iter().copied().filter(|path| wanted(path)).collect()
    }

    fn arguments(&self, files: &[&str]) -> Vec<OsString> {
        let takes_files = self.linter().is_none_or(Linter::takes_files);
        let files = files.iter().filter(|_| takes_files);
        let words = self.words.iter().skip(1).map(String::as_str);
        words.chain(files.copied()).map(OsString::from).collect()
    }

    /// Everything that is called, for people.
    fn shown_with(&self, files: &[&str]) -> String {
        let arguments = self.arguments(files).into_iter();
        let arguments = arguments.map(|word| word.to_string_lossy().into_owned());
        shell_words::join(self.words.first().cloned().into_iter().chain(arguments))
    }

    fn shown(&self) -> String {
        shell_words::join(&self.words)
    }
}

/// A change that is to be linted.
#[derive(Debug, Clone, Copy)]
pub struct LintRequest<'a> {
    /// Everything together.
    pub tree: &'a TreeId,
    /// The files that it changes.
    pub files: &'a [ProjectPath],
    /// The linters to run.
    pub calls: &'a [LintCall],
}

impl Arbiter<'_> {
    /// Runs every linter, and combines their results.
    pub fn lint(
        &mut self,
        base: &TreeId,
        request: &LintRequest<'_>,
        name: &str,
        told: &mut dyn FnMut(Told<'_>),
    ) -> Result<LintResult, GateError> {
        self.sit(base, name, told)?.lint(request)
    }
}

impl Sitting<'_, '_> {
    fn lint(&mut self, request: &LintRequest<'_>) -> Result<LintResult, GateError> {
        let mut evidence = String::new();
        let mut result = LintResult::Absent;
        for call in request.calls {
            result = result.and(self.ask(request, call, &mut evidence)?);
        }
        if result != LintResult::Absent {
            self.keep_text(&evidence)?;
        }
        if let LintResult::Complaints { output, .. } = &mut result {
            *output = tail(output, FEEDBACK_BYTES);
        }
        Ok(result)
    }

    fn ask(
        &mut self,
        request: &LintRequest<'_>,
        call: &LintCall,
        evidence: &mut String,
    ) -> Result<LintResult, GateError> {
        self.show_linted(request.tree)?;
        let changed: Vec<&str> = request.files.iter().map(ProjectPath::as_str).collect();
        let files = self.present(&call.takes(&changed));
        if files.is_empty() {
            return Ok(LintResult::Absent);
        }
        let Some(program) = &call.program else {
            let reason = "the project configures it, but it is neither in its environment nor on the search path";
            return Ok(LintResult::Unusable {
                command: call.shown(),
                reason: reason.to_owned(),
            });
        };
        let root = self.directory().to_string_lossy().into_owned();
        let now = self.run_linter(call, program, &files, "the change", evidence)?;
        let judge = |before| judge_lint(call.voice, call.shown(), &files, &root, &now, before);
        let first = judge(None);
        if !matches!(first, LintResult::Complaints { .. }) {
            return Ok(first);
        }
        self.show(self.base)?;
        let at_base = self.present(&files);
        if at_base.is_empty() {
            return Ok(first);
        }
        let before = self.run_linter(call, program, &at_base, "the base", evidence)?;
        Ok(judge(Some(&before)))
    }

    /// Those of the files that lie on the bench.
    fn present<'a>(&self, files: &[&'a str]) -> Vec<&'a str> {
        let directory = self.directory();
        let files = files.iter().copied();
        files
            .filter(|path| directory.join(path).is_file())
            .collect()
    }

    /// Checks out a tree with the base's rules for linters.
    fn show_linted(&mut self, tree: &TreeId) -> Result<(), GateError> {
        let (repository, base) = (self.arbiter.place.repository, self.base);
        self.show(tree)?;
        for file in repository.objects().changed_files(base, tree)? {
            let path = std::str::from_utf8(&file.path)
                .ok()
                .and_then(|path| ProjectPath::parse(path).ok())
                .filter(is_lint_configuration);
            if let Some(path) = path {
                let before = repository.objects().files_at(base, &[path.as_str()])?.pop();
                self.bench().alter(&path, before.flatten().as_deref())?;
            }
        }
        Ok(())
    }

    fn run_linter(
        &mut self,
        call: &LintCall,
        program: &Path,
        files: &[&str],
        what: &str,
        evidence: &mut String,
    ) -> Result<LintRun, GateError> {
        let scratch = tempfile::Builder::new()
            .prefix("proctor-lint-")
            .tempdir()
            .map_err(OwnFileError::at(&std::env::temp_dir()))?;
        let place = self.arbiter.place;
        let directory = self.directory().to_owned();
        let limit = Duration::from_secs(self.arbiter.settings.test.timeout_seconds);
        let mut job = Job::new(program, &directory, limit);
        job.arguments = call.arguments(files);
        job.environment = environment(place, program, scratch.path());
        let mut confinement = self.confinement.clone();
        confinement.read_only.insert(0, directory);
        confinement.writable.push(scratch.path().to_owned());
        job.confinement = Some(confinement);
        let mut mask = LineMask::default();
        let told = &mut *self.told;
        let ended = watch(&job, place.launcher, place.interrupt, &mut |line| {
            told(Told::Line(&mask.line(line)));
        });
        self.ran();
        let finished = ended.map_err(GateError::Linter)?;
        let mut output = finished.output.text();
        mask_values(&mut output, self.confidential());
        let run = LintRun {
            exit: finished.exit,
            output: mask_secrets(&output).into_owned(),
        };
        let _ = writeln!(
            evidence,
            "== {what}\n$ {}\n{}\n{:?}",
            call.shown_with(files),
            run.output,
            run.exit
        );
        Ok(run)
    }
}

/// Everything that a linter gets to see of the environment.
fn environment(place: Place<'_>, program: &Path, scratch: &Path) -> Environment {
    let all = place.surroundings.all();
    let mut environment = judged_environment(all, Some(place.repository.top()), program);
    let mut set = |name: &str, value: OsString| environment.push((name.into(), value));
    for name in ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"] {
        if let Some(value) = variable(all, name) {
            set(name, value.to_owned());
        }
    }
    set("LANG", "C.UTF-8".into());
    set("NO_COLOR", "1".into());
    set("TMPDIR", scratch.into());
    set("CARGO_TARGET_DIR", scratch.join("target").into());
    set("PYTHONDONTWRITEBYTECODE", "1".into());
    // A file of the tree must not be loaded as a module of the linter.
    set("PYTHONSAFEPATH", "1".into());
    set("RUFF_NO_CACHE", "true".into());
    set("RUFF_OUTPUT_FORMAT", "concise".into());
    environment
}

fn tail(text: &str, limit: usize) -> String {
    let start = text.ceil_char_boundary(text.len().saturating_sub(limit));
    text[start..].to_owned()
}
