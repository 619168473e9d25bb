//! Proof that a person's checkout was left alone.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::Repository;

/// Every byte and mode of a checkout outside `.git`, empty directories included, with the index,
/// HEAD and the stash.
///
/// It keeps the bytes themselves rather than a digest, so that [`Self::changes_since`] can name the changes. Refs other
/// than the stash are left out: Proctor makes branches by design.
#[derive(Clone, PartialEq, Eq)]
pub struct CheckoutFingerprint {
    entries: BTreeMap<String, Vec<u8>>,
}

impl CheckoutFingerprint {
    #[track_caller]
    pub(crate) fn of(repository: &Repository) -> Self {
        let mut entries = BTreeMap::new();
        collect(repository.path(), repository.path(), &mut entries);
        for (name, arguments) in [
            ("index", &["ls-files", "--stage"][..]),
            // Lower-case letters are the assume-unchanged bit, which `--stage` does not show.
            ("index flags", &["ls-files", "-v"]),
            ("stash", &["for-each-ref", "refs/stash"]),
        ] {
            entries.insert(name.to_owned(), repository.git(arguments).into_bytes());
        }
        // Both may fail and still be a state like any other: a branch without a commit, a commit
        // without a branch.
        for (name, arguments) in [
            ("HEAD branch", ["symbolic-ref", "--quiet", "HEAD"]),
            ("HEAD commit", ["rev-parse", "--verify", "HEAD"]),
        ] {
            let output = repository.git_command(arguments).output();
            let stdout = output.expect("git started a moment ago").stdout;
            entries.insert(name.to_owned(), stdout);
        }
        Self { entries }
    }

    /// The names of files added, removed or changed since `earlier`; empty if there are none.
    pub fn changes_since(&self, earlier: &Self) -> Vec<String> {
        let appeared = self
            .entries
            .keys()
            .filter(|name| !earlier.entries.contains_key(*name))
            .map(|name| format!("appeared: {name}"));
        let gone_or_changed =
            earlier
                .entries
                .iter()
                .filter_map(|(name, before)| match self.entries.get(name) {
                    None => Some(format!("gone: {name}")),
                    Some(after) if after != before => Some(format!("changed: {name}")),
                    Some(_) => None,
                });
        gone_or_changed.chain(appeared).collect()
    }

    /// Fails the test, naming every difference, unless this equals `earlier`.
    #[track_caller]
    pub fn assert_unchanged_since(&self, earlier: &Self) {
        let changes = self.changes_since(earlier);
        assert!(
            changes.is_empty(),
            "the checkout was changed:\n{}",
            changes.join("\n")
        );
    }
}

impl fmt::Debug for CheckoutFingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_map()
            .entries(
                self.entries
                    .iter()
                    .map(|(name, content)| (name, format!("{} bytes", content.len()))),
            )
            .finish()
    }
}

/// Adds everything below `directory`, without following symlinks.
#[track_caller]
fn collect(root: &Path, directory: &Path, entries: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(directory).expect("the checkout is readable") {
        let path = entry.expect("the checkout is readable").path();
        let relative = path.strip_prefix(root).expect("the entry lies in the root");
        if relative == Path::new(".git") {
            continue;
        }
        let metadata = path.symlink_metadata().expect("the entry was just listed");
        let mode = metadata.permissions().mode();
        let name = relative.display();
        if metadata.is_symlink() {
            let target = fs::read_link(&path).expect("the entry is a symlink");
            entries.insert(
                format!("symlink {name}"),
                target.as_os_str().as_bytes().to_vec(),
            );
        } else if metadata.is_dir() {
            entries.insert(format!("directory {name} ({mode:o})"), Vec::new());
            collect(root, &path, entries);
        } else if metadata.is_file() {
            let content = fs::read(&path).expect("the checkout is readable");
            entries.insert(format!("file {name} ({mode:o})"), content);
        } else {
            entries.insert(format!("special file {name} ({mode:o})"), Vec::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use crate::{Repository, TestEnvironment};

    fn repository(environment: &TestEnvironment) -> Repository {
        let repository = environment.init_repository();
        repository.write("src/a.py", "value = 1\n");
        repository.commit_all("first");
        repository
    }

    #[test]
    fn an_untouched_checkout_keeps_its_fingerprint() {
        let environment = TestEnvironment::without_binary();
        let repository = repository(&environment);
        let before = repository.checkout_fingerprint();
        repository.git(["status"]);
        repository.git(["branch", "feat/issue-87"]);
        repository
            .checkout_fingerprint()
            .assert_unchanged_since(&before);
    }

    #[test]
    fn one_byte_one_bit_or_one_directory_changes_it() {
        let environment = TestEnvironment::without_binary();
        let repository = repository(&environment);
        let path = repository.path().join("src/a.py");
        // Independent of the umask.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let before = repository.checkout_fingerprint();
        let changes = || repository.checkout_fingerprint().changes_since(&before);

        repository.write("src/a.py", "value = 2\n");
        assert_eq!(changes(), ["changed: file src/a.py (100644)"]);

        repository.write("src/a.py", "value = 1\n");
        assert_eq!(changes(), [""; 0]);

        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            changes(),
            [
                "gone: file src/a.py (100644)",
                "appeared: file src/a.py (100755)"
            ]
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();

        fs::create_dir(repository.path().join("src/__pycache__")).unwrap();
        let changes = changes();
        assert_eq!(changes.len(), 1);
        assert!(changes[0].starts_with("appeared: directory src/__pycache__"));
    }

    #[test]
    fn staging_stashing_and_committing_change_it() {
        let environment = TestEnvironment::without_binary();
        let repository = repository(&environment);
        let before = repository.checkout_fingerprint();
        let changed = |name: &str| {
            repository
                .checkout_fingerprint()
                .changes_since(&before)
                .contains(&format!("changed: {name}"))
        };

        repository.git(["update-index", "--assume-unchanged", "src/a.py"]);
        assert!(changed("index flags"));
        repository.git(["update-index", "--no-assume-unchanged", "src/a.py"]);

        repository.write("src/a.py", "value = 3\n");
        repository.git(["add", "src/a.py"]);
        assert!(changed("index"));
        repository.git(["stash"]);
        assert!(changed("stash"));
        assert!(!changed("index"));

        repository.write("src/b.py", "value = 4\n");
        repository.commit_all("second");
        assert!(changed("HEAD commit"));
        repository.git(["checkout", "--quiet", "-b", "other"]);
        assert!(changed("HEAD branch"));
    }
}
