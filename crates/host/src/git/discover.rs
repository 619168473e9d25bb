//! The first look: which repository is this, and can we work in it?

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use proctor_core::failure::{Explained, Kind};
use serde_json::Value;
use thiserror::Error;

use super::GitError;
use super::checkout::Excludes;
use super::error::{failure, unexpected};
use super::invocation::Git;
use super::repository::Repository;
use crate::process::{Environment, Tool, ToolOutput, joined, variable};
use crate::surroundings::Surroundings;

/// The oldest git that can compute a merge without touching a checkout.
const FLOOR: (u32, u32) = (2, 38);

/// The variables by which the user's own git finds their configuration and name.
const USER_VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "USER",
    "LOGNAME",
    "EMAIL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
];

/// Why there is no repository to work in.
#[derive(Debug, Error)]
pub enum Discovery {
    /// Git is not installed.
    #[error("git is not installed, or not on the search path")]
    NoGit,
    /// There is one, but it is too old.
    #[error("git {found} is too old: Proctor needs {}.{} or newer", FLOOR.0, FLOOR.1)]
    TooOld {
        /// Its version, in its own words.
        found: String,
    },
    /// Not in a repository.
    #[error("{} is not inside a git repository: {message}", directory.display())]
    NotARepository {
        /// Where we looked.
        directory: PathBuf,
        /// Git's words.
        message: String,
    },
    /// Its files belong to another user, who could have git run anything.
    #[error("git does not trust {}, because it belongs to another user", directory.display())]
    NotTrusted {
        /// Where we looked.
        directory: PathBuf,
    },
    /// It has no checkout.
    #[error("{} is a bare repository: there is no checkout to work from", directory.display())]
    Bare {
        /// Where we looked.
        directory: PathBuf,
    },
    /// Git itself failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Explained for Discovery {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::NoGit => "install git 2.38 or newer",
            Self::TooOld { .. } => "upgrade git; if a newer one is installed, put it first on PATH",
            Self::NotARepository { .. } => {
                "run proctor inside a repository, or name one with -C DIR; `git init` makes one"
            }
            Self::NotTrusted { directory } => {
                return vec![format!(
                    "if you know where it comes from: `git config --global --add safe.directory {}`",
                    directory.display()
                )];
            }
            Self::Bare { .. } => "clone it and run proctor in the clone",
            Self::Git(error) => return error.hints(),
        };
        vec![hint.to_owned()]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for Discovery {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(Discovery {
            Discovery::NoGit => Discovery::NoGit,
            Discovery::TooOld { .. } => Discovery::TooOld { found: "VERSION".to_owned() },
            Discovery::NotTrusted { .. } => Discovery::NotTrusted { directory: "PATH".into() },
            Discovery::NotARepository { .. } => Discovery::NotARepository { directory: "PATH".into(), message: "REASON".to_owned() },
            Discovery::Bare { .. } => Discovery::Bare { directory: "PATH".into() },
            Discovery::Git(_) => Discovery::Git(GitError::sample()),
        })
    }
}

impl Repository {
    /// Finds the repository around `directory` with the user's own configuration, so that git's own
    /// ownership check counts; after this nothing is discovered again.
    pub fn discover(directory: &Path, surroundings: &Surroundings) -> Result<Self, Discovery> {
        Self::look(directory, surroundings, false)
    }

    /// The same for reading its history alone, for which a bare repository will do. In a hook, git quarantines the
    /// pushed objects and says where.
    pub fn discover_history(
        directory: &Path,
        surroundings: &Surroundings,
    ) -> Result<Self, Discovery> {
        let mut repository = Self::look(directory, surroundings, true)?;
        if surroundings.get("GIT_QUARANTINE_PATH").is_some() {
            let names = ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];
            repository.git.quarantine = surroundings.only(&names);
        }
        Ok(repository)
    }

    fn look(
        directory: &Path,
        surroundings: &Surroundings,
        may_be_bare: bool,
    ) -> Result<Self, Discovery> {
        let program = surroundings.find_program("git").ok_or(Discovery::NoGit)?;
        let environment = surroundings.only(USER_VARIABLES);
        let look = Look {
            program: &program,
            environment: &environment,
            directory,
        };
        // Every command begins with these questions; none of them needs another's answer.
        let (place, configuration) = std::thread::scope(|scope| {
            let configuration = scope.spawn(|| look.configuration());
            let place = look.place();
            (place, joined(configuration))
        });
        let (version, output) = place?;
        let (common, format, top) = match lines(&output)[..] {
            [b"true", _, common, format] if may_be_bare => (common, format, common),
            [b"true", ..] => {
                return Err(Discovery::Bare {
                    directory: directory.to_owned(),
                });
            }
            [_, b"true", common, format, top] if output.success() => (common, format, top),
            [_, b"false", ..] => {
                return Err(Discovery::NotARepository {
                    directory: directory.to_owned(),
                    message: "this is inside a git directory, not a checkout".to_owned(),
                });
            }
            [] if String::from_utf8_lossy(&output.stderr).contains("dubious ownership") => {
                return Err(Discovery::NotTrusted {
                    directory: directory.to_owned(),
                });
            }
            [] => {
                let mut message = last_words(&output);
                // Git words this by where a file system begins above, which says nothing to a user.
                if message.starts_with("not a git repository (or any ") {
                    "no .git in it, nor in a directory above it".clone_into(&mut message);
                }
                return Err(Discovery::NotARepository {
                    directory: directory.to_owned(),
                    message,
                });
            }
            _ => return Err(unexpected("rev-parse", &output.stdout).into()),
        };
        let empty_tree = if format == b"sha256" {
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
        } else {
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        };
        let configuration = configuration?;
        let excludes = configuration.excludes;
        Ok(Self {
            excludes: Excludes {
                user: excludes.user.or_else(|| usual_excludes(surroundings)),
                ..excludes
            },
            known: Mutex::default(),
            git: Git {
                version,
                top: PathBuf::from(OsStr::from_bytes(top)),
                common: PathBuf::from(OsStr::from_bytes(common)),
                defused: configuration.defused,
                line_endings: configuration.line_endings,
                empty_tree: empty_tree.to_owned(),
                user_environment: environment.clone(),
                quarantine: Environment::new(),
                program,
            },
        })
    }
}

struct Look<'a> {
    program: &'a Path,
    environment: &'a Environment,
    directory: &'a Path,
}

impl Look<'_> {
    fn tool(&self, arguments: &[&str]) -> Tool {
        Tool::new(self.program, self.directory)
            .variables(self.environment.clone())
            .variable("LC_ALL", "C")
            .variable("GIT_TERMINAL_PROMPT", "0")
            .arguments(arguments.iter().copied())
    }

    fn ask(&self, arguments: &[&str]) -> Result<ToolOutput, GitError> {
        Ok(self.tool(arguments).capture()?)
    }

    /// Git's version, and where it is; where there is no checkout git answers as far as it can, then fails.
    ///
    /// The version is the first item in git's trace of itself, which saves every command a process.
    fn place(&self) -> Result<((u32, u32), ToolOutput), Discovery> {
        let tool = self.tool(&[
            "rev-parse",
            "--is-bare-repository",
            "--is-inside-work-tree",
            "--path-format=absolute",
            "--git-common-dir",
            "--show-object-format",
            "--show-toplevel",
        ]);
        let tool = tool.variable("GIT_TRACE2_EVENT", "1");
        let mut output = tool.capture().map_err(GitError::from)?;
        let recorded = take_records(&mut output.stderr);
        let version = recorded.map_or_else(|| self.version(), Ok)?;
        Ok((new_enough(&version)?, output))
    }

    /// Asked for where git was not built to record anything.
    fn version(&self) -> Result<String, GitError> {
        let output = self.ask(&["version"])?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let number = text.strip_prefix("git version ").unwrap_or_default();
        Ok(number.to_owned())
    }

    fn configuration(&self) -> Result<Configuration, GitError> {
        let output = self.ask(&["config", "--null", "--show-scope", "--get-regexp", WANTED])?;
        // 1: nothing matches.
        if !output.success() && output.code != Some(1) {
            return Err(failure("config", &output));
        }
        let mut defused = BTreeSet::new();
        let mut line_endings = Vec::new();
        let mut excludes = Excludes::default();
        let mut fields = output.stdout.split(|byte| *byte == 0);
        while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
            let mut parts = entry.splitn(2, |byte| *byte == b'\n');
            let (name, value) = (parts.next().unwrap_or_default(), parts.next());
            if name == b"core.excludesfile" {
                let value = value.unwrap_or_default();
                if matches!(scope, b"system" | b"global") {
                    excludes.user = Some(self.below_home(value));
                } else {
                    excludes.in_repository = true;
                }
            } else if name.starts_with(b"core.") {
                // A key without a value is true, for `-c` as well.
                let mut setting = name.to_vec();
                if let Some(value) = value {
                    setting.push(b'=');
                    setting.extend_from_slice(value);
                }
                line_endings.push(OsString::from_vec(setting));
            } else {
                defused.extend(switched_off(name));
            }
        }
        Ok(Configuration {
            defused: defused.into_iter().collect(),
            line_endings,
            excludes,
        })
    }

    /// A path of the configuration, which may begin with `~/`.
    fn below_home(&self, value: &[u8]) -> PathBuf {
        let home = variable(self.environment, "HOME").map(PathBuf::from);
        match (value.strip_prefix(b"~/"), home) {
            (Some(rest), Some(home)) => home.join(OsStr::from_bytes(rest)),
            _ => PathBuf::from(OsStr::from_bytes(value)),
        }
    }
}

/// Programs that a repository can name, the user's line endings, and their list of ignored files.
const WANTED: &str = r"^((filter|merge)\..*\.|core\.(autocrlf|eol|excludesfile)$)";

/// The relevant part of the user's configuration.
struct Configuration {
    defused: Vec<(OsString, OsString)>,
    line_endings: Vec<OsString>,
    excludes: Excludes,
}

/// Git's default place for the user's own ignore list, if they name no file.
fn usual_excludes(surroundings: &Surroundings) -> Option<PathBuf> {
    let below = |name: &str, path: &str| surroundings.get(name).map(|at| Path::new(at).join(path));
    below("XDG_CONFIG_HOME", "git/ignore").or_else(|| below("HOME", ".config/git/ignore"))
}

/// Settings that switch off the filter or merge driver that a key belongs to.
fn switched_off(name: &[u8]) -> Vec<(OsString, OsString)> {
    // A driver's own name may contain anything, dots and equals signs included.
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.') else {
        return Vec::new();
    };
    let settings: &[(&str, &str)] = if name.starts_with(b"filter.") {
        &[
            ("smudge", ""),
            ("clean", ""),
            ("process", ""),
            ("required", "false"),
        ]
    } else {
        // A driver that fails is a conflict, which a person sees.
        &[("driver", "false")]
    };
    let key = |setting: &str| OsString::from_vec([&name[..=dot], setting.as_bytes()].concat());
    settings
        .iter()
        .map(|(setting, value)| (key(setting), OsString::from(value)))
        .collect()
}

/// Removes git's trace of itself from its standard error; returns the version in it.
fn take_records(stderr: &mut Vec<u8>) -> Option<String> {
    let all = std::mem::take(stderr);
    let mut version = None;
    for line in all.split_inclusive(|byte| *byte == b'\n') {
        if !line.starts_with(b"{\"event\":") {
            stderr.extend_from_slice(line);
        } else if line.starts_with(b"{\"event\":\"version\"") {
            let record: Value = serde_json::from_slice(line).ok()?;
            version = record["exe"].as_str().map(str::to_owned);
        }
    }
    version
}

fn new_enough(number: &str) -> Result<(u32, u32), Discovery> {
    let mut parts = number
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or(0));
    let version = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if version < FLOOR {
        return Err(Discovery::TooOld {
            found: number.to_owned(),
        });
    }
    Ok(version)
}

/// Paths need not be text.
fn lines(output: &ToolOutput) -> Vec<&[u8]> {
    let text = output.stdout.strip_suffix(b"\n");
    text.map_or_else(Vec::new, |text| text.split(|byte| *byte == b'\n').collect())
}

fn last_words(output: &ToolOutput) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("fatal: ").to_owned()
}
