//! `proctor resume`

use clap::Args;
use proctor_core::secrets::Fingerprint;

use crate::failure::Failure;
use crate::session::{Intent, Session, find_run, take};

/// Go on with an interrupted or parked run
///
/// A run whose attempts are spent gets three more.
///
/// Example: proctor resume 87-k3x9qd
#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// The run; without it the newest that has not ended
    run: Option<String>,
    /// Let one finding of the secret scan pass; its fingerprint is in the message. May be given several times
    #[arg(long, value_name = "FINGERPRINT")]
    allow_secret: Vec<Fingerprint>,
}

pub(crate) fn resume(session: &Session<'_>, arguments: &ResumeArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let (mut journal, row) = find_run(&workspace, arguments.run.as_deref())?;
    let (row, lock) = take(&journal, &row)?;
    let intent = Intent::GoOn {
        allowed: &arguments.allow_secret,
    };
    session.drive(&workspace, &mut journal, row, intent, &lock)
}
