//! A world of a test's own: nothing of the developer's configuration reaches the programs that run
//! in it, and nothing that they write leaves it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::Digest as _;
use tempfile::TempDir;

use crate::pytest::{build_directory, pytest_python};
use crate::run_output::Normaliser;
use crate::{Repository, RunOutput, Terminal, message_style};

/// The user that every repository and every Proctor in a test belongs to.
///
/// The identity is in a configuration file, not in variables, because that is where Proctor has to find the real
/// user's. Automatic maintenance is off: it would run on in the background while the directory is being removed.
const GIT_CONFIGURATION: &str = "\
[user]
\tname = Ada Tester
\temail = ada@example.com
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
[maintenance]
\tauto = false
";

/// A temporary home, state directory and place for a repository, and the commands that live in it.
///
/// Everything is removed when the value is dropped, so keep it for as long as the test runs.
#[derive(Debug)]
pub struct TestEnvironment {
    // Removed last: the paths below lie in it.
    directory: TempDir,
    root: PathBuf,
    binary: Option<PathBuf>,
    variables: BTreeMap<OsString, OsString>,
    trusting: bool,
}

impl TestEnvironment {
    /// An environment around the built `proctor`: `TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"))`.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        Self::build(Some(binary.into()))
    }

    /// An environment for tests of a library, where there is no binary to run.
    pub fn without_binary() -> Self {
        Self::build(None)
    }

    fn build(binary: Option<PathBuf>) -> Self {
        let directory = tempfile::Builder::new()
            .prefix("proctor-test-")
            .tempdir()
            .expect("the temporary directory can be written");
        // Proctor prints resolved paths; on some systems the temporary directory is a symlink.
        let root = fs::canonicalize(directory.path()).expect("a directory just made resolves");
        let mut environment = Self {
            directory,
            root,
            binary,
            variables: BTreeMap::new(),
            trusting: true,
        };
        let home = environment.home();
        let state = environment.state_directory();
        let temporary = environment.root.join("tmp");
        for made in [&home, &state, &temporary] {
            fs::create_dir(made).expect("the fresh directory is writable");
        }
        fs::write(home.join(".gitconfig"), GIT_CONFIGURATION).expect("the fresh home is writable");
        let search_path = std::env::var_os("PATH").expect("PATH leads to git and python");
        for (name, value) in [
            ("PATH", search_path),
            ("XDG_CACHE_HOME", home.join(".cache").into()),
            ("XDG_CONFIG_HOME", home.join(".config").into()),
            ("XDG_DATA_HOME", home.join(".local/share").into()),
            ("XDG_STATE_HOME", home.join(".local/state").into()),
            ("HOME", home.into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("LANG", "C.UTF-8".into()),
            ("NO_COLOR", "1".into()),
            ("TERM", "xterm-256color".into()),
            // Everything is printed; a test that is about the pager takes this away.
            ("PAGER", "cat".into()),
            ("PROCTOR_STATE_DIR", state.into()),
            // A killed process's leftovers are removed with everything else.
            ("TMPDIR", temporary.into()),
        ] {
            environment.set_variable(name, value);
        }
        environment
    }

    /// The directory that holds everything of this environment.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The home directory; `[HOME]` in normalised output.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where Proctor puts worktrees; `[STATE]` in normalised output.
    pub fn state_directory(&self) -> PathBuf {
        self.root.join("state")
    }

    /// Where [`Self::init_repository`] makes its repository; `[REPO]` in normalised output.
    pub fn repository_path(&self) -> PathBuf {
        self.root.join("repo")
    }

    /// Sets a variable for every command made from now on.
    pub fn set_variable(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.variables.insert(name.into(), value.into());
    }

    /// Removes a variable from every command made from now on.
    pub fn remove_variable(&mut self, name: impl AsRef<OsStr>) {
        self.variables.remove(name.as_ref());
    }

    /// From now on the repository's settings are not trusted. Otherwise they are trusted as a build server does it,
    /// because most tests are about the effect of settings and not about their origin.
    pub fn trust_nothing(&mut self) {
        self.trusting = false;
    }

    /// The digests of the settings in the checkout and in its last commit, as `PROCTOR_TRUST` takes them.
    pub fn settings_digests(&self) -> String {
        let repository = self.repository_path();
        let mut git = Command::new("git");
        git.current_dir(&repository)
            .args(["cat-file", "blob", "HEAD:proctor.toml"]);
        let committed = || git.output().ok().filter(|output| output.status.success());
        let in_checkout = fs::read(repository.join("proctor.toml")).ok();
        let in_commit = repository.is_dir().then(committed).flatten();
        let contents = in_checkout
            .into_iter()
            .chain(in_commit.map(|output| output.stdout));
        let digests: Vec<String> = contents.map(|content| sha256(&content)).collect();
        digests.join(",")
    }

    /// Puts the shared pytest first on the path, as a person does by activating an environment.
    pub fn use_pytest(&mut self) {
        self.use_python(&pytest_python());
    }

    /// Puts the environment of a Python first on the path, as a person does by activating it.
    pub fn use_python(&mut self, python: &Path) {
        let programs = python
            .parent()
            .expect("python lies in a directory of programs")
            .to_path_buf();
        let virtual_environment = programs
            .parent()
            .expect("the directory of programs lies in the environment")
            .to_path_buf();
        let before = self.variables.get(OsStr::new("PATH")).cloned();
        let search_path = std::env::join_paths(
            std::iter::once(programs)
                .chain(before.iter().flat_map(|paths| std::env::split_paths(paths))),
        )
        .expect("a build directory has no path separator in its name");
        self.set_variable("PATH", search_path);
        self.set_variable("VIRTUAL_ENV", virtual_environment);
        self.share_compiled_programs();
    }

    /// Proctor's own programs are compiled once for all tests.
    fn share_compiled_programs(&self) {
        let shared = build_directory().join("testkit/compiled");
        let cache = self.home().join(".cache/proctor");
        fs::create_dir_all(&shared).expect("the build directory is writable");
        fs::create_dir_all(&cache).expect("the home directory is writable");
        // There already where two Pythons are used.
        let _ = std::os::unix::fs::symlink(shared, cache.join("compiled"));
    }

    /// Puts a program first on the path, before any other of that name.
    pub fn put_program(&mut self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.write(format!("bin/{name}"), text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .expect("the environment is writable");
        let others = std::env::var("PATH").expect("a search path");
        let search_path = format!("{}:{others}", self.root.join("bin").display());
        self.set_variable("PATH", search_path);
        path
    }

    /// Puts a git first on the path that does something else, in the words of a shell, where all of its arguments fit a
    /// pattern; the real one does the rest.
    pub fn pretend_git(&mut self, pattern: &str, otherwise: &str) {
        let search_path = std::env::var_os("PATH").expect("a search path");
        let mut places = std::env::split_paths(&search_path).map(|place| place.join("git"));
        let git = places.find(|git| git.is_file()).expect("git is installed");
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in {pattern}) {otherwise};; esac\nexec '{}' \"$@\"\n",
            git.display()
        );
        self.put_program("git", &script);
    }

    /// Writes a file outside the repository, such as a script for the model, and returns its path.
    pub fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.join(relative);
        let parent = path.parent().expect("the path lies in the environment");
        fs::create_dir_all(parent).expect("the environment is writable");
        fs::write(&path, content).expect("the environment is writable");
        path
    }

    /// Makes an empty repository with branch `main` at [`Self::repository_path`].
    pub fn init_repository(&self) -> Repository {
        self.init_repository_at("repo")
    }

    /// Makes an empty repository with branch `main` at a place below [`Self::root`].
    pub fn init_repository_at(&self, relative: impl AsRef<Path>) -> Repository {
        Repository::init(self.root.join(relative), self.variables.clone())
    }

    /// A command that sees nothing but this environment, in the repository if there is one.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let repository = self.repository_path();
        command
            .env_clear()
            .envs(
                self.trusting
                    .then(|| ("PROCTOR_TRUST", self.settings_digests())),
            )
            .envs(&self.variables)
            .stdin(Stdio::null())
            .current_dir(if repository.is_dir() {
                &repository
            } else {
                &self.root
            });
        command
    }

    /// The command for `proctor`, to be changed further before it runs.
    pub fn proctor_command<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> Command {
        let binary = self
            .binary
            .as_ref()
            .expect("this environment was made with a proctor binary");
        let mut command = self.command(binary);
        command.args(arguments);
        command
    }

    /// Runs `proctor` to its end without a terminal and with nothing on standard input.
    #[track_caller]
    pub fn proctor<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> RunOutput {
        let output = self.run(self.proctor_command(arguments));
        message_style::check(&output);
        output
    }

    /// Runs a command of this environment to its end.
    #[track_caller]
    pub fn run(&self, mut command: Command) -> RunOutput {
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        RunOutput::new(&output, self.normaliser())
    }

    /// The output of a command of this environment, for a test that ran it itself.
    pub fn output_of(&self, output: &std::process::Output) -> RunOutput {
        RunOutput::new(output, self.normaliser())
    }

    /// Runs `proctor` on a terminal of its own, for a test that plays the person.
    #[track_caller]
    pub fn proctor_on_terminal<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> Terminal {
        Terminal::spawn(&self.proctor_command(arguments))
    }

    /// Replaces the parts of `text` that differ from run to run: see [`RunOutput::normalised`].
    pub fn normalise(&self, text: &str) -> String {
        self.normaliser().apply(text)
    }

    fn normaliser(&self) -> Normaliser {
        Normaliser::new([
            (self.repository_path(), "[REPO]"),
            (self.state_directory(), "[STATE]"),
            (self.home(), "[HOME]"),
            (self.root.clone(), "[ROOT]"),
            (self.directory.path().to_path_buf(), "[ROOT]"),
        ])
    }
}

pub(crate) fn sha256(content: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut digest = String::new();
    for byte in sha2::Sha256::digest(content) {
        write!(digest, "{byte:02x}").expect("a text takes every letter");
    }
    digest
}
