//! One run of a test runner, as the host saw it.

use serde::{Deserialize, Serialize};

use super::{Exit, Report};

/// How the process ended, what it reported and what it printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// How the runner's process ended.
    pub exit: Exit,
    /// The report, or one phrase saying why there is none that can be believed.
    pub report: Result<Report, String>,
    /// What the runner printed, with its middle left out if it was long.
    pub output: String,
}
