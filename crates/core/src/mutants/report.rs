//! The results of all mutants, and their time budget.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long mutants may take if the settings do not say.
const USUAL: Duration = Duration::from_secs(30);
/// The shortest time that one run gets: the runner itself has to start.
const SHORTEST: Duration = Duration::from_secs(2);

/// `[test] mutants`: the consequence of survivors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MutantRule {
    /// None are made.
    Off,
    /// A person is told.
    #[default]
    Report,
    /// A survivor refuses.
    Demand,
}

/// A mutant that no test noticed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Survivor {
    /// The mutated file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The change there.
    pub what: String,
}

impl fmt::Display for Survivor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {}: {}", self.path, self.line, self.what)
    }
}

/// The results of all mutants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantReport {
    /// How many were tried.
    pub made: usize,
    /// How many of them a test noticed.
    pub killed: usize,
    /// The survivors.
    pub survived: Vec<Survivor>,
    /// How many more there would have been, had there been more time.
    #[serde(default)]
    pub left_out: usize,
}

impl fmt::Display for MutantReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "mutants: {} of {} killed",
            self.killed, self.made
        )?;
        if self.left_out > 0 {
            write!(formatter, ", {} more not tried", self.left_out)?;
        }
        Ok(())
    }
}

/// How long all mutants of one judgement may take: the setting, else thirty seconds and no longer than the judgement
/// itself took.
pub fn budget(set_seconds: Option<u64>, judged: Duration) -> Duration {
    set_seconds.map_or_else(|| USUAL.min(judged), Duration::from_secs)
}

/// How long one run of tests against a mutant may take, where the same tests without it took `plain`. Exceeding it
/// counts as noticed: many mutants are endless loops.
pub fn time_limit(plain: Duration) -> Duration {
    SHORTEST.max(plain * 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_counts_and_otherwise_the_smaller_one() {
        let seconds = Duration::from_secs;
        assert_eq!(budget(None, seconds(7)), seconds(7));
        assert_eq!(budget(None, seconds(70)), seconds(30));
        assert_eq!(budget(Some(90), seconds(7)), seconds(90));
        assert_eq!(time_limit(seconds(3)), seconds(15));
        assert_eq!(time_limit(Duration::from_millis(30)), seconds(2));
    }

    #[test]
    fn the_words_count() {
        let mut report = MutantReport {
            made: 16,
            killed: 14,
            ..MutantReport::default()
        };
        assert_eq!(report.to_string(), "mutants: 14 of 16 killed");
        report.left_out = 3;
        assert_eq!(
            report.to_string(),
            "mutants: 14 of 16 killed, 3 more not tried"
        );
    }
}
