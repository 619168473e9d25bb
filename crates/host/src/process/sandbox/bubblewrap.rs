//! The level with namespaces, made by the program bubblewrap.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::super::helper::{HELPER_WORD, REPORT_STAGE};
use super::super::{Environment, Tool, find_program, variable};
use super::LevelError;
use super::root::{Piece, Root};
use super::view::{Access, View};

/// The size of the private places, all in memory.
const PRIVATE_BYTES: u64 = 1024 * 1024 * 1024;

/// The program and its version's features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bubblewrap {
    program: PathBuf,
    /// A namespace in the namespace could be refused only since 0.8; the filter of system calls
    /// refuses it as well.
    disables_namespaces: bool,
    /// Private places have had a size only since 0.7; before, it is half of the memory.
    limits_size: bool,
}

impl Bubblewrap {
    /// Finds the program.
    pub(super) fn find(environment: &Environment) -> Result<Self, LevelError> {
        let path = variable(environment, "PATH").unwrap_or_default();
        let program = find_program(Path::new("bwrap"), path, Path::new("/"))
            .ok_or(LevelError::NotInstalled)?;
        let help = Tool::new(&program, "/")
            .argument("--help")
            .capture()
            .map_err(|error| LevelError::Process(error.to_string()))?;
        let text = [help.stdout, help.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        Ok(Self {
            program,
            disables_namespaces: text.contains("--disable-userns"),
            limits_size: text.contains("--size"),
        })
    }

    /// The words up to the program: a file system after `view`, then the stage that reports.
    ///
    /// The environment is not cleared here: bubblewrap's own process keeps its initial environment, and a job can read
    /// it there, so it is started with the job's environment only.
    pub(super) fn words(&self, view: &View, helper: &Path, directory: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.program.clone().into()];
        let mut add = |list: &[&Path]| words.extend(list.iter().map(OsString::from));
        let option = Path::new;
        for name in [
            "--unshare-all",
            // Without this, a missing user namespace would be ignored.
            "--unshare-user",
            "--die-with-parent",
            "--new-session",
        ] {
            add(&[option(name)]);
        }
        if self.disables_namespaces {
            add(&[option("--disable-userns")]);
        }
        add(&[option("--cap-drop"), option("ALL")]);
        let root = Root::of(view);
        for piece in &root.pieces {
            match piece {
                // It may have gone since it was looked at.
                Piece::Place(path) => add(&[option("--ro-bind-try"), path, path]),
                Piece::Directory(path) => add(&[option("--dir"), path]),
                Piece::Link { target, path } => add(&[option("--symlink"), target, path]),
            }
        }
        add(&[
            option("--dev"),
            option("/dev"),
            option("--proc"),
            option("/proc"),
        ]);
        let mut emptied: Vec<&Path> = root
            .is_recreated()
            .then_some(option("/"))
            .into_iter()
            .collect();
        for (path, access) in view.rules() {
            let above = path
                .parent()
                .map_or(Access::ReadOnly, |path| view.access(path));
            match access {
                _ if access == above || root.lacks(path) => {}
                Access::Absent | Access::Hidden if above < Access::ReadOnly => {}
                Access::Absent | Access::Hidden if path.is_dir() => {
                    add(&[option("--tmpfs"), path]);
                    emptied.push(path);
                }
                Access::Absent | Access::Hidden => {
                    add(&[option("--ro-bind"), option("/dev/null"), path]);
                }
                Access::Private => {
                    if self.limits_size {
                        let size = PRIVATE_BYTES.to_string();
                        add(&[option("--size"), option(&size)]);
                    }
                    add(&[option("--tmpfs"), path]);
                }
                Access::ReadOnly => add(&[option("--ro-bind"), path, path]),
                Access::Writable => add(&[option("--bind"), path, path]),
            }
        }
        // Only now: readable paths inside them had to be put there first.
        for path in emptied {
            add(&[option("--remount-ro"), path]);
        }
        add(&[option("--chdir"), directory, option("--"), helper]);
        add(&[option(HELPER_WORD), option(REPORT_STAGE), option("--")]);
        words
    }
}
