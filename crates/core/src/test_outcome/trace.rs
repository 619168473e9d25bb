//! The result of a run that was traced line by line.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Which lines of the source each test executed. Lines executed outside any test, for instance while modules were
/// loaded, are under the empty name.
///
/// A negative number is the inside of a function that is on one line as a whole: reaching its definition does not
/// execute it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// By file, then by test.
    lines: BTreeMap<String, BTreeMap<String, BTreeSet<i64>>>,
    /// Files that were opened, and by which tests.
    opened: BTreeMap<String, BTreeSet<String>>,
    /// Tests that ran code in another process, which is not traced.
    elsewhere: BTreeSet<String>,
    /// Why the watching cannot be relied on, if it cannot.
    lost: Option<String>,
}

impl Trace {
    /// The same with every path and id below a directory.
    pub(super) fn below(self, root: &str) -> Self {
        // No test has the empty name.
        let lower = |id: String| match id.as_str() {
            "" => id,
            _ => format!("{root}/{id}"),
        };
        let lines = self.lines.into_iter().map(|(path, tests)| {
            let tests = tests.into_iter().map(|(test, lines)| (lower(test), lines));
            (lower(path), tests.collect())
        });
        let opened = self.opened.into_iter().map(|(path, tests)| {
            let tests = tests.into_iter().map(lower);
            (lower(path), tests.collect())
        });
        Self {
            lines: lines.collect(),
            opened: opened.collect(),
            elsewhere: self.elsewhere.into_iter().map(lower).collect(),
            lost: self.lost,
        }
    }

    /// The union of both.
    pub(crate) fn extend(&mut self, other: Self) {
        for (path, tests) in other.lines {
            let known = self.lines.entry(path).or_default();
            for (test, lines) in tests {
                known.entry(test).or_default().extend(lines);
            }
        }
        for (path, tests) in other.opened {
            self.opened.entry(path).or_default().extend(tests);
        }
        self.elsewhere.extend(other.elsewhere);
        self.lost = self.lost.take().or(other.lost);
    }

    /// Records lines executed by a test, or outside any test.
    pub fn executed(&mut self, test: &str, path: &str, lines: impl IntoIterator<Item = i64>) {
        let tests = self.lines.entry(path.to_owned()).or_default();
        tests.entry(test.to_owned()).or_default().extend(lines);
    }

    /// Records a file opened by a test, or outside any test.
    pub fn opens(&mut self, test: &str, path: &str) {
        let tests = self.opened.entry(path.to_owned()).or_default();
        tests.insert(test.to_owned());
    }

    /// A test had something run elsewhere.
    pub fn runs_elsewhere(&mut self, test: &str) {
        self.elsewhere.insert(test.to_owned());
    }

    /// Records that other code took over the tracing.
    pub fn loses(&mut self, why: &str) {
        self.lost.get_or_insert_with(|| why.to_owned());
    }

    /// Why lines that were not seen may have been executed all the same.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Whether a test ran code where it is not traced.
    pub fn is_elsewhere(&self, test: &str) -> bool {
        self.elsewhere.contains(test)
    }

    /// The tests that executed one of these lines; the empty name for code outside any test.
    pub fn tests_at(&self, path: &str, lines: &[i64]) -> BTreeSet<&str> {
        let tests = self.lines.get(path).into_iter().flatten();
        tests
            .filter(|(_, seen)| lines.iter().any(|line| seen.contains(line)))
            .map(|(test, _)| test.as_str())
            .collect()
    }

    /// The tests that opened a file; the empty name for code outside any test.
    pub fn openers(&self, path: &str) -> BTreeSet<&str> {
        let tests = self.opened.get(path).into_iter().flatten();
        tests.map(String::as_str).collect()
    }

    /// The lines that a test executed, by file.
    pub fn lines_of<'t>(
        &'t self,
        test: &'t str,
    ) -> impl Iterator<Item = (&'t str, &'t BTreeSet<i64>)> {
        let files = self.lines.iter();
        files.filter_map(move |(path, tests)| Some((path.as_str(), tests.get(test)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;

    #[test]
    fn lines_and_files_are_known_by_test() {
        let mut trace = Trace::default();
        trace.executed("t::a", "app.py", [3, 4]);
        trace.executed("", "app.py", [1, 3]);
        trace.opens("t::a", "data.json");
        assert!(trace.tests_at("app.py", &[3]).into_iter().eq(["", "t::a"]));
        assert!(trace.tests_at("app.py", &[9, 4]).into_iter().eq(["t::a"]));
        assert!(trace.tests_at("app.py", &[-3]).is_empty());
        assert!(trace.openers("data.json").into_iter().eq(["t::a"]));
        assert_eq!(trace.lines_of("t::a").count(), 1);
        assert_eq!(trace.lost(), None);
        trace.loses("first");
        trace.loses("second");
        assert_eq!(trace.lost(), Some("first"));
    }
}
