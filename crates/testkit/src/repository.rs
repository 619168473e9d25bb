//! A real, throw-away git repository.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::CheckoutFingerprint;

/// When every commit of a test was made, so that its id is the same each time.
const COMMIT_DATE: &str = "2026-01-02T03:04:05Z";

/// A repository inside a [`TestEnvironment`](crate::TestEnvironment), with branch `main`.
#[derive(Debug, Clone)]
pub struct Repository {
    path: PathBuf,
    variables: BTreeMap<OsString, OsString>,
}

impl Repository {
    pub(crate) fn init(path: PathBuf, variables: BTreeMap<OsString, OsString>) -> Self {
        fs::create_dir_all(&path).expect("the environment is writable");
        let repository = Self { path, variables };
        repository.git(["init", "--quiet", "-b", "main"]);
        repository
    }

    /// The checkout's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file of the checkout and the directories it needs.
    pub fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path.join(relative);
        let parent = path.parent().expect("the path lies in the checkout");
        fs::create_dir_all(parent).expect("the checkout is writable");
        fs::write(&path, content).expect("the checkout is writable");
        path
    }

    /// Writes a file of the checkout that may be executed.
    pub fn write_executable(
        &self,
        relative: impl AsRef<Path>,
        content: impl AsRef<[u8]>,
    ) -> PathBuf {
        let path = self.write(relative, content);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .expect("the file was just written by the same user");
        path
    }

    /// A file of the checkout as text.
    #[track_caller]
    pub fn read(&self, relative: impl AsRef<Path>) -> String {
        let path = self.path.join(relative);
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
    }

    /// Whether the checkout has something at this path.
    pub fn exists(&self, relative: impl AsRef<Path>) -> bool {
        self.path.join(relative).symlink_metadata().is_ok()
    }

    /// Writes a small Python library, `mathkit`, that has one function and its test.
    #[track_caller]
    pub fn write_mathkit(&self) {
        self.write("mathkit/__init__.py", "");
        self.write("mathkit/basic.py", "def add(x, y):\n    return x + y\n");
        self.write(
            "tests/test_basic.py",
            "from mathkit.basic import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
        );
    }

    /// Settings without mutants, unless the checkout has settings: mutants inform, after everything else, and a gate then
    /// takes twice as long.
    pub fn do_without_mutants(&self) {
        if !self.path.join("proctor.toml").exists() {
            self.write("proctor.toml", "[test]\nmutants = \"off\"\n");
        }
    }

    /// Commits everything that is not ignored and returns the commit's id.
    #[track_caller]
    pub fn commit_all(&self, message: &str) -> String {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "-m", message]);
        self.head()
    }

    /// The id of the commit that is checked out.
    #[track_caller]
    pub fn head(&self) -> String {
        self.git(["rev-parse", "HEAD"])
    }

    /// The id of a revision's tree.
    #[track_caller]
    pub fn tree_of(&self, revision: &str) -> String {
        self.git(["rev-parse", "--verify", &format!("{revision}^{{tree}}")])
    }

    /// A file as it is in a revision.
    #[track_caller]
    pub fn file_at(&self, revision: &str, relative: &str) -> String {
        let output = self.output(["cat-file", "blob", &format!("{revision}:{relative}")]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The output of git, without the last line break; fails the test if git fails.
    #[track_caller]
    pub fn git<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> String {
        let output = self.output(arguments);
        String::from_utf8_lossy(&output.stdout)
            .trim_end_matches('\n')
            .to_owned()
    }

    /// The command for git in this checkout, for a test that expects it to fail.
    pub fn git_command<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> Command {
        let mut command = Command::new("git");
        command
            .args(arguments)
            .current_dir(&self.path)
            .env_clear()
            .envs(&self.variables)
            .env("GIT_AUTHOR_DATE", COMMIT_DATE)
            .env("GIT_COMMITTER_DATE", COMMIT_DATE)
            // Looking must not refresh the index: a fingerprint would change the state it measures.
            .env("GIT_OPTIONAL_LOCKS", "0")
            .stdin(Stdio::null());
        command
    }

    /// Everything a person could miss from their checkout afterwards: see [`CheckoutFingerprint`].
    #[track_caller]
    pub fn checkout_fingerprint(&self) -> CheckoutFingerprint {
        CheckoutFingerprint::of(self)
    }

    #[track_caller]
    fn output<Argument: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> Output {
        let mut command = self.git_command(arguments);
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("git does not start: {error}"));
        assert!(
            output.status.success(),
            "{command:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }
}

#[cfg(test)]
mod tests {
    use crate::TestEnvironment;

    #[test]
    fn commits_have_the_identity_of_the_home_directory_and_ids_that_repeat() {
        let commit = || {
            let environment = TestEnvironment::without_binary();
            let repository = environment.init_repository();
            repository.write("src/a.txt", "one\n");
            let commit = repository.commit_all("first");
            assert_eq!(repository.git(["branch", "--show-current"]), "main");
            assert_eq!(
                repository.git(["log", "-1", "--format=%an <%ae>"]),
                "Ada Tester <ada@example.com>"
            );
            assert_eq!(repository.file_at("HEAD", "src/a.txt"), "one\n");
            assert_eq!(repository.tree_of("HEAD").len(), 40);
            commit
        };
        assert_eq!(commit(), commit());
    }

    #[test]
    fn the_developers_variables_do_not_reach_a_command() {
        let environment = TestEnvironment::without_binary();
        let shown = environment.run(environment.command("env"));
        // CARGO is set in every test process.
        assert!(!shown.stdout.contains("CARGO"), "{}", shown.stdout);
        assert!(
            shown.normalised_stdout().contains("HOME=[HOME]\n"),
            "{}",
            shown.stdout
        );
    }
}
