//! The only writer, on a real file system: whole, beneath its root, and never through a link.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be set up fails the test"
)]

mod refusing;
mod together;
mod writing;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use proctor_core::path::ProjectPath;
use proctor_host::files::{Expected, FileChange, FileError, Root, remove_own_directory, write_own};
use tempfile::TempDir;

struct Place {
    directory: TempDir,
    root: Root,
}

fn place() -> Place {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("root")).unwrap();
    fs::create_dir(directory.path().join("outside")).unwrap();
    fs::write(directory.path().join("outside/file.txt"), "outside\n").unwrap();
    let root = Root::open(&directory.path().join("root")).unwrap();
    Place { directory, root }
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).unwrap()
}

impl Place {
    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn outside(&self) -> PathBuf {
        self.directory.path().join("outside")
    }

    fn put(&self, name: &str, content: &str) -> PathBuf {
        let file = self.at(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        file
    }

    fn write(&self, name: &str, content: &str) -> Result<(), FileError> {
        self.root.write(&path(name), content.as_bytes(), false)
    }

    fn mode(&self, name: &str) -> u32 {
        fs::symlink_metadata(self.at(name)).unwrap().mode() & 0o7777
    }

    /// Every name below the root.
    fn names(&self) -> Vec<String> {
        fn collect(top: &Path, directory: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(top).unwrap();
                names.push(name.to_str().unwrap().to_owned());
                if path.is_dir() && !path.is_symlink() {
                    collect(top, &path, names);
                }
            }
        }
        let mut names = Vec::new();
        collect(self.root.path(), self.root.path(), &mut names);
        names.sort();
        names
    }

    /// Asserts that neither reading, writing nor removing `name` gets anywhere, and that all of them
    /// leave everything as it was.
    #[track_caller]
    fn assert_refused(&self, name: &str, expected: fn(&FileError) -> bool) {
        let names = self.names();
        let written = self.write(name, "by Proctor\n").unwrap_err();
        assert!(expected(&written), "write: {written:?}");
        let removed = self.root.remove(&path(name)).unwrap_err();
        assert!(expected(&removed), "remove: {removed:?}");
        assert_eq!(self.names(), names);
        assert_eq!(
            fs::read_to_string(self.outside().join("file.txt")).unwrap(),
            "outside\n"
        );
        assert_eq!(fs::read_dir(self.outside()).unwrap().count(), 1);
    }

    #[track_caller]
    fn assert_unreadable(&self, name: &str, expected: fn(&FileError) -> bool) {
        let read = self.root.read(&path(name), 100).unwrap_err();
        assert!(expected(&read), "read: {read:?}");
    }
}

fn is_symlink(error: &FileError) -> bool {
    matches!(error, FileError::Symlink { .. })
}

fn is_not_regular(error: &FileError) -> bool {
    matches!(error, FileError::NotRegular { .. })
}

fn is_missing(error: &FileError) -> bool {
    matches!(error, FileError::Missing { .. })
}

fn skipped_as_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if root {
        let _ = std::io::stderr()
            .write_all(b"SKIPPED: permissions do not bind root, so nothing can be shown\n");
    }
    root
}

#[test]
fn an_own_file_is_replaced_whole_and_its_directory_made() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("evidence/87/output.txt");
    for content in ["first\n", "", "second\n"] {
        write_own(&file, content.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn an_own_directory_goes_with_everything_in_it_but_not_through_links() {
    let place = place();
    let own = place.directory.path().join("own");
    fs::create_dir_all(own.join("deep/er")).unwrap();
    fs::write(own.join("deep/er/file.txt"), "file\n").unwrap();
    symlink(place.outside(), own.join("link")).unwrap();
    for _ in 0..2 {
        remove_own_directory(&own).unwrap();
        assert!(!own.exists());
    }
    assert!(place.outside().join("file.txt").exists());

    symlink(place.outside(), &own).unwrap();
    let _ = remove_own_directory(&own);
    assert!(place.outside().join("file.txt").exists());
}

#[test]
fn an_own_directory_goes_even_if_a_test_closed_a_directory_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let own = directory.path().join("own");
    fs::create_dir_all(own.join("closed/deeper")).unwrap();
    fs::write(own.join("closed/deeper/file.txt"), "file\n").unwrap();
    for closed in ["closed/deeper", "closed"] {
        fs::set_permissions(own.join(closed), fs::Permissions::from_mode(0o000)).unwrap();
    }
    remove_own_directory(&own).unwrap();
    assert!(!own.exists());
}

fn writing<'a>(path: &'a ProjectPath, content: &'a str) -> FileChange<'a> {
    FileChange::Write {
        path,
        content: content.as_bytes(),
        expected: Expected::Anything,
        executable: false,
    }
}
