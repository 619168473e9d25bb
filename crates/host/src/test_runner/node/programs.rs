//! Proctor's own programs, and a directory for them in each run.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use proctor_core::test_outcome::JUnitError;
use rustix::fs::{Mode, OFlags};
use tempfile::TempDir;

use super::RunnerError;

/// Where a run begins.
pub(super) const ENTRY: &str = "plugin/run.mjs";
/// The runner's own report on its tests, where only its own process writes.
pub(super) const ACCOUNT: &str = "tmp/account.json";
/// The activity when a test was stopped.
pub(super) const STOPPED: &str = "tmp/stopped.txt";

/// All of them, the same for every runner: an observer cannot tell what is run.
const PROGRAMS: [(&str, &str); 13] = [
    ("book.mjs", include_str!("book.mjs")),
    ("jest.mjs", include_str!("jest.mjs")),
    ("jest_order.cjs", include_str!("jest_order.cjs")),
    ("jest_reporter.mjs", include_str!("jest_reporter.mjs")),
    ("jest_sequencer.mjs", include_str!("jest_sequencer.mjs")),
    ("node.mjs", include_str!("node.mjs")),
    ("node_at_once.cjs", include_str!("node_at_once.cjs")),
    ("node_files.mjs", include_str!("node_files.mjs")),
    ("pen.mjs", include_str!("pen.mjs")),
    ("run.mjs", include_str!("run.mjs")),
    ("selection.mjs", include_str!("selection.mjs")),
    ("told.mjs", include_str!("told.mjs")),
    ("vitest.mjs", include_str!("vitest.mjs")),
];
/// Loaded by vitest's workers; it needs the path of vitest.
const VITEST_ORDER: (&str, &str) = ("vitest_order.mjs", include_str!("vitest_order.mjs"));
/// The placeholder for that place, and for how the tests are to be run there.
const RUNNERS: &str = "PROCTOR_RUNNERS";
const TERMS: &str = "PROCTOR_TERMS";
/// The file for tests that begin, if they have a time limit.
pub(super) const NOTES: &str = "tmp/notes.txt";

/// A directory of this run's own: Proctor's programs, and the tests' leftovers.
pub(super) struct Private {
    directory: TempDir,
    /// Without any link on the way to it: a module is known by its real place.
    path: PathBuf,
}

impl Private {
    /// Makes it, with everything that a run by `program` takes. `reversed` and `noted` are for processes of vitest.
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory of Proctor's own, outside every tree: the safe write does not apply"
    )]
    pub(super) fn create(
        program: Option<&Path>,
        reversed: bool,
        noted: bool,
    ) -> Result<Self, RunnerError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| RunnerError::file("write", &path, error)
        };
        let directory = tempfile::Builder::new()
            .prefix("proctor-tests-")
            .tempdir()
            .map_err(failed(&std::env::temp_dir()))?;
        let path = fs::canonicalize(directory.path()).map_err(failed(directory.path()))?;
        let private = Self { directory, path };
        for name in ["plugin", "tmp", "tmp/cache"] {
            let path = private.at(name);
            fs::create_dir(&path).map_err(failed(&path))?;
        }
        let runners = program.and_then(Path::parent).map(|directory| {
            let place = noted.then(|| private.at(NOTES).to_string_lossy().into_owned());
            let terms = serde_json::json!({"reversed": reversed, "notes": place});
            // Version 5 has no module of its own for it any more.
            let modules = ["runners.js", "index.js"].map(|name| directory.join(name));
            let found = modules.iter().find(|module| module.is_file());
            let text = VITEST_ORDER
                .1
                .replace(RUNNERS, &file_url(found.unwrap_or(&modules[0])))
                .replace(TERMS, &terms.to_string());
            (VITEST_ORDER.0, text)
        });
        let programs = PROGRAMS.map(|(name, text)| (name, text.to_owned()));
        for (name, text) in programs.into_iter().chain(runners) {
            let path = private.at("plugin").join(name);
            fs::write(&path, text).map_err(failed(&path))?;
        }
        Ok(private)
    }

    /// Puts terms that are too long for the stream where the reporter finds them.
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory of Proctor's own, outside every tree: the safe write does not apply"
    )]
    pub(super) fn put(&self, name: &str, text: &str) -> Result<PathBuf, RunnerError> {
        let path = self.at("plugin").join(name);
        fs::write(&path, text).map_err(|error| RunnerError::file("write", &path, error))?;
        Ok(path)
    }

    /// A path in it.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        debug_assert!(self.directory.path().exists(), "it lives as long as this");
        self.path.join(name)
    }

    /// A file that a process of the run may have written, if it is one and not longer than this.
    pub(super) fn read(&self, name: &str, longest: usize) -> Result<String, JUnitError> {
        // The tests could have put anything there, a link or something that never ends.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::open(self.at(name), flags, Mode::empty());
        let file = fs::File::from(opened.map_err(|_| JUnitError::Missing)?);
        if !file.metadata().is_ok_and(|facts| facts.is_file()) {
            return Err(JUnitError::NotFile);
        }
        let mut bytes = Vec::new();
        file.take(longest as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| JUnitError::Missing)?;
        if bytes.len() > longest {
            return Err(JUnitError::TooLong);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The name by which node loads a file.
pub(super) fn file_url(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut url = String::from("file://");
    for byte in OsString::from(path).as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'@' => url.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => url.push(char::from(*byte)),
            byte => {
                let _ = write!(url, "%{byte:02X}");
            }
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_holds_every_path() {
        for (path, url) in [
            ("/a/b-c_d.mjs", "file:///a/b-c_d.mjs"),
            ("/a b/ä#?.js", "file:///a%20b/%C3%A4%23%3F.js"),
            ("/n/.pnpm/x@1/y", "file:///n/.pnpm/x@1/y"),
        ] {
            assert_eq!(file_url(Path::new(path)), url);
        }
    }

    #[test]
    fn programs_are_laid_out_and_the_place_of_vitest_stands_in_them() {
        let private =
            Private::create(Some(Path::new("/m/vitest/dist/node.js")), true, false).expect("made");
        let order = fs::read_to_string(private.at("plugin/vitest_order.mjs")).expect("a file");
        assert!(order.contains("'file:///m/vitest/dist/runners.js'"));
        assert!(order.contains("{\"notes\":null,\"reversed\":true}"));
        assert!(private.at(ENTRY).is_file());
        let without = Private::create(None, false, false).expect("made");
        assert!(!without.at("plugin/vitest_order.mjs").exists());
    }

    #[test]
    fn only_a_file_of_a_sane_length_is_read() {
        let private = Private::create(None, false, false).expect("made");
        assert_eq!(private.read(ACCOUNT, 10), Err(JUnitError::Missing));
        private
            .put("../tmp/account.json", "0123456789")
            .expect("written");
        assert_eq!(private.read(ACCOUNT, 10).as_deref(), Ok("0123456789"));
        assert_eq!(private.read(ACCOUNT, 9), Err(JUnitError::TooLong));
        assert_eq!(private.read("tmp/cache", 9), Err(JUnitError::NotFile));
    }
}
