//! A gate's evidence: every command with its output, in one file.

use std::fmt::Write as _;
use std::time::Duration;

use proctor_core::test_outcome::Observation;
use proctor_core::workflow::GateRun;

/// The runs so far.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    text: String,
    runs: Vec<GateRun>,
}

impl Evidence {
    pub(super) fn add(
        &mut self,
        what: &str,
        command: &str,
        observation: &Observation,
        elapsed: Duration,
    ) {
        let _ = write!(
            self.text,
            "== {what}\n$ {command}\n{}\n{:?} after {:.1} s\n\n",
            observation.output.trim_end(),
            observation.exit,
            elapsed.as_secs_f64()
        );
        self.runs.push(GateRun {
            what: what.to_owned(),
            command: command.to_owned(),
            exit_code: observation.exit.code(),
            tests: observation
                .report
                .as_ref()
                .map_or(0, |report| report.collected.len()),
            elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        });
    }

    pub(super) fn remark(&mut self, words: &str) {
        let _ = write!(self.text, "== {words}\n\n");
    }

    /// How long all runs so far took.
    pub(super) fn elapsed_ms(&self) -> u64 {
        self.runs.iter().map(|run| run.elapsed_ms).sum()
    }

    /// How long a run of this name took, the last if there are several.
    pub(super) fn elapsed_of(&self, what: &str) -> Option<Duration> {
        let run = self.runs.iter().rfind(|run| run.what == what)?;
        Some(Duration::from_millis(run.elapsed_ms))
    }

    /// How long the last run took.
    pub(super) fn last_elapsed(&self) -> Duration {
        let last = self.runs.last();
        last.map_or(Duration::ZERO, |run| Duration::from_millis(run.elapsed_ms))
    }

    /// Everything that is kept.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Every run, in order.
    pub(super) fn into_runs(self) -> Vec<GateRun> {
        self.runs
    }
}
