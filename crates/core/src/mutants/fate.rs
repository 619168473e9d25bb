//! The result of one test run against a mutant.

use std::collections::{BTreeMap, BTreeSet};

use crate::test_outcome::{Ending, Exit, FailureKind, Observation};

/// A mutant's fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A test failed.
    Killed {
        /// Tests that noticed it by an assertion; a test that only crashed checked nothing.
        by_assertion: BTreeSet<String>,
    },
    /// The tests did not end in time.
    TimedOut,
    /// Every test passed.
    Survived,
}

impl Fate {
    /// Reads a run of these tests against a mutant. Only a run that shows each of them passing lets it survive.
    /// `counts` says in which files a failing assertion counts as noticing; the name is empty where no file of the
    /// project is known.
    pub fn of(observation: &Observation, tests: &[String], counts: impl Fn(&str) -> bool) -> Self {
        if observation.exit == Exit::TimedOut {
            return Self::TimedOut;
        }
        let unnamed = Self::Killed {
            by_assertion: BTreeSet::new(),
        };
        let Ok(report) = &observation.report else {
            return unnamed;
        };
        let summaries = report.summaries();
        let endings: BTreeMap<&str, Ending> = summaries
            .iter()
            .map(|summary| (summary.id, summary.ending))
            .collect();
        let passed = |id: &String| endings.get(id.as_str()) == Some(&Ending::Passed);
        if observation.exit == Exit::Code(0) && tests.iter().all(passed) {
            return Self::Survived;
        }
        let asserted = summaries.iter().filter(|summary| {
            summary.raised.is_some_and(|(_, raised)| {
                let crash = raised.crash.as_ref();
                matches!(
                    raised.kind,
                    FailureKind::Assertion | FailureKind::ExplicitFailure
                ) && counts(crash.map_or("", |crash| &crash.path))
            })
        });
        Self::Killed {
            by_assertion: asserted.map(|summary| summary.id.to_owned()).collect(),
        }
    }

    /// Whether a test noticed it.
    pub fn is_killed(&self) -> bool {
        *self != Self::Survived
    }

    /// The tests that noticed it by an assertion.
    pub fn asserted(&self) -> impl Iterator<Item = &str> {
        let by = match self {
            Self::Killed { by_assertion } => Some(by_assertion),
            Self::TimedOut | Self::Survived => None,
        };
        by.into_iter().flatten().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_outcome::testing::{Run, raised};

    fn is_test(path: &str) -> bool {
        path == "t.py"
    }

    #[test]
    fn only_tests_that_all_pass_let_a_mutant_live() {
        let both = ["t.py::a".to_owned(), "t.py::b".to_owned()];
        let passing = Run::default().passes("t.py::a").passes("t.py::b").exits(0);
        assert_eq!(Fate::of(&passing, &both, is_test), Fate::Survived);
        let one = Run::default().passes("t.py::a").exits(0);
        assert!(
            Fate::of(&one, &both, is_test).is_killed(),
            "one was not run"
        );
        let slow = Run::without_report(Exit::TimedOut);
        assert_eq!(Fate::of(&slow, &both, is_test), Fate::TimedOut);
        let broken = Run::without_report(Exit::Signal(11));
        assert!(Fate::of(&broken, &both, is_test).is_killed());
    }

    #[test]
    fn who_noticed_it_by_an_assertion_is_known() {
        let run = Run::default()
            .passes("t.py::a")
            .fails("t.py::b", raised(&["AssertionError"], "no", "t.py"))
            .exits(1);
        let tests = ["t.py::b".to_owned()];
        let fate = Fate::of(&run, &tests, is_test);
        assert_eq!(fate.asserted().collect::<Vec<_>>(), ["t.py::b"]);
        assert_eq!(Fate::TimedOut.asserted().count(), 0);
        let of_the_source = raised(&["AssertionError"], "no", "m.py");
        let run = Run::default().fails("t.py::b", of_the_source).exits(1);
        let fate = Fate::of(&run, &tests, is_test);
        assert!(fate.is_killed());
        assert_eq!(fate.asserted().count(), 0, "the test itself asked nothing");
    }
}
