//! A run's current activity, and the person's next command.

use proctor_core::lld;
use proctor_core::workflow::{State, Waiting};
use proctor_host::driver::Inputs;
use proctor_host::journal::{Journal, RunRow};

/// A run's activity. Its journal cannot tell whether a process works on it; its lock can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activity {
    /// A process works on it.
    Running,
    /// It could continue, and no process works on it: one was stopped, or crashed.
    Interrupted,
    /// It waits for a person.
    Waiting,
    /// It is over, with a commit.
    Merged,
    /// It is over, without one.
    Aborted,
}

impl Activity {
    /// Asks the lock.
    pub(crate) fn of(row: &RunRow, journal: &Journal) -> Self {
        match row.run.state() {
            State::Merged(_) => Self::Merged,
            State::Aborted => Self::Aborted,
            _ if journal.is_held(&row.id) => Self::Running,
            State::Running => Self::Interrupted,
            State::Parked(_) => Self::Waiting,
        }
    }

    /// In a word, for people and scripts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Waiting => "waiting",
            Self::Merged => "merged",
            Self::Aborted => "aborted",
        }
    }

    /// The words after `proctor` that continue the run. An open run is named by its issue, which has no other.
    pub(crate) fn next(self, row: &RunRow) -> Option<String> {
        let issue = &row.run.started().issue;
        match (self, row.run.state()) {
            (Self::Waiting, State::Parked(Waiting::Review)) => Some(format!("review {issue}")),
            (Self::Waiting, State::Parked(Waiting::Request(hold))) => {
                let allowed = hold
                    .fingerprints()
                    .map(|it| format!(" --allow-secret {it}"));
                Some(format!("resume {issue}{}", allowed.collect::<String>()))
            }
            (Self::Waiting | Self::Interrupted, _) => Some(format!("resume {issue}")),
            (Self::Running, _) => None,
            (Self::Merged | Self::Aborted, _) => Some(format!("report {}", row.id)),
        }
    }
}

/// The run's subject: the title of its document, without the issue.
pub(crate) fn subject(row: &RunRow) -> String {
    let inputs: Option<Inputs> = serde_json::from_str(&row.inputs).ok();
    let design = inputs.map(|inputs| lld::parse(&inputs.document));
    design.map_or(String::new(), |design| design.subject().to_owned())
}

/// `3 h`, `2 days`; the largest unit is enough.
pub(crate) fn age_words(seconds: i64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (minutes, hours, days) {
        (..=0, _, _) => "now".to_owned(),
        (minutes, 0, _) => format!("{minutes} min"),
        (_, hours, 0) => format!("{hours} h"),
        (_, _, 1) => "1 day".to_owned(),
        (_, _, days) => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::age_words;

    #[test]
    fn an_age_is_told_by_its_largest_unit() {
        for (seconds, words) in [
            (-5, "now"),
            (59, "now"),
            (60, "1 min"),
            (3599, "59 min"),
            (3600, "1 h"),
            (86_399, "23 h"),
            (86_400, "1 day"),
            (200_000, "2 days"),
        ] {
            assert_eq!(age_words(seconds), words);
        }
    }
}
