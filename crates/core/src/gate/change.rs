//! The differences between a base and a tree, sorted by their meaning for the gates.

use super::findings::Findings;
use super::test_files::support;
use super::{Disposition, Rule, Verdict};
use crate::dialect::{acts_on_runner, is_test_configuration, is_test_file};
use crate::file_mode::FileMode;
use crate::path::ProjectPath;

/// A file that differs.
#[derive(Debug, Clone, Copy)]
pub struct ChangedFile<'a> {
    /// As git has it.
    pub path: &'a [u8],
    /// The old entry, if it existed.
    pub before: Option<FileMode>,
    /// The new entry, if it exists.
    pub after: Option<FileMode>,
}

/// A change that no test could cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedChange {
    /// The part of it that could be sorted.
    pub change: SortedChange,
    /// Why it is refused.
    pub verdict: Verdict,
}

/// A change that can be judged: nothing in it keeps a verdict from being believed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SortedChange {
    tests: Vec<ProjectPath>,
    removed_tests: Vec<ProjectPath>,
    sources: Vec<ProjectPath>,
    notes: Vec<String>,
}

impl SortedChange {
    /// Sorts the differences. `settings` is the name of Proctor's own settings file.
    pub fn sort<'a>(
        files: impl IntoIterator<Item = ChangedFile<'a>>,
        test_paths: &[String],
        settings: &str,
    ) -> Result<Self, Box<RefusedChange>> {
        let mut sorted = Self::default();
        let mut findings = Findings::default();
        for file in files {
            let name = String::from_utf8_lossy(file.path);
            match ProjectPath::parse(&name) {
                Ok(path) => sorted.add(path, file, test_paths, settings, &mut findings),
                Err(problem) => {
                    findings.refuse(Rule::InvalidPath, Some(&name), problem.to_string());
                }
            }
        }
        if findings.is_clean() {
            Ok(sorted)
        } else {
            Err(Box::new(RefusedChange {
                change: sorted,
                verdict: findings.verdict(Disposition::Revise, None),
            }))
        }
    }

    fn add(
        &mut self,
        path: ProjectPath,
        file: ChangedFile<'_>,
        test_paths: &[String],
        settings: &str,
        findings: &mut Findings,
    ) {
        let is_new = file.before.is_none() && file.after.is_some();
        if let Some(found) = acts_on_runner(&path).filter(|_| is_new) {
            findings.refuse(Rule::ActsOnRunner, Some(path.as_str()), found);
        }
        if is_test_configuration(&path) || path.as_str() == settings {
            let note = format!("{path} is held at the base commit while judging");
            self.notes.push(note);
        }
        if file.after.is_some_and(|mode| !mode.is_file()) {
            let message = "is a link; judged are files";
            findings.refuse(Rule::Link, Some(path.as_str()), message);
        }
        if !is_test_file(path.as_str(), test_paths) {
            self.sources.push(path);
        } else if file.after.is_some() {
            self.tests.push(path);
        } else {
            self.removed_tests.push(path);
        }
    }

    /// Test files that were added or changed.
    pub fn tests(&self) -> &[ProjectPath] {
        &self.tests
    }

    /// Test files that are gone.
    pub fn removed_tests(&self) -> &[ProjectPath] {
        &self.removed_tests
    }

    /// Every other file that differs.
    pub fn sources(&self) -> &[ProjectPath] {
        &self.sources
    }

    /// The test files that hold no tests themselves: any existing test may depend on them.
    pub fn support(files: &[String]) -> Vec<String> {
        support(files).map(str::to_owned).collect()
    }

    /// Facts about the change that a person should know.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The verdict of a red gate on a change without tests; none if there are some.
    pub fn without_tests(&self) -> Option<Verdict> {
        if !self.tests.is_empty() {
            return None;
        }
        let mut findings = Findings::default();
        let message = "no test file differs from the base; a red needs new tests";
        findings.refuse(Rule::NothingCollected, None, message);
        Some(findings.verdict(Disposition::Revise, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort(
        files: &[(&str, Option<FileMode>, Option<FileMode>)],
    ) -> Result<SortedChange, Box<RefusedChange>> {
        let files = files.iter().map(|(path, before, after)| ChangedFile {
            path: path.as_bytes(),
            before: *before,
            after: *after,
        });
        SortedChange::sort(files, &["checks".to_owned()], "proctor.toml")
    }

    #[test]
    fn files_are_sorted_by_what_they_mean() {
        let regular = Some(FileMode::Regular);
        let change = sort(&[
            ("app/core.py", regular, regular),
            ("checks/core.py", None, regular),
            ("tests/test_old.py", regular, None),
            ("pytest.ini", regular, regular),
            ("proctor.toml", None, regular),
        ])
        .unwrap();
        let names =
            |paths: &[ProjectPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(change.tests()), ["checks/core.py"]);
        assert_eq!(names(change.removed_tests()), ["tests/test_old.py"]);
        assert_eq!(
            names(change.sources()),
            ["app/core.py", "pytest.ini", "proctor.toml"]
        );
        assert_eq!(change.notes().len(), 2);
        assert!(change.without_tests().is_none());
    }

    #[test]
    fn what_no_test_could_speak_for_is_refused() {
        let regular = Some(FileMode::Regular);
        let table = [
            ("a/../b.py", None, regular, "invalid_path"),
            ("sitecustomize.py", None, regular, "acts_on_runner"),
            ("link.py", regular, Some(FileMode::Symlink), "link"),
            ("vendor", None, Some(FileMode::Submodule), "link"),
        ];
        for (path, before, after, rule) in table {
            let verdict = sort(&[(path, before, after)]).unwrap_err().verdict;
            assert_eq!(verdict.disposition(), Disposition::Revise);
            assert_eq!(verdict.reasons[0].rule.as_str(), rule, "{path}");
        }
    }

    #[test]
    fn a_red_needs_tests() {
        let change = sort(&[("app.py", None, Some(FileMode::Regular))]).unwrap();
        let verdict = change.without_tests().unwrap();
        assert_eq!(verdict.reasons[0].rule, Rule::NothingCollected);
    }
}
