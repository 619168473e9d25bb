//! Intake: everything a run is started with, read and checked before anything is created.
//!
//! The model's input is read once, here, and stored with the run; a resumed run works with the same document, context
//! and settings, whatever happens to the files later.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proctor_core::dialect::{Runner, is_test_file};
use proctor_core::failure::{Explained, Kind};
use proctor_core::imports::imported_files;
use proctor_core::limits::{
    ContextFile, ContextProblem, Portion, ProblemKind, check_secrets, check_total, text_of,
};
use proctor_core::lld::{self, ChangeType, EntryKind, LldProblem, LowLevelDesign, PlannedFile};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_core::secrets::{AllowedSecrets, secret_name};
use proctor_core::tokens::count_tokens;
use proctor_core::workflow::ContextLoaded;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::{ContextArguments, Root, load_context};
use crate::git::{Entries, GitError, Repository};
use crate::settings::Settings;
use crate::test_runner::TestCommand;

/// Stored with the run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Inputs {
    /// Where the design document was.
    pub document_path: PathBuf,
    /// Its text at the start.
    pub document: String,
    /// Context files: path and text, in the order given.
    pub context: Vec<(String, String)>,
    /// The planned files.
    pub loaded: ContextLoaded,
    /// The model, as `--model` names it.
    pub model: String,
    /// `proctor.toml` as it was.
    pub settings: Settings,
    /// The commands for the tests of each part of the repository.
    #[serde(alias = "test_command", deserialize_with = "one_or_several")]
    pub test_commands: Vec<TestCommand>,
    /// Where replies are recorded.
    pub record: Option<PathBuf>,
}

impl Inputs {
    /// The runner of the tests; that of the first part where there are several.
    pub fn runner(&self) -> Runner {
        let first = self.test_commands.first();
        first.map(TestCommand::runner).unwrap_or_default()
    }
}

/// Earlier versions stored the words of the one command that there was.
fn one_or_several<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<TestCommand>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        One(Vec<String>),
        Several(Vec<TestCommand>),
    }
    Ok(match Stored::deserialize(deserializer)? {
        Stored::One(words) if !words.is_empty() => {
            let words = words.into_iter().map(Into::into).collect();
            vec![TestCommand::Pytest(words)]
        }
        Stored::One(_) => Vec::new(),
        Stored::Several(commands) => commands,
    })
}

/// The result of intake, for `--dry-run` and for starting a run.
#[derive(Debug)]
pub struct Intake {
    /// The document, understood.
    pub design: LowLevelDesign,
    /// Its text.
    pub document: String,
    /// The context files.
    pub context: Vec<ContextFile>,
    /// The planned files, and the total of tokens.
    pub loaded: ContextLoaded,
    /// The portions sent, in order: the document, the files that it lists, the context.
    pub portions: Vec<Portion>,
    /// Weaknesses of the document that do not stop a run.
    pub warnings: Vec<LldProblem>,
}

/// Why a run cannot start with this.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// The design document cannot be read.
    #[error("the design document {} cannot be read: {source}", path.display())]
    Document {
        /// The file's path.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// It lists no file that could be worked on.
    #[error("the design document {} has no usable list of files: {reason}", path.display())]
    NoFiles {
        /// The file's path.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// Context files that may not be sent, all of them.
    #[error("{}", summary(.0))]
    Context(Vec<ContextProblem>),
    /// The root cannot be opened.
    #[error("the repository's root cannot be opened: {0}")]
    Root(std::io::Error),
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Explained for IntakeError {
    fn kind(&self) -> Kind {
        match self {
            Self::Document { .. } => Kind::Usage,
            Self::NoFiles { .. } => Kind::Refused,
            Self::Context(_) => Kind::Safety,
            Self::Root(_) => Kind::Environment,
            Self::Git(error) => error.kind(),
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Document { .. } => "name an existing Markdown file with --lld",
            Self::NoFiles { .. } => {
                "list at least one file that is not a test, in a table `| File | Change Type | Description |` under a heading `Files Changed`"
            }
            Self::Context(problems) if problems.iter().all(is_about_document) => {
                "nothing was created and nothing was sent; correct the document"
            }
            Self::Context(_) => {
                "nothing was created and nothing was sent; leave these files out of --context"
            }
            Self::Root(_) => "fix its permissions; nothing was created",
            Self::Git(error) => return error.hints(),
        };
        let mut hints = vec![hint.to_owned()];
        let is_secret = |problem: &ContextProblem| problem.kind == ProblemKind::SecretContent;
        if self.problems().iter().any(is_secret) {
            hints.push(
                "a finding that is not a secret passes with --allow-secret FINGERPRINT".to_owned(),
            );
        }
        hints
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for IntakeError {
    fn samples() -> Vec<Self> {
        let problems = crate::files::sample_problems;
        let mut samples = proctor_core::samples!(IntakeError {
            IntakeError::Document { .. } => IntakeError::Document { path: "PATH".into(), source: std::io::Error::other("REASON") },
            IntakeError::NoFiles { .. } => IntakeError::NoFiles { path: "PATH".into(), reason: "REASON".to_owned() },
            IntakeError::Context(_) => IntakeError::Context(problems().into_iter().take(2).collect()),
            IntakeError::Root(_) => IntakeError::Root(std::io::Error::other("REASON")),
            IntakeError::Git(_) => IntakeError::Git(GitError::sample()),
        });
        let one_by_one = problems().into_iter();
        samples.extend(one_by_one.map(|problem| IntakeError::Context(vec![problem])));
        samples
    }
}

impl IntakeError {
    /// All obstacles.
    pub fn problems(&self) -> &[ContextProblem] {
        match self {
            Self::Context(problems) => problems,
            _ => &[],
        }
    }
}

/// Whether the problem is in the document's own text.
fn is_about_document(problem: &ContextProblem) -> bool {
    problem.kind == ProblemKind::LldInvalidPath
}

/// How many problems are printed one by one.
const PROBLEMS_SHOWN: usize = 20;

/// Documents and context that stay here; the first of them one by one.
fn summary(problems: &[ContextProblem]) -> String {
    let (shown, rest) = problems.split_at(problems.len().min(PROBLEMS_SHOWN));
    let mut lines: Vec<String> = shown.iter().map(ToString::to_string).collect();
    if problems.len() > 1 {
        lines.insert(
            0,
            format!("{} problems with what is to be sent", problems.len()),
        );
    }
    if !rest.is_empty() {
        lines.push(format!("and {} more; --format json lists all", rest.len()));
    }
    lines.join("\n")
}

impl Intake {
    /// Has the tokenizer's vocabulary loaded beside other work; it takes a moment the first time.
    pub fn prepare() {
        std::thread::spawn(|| count_tokens(""));
    }

    /// Reads and checks document and context against the base commit. Creates nothing.
    pub fn read(
        repository: &Repository,
        base: &CommitId,
        document_path: &Path,
        context: &ContextArguments<'_>,
        settings: &Settings,
    ) -> Result<Self, IntakeError> {
        let mut found = Examination::of(
            repository,
            Some(base),
            Some(document_path),
            context,
            settings,
        )?;
        if !found.refusals.is_empty() {
            return Err(IntakeError::Context(found.refusals));
        }
        if let Some(error) = found.without_files(document_path) {
            return Err(error);
        }
        let tokens = found.tokens();
        let is_shown = |path: &str| {
            let mut listed = found.sources.iter().chain(&found.tests);
            listed.any(|file| file.change == ChangeType::Modify && file.path.as_str() == path)
        };
        let (_, context) = std::mem::take(&mut found.context)
            .into_iter()
            .partition(|file| is_shown(&file.path));
        // Proctor never deletes tests, even if a document says so; the red gate would object.
        let kept = |file: &PlannedFile| file.change != ChangeType::Delete;
        Ok(Self {
            loaded: ContextLoaded {
                sources: ordered(found.sources),
                tests: found.tests.into_iter().filter(kept).collect(),
                tokens,
            },
            portions: found.portions,
            design: found.design,
            document: found.document,
            context,
            warnings: found.weaknesses,
        })
    }
}

/// All facts about a document and context files, good and bad, without starting anything.
#[derive(Debug, Default)]
pub struct Examination {
    /// The document, understood; empty if none was given.
    pub design: LowLevelDesign,
    /// Its text.
    pub document: String,
    /// Its files that are not tests, settled against the existing ones.
    pub sources: Vec<PlannedFile>,
    /// Its test files.
    pub tests: Vec<PlannedFile>,
    /// The context files that may be sent.
    pub context: Vec<ContextFile>,
    /// The portions that would be sent, in order: the document, the files that it lists, the context.
    pub portions: Vec<Portion>,
    /// The document's weaknesses; only a list without files stops a run.
    pub weaknesses: Vec<LldProblem>,
    /// Files that the listed ones import and that the model would not be shown.
    pub suggested: Vec<String>,
    /// All files that may not be sent.
    pub refusals: Vec<ContextProblem>,
}

impl Examination {
    /// Looks at all of it. `base` is absent in a repository without a commit; the document's path is meant from where
    /// the context's are.
    pub fn of(
        repository: &Repository,
        base: Option<&CommitId>,
        document_path: Option<&Path>,
        context: &ContextArguments<'_>,
        settings: &Settings,
    ) -> Result<Self, IntakeError> {
        let root = Root::open(repository.top()).map_err(IntakeError::Root)?;
        let mut found = Self::default();
        if let Some(path) = document_path {
            found.read_document(repository, base, path, settings, context)?;
        }
        let (files, refusals) = load_context(&root, context);
        // The model is shown a listed file anyway, as it is at the base.
        let is_listed =
            |file: &&ContextFile| found.portions.iter().any(|known| known.name == file.path);
        let others = files.iter().filter(|file| !is_listed(file));
        let others: Vec<Portion> = others
            .map(|file| Portion {
                name: file.path.clone(),
                bytes: file.bytes,
                tokens: file.tokens,
            })
            .collect();
        found.portions.extend(others);
        found
            .suggested
            .retain(|path| files.iter().all(|file| file.path != *path));
        found.context = files;
        found.refusals.extend(refusals);
        found.refusals.extend(check_total(&found.portions));
        Ok(found)
    }

    /// Why the document at `path` is of no use, if it lists nothing to work on.
    pub fn without_files(&self, path: &Path) -> Option<IntakeError> {
        if !self.sources.is_empty() {
            return None;
        }
        let fatal = self.weaknesses.iter().find(|problem| problem.is_fatal());
        let reason = fatal.map_or("only tests are listed", |problem| problem.message.as_str());
        Some(IntakeError::NoFiles {
            path: path.to_owned(),
            reason: reason.to_owned(),
        })
    }

    /// Estimated tokens of it all.
    pub fn tokens(&self) -> usize {
        self.portions.iter().map(|portion| portion.tokens).sum()
    }

    fn read_document(
        &mut self,
        repository: &Repository,
        base: Option<&CommitId>,
        path: &Path,
        settings: &Settings,
        context: &ContextArguments<'_>,
    ) -> Result<(), IntakeError> {
        let allowed = context.allowed;
        let read = read_document(&context.here.join(path));
        let (bytes, size) = read.map_err(|source| IntakeError::Document {
            path: path.to_owned(),
            source,
        })?;
        let name = path.display().to_string();
        match text_of(bytes) {
            Ok(text) if text.len() as u64 <= MAX_DOCUMENT_BYTES => self.document = text,
            Ok(_) => {
                let message = format!(
                    "the document has {size} bytes, more than the limit of {MAX_DOCUMENT_BYTES} (4 MB)"
                );
                self.refuse(ProblemKind::TooLarge, message, &name);
            }
            Err(reason) => self.refuse(ProblemKind::NotText, reason.to_string(), &name),
        }
        self.refusals
            .extend(check_secrets(&name, &self.document, allowed));
        self.portions
            .push(Portion::of(name.clone(), &self.document));
        let tree = base
            .map(|base| repository.objects().tree_of(base))
            .transpose()?;
        let entries = match &tree {
            Some(tree) => repository.objects().entries(tree)?,
            None => Arc::default(),
        };
        let exists = |path: &str| entry_kind(&entries, path);
        self.design = lld::parse(&self.document);
        let (invalid, weak) = lld::check(&self.design, &exists)
            .into_iter()
            .partition(|problem| problem.kind == ProblemKind::LldInvalidPath);
        self.weaknesses = weak;
        self.refusals.extend(
            invalid
                .into_iter()
                .map(|problem: LldProblem| problem.into_context_problem(&name)),
        );
        let planned = lld::resolve(&self.design, &exists);
        if let Some(tree) = &tree {
            self.read_listed(repository, tree, &planned, allowed)?;
            let is_listed = |path: &String| planned.iter().any(|file| file.path.as_str() == path);
            self.suggested.retain(|path| !is_listed(path));
        }
        self.refusals.extend(secret_names(&planned));
        (self.tests, self.sources) = planned
            .into_iter()
            .partition(|file| is_test_file(file.path.as_str(), &settings.test.paths));
        Ok(())
    }

    /// The listed files that exist at the base: the model is shown them as they are.
    fn read_listed(
        &mut self,
        repository: &Repository,
        tree: &TreeId,
        listed: &[PlannedFile],
        allowed: &AllowedSecrets,
    ) -> Result<(), GitError> {
        let paths: Vec<&str> = listed
            .iter()
            .filter(|file| file.change != ChangeType::Delete)
            .map(|file| file.path.as_str())
            .collect();
        let contents = repository.objects().files_at(tree, &paths)?;
        let entries = repository.objects().entries(tree)?;
        for (path, content) in paths.into_iter().zip(contents) {
            match content.map(text_of) {
                None => {}
                Some(Ok(text)) => {
                    self.suggest(path, &text, &entries);
                    self.refusals.extend(check_secrets(path, &text, allowed));
                    self.portions.push(Portion::of(path, &text));
                }
                Some(Err(reason)) => self.refuse(ProblemKind::NotText, reason.to_string(), path),
            }
        }
        Ok(())
    }

    /// Suggests the imports of a listed file, if they may be sent.
    fn suggest(&mut self, path: &str, text: &str, entries: &Entries) {
        let Ok(path) = ProjectPath::parse(path) else {
            return;
        };
        for file in imported_files(&path, text, &|file| entries.contains_key(file)) {
            if secret_name(&file).is_none() && !self.suggested.contains(&file) {
                self.suggested.push(file);
            }
        }
    }

    fn refuse(&mut self, kind: ProblemKind, message: String, location: &str) {
        self.refusals.push(ContextProblem {
            kind,
            message,
            location: location.to_owned(),
        });
    }
}

/// A document that is longer than this always has more tokens than a run may send.
const MAX_DOCUMENT_BYTES: u64 = 4 * 1024 * 1024;

/// At most one byte more than is allowed, so that not even a device is read for ever; and the size of all of it.
fn read_document(path: &Path) -> std::io::Result<(Vec<u8>, u64)> {
    use std::io::Read as _;
    let mut content = Vec::new();
    let file = std::fs::File::open(path)?;
    let size = file.metadata()?.len();
    file.take(MAX_DOCUMENT_BYTES + 1)
        .read_to_end(&mut content)?;
    let size = size.max(content.len() as u64);
    Ok((content, size))
}

/// Listed files whose names say that they hold secrets: their contents would go to the model.
fn secret_names(listed: &[PlannedFile]) -> Vec<ContextProblem> {
    let problems = listed.iter().filter_map(|file| {
        let rule = secret_name(file.path.as_str())?;
        Some(ContextProblem {
            kind: ProblemKind::SecretName,
            message: format!(
                "the document lists a file named like a secret ({rule}), which is never sent"
            ),
            location: file.path.to_string(),
        })
    });
    problems.collect()
}

/// Additions first, because modified files usually use them; deletions last. Otherwise in the document's order.
fn ordered(mut sources: Vec<PlannedFile>) -> Vec<PlannedFile> {
    sources.sort_by_key(|file| match file.change {
        ChangeType::Add => 0,
        ChangeType::Modify => 1,
        ChangeType::Delete => 2,
    });
    sources
}

fn entry_kind(entries: &Entries, path: &str) -> Option<EntryKind> {
    let path = path.trim_end_matches('/');
    if entries.contains_key(path) {
        return Some(EntryKind::File);
    }
    let below = format!("{path}/");
    let next = entries.range(below.clone()..).next();
    next.is_some_and(|(found, _)| found.starts_with(&below))
        .then_some(EntryKind::Directory)
}
