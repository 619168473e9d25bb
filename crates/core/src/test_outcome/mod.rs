//! One run of a test runner, in one shape for every runner.
//!
//! The host runs the real runner and hands over an [`Observation`]: how the process ended, its report, its output.
//! Nothing here knows the runner or judges its report; see [`pytest`](crate::pytest) and [`gate`](crate::gate).

mod below;
mod exit;
mod junit;
mod observation;
mod record;
mod sandbox;
mod stopped;
mod stream;
mod summary;
#[cfg(test)]
pub(crate) mod testing;
mod trace;
mod twin;
mod unreadable;

pub use exit::{Exit, ExitMeaning};
pub use junit::{JUnit, parse_junit};
pub use observation::Observation;
pub use record::{
    CollectionError, Deed, FailureKind, Location, Outcome, Phase, Raised, Report, SkippedFile,
    TestRecord,
};
pub use sandbox::SandboxLevel;
pub use stopped::StoppedTest;
pub use stream::authentic_records;
pub(crate) use stream::read_stream;
pub use summary::Ending;
pub(crate) use summary::{Summary, file_of, function_of};
pub use trace::Trace;
pub use twin::TwinKind;
pub use unreadable::{JUnitError, Unreadable};
