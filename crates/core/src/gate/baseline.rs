//! The suite at the base commit.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Unusable;
use super::cause::first_line;
use crate::failure::{Explained, Kind};
use crate::test_outcome::{Ending, Observation, Summary, function_of};

/// How many lines of a runner that cannot start are shown.
const SHOWN_LINES: usize = 10;

/// The suite at the base commit, before anything was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Recorded")]
pub struct Baseline {
    /// Every collected test and its outcome. A deselected one was collected too.
    pub tests: BTreeMap<String, BaseTest>,
    /// Files that could not be collected.
    pub uncollectable: BTreeSet<String>,
    /// Files that were skipped as a whole, and the reason that they gave.
    pub skipped_files: BTreeMap<String, String>,
    /// Plugins of the runner that its environment brought: the only ones that are loaded later.
    pub plugins: Vec<String>,
    /// Parts of the runner that the project changes already.
    pub tampered: BTreeSet<String>,
    /// Uncaught errors outside any test; their first lines.
    pub unhandled: BTreeSet<String>,
    /// Whether the JUnit report tells another story already, or there is none.
    pub without_junit: bool,
}

/// One test of the base commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseTest {
    /// How it ended.
    pub ending: Ending,
    /// Why it, or parts of it, did not have to hold: the reasons of skips and of expected failures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excuses: Vec<String>,
}

impl From<Ending> for BaseTest {
    fn from(ending: Ending) -> Self {
        Self {
            ending,
            excuses: Vec::new(),
        }
    }
}

/// A baseline as a journal has it. Earlier versions told only passed and other tests apart; nothing was concluded
/// from the others, and nothing is concluded from a failure.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Recorded {
    tests: BTreeMap<String, BaseTest>,
    passed: BTreeSet<String>,
    not_passed: BTreeSet<String>,
    uncollectable: BTreeSet<String>,
    skipped_files: BTreeMap<String, String>,
    plugins: Vec<String>,
    tampered: BTreeSet<String>,
    unhandled: BTreeSet<String>,
    without_junit: bool,
}

impl From<Recorded> for Baseline {
    fn from(recorded: Recorded) -> Self {
        let all = |ids: BTreeSet<String>, ending: Ending| {
            ids.into_iter().map(move |id| (id, ending.into()))
        };
        let mut tests = recorded.tests;
        tests.extend(all(recorded.passed, Ending::Passed));
        tests.extend(all(recorded.not_passed, Ending::Failed));
        Self {
            tests,
            uncollectable: recorded.uncollectable,
            skipped_files: recorded.skipped_files,
            plugins: recorded.plugins,
            tampered: recorded.tampered,
            unhandled: recorded.unhandled,
            without_junit: recorded.without_junit,
        }
    }
}

impl FromIterator<(String, Ending)> for Baseline {
    fn from_iter<T: IntoIterator<Item = (String, Ending)>>(tests: T) -> Self {
        let tests = tests.into_iter();
        Self {
            tests: tests.map(|(id, ending)| (id, ending.into())).collect(),
            ..Self::default()
        }
    }
}

/// Why nothing can be compared with the base commit. No model can repair a suite that does not even start, so
/// a person is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the tests cannot be judged at the base commit: {problem}{}", shown(.output))]
pub struct BaselineError {
    problem: Unusable,
    /// The runner's own last lines.
    output: String,
}

impl BaselineError {
    fn new(problem: Unusable, output: &str) -> Self {
        let lines: Vec<&str> = match problem {
            // The tests were run, and say nothing about where their code came from.
            Unusable::WrongTree { .. } => Vec::new(),
            _ => output.trim_end().lines().collect(),
        };
        let first = lines.len().saturating_sub(SHOWN_LINES);
        Self {
            problem,
            output: lines[first..].join("\n"),
        }
    }

    /// For the samples of errors.
    #[cfg(feature = "samples")]
    pub fn sample() -> Self {
        let problem = crate::test_outcome::Unreadable::Unfinished { running: None };
        Self::new(
            Unusable::NoReport {
                code: 4,
                meaning: crate::test_outcome::ExitMeaning::UsageError,
                problem,
            },
            "OUTPUT",
        )
    }
}

/// Lines below a sentence.
fn shown(output: &str) -> String {
    if output.is_empty() {
        return String::new();
    }
    format!("\n  {}", output.replace('\n', "\n  "))
}

impl Explained for BaselineError {
    fn kind(&self) -> Kind {
        Kind::Environment
    }

    fn hints(&self) -> Vec<String> {
        vec![match self.problem {
            Unusable::TimedOut { seconds } => format!(
                "set `timeout_seconds` in `[test]` of proctor.toml, {seconds} now, to more than the suite takes, \
                 or name a part of the suite with `paths`"
            ),
            _ => "fix what the runner's own words name, or run another Python with `command` in `[test]` of \
                  proctor.toml; failing tests alone are no obstacle"
                .to_owned(),
        }]
    }
}

/// The parts that a new or changed test skips of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LeftOut<'a> {
    /// Nothing that was run at the base commit.
    Nothing,
    /// It is not judged, and for the same reason was not at the base commit.
    AsAtBase,
    /// Something that the base commit does not leave out, for this reason.
    More(&'a str),
}

impl Baseline {
    /// The result of the base commit's own run.
    ///
    /// Failing tests and files that cannot be collected are ordinary: they are remembered and do
    /// not block. No tests at all is an empty baseline.
    pub fn from_observation(observation: &Observation) -> Result<Self, BaselineError> {
        let report = observation
            .complete()
            .map_err(|problem| BaselineError::new(problem, &observation.output))?;
        let summaries = report.summaries();
        let run = summaries.iter().map(|summary| {
            let test = BaseTest {
                ending: summary.ending,
                excuses: summary.excuses.clone(),
            };
            (summary.id.to_owned(), test)
        });
        let deselected = report.deselected.iter();
        Ok(Self {
            tests: deselected
                .map(|id| (id.clone(), Ending::Deselected.into()))
                .chain(run)
                .collect(),
            uncollectable: report
                .errors
                .iter()
                .map(|error| error.file.clone())
                .collect(),
            skipped_files: report
                .skipped_files
                .iter()
                .map(|skipped| (skipped.file.clone(), skipped.reason.clone()))
                .collect(),
            plugins: report.plugins.clone(),
            tampered: report.tampered.clone(),
            unhandled: report
                .unhandled
                .iter()
                .map(|raised| first_line(raised).to_owned())
                .collect(),
            without_junit: observation.junit_disagreement(report).is_some(),
        })
    }

    /// Ids that passed; they have to pass at green as well.
    pub fn passed(&self) -> impl Iterator<Item = &str> {
        self.ending_as(Ending::Passed)
    }

    /// Ids that ended like this.
    pub fn ending_as(&self, ending: Ending) -> impl Iterator<Item = &str> {
        let tests = self.tests.iter();
        tests
            .filter(move |(_, test)| test.ending == ending)
            .map(|(id, _)| id.as_str())
    }

    /// Every id that was there.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.tests.keys().map(String::as_str)
    }

    /// Whether there was a test of this id.
    pub fn contains(&self, id: &str) -> bool {
        self.tests.contains_key(id)
    }

    /// The outcome of a test, or of a file as a whole; none where the base does not have it.
    pub(super) fn outcome(&self, id: &str) -> Option<Ending> {
        let test = self.tests.get(id).map(|test| test.ending);
        let file = || {
            let skipped = self.skipped_files.contains_key(id);
            let uncollectable = self.uncollectable.contains(id);
            (uncollectable.then_some(Ending::Error)).or(skipped.then_some(Ending::Skipped))
        };
        test.or_else(file)
    }

    /// The parts that a test skips and the base commit does not. A case that the base does not have is compared with
    /// the other cases of its test, if every one of them is skipped.
    pub(super) fn left_out<'s>(&self, summary: &'s Summary<'_>) -> LeftOut<'s> {
        let known = self.tests.get(summary.id).cloned();
        let known = known.or_else(|| self.skipped_cases(function_of(summary.id)));
        let excuses = known.as_ref().map_or(&[][..], |test| &test.excuses);
        if let Some(reason) = left_over(&summary.excuses, excuses) {
            return LeftOut::More(reason);
        }
        let is_excused = matches!(summary.ending, Ending::Skipped | Ending::Xfailed);
        if is_excused && known.is_some_and(|test| test.ending == summary.ending) {
            LeftOut::AsAtBase
        } else {
            LeftOut::Nothing
        }
    }

    /// All cases of a test as one, if there are any and every one is skipped.
    fn skipped_cases(&self, function: &str) -> Option<BaseTest> {
        let cases = self.tests.iter();
        let cases: Vec<&BaseTest> = cases
            .filter(|(id, _)| id.as_str() != function && function_of(id) == function)
            .map(|(_, test)| test)
            .collect();
        let all = cases.iter().all(|test| test.ending == Ending::Skipped);
        let excuses = cases.iter().flat_map(|test| test.excuses.clone());
        (all && !cases.is_empty()).then(|| BaseTest {
            ending: Ending::Skipped,
            excuses: excuses.collect(),
        })
    }
}

/// The first of `now` that `then` does not have, or does not have as often.
pub(super) fn left_over<'s>(now: &'s [String], then: &[String]) -> Option<&'s str> {
    let mut then: Vec<&String> = then.iter().collect();
    now.iter().map(String::as_str).find(|reason| {
        let place = then.iter().position(|other| other == reason);
        place.map(|place| then.swap_remove(place)).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::{Baseline, LeftOut};
    use crate::failure::Explained;
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Ending, Exit, Outcome, Phase};

    fn skips(run: Run, id: &str, reason: &str) -> Run {
        let said = raised(&[], reason, "t.py");
        run.ends(id, Phase::Setup, Outcome::Skipped, Some(said))
    }

    #[test]
    fn every_ending_is_told_apart() {
        let mut run = Run::default()
            .passes("t.py::a")
            .fails("t.py::b", raised(&["AssertionError"], "no", "t.py"))
            .ends("t.py::d", Phase::Call, Outcome::Xfailed, None)
            .ends("t.py::e", Phase::Call, Outcome::Xpassed, None)
            .collection_error("u.py", raised(&["ValueError"], "no", "u.py"));
        run = skips(run, "t.py::c", "not here");
        run.report.deselected.push("t.py::f".to_owned());
        let baseline = Baseline::from_observation(&run.exits(1)).expect("a baseline");
        let endings: Vec<(&str, Ending)> = (baseline.tests.iter())
            .map(|(id, test)| (id.as_str(), test.ending))
            .collect();
        assert_eq!(
            endings,
            [
                ("t.py::a", Ending::Passed),
                ("t.py::b", Ending::Failed),
                ("t.py::c", Ending::Skipped),
                ("t.py::d", Ending::Xfailed),
                ("t.py::e", Ending::Xpassed),
                ("t.py::f", Ending::Deselected),
            ]
        );
        assert_eq!(baseline.tests["t.py::c"].excuses, ["skipped: not here"]);
        assert!(baseline.uncollectable.iter().eq(["u.py"]));
        assert_eq!(baseline.outcome("u.py"), Some(Ending::Error));
        let written = serde_json::to_string(&baseline).expect("plain data");
        assert_eq!(
            serde_json::from_str::<Baseline>(&written).unwrap(),
            baseline
        );
    }

    #[test]
    fn a_journal_of_an_earlier_version_is_read() {
        let earlier = r#"{"passed":["t.py::a"],"not_passed":["t.py::b"],"uncollectable":["u.py"],
                          "plugins":["cov"]}"#;
        let baseline: Baseline = serde_json::from_str(earlier).expect("an earlier shape");
        assert!(baseline.passed().eq(["t.py::a"]));
        assert!(baseline.ending_as(Ending::Failed).eq(["t.py::b"]));
        assert!(baseline.uncollectable.iter().eq(["u.py"]));
        assert_eq!(baseline.plugins, ["cov"]);
    }

    #[test]
    fn no_tests_are_an_empty_baseline() {
        let baseline = Baseline::from_observation(&Run::default().exits(5));
        assert_eq!(baseline, Ok(Baseline::default()));
    }

    #[test]
    fn a_suite_that_does_not_run_is_no_baseline_and_says_what_to_do() {
        let mut broken = Run::without_report(Exit::Code(4));
        let lines: Vec<String> = (1..=30).map(|line| format!("line {line}")).collect();
        broken.output = lines.join("\n");
        let error = Baseline::from_observation(&broken).expect_err("no baseline");
        let words = error.to_string();
        assert!(words.contains("error in its configuration"), "{words}");
        assert!(words.ends_with("\n  line 29\n  line 30"), "{words}");
        assert!(words.contains("line 21\n") && !words.contains("line 20\n"));
        let slow = Run::without_report(Exit::TimedOut);
        let error = Baseline::from_observation(&slow).expect_err("no baseline");
        assert!(
            error.hints()[0].contains("`timeout_seconds` in `[test]` of proctor.toml, 300 now")
        );
    }

    #[test]
    fn a_skip_is_the_bases_own_only_for_the_same_reason() {
        let base = skips(Run::default().passes("t.py::ran"), "t.py::x[1]", "not here");
        let base = Baseline::from_observation(&base.exits(0)).expect("a baseline");
        let left_out = |id: &str, reason: &str| {
            let run = skips(Run::default(), id, reason);
            let summaries = run.report.summaries();
            base.left_out(&summaries[0]) == LeftOut::AsAtBase
        };
        assert!(left_out("t.py::x[1]", "not here"));
        assert!(left_out("t.py::x[2]", "not here"), "another case of it");
        assert!(!left_out("t.py::x[1]", "not today"));
        assert!(!left_out("t.py::ran", "not here"));
        assert!(!left_out("t.py::new", "not here"));
    }
}
