//! A release of a third-party project as a committed checkout, with an environment for its tests.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::node::link_requirements;
use crate::node_registry::NodePackage;
use crate::package_registry::{SourceDistribution, install_editable, python_with};
use crate::{Repository, RunOutput, TestEnvironment};

/// The ingredients of a [`PublishedCheckout`].
#[derive(Debug, Clone, Copy)]
pub struct Publication<'a> {
    /// The built `proctor`.
    pub binary: &'a str,
    /// The release to check out.
    pub release: &'a SourceDistribution,
    /// The packages that its tests need.
    pub requirements: &'a [String],
    /// Whether the project itself is installed in its environment, to be loaded from the checkout.
    pub editable: bool,
    /// A folder of files that are added before the base commit.
    pub additions: Option<&'a Path>,
}

impl Publication<'_> {
    /// The checkout; or why the registry does not give it.
    pub fn checkout(&self) -> Result<PublishedCheckout, String> {
        let published = self.release.unpacked()?;
        let mut python = python_with(self.requirements)?;
        let mut checkout = committed(self.binary, &published, self.additions);
        let repository = &checkout.repository;
        if self.editable {
            repository.write(".git/info/exclude", ".venv\n");
            python = install_editable(repository.path(), &python)?;
        }
        checkout.environment.use_python(&python);
        Ok(checkout)
    }
}

/// The same for a package of the JavaScript world.
#[derive(Debug, Clone, Copy)]
pub struct NodePublication<'a> {
    /// The built `proctor`.
    pub binary: &'a str,
    /// The release to check out.
    pub release: &'a NodePackage,
    /// The packages that its tests need.
    pub requirements: &'a [String],
    /// A folder of files that are added before the base commit, if it exists.
    pub additions: &'a Path,
}

impl NodePublication<'_> {
    /// The checkout; or why the registry does not give it.
    pub fn checkout(&self) -> Result<PublishedCheckout, String> {
        let published = self.release.unpacked()?;
        let checkout = committed(self.binary, &published, Some(self.additions));
        let repository = &checkout.repository;
        repository.write(".git/info/exclude", "node_modules\n");
        link_requirements(repository.path(), self.requirements)?;
        Ok(checkout)
    }
}

/// A repository with these files in its only commit.
fn committed(binary: &str, published: &Path, additions: Option<&Path>) -> PublishedCheckout {
    let environment = TestEnvironment::new(binary);
    let repository = environment.init_repository();
    lay(published, &repository);
    if let Some(additions) = additions {
        lay(additions, &repository);
    }
    // A version file that is made at the release is ignored by some.
    repository.git(["add", "--all", "--force"]);
    repository.git(["commit", "--quiet", "-m", "The project as published"]);
    PublishedCheckout {
        environment,
        repository,
    }
}

/// A release at its base commit.
#[derive(Debug)]
pub struct PublishedCheckout {
    /// Where `proctor` runs, with the packages that the tests need.
    pub environment: TestEnvironment,
    /// The checkout.
    pub repository: Repository,
}

impl PublishedCheckout {
    /// Takes the checkout back to the base commit.
    pub fn reset(&self) {
        self.repository.git(["checkout", "--quiet", "."]);
        self.repository.git(["clean", "--quiet", "--force", "-d"]);
    }

    /// Judges the checkout, and asserts that judging leaves it alone.
    #[track_caller]
    pub fn judge(&self, colour: &str) -> RunOutput {
        let before = self.repository.checkout_fingerprint();
        let output = self
            .environment
            .proctor(["gate", colour, "--format", "json"]);
        self.repository
            .checkout_fingerprint()
            .assert_unchanged_since(&before);
        output
    }
}

/// The files below a directory, with their paths relative to it; none if there is no such directory. The registry's own
/// description of a release is not part of a project's repository and is left out.
pub fn files_in(root: &Path) -> Vec<PathBuf> {
    fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).expect("readable") {
            let path = entry.expect("readable").path();
            if !path.is_dir() {
                found.push(path);
            } else if !path.to_string_lossy().ends_with(".egg-info") {
                walk(&path, found);
            }
        }
    }
    let mut found = Vec::new();
    if root.is_dir() {
        walk(root, &mut found);
    }
    let relative = |path: PathBuf| path.strip_prefix(root).map(Path::to_path_buf);
    let found = found.into_iter().map(relative);
    found
        .collect::<Result<_, _>>()
        .expect("they lie below the root")
}

/// Copies a folder of files over a checkout. A name that ends in `.append` goes to the end of the file
/// without that ending, which is the project's own.
pub fn lay(folder: &Path, repository: &Repository) {
    for relative in files_in(folder) {
        let content = fs::read(folder.join(&relative)).expect("readable");
        let end = relative
            .to_str()
            .and_then(|name| name.strip_suffix(".append"));
        if let Some(name) = end {
            let mut whole = fs::read(repository.path().join(name)).expect("the project has it");
            whole.extend(content);
            repository.write(name, whole);
        } else {
            repository.write(relative, content);
        }
    }
}

/// Prints that something was skipped, past the capture of the test harness: no one should believe that it ran.
pub fn say_skipped(name: &str, reason: &str) {
    let mut stderr = std::io::stderr();
    let _ = writeln!(stderr, "SKIPPED: {name} was not tried: {reason}");
}
