//! Shared by the git tests: a person's real repository, and Proctor's view of it.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::path::ProjectPath;
use proctor_host::git::{Change, CommitMessage, Discovery, FileMode, Person, Repository};
use proctor_host::surroundings::Surroundings;
use proctor_testkit::{CheckoutFingerprint, TestEnvironment};

/// When everything in these tests happened.
pub(crate) const SECONDS: i64 = 1_767_323_045;

/// A person's repository and Proctor's handle on it.
pub(crate) struct World {
    pub(crate) environment: TestEnvironment,
    pub(crate) user: proctor_testkit::Repository,
    pub(crate) proctor: Repository,
}

impl World {
    /// A repository with one small commit.
    pub(crate) fn new() -> Self {
        Self::prepared(|user| {
            user.write("src/calculator.py", "def add(a, b):\n    return a + b\n");
            user.write("README.md", "# Calculator\n");
        })
    }

    /// A repository whose first commit holds the files that `prepare` writes into its checkout.
    pub(crate) fn prepared(prepare: impl FnOnce(&proctor_testkit::Repository)) -> Self {
        let environment = TestEnvironment::without_binary();
        let user = environment.init_repository();
        prepare(&user);
        user.commit_all("first");
        Self::around(environment, user)
    }

    pub(crate) fn around(environment: TestEnvironment, user: proctor_testkit::Repository) -> Self {
        let proctor = discover(&environment, user.path()).expect("a repository is there");
        Self {
            environment,
            user,
            proctor,
        }
    }

    pub(crate) fn commit(&self, revision: &str) -> CommitId {
        self.proctor
            .refs()
            .commit(revision)
            .expect("git answers")
            .unwrap_or_else(|| panic!("{revision} is a commit"))
    }

    pub(crate) fn base(&self) -> CommitId {
        self.commit("refs/heads/main")
    }

    pub(crate) fn base_tree(&self) -> TreeId {
        self.tree("refs/heads/main")
    }

    pub(crate) fn tree(&self, revision: &str) -> TreeId {
        self.proctor
            .objects()
            .tree_of(&self.commit(revision))
            .expect("a commit has a tree")
    }

    pub(crate) fn write_tree(&self, on: &TreeId, changes: &[Change]) -> TreeId {
        self.proctor
            .objects()
            .write_tree(on, changes)
            .expect("the tree is written")
    }

    /// `path` of a revision, byte for byte, according to the git that a person would use.
    pub(crate) fn bytes_at(&self, revision: &str, path: impl AsRef<OsStr>) -> Vec<u8> {
        let mut name = std::ffi::OsString::from(format!("{revision}:"));
        name.push(path);
        let output = self
            .user
            .git_command([OsStr::new("cat-file"), OsStr::new("blob"), &name])
            .output()
            .expect("git starts");
        assert!(
            output.status.success(),
            "{}: {}",
            name.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    /// The user's checkout is unchanged, byte for byte.
    #[track_caller]
    pub(crate) fn assert_unchanged_since(&self, before: &CheckoutFingerprint) {
        self.user
            .checkout_fingerprint()
            .assert_unchanged_since(before);
    }

    /// A worktree of the user's own, with a new branch.
    pub(crate) fn link(&self) -> PathBuf {
        let linked = self.environment.root().join("linked");
        let path = linked.to_str().expect("ours");
        self.user
            .git(["worktree", "add", "-q", "-b", "topic", path]);
        linked
    }

    /// A bare copy, and a worktree of it.
    pub(crate) fn bare_with_worktree(&self) -> (PathBuf, PathBuf) {
        let root = self.environment.root();
        let (bare, linked) = (root.join("bare.git"), root.join("linked"));
        let [from, to] = [&bare, &linked].map(|path| path.to_str().expect("ours"));
        self.user.git(["clone", "--quiet", "--bare", ".", from]);
        let add = ["-C", from, "worktree", "add", "-q", to, "main"];
        self.user.git(add);
        (bare, linked)
    }

    /// Proctor is started in another directory.
    pub(crate) fn seen_from(&mut self, directory: &Path) {
        self.proctor = discover(&self.environment, directory).expect("a repository is there");
    }

    /// The lines of `git ls-tree -r` without object names: mode and path.
    pub(crate) fn listing(&self, revision: &str) -> Vec<String> {
        let format = "--format=%(objectmode) %(path)";
        self.user
            .git(["ls-tree", "-r", "-z", format, revision])
            .split_terminator('\0')
            .map(str::to_owned)
            .collect()
    }
}

pub(crate) fn surroundings(environment: &TestEnvironment) -> Surroundings {
    let command = environment.command("git");
    Surroundings::from_list(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect(),
    )
}

pub(crate) fn discover(
    environment: &TestEnvironment,
    directory: &Path,
) -> Result<Repository, Discovery> {
    Repository::discover(directory, &surroundings(environment))
}

pub(crate) fn ada() -> Person {
    Person {
        name: "Ada Tester".to_owned(),
        email: "ada@example.com".to_owned(),
    }
}

/// Ada's commit message.
pub(crate) fn by_ada(text: &str) -> CommitMessage<'_> {
    static ADA: LazyLock<Person> = LazyLock::new(ada);
    CommitMessage {
        text,
        person: &ADA,
        seconds: SECONDS,
    }
}

pub(crate) fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).unwrap_or_else(|problem| panic!("{problem}"))
}

pub(crate) fn write(name: &str, content: impl Into<Vec<u8>>) -> Change {
    write_as(name, content, FileMode::Regular)
}

pub(crate) fn write_as(name: &str, content: impl Into<Vec<u8>>, mode: FileMode) -> Change {
    Change::Write {
        path: path(name),
        content: content.into(),
        mode,
    }
}

pub(crate) fn delete(name: &str) -> Change {
    Change::Delete { path: path(name) }
}

/// Everything below a directory except `.git`, links not followed: path, kind and content.
pub(crate) fn files_below(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    fn collect(top: &Path, directory: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
        for entry in std::fs::read_dir(directory).expect("a readable directory") {
            let path = entry.expect("a readable directory").path();
            let name = path.strip_prefix(top).expect("below the top").to_owned();
            if name == Path::new(".git") {
            } else if path.is_symlink() {
                use std::os::unix::ffi::OsStrExt;
                let target = path.read_link().expect("a link");
                found.push((name, target.as_os_str().as_bytes().to_vec()));
            } else if path.is_dir() {
                collect(top, &path, found);
            } else {
                found.push((name, std::fs::read(&path).expect("a readable file")));
            }
        }
    }
    let mut found = Vec::new();
    collect(directory, directory, &mut found);
    found.sort();
    found
}

/// Printed past the capture of passing tests' output.
pub(crate) fn skipped(what: &str) {
    let line = format!("SKIPPED: {what}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
