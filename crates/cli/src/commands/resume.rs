//! `proctor resume`

use clap::Args;
use proctor_core::secrets::Fingerprint;
use proctor_core::workflow::{Event, step};

use crate::failure::{Failure, Refused};
use crate::session::{Intent, Session, find_run, take};

/// Go on with an interrupted or parked run
///
/// A run whose attempts are spent gets three more. With `--tests` the tests are written again, as your words say; they
/// have to fail at the red gate again, and the review shows what they were before. Tests that you edited in the run's
/// worktree are noticed: you are shown the difference and asked whether it takes their place.
///
/// Example: proctor resume 87-k3x9qd --tests "cube(3) is 27"
#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// The run; without it the newest that has not ended
    run: Option<String>,
    /// Let one finding of the secret scan pass; its fingerprint is in the message. May be given several times
    #[arg(long, value_name = "FINGERPRINT")]
    allow_secret: Vec<Fingerprint>,
    /// Have another model asked from now on
    #[arg(long, value_name = "SPEC")]
    model: Option<String>,
    /// Have the tests written again; says what to change about them
    #[arg(long, value_name = "TEXT", value_parser = words)]
    tests: Option<String>,
}

fn words(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("say what to change about the tests"),
        words => Ok(words.to_owned()),
    }
}

pub(crate) fn resume(session: &Session<'_>, arguments: &ResumeArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let (mut journal, row) = find_run(&workspace, arguments.run.as_deref())?;
    let (row, lock) = take(&journal, &row)?;
    if let Some(text) = arguments.tests.clone()
        && step(
            &row.run,
            &Event::TestsReopened {
                text,
                by: String::new(),
            },
        )
        .is_err()
    {
        return Err(Refused::NoTestsToOpen {
            run: row.id.to_string(),
            state: row.run.state().key(),
            stage: row.run.stage().title(),
        }
        .into());
    }
    let intent = Intent::GoOn {
        allowed: &arguments.allow_secret,
        tests: arguments.tests.as_deref(),
        model: arguments.model.as_deref(),
    };
    session.drive(&workspace, &mut journal, row, intent, &lock)
}
