//! Which files a reply may bring.
//!
//! The scaffold stage may write test files and nothing else; the implement stage everything but them. The tests'
//! verdict has value only because the author of the code cannot touch the tests.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{Body, RepliedFile};
use crate::dialect::{acts_on_runner, is_test_configuration, is_test_file, only_supports_tests};
use crate::lld::PlannedFile;
use crate::path::{PathProblem, ProjectPath};
use crate::remark::Remark;

/// The rules that a reply is checked against.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// All files of the design document.
    pub listed: &'a [PlannedFile],
    /// All paths of the base commit.
    pub base: &'a BTreeSet<String>,
    /// Paths that the run has written so far.
    pub written: &'a BTreeSet<String>,
    /// The setting `[test] paths`.
    pub test_paths: &'a [String],
}

/// A file of a reply that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedFile {
    /// The file's path.
    pub path: ProjectPath,
    /// The new content, or the changes to it.
    pub body: Body,
}

/// Why a whole reply is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotAllowed {
    /// A path that breaks the rules for paths.
    #[error(transparent)]
    Path(#[from] PathProblem),
    /// A scaffold brings something else.
    #[error("{0} is not a test file")]
    NoTestFile(ProjectPath),
    /// A scaffold brings only test support and no test.
    #[error("the reply brings no test")]
    NoTest,
    /// An implementation touches a test.
    #[error("{0} is a test file; the tests are sealed and cannot be changed any more")]
    Sealed(ProjectPath),
    /// An implementation touches another existing file.
    #[error("{path} exists already and was not asked for")]
    NotAskedFor {
        /// The path in the reply.
        path: ProjectPath,
        /// The path that was asked for.
        asked: ProjectPath,
    },
    /// An implementation does not bring its file.
    #[error("the reply does not bring {0}, which was asked for")]
    Missing(ProjectPath),
    /// The name changes the test runner's behaviour.
    #[error("{path} {reason}; the design document does not list it")]
    ActsOnRunner {
        /// The file's path.
        path: ProjectPath,
        /// How it does so.
        reason: String,
    },
    /// Programs act on the name.
    #[error(
        "{0} is a file that programs act upon by its mere presence; the design document does not list it"
    )]
    Protected(ProjectPath),
    /// On some file systems it would be another file.
    #[error("{path} differs from {other} only in upper and lower case")]
    OnlyCase {
        /// The path in the reply.
        path: ProjectPath,
        /// The path that exists or comes with it.
        other: String,
    },
    /// A file and a directory of the same name.
    #[error(
        "{path} and {other} cannot both exist: one is a file where the other needs a directory"
    )]
    Clash {
        /// The path in the reply.
        path: ProjectPath,
        /// The path that exists or comes with it.
        other: String,
    },
}

impl From<NotAllowed> for Remark {
    fn from(problem: NotAllowed) -> Self {
        let fact = Self::from(problem.to_string());
        match problem {
            NotAllowed::NoTestFile(_) => fact.so("at this stage send test files only"),
            NotAllowed::NoTest => fact.so("send at least one test file"),
            NotAllowed::NotAskedFor { asked, .. } => {
                fact.so(format!("send {asked} and, if needed, new files"))
            }
            _ => fact,
        }
    }
}

impl Rules<'_> {
    /// The files of a scaffold reply, or why the whole reply is refused.
    pub fn scaffold(&self, files: Vec<RepliedFile>) -> Result<Vec<AllowedFile>, NotAllowed> {
        let allowed = self.each(files, |path| {
            if is_test_file(path.as_str(), self.test_paths) {
                Ok(())
            } else {
                Err(NotAllowed::NoTestFile(path.clone()))
            }
        })?;
        let collects = |file: &AllowedFile| !only_supports_tests(file.path.file_name());
        if allowed.iter().any(collects) {
            Ok(allowed)
        } else {
            Err(NotAllowed::NoTest)
        }
    }

    /// The files of a reply to the question for `asked`, or why the whole reply is refused.
    pub fn implement(
        &self,
        asked: &ProjectPath,
        files: Vec<RepliedFile>,
    ) -> Result<Vec<AllowedFile>, NotAllowed> {
        let allowed = self.each(files, |path| {
            if path == asked {
                Ok(())
            } else if is_test_file(path.as_str(), self.test_paths) {
                Err(NotAllowed::Sealed(path.clone()))
            } else if self.base.contains(path.as_str()) {
                Err(NotAllowed::NotAskedFor {
                    path: path.clone(),
                    asked: asked.clone(),
                })
            } else {
                Ok(())
            }
        })?;
        if allowed.iter().any(|file| file.path == *asked) {
            Ok(allowed)
        } else {
            Err(NotAllowed::Missing(asked.clone()))
        }
    }

    fn each(
        &self,
        files: Vec<RepliedFile>,
        stage_rule: impl Fn(&ProjectPath) -> Result<(), NotAllowed>,
    ) -> Result<Vec<AllowedFile>, NotAllowed> {
        let mut allowed = Vec::new();
        for file in files {
            let path = ProjectPath::parse(&file.path)?;
            stage_rule(&path)?;
            let listed = self.listed.iter().any(|planned| planned.path == path);
            let configures = is_test_configuration(&path);
            if let Some(reason) = acts_on_runner(&path).filter(|_| !listed) {
                return Err(NotAllowed::ActsOnRunner { path, reason });
            }
            if !listed && (path.is_protected() || configures) {
                return Err(NotAllowed::Protected(path));
            }
            if let Some(other) = self.only_case(&path, &allowed) {
                return Err(NotAllowed::OnlyCase { path, other });
            }
            if let Some(other) = self.clash(&path, &allowed) {
                return Err(NotAllowed::Clash { path, other });
            }
            allowed.push(AllowedFile {
                path,
                body: file.body,
            });
        }
        Ok(allowed)
    }

    /// Every path that exists or comes before this one in the reply.
    fn others<'r>(&'r self, reply: &'r [AllowedFile]) -> impl Iterator<Item = &'r str> {
        let existing = self.base.iter().chain(self.written).map(String::as_str);
        existing.chain(reply.iter().map(|file| file.path.as_str()))
    }

    /// A path of which this one, or a directory that it would make, differs only in upper and lower case.
    fn only_case(&self, path: &ProjectPath, reply: &[AllowedFile]) -> Option<String> {
        let ends = path.as_str().match_indices('/').map(|(end, _)| end);
        let names = ends.chain([path.as_str().len()]);
        names
            .map(|end| &path.as_str()[..end])
            .filter(|name| !self.others(reply).any(|other| is_at(other, name)))
            .find_map(|name| {
                let folded = name.to_lowercase();
                let mut others = self.others(reply);
                others.find(|other| is_at(&other.to_lowercase(), &folded))
            })
            .map(str::to_owned)
    }

    /// A path that is a directory where this one is a file, or the other way round.
    fn clash(&self, path: &ProjectPath, reply: &[AllowedFile]) -> Option<String> {
        let path = path.as_str();
        let below = format!("{path}/");
        let mut clashing = self.others(reply).filter(|other| {
            other.starts_with(&below)
                || path
                    .strip_prefix(other)
                    .is_some_and(|rest| rest.starts_with('/'))
        });
        clashing.next().map(str::to_owned)
    }
}

/// Whether a path is this name, or lies in the directory of this name.
fn is_at(path: &str, name: &str) -> bool {
    (path.strip_prefix(name)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::ChangeType;

    fn path(text: &str) -> ProjectPath {
        ProjectPath::parse(text).expect("a plain path")
    }

    fn file(path: &str) -> RepliedFile {
        RepliedFile {
            path: path.to_owned(),
            body: Body::Whole("x\n".to_owned()),
        }
    }

    fn with_rules<T>(listed: &[&str], body: impl Fn(Rules<'_>) -> T) -> T {
        let listed: Vec<_> = listed
            .iter()
            .map(|text| PlannedFile {
                path: path(text),
                change: ChangeType::Add,
                description: String::new(),
            })
            .collect();
        let base = ["src/a.py", "src/b.py", "tests/test_a.py"]
            .map(str::to_owned)
            .into();
        let written = ["src/made/new.py"].map(str::to_owned).into();
        body(Rules {
            listed: &listed,
            base: &base,
            written: &written,
            test_paths: &[],
        })
    }

    #[test]
    fn a_scaffold_brings_tests_and_nothing_else() {
        with_rules(&["src/a.py"], |rules| {
            assert!(
                rules
                    .scaffold(vec![file("tests/test_b.py"), file("tests/data.json")])
                    .is_ok()
            );
            assert!(
                rules.scaffold(vec![file("tests/test_a.py")]).is_ok(),
                "may extend a test file"
            );
            for refused in [
                "src/a.py",
                "conftest.py",
                "tests/conftest.py",
                "../test_x.py",
                "pytest.ini",
            ] {
                assert!(
                    rules
                        .scaffold(vec![file("tests/test_b.py"), file(refused)])
                        .is_err(),
                    "{refused}"
                );
            }
        });
        with_rules(&["tests/conftest.py"], |rules| {
            assert!(
                rules
                    .scaffold(vec![file("tests/test_b.py"), file("tests/conftest.py")])
                    .is_ok()
            );
            assert!(
                rules.scaffold(vec![file("tests/conftest.py")]).is_err(),
                "no test in it"
            );
        });
    }

    #[test]
    fn an_implementation_brings_what_was_asked_for_and_new_source_files() {
        with_rules(&["src/a.py"], |rules| {
            let asked = path("src/a.py");
            assert!(
                rules
                    .implement(&asked, vec![file("src/a.py"), file("src/new.py")])
                    .is_ok()
            );
            for refused in [
                "tests/test_a.py",
                "tests/test_new.py",
                "src/b.py",
                "conftest.py",
                "sitecustomize.py",
                "pyproject.toml",
                "setup.cfg",
                ".gitattributes",
                "setup.py",
                "Makefile",
                "package.json",
                "lefthook.yaml",
                "noxfile.py",
                "Dockerfile",
                ".venv/bin/python",
                "src\u{2215}x.py",
                ".g\u{131}t/config",
                "/etc/passwd",
                "../x.py",
                ".git/config",
                "SRC/B.py",
            ] {
                let files = vec![file("src/a.py"), file(refused)];
                assert!(rules.implement(&asked, files).is_err(), "{refused}");
            }
            assert!(
                rules.implement(&asked, vec![file("src/new.py")]).is_err(),
                "asked file missing"
            );
        });
    }

    #[test]
    fn two_names_that_differ_only_in_case_are_refused_wherever_the_other_is() {
        with_rules(&["src/a.py"], |rules| {
            let asked = path("src/a.py");
            for refused in [
                &["src/A.py"][..],
                &["SRC/other.py"],
                &["src/Made/x.py"],
                &["src/made/NEW.py"],
                &["src/x.py", "src/X.py"],
                &["lib/x.py", "Lib/y.py"],
            ] {
                let names = ["src/a.py"].iter().chain(refused);
                let files = names.map(|name| file(name)).collect();
                let error = rules.implement(&asked, files).expect_err(refused[0]);
                assert!(matches!(error, NotAllowed::OnlyCase { .. }), "{error}");
            }
            let honest = ["src/a.py", "src/x.py", "src/xx.py", "src/made/other.py"];
            let files = honest.map(file).into();
            assert!(rules.implement(&asked, files).is_ok());
            let test = ["tests/test_x.py", "tests/test_X.py"].map(file).into();
            assert!(rules.scaffold(test).is_err());
        });
    }

    #[test]
    fn a_file_cannot_take_the_place_of_a_directory_or_lie_below_a_file() {
        with_rules(&["src/a.py"], |rules| {
            let asked = path("src/a.py");
            for refused in [
                ["src/b.py/x.py", ""],
                ["src", ""],
                ["src/made", ""],
                ["new", "new/x.py"],
            ] {
                let mut files = vec![file("src/a.py")];
                files.extend(
                    refused
                        .iter()
                        .filter(|name| !name.is_empty())
                        .map(|name| file(name)),
                );
                let error = rules.implement(&asked, files).expect_err(refused[0]);
                assert!(matches!(error, NotAllowed::Clash { .. }), "{error}");
            }
        });
    }
}
