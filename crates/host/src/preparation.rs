//! Files that a project's tests need besides those in git.
//!
//! Gates run in a directory that is checked out from git's objects, without any file that git ignores: no generated
//! version file, no built extension, no local settings. `[worktree] setup` makes such things and `copy_ignored` names
//! those to be taken from the checkout. Both happen once for each base, in a copy of the base commit and before any of
//! the model's files exist; the result is kept apart and copied into every judged tree, where git has nothing. Packages
//! that are installed in the checkout's `node_modules` are linked one by one.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proctor_core::failure::{Explained, Kind};
use proctor_core::object_id::TreeId;
use proctor_core::path::{INSTALLED_DIRECTORIES, ProjectPath};
use proctor_core::safe_write::sha256;
use proctor_core::secrets::{LineMask, mask_secrets, secret_name};
use proctor_core::test_outcome::Exit;
use thiserror::Error;

use crate::crash_point::crash_point;
use crate::files::{
    FileError, OwnFileError, Root, overlay, remove_own_directory, strip, write_own,
};
use crate::git::{GitError, Repository};
use crate::process::{Environment, Interrupt, Job, Launcher, ProcessError, watch};
use crate::settings::WorktreeSettings;
use crate::test_runner::{farm, readable};

/// Shorter values are too common to be taken out of every text.
const SHORTEST_SECRET: usize = 6;

/// Why the files cannot be prepared.
#[derive(Debug, Error)]
pub enum PreparationError {
    /// The setup command could not be started.
    #[error("the setup command cannot be run: {0}")]
    Process(ProcessError),
    /// It did not end well.
    #[error("the setup command `{command}` {reason}")]
    Setup {
        /// The command, for people.
        command: String,
        /// How it ended, and its last words.
        reason: String,
        /// Where all of its words are.
        evidence: PathBuf,
    },
    /// A file that is to be copied cannot be.
    #[error("a file of `copy_ignored` cannot be copied: {0}")]
    Copy(FileError),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A directory or file of Proctor's own could not be written.
    #[error(transparent)]
    Own(#[from] OwnFileError),
}

impl Explained for PreparationError {
    fn kind(&self) -> Kind {
        match self {
            Self::Process(ProcessError::Interrupted) => Kind::Interrupted,
            _ => Kind::Environment,
        }
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::Process(ProcessError::Interrupted) => return Vec::new(),
            Self::Setup { evidence, .. } => format!(
                "all that it printed is in {}; if the command itself is wrong, fix `[worktree] setup`, abort the run and start again",
                evidence.display()
            ),
            Self::Process(_) => {
                "install it, or fix `[worktree] setup`, abort the run and start again".to_owned()
            }
            Self::Copy(_) => {
                "put it there, or fix `copy_ignored` under `[worktree]`, abort the run and start again".to_owned()
            }
            Self::Git(error) => return error.hints(),
            Self::Own(error) => return error.hints(),
        }]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for PreparationError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(PreparationError {
            PreparationError::Process(_) => PreparationError::Process(ProcessError::NotFound { program: "PROGRAM".into() }),
            PreparationError::Setup { .. } => PreparationError::Setup {
                command: "COMMAND".to_owned(),
                reason: "ended with code 1: REASON".to_owned(),
                evidence: "PATH".into(),
            },
            PreparationError::Copy(_) => PreparationError::Copy(FileError::Missing { path: "PATH".to_owned() }),
            PreparationError::Git(_) => PreparationError::Git(GitError::sample()),
            PreparationError::Own(_) => PreparationError::Own(OwnFileError::sample()),
        })
    }
}

/// The files that are copied into every judged tree.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// A directory with files that git does not have.
    files: Option<PathBuf>,
    /// The checkout, where packages are installed in it.
    checkout: Option<PathBuf>,
    /// Their directories, and the targets of links among them.
    packages: Vec<PathBuf>,
    /// Values in copied files that are named like secrets.
    confidential: Vec<String>,
}

impl Extras {
    /// Whether there are files that git does not have.
    pub(crate) fn has_files(&self) -> bool {
        self.files.is_some()
    }

    /// Whether there are installed packages.
    pub(crate) fn has_packages(&self) -> bool {
        self.checkout.is_some()
    }

    /// The paths that have to be readable in the sandbox.
    pub fn exposed(&self) -> Vec<PathBuf> {
        let packages = self.packages.iter().cloned();
        self.files.clone().into_iter().chain(packages).collect()
    }

    /// The values that must not be readable in the tests' output.
    pub fn confidential(&self) -> &[String] {
        &self.confidential
    }

    /// Whether a file of a tree is where one of these would be.
    pub(crate) fn is_in_the_way_of(&self, path: &ProjectPath) -> bool {
        path.components()
            .any(|name| INSTALLED_DIRECTORIES.contains(&name))
            || self
                .files
                .as_ref()
                .is_some_and(|files| files.join(path.as_str()).symlink_metadata().is_ok())
    }

    /// Lays them over a tree.
    pub(crate) fn lay_over(&self, directory: &Path) -> std::io::Result<()> {
        if let Some(files) = &self.files {
            overlay(files, directory)?;
        }
        match &self.checkout {
            Some(checkout) => farm(checkout, directory),
            None => Ok(()),
        }
    }
}

/// Everything that it takes to prepare.
pub struct Preparation<'a> {
    /// The repository; its checkout has the files to copy.
    pub repository: &'a Repository,
    /// `[worktree]` of the settings that the run was started with.
    pub settings: &'a WorktreeSettings,
    /// A directory of Proctor's own, for the prepared files.
    pub directory: PathBuf,
    /// Where the setup command's output is kept.
    pub evidence: PathBuf,
    /// How the command is started.
    pub launcher: &'a Launcher,
    /// Ctrl-C.
    pub interrupt: &'a Interrupt,
    /// The person's own environment, whole: package managers need their configuration.
    pub environment: &'a Environment,
    /// Receives the command's output while it appears.
    pub on_line: &'a mut dyn FnMut(&str),
}

impl Preparation<'_> {
    /// The files for `base`, made unless they exist.
    pub fn prepare(&mut self, base: &TreeId) -> Result<Extras, PreparationError> {
        let mut extras = self.packages(base)?;
        if self.settings.setup.is_empty() && self.settings.copy_ignored.is_empty() {
            return Ok(extras);
        }
        let files = self.directory.join("files");
        let marker = self.directory.join("complete");
        let wanted = self.fingerprint(base);
        if std::fs::read_to_string(&marker).ok().as_deref() != Some(wanted.as_str()) {
            self.make(base, &files)?;
            crash_point("prepared");
            write_own(&marker, wanted.as_bytes()).map_err(|source| self.own(source))?;
        }
        extras.confidential = self.confidential(&files);
        extras.files = Some(files);
        Ok(extras)
    }

    /// The packages that are installed in the checkout, for the repository and for packages in it.
    fn packages(&self, base: &TreeId) -> Result<Extras, PreparationError> {
        let top = self.repository.top();
        let entries = self.repository.objects().entries(base)?;
        let manifests = entries
            .keys()
            .filter_map(|path| path.strip_suffix("package.json"));
        let own = manifests.filter(|place| place.is_empty() || place.ends_with('/'));
        let places = std::iter::once("").chain(own);
        let packages = readable(top, places).map_err(|source| self.own(source))?;
        let checkout = (!packages.is_empty()).then(|| top.to_owned());
        Ok(Extras {
            checkout,
            packages,
            ..Extras::default()
        })
    }

    fn make(&mut self, base: &TreeId, files: &Path) -> Result<(), PreparationError> {
        remove_own_directory(&self.directory).map_err(|source| self.own(source))?;
        std::fs::create_dir_all(files).map_err(|source| self.own(source))?;
        self.repository.objects().materialise(base, files)?;
        self.copy_ignored(files)?;
        crash_point("files copied");
        self.run_setup(files)?;
        // Files that git has are taken from git, as in the judged tree.
        let entries = self.repository.objects().entries(base)?;
        strip(files, entries.keys().map(String::as_str)).map_err(|source| self.own(source))
    }

    fn copy_ignored(&self, files: &Path) -> Result<(), PreparationError> {
        let top = self.repository.top();
        let checkout = Root::open(top).map_err(|source| self.own(source))?;
        let copy = Root::open_scratch(files).map_err(|source| self.own(source))?;
        for listed in &self.settings.copy_ignored {
            for path in below(top, listed) {
                let content = checkout.read(&path, u64::MAX - 1);
                let written = content.and_then(|content| copy.write(&path, &content, false));
                written.map_err(PreparationError::Copy)?;
            }
        }
        Ok(())
    }

    /// Runs the command as the person would: it is theirs, and so is every file that it sees.
    fn run_setup(&mut self, files: &Path) -> Result<(), PreparationError> {
        let Some((program, arguments)) = self.settings.setup.split_first() else {
            return Ok(());
        };
        let limit = Duration::from_secs(self.settings.setup_timeout_seconds);
        let mut job = Job::new(program, files, limit);
        job.arguments = arguments.iter().map(Into::into).collect();
        job.environment.clone_from(self.environment);
        let command = shell_words::join(&self.settings.setup);
        let mut mask = LineMask::default();
        let on_line = &mut *self.on_line;
        on_line(&format!("$ {command}"));
        let finished = watch(&job, self.launcher, self.interrupt, &mut |line| {
            on_line(&mask.line(line));
        })
        .map_err(PreparationError::Process)?;
        let output = finished.output.text();
        let output = mask_secrets(&output);
        let kept = format!("$ {command}\n{output}\n{:?}\n", finished.exit);
        write_own(&self.evidence, kept.as_bytes()).map_err(OwnFileError::at(&self.evidence))?;
        let mut reason = match finished.exit {
            Exit::Code(0) => return Ok(()),
            Exit::Code(code) => format!("ended with code {code}"),
            Exit::Signal(signal) => format!("was ended by signal {signal}"),
            Exit::TimedOut => format!("took more than {} seconds", limit.as_secs()),
        };
        let last = output.lines().rev().find(|line| !line.trim().is_empty());
        if let Some(last) = last {
            let _ = write!(reason, ": {}", last.trim());
        }
        Err(PreparationError::Setup {
            command,
            reason,
            evidence: self.evidence.clone(),
        })
    }

    /// Values of `NAME=VALUE` lines in copied files that are named like secrets.
    fn confidential(&self, files: &Path) -> Vec<String> {
        let listed = self.settings.copy_ignored.iter();
        let paths = listed.flat_map(|listed| below(files, listed));
        paths
            .filter(|path| secret_name(path.as_str()).is_some())
            .filter_map(|path| std::fs::read_to_string(files.join(path.as_str())).ok())
            .flat_map(|text| text.lines().filter_map(value).collect::<Vec<_>>())
            .collect()
    }

    /// Another base, command or list needs another preparation.
    fn fingerprint(&self, base: &TreeId) -> String {
        let mut everything = base.as_str().as_bytes().to_vec();
        for list in [&self.settings.setup, &self.settings.copy_ignored] {
            everything.push(0);
            for word in list {
                everything.extend_from_slice(word.as_bytes());
                everything.push(1);
            }
        }
        sha256(&everything)
    }

    fn own(&self, source: std::io::Error) -> PreparationError {
        OwnFileError::at(&self.directory)(source).into()
    }
}

/// A file, or every file below a directory; a missing one is noticed when it is read.
fn below(root: &Path, listed: &str) -> Vec<ProjectPath> {
    let Ok(path) = ProjectPath::parse(listed.trim_end_matches('/')) else {
        return Vec::new();
    };
    let is_directory = root
        .join(path.as_str())
        .symlink_metadata()
        .is_ok_and(|facts| facts.is_dir());
    if !is_directory {
        return vec![path];
    }
    let entries = std::fs::read_dir(root.join(path.as_str()));
    let mut names: Vec<_> = entries.into_iter().flatten().flatten().collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    names
        .iter()
        .filter_map(|entry| OsStr::to_str(&entry.file_name()).map(str::to_owned))
        .flat_map(|name| below(root, &format!("{path}/{name}")))
        .collect()
}

fn value(line: &str) -> Option<String> {
    let (_, value) = line.split_once('=')?;
    let value = value.trim().trim_matches(['"', '\'']);
    (value.len() >= SHORTEST_SECRET).then(|| value.to_owned())
}
