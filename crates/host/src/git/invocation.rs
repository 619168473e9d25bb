//! The one way to call git.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ChildStdout;

use super::error::{GitError, failure, unexpected};
use super::private_index::PrivateIndex;
use crate::process::{Environment, Tool, ToolOutput};

/// The git program and a repository's directories. Every call gets an emptied environment, explicit directories and
/// flags that switch off every program that the repository could have git run; there is no other way to call git after
/// discovery.
#[derive(Debug)]
pub(super) struct Git {
    pub(super) program: PathBuf,
    pub(super) version: (u32, u32),
    /// The user's checkout that Proctor was started in.
    pub(super) top: PathBuf,
    /// Where objects and refs are.
    pub(super) common: PathBuf,
    /// Settings that switch off, by name, the programs that the repository's configuration names.
    pub(super) defused: Vec<(OsString, OsString)>,
    /// How the user wants line endings in a checkout, as settings.
    pub(super) line_endings: Vec<OsString>,
    pub(super) empty_tree: String,
    /// `HOME` and the like, for the few calls that the user's own configuration may influence.
    pub(super) user_environment: Environment,
    /// Where objects are that are being pushed and not accepted yet.
    pub(super) quarantine: Environment,
}

/// As many processes as there are cores write a large checkout; git does it with one by default.
const ALL_CORES: &str = "checkout.workers=0";

/// Switched off for every call.
const HARDENED: &[&str] = &[
    // Output goes to a pipe; a pager named by the repository must not start.
    "--no-pager",
    // A file called `:(top)x` or `*` is a file, not a pattern.
    "--literal-pathspecs",
    "-c",
    // Hooks run for plumbing too: reference-transaction, post-index-change.
    "core.hooksPath=/dev/null",
    "-c",
    // Would be started by anything that refreshes an index.
    "core.fsmonitor=false",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "submodule.recurse=false",
    "-c",
    // Nothing is ever fetched, not even lazily from a partial clone's remote.
    "protocol.allow=never",
    "-c",
    "core.quotePath=true",
    "-c",
    // The tree's bytes are written unchanged: no line-ending conversion.
    "core.autocrlf=false",
    "-c",
    // Every trace of a change to a file counts.
    "core.trustctime=true",
    "-c",
    "core.checkStat=default",
    "-c",
    // Messages are written in UTF-8; another name would be put on them, not another encoding.
    "i18n.commitEncoding=UTF-8",
    "-c",
    // A driver for all files, which no attribute needs to name.
    "merge.default=text",
    "-c",
    ALL_CORES,
];

/// One call under construction.
pub(super) struct Call<'a> {
    git: &'a Git,
    command: String,
    tool: Tool,
}

impl Git {
    /// The full name of the object that a revision refers to.
    pub(super) fn resolve(&self, revision: &str) -> Result<Option<String>, GitError> {
        let index = PrivateIndex::new()?;
        let output = self
            .call(&index, "rev-parse")
            .arguments(["--verify", "--quiet", "--end-of-options", revision])
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.success() && !text.is_empty()).then_some(text))
    }

    /// The null object id.
    pub(super) fn no_object(&self) -> String {
        "0".repeat(self.empty_tree.len())
    }

    /// A hardened call on objects and refs alone. `index` is a private directory, which also serves as the work tree
    /// that some plumbing insists on.
    pub(super) fn call(&self, index: &PrivateIndex, command: &str) -> Call<'_> {
        self.prepared(
            &self.common,
            index.directory(),
            Some(&index.file()),
            command,
        )
        .with_attributes_off()
        .start(command)
    }

    /// A hardened call that sees the repository's objects and nothing else of it: no refs, no
    /// configuration, and no `info/attributes`, which no flag switches off.
    pub(super) fn call_on_objects(
        &self,
        index: &PrivateIndex,
        command: &str,
    ) -> Result<Call<'_>, GitError> {
        let directory = index.git_directory(self.empty_tree.len() == 64)?;
        let call = self
            .prepared(&directory, index.directory(), Some(&index.file()), command)
            .with_attributes_off()
            .variable("GIT_OBJECT_DIRECTORY", self.common.join("objects"));
        Ok(call.start(command))
    }

    /// A hardened call on an existing checkout and its own index; built-in attributes and the user's line
    /// endings apply there, programs do not.
    pub(super) fn call_in_checkout(
        &self,
        git_directory: &Path,
        top: &Path,
        command: &str,
    ) -> Call<'_> {
        self.prepared(git_directory, top, None, command)
            .arguments(
                self.line_endings
                    .iter()
                    .flat_map(|setting| [OsString::from("-c"), setting.clone()]),
            )
            .start(command)
    }

    /// A hardened call on a worktree's files with a private index.
    pub(super) fn call_on_files(
        &self,
        top: &Path,
        index: &PrivateIndex,
        command: &str,
    ) -> Call<'_> {
        self.prepared(&self.common, top, Some(&index.file()), command)
            .with_attributes_off()
            .start(command)
    }

    /// A question that the user's own configuration answers, such as their identity. Nothing is written, so no filter
    /// runs.
    pub(super) fn call_as_user(&self, command: &str) -> Call<'_> {
        let tool = Tool::new(&self.program, &self.top)
            .variables(self.user_environment.clone())
            .variable("GIT_DIR", &self.common)
            .variable("GIT_NO_REPLACE_OBJECTS", "1")
            .variable("GIT_TERMINAL_PROMPT", "0")
            .variable("LC_ALL", "C")
            .arguments([
                "--no-pager",
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "core.fsmonitor=false",
                "-c",
                ALL_CORES,
            ]);
        Call {
            git: self,
            command: command.to_owned(),
            tool: tool.argument(command),
        }
    }

    fn prepared(
        &self,
        git_directory: &Path,
        top: &Path,
        index: Option<&Path>,
        command: &str,
    ) -> Call<'_> {
        let mut tool = Tool::new(&self.program, top)
            // Git finds its own parts without it, but not their interpreters.
            .variables(
                self.user_environment
                    .iter()
                    .filter(|(name, _)| name == "PATH")
                    .cloned(),
            )
            .variable("GIT_CONFIG_NOSYSTEM", "1")
            .variable("GIT_CONFIG_GLOBAL", "/dev/null")
            .variable("GIT_ATTR_NOSYSTEM", "1")
            // A replace ref would show other bytes than those that are committed.
            .variable("GIT_NO_REPLACE_OBJECTS", "1")
            .variable("GIT_OPTIONAL_LOCKS", "0")
            .variable("GIT_TERMINAL_PROMPT", "0")
            .variable("LC_ALL", "C")
            // Given, not discovered: a swapped `.git` file redirects discovery.
            .variable("GIT_DIR", git_directory)
            .variable("GIT_WORK_TREE", top)
            .arguments(HARDENED.iter().map(OsString::from));
        // A linked checkout finds the shared directory through its own.
        if git_directory == self.common {
            tool = tool.variable("GIT_COMMON_DIR", &self.common);
        }
        if let Some(index) = index {
            tool = tool.variable("GIT_INDEX_FILE", index);
        }
        tool = tool.variables(self.quarantine.clone());
        // By environment: `-c` cannot name a driver with an equals sign in its name.
        tool = tool.variable("GIT_CONFIG_COUNT", self.defused.len().to_string());
        for (number, (key, value)) in self.defused.iter().enumerate() {
            tool = tool
                .variable(format!("GIT_CONFIG_KEY_{number}"), key)
                .variable(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        Call {
            git: self,
            command: command.to_owned(),
            tool,
        }
    }
}

impl Call<'_> {
    /// `--attr-source` came with git 2.41; before that, attributes of the (empty) work tree and the
    /// index count, and the drivers they could name are switched off by name.
    fn with_attributes_off(mut self) -> Self {
        if self.git.version >= (2, 41) {
            let source = format!("--attr-source={}", self.git.empty_tree);
            self.tool = self.tool.argument(source);
        }
        self
    }

    fn start(mut self, command: &str) -> Self {
        self.tool = self.tool.argument(command);
        self
    }

    pub(super) fn arguments<T: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = T>,
    ) -> Self {
        self.tool = self.tool.arguments(arguments);
        self
    }

    pub(super) fn variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.tool = self.tool.variable(name, value);
        self
    }

    pub(super) fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.tool = self.tool.input(input);
        self
    }

    /// Runs it to its end, with any exit code.
    pub(super) fn output(self) -> Result<ToolOutput, GitError> {
        let command = self.command;
        let output = self.tool.capture()?;
        // A git that was killed has not refused.
        if output.signal.is_some() {
            return Err(failure(&command, &output));
        }
        Ok(output)
    }

    /// Runs it; any exit code but 0 is an error.
    pub(super) fn bytes(self) -> Result<Vec<u8>, GitError> {
        let command = self.command.clone();
        let output = self.output()?;
        if output.success() {
            Ok(output.stdout)
        } else {
            Err(failure(&command, &output))
        }
    }

    /// Runs it while `read` consumes its output; any exit code but 0 is an error.
    pub(super) fn stream<T>(
        self,
        read: impl FnOnce(ChildStdout) -> io::Result<T>,
    ) -> Result<T, GitError> {
        let (taken, output) = self.tool.stream(|pipe| Ok(read(pipe)))?;
        match taken {
            Ok(taken) if output.success() => Ok(taken),
            // The reader stopped early, so git's own exit code means nothing.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(unexpected(&self.command, error.to_string().as_bytes()))
            }
            _ if !output.success() => Err(failure(&self.command, &output)),
            _ => Err(unexpected(&self.command, b"")),
        }
    }

    /// Runs it; standard output as one trimmed text.
    pub(super) fn text(self) -> Result<String, GitError> {
        let command = self.command.clone();
        let bytes = self.bytes()?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
            Err(error) => Err(unexpected(&command, error.as_bytes())),
        }
    }
}
