//! What can go wrong with whoever replies.

use std::collections::BTreeSet;
use std::path::Path;

use proctor_host::driver::DriveError;
use proctor_host::model::{
    FaultKind, Model, ModelError, ModelSpec, Service, ServiceFailure, SpecError,
};
use proctor_host::process::{Interrupt, Launcher};
use proctor_host::settings::ModelSettings;

use super::{no_program, reason, text};
use crate::failure::Failure;

fn opened(model: &str, variables: &[(&str, &str)]) -> Result<Box<dyn Model>, SpecError> {
    let variables = variables
        .iter()
        .map(|(name, value)| (name.into(), value.into()));
    ModelSpec::parse(model, Path::new("/"))?.open(
        "",
        &[],
        &ModelSettings::default(),
        &Launcher::plain(),
        &variables.collect(),
        &Interrupt::default(),
    )
}

pub(super) fn unusable(model: &str, variables: &[(&str, &str)]) -> SpecError {
    opened(model, variables).err().expect("it cannot be used")
}

fn no_key() -> ModelError {
    let service = opened("anthropic:NAME", &[]).expect("the key is looked for later");
    service.ready().expect_err("there is none")
}

pub(super) fn models(all: &mut Vec<Failure>) {
    every!(all, ModelError {
        ModelError::NoScriptedReply { .. } => ModelError::NoScriptedReply {
            script: text("PATH"),
            question: text("QUESTION"),
        },
        ModelError::Program { .. } => ModelError::Program { program: text("PROGRAM"), problem: reason() },
        ModelError::Service(_) => no_key(),
        ModelError::Interrupted => ModelError::Interrupted,
        ModelError::Process(_) => ModelError::Process(no_program()),
    } as |error| DriveError::Model(error).into());
    every!(all, FaultKind {
        FaultKind::Key => FaultKind::Key,
        FaultKind::Billing => FaultKind::Billing,
        FaultKind::NotFound => FaultKind::NotFound,
        FaultKind::ContextOverflow => FaultKind::ContextOverflow,
        FaultKind::BadRequest => FaultKind::BadRequest,
        FaultKind::RateLimit => FaultKind::RateLimit,
        FaultKind::Unavailable => FaultKind::Unavailable,
        FaultKind::Redirected => FaultKind::Redirected,
        FaultKind::Connection => FaultKind::Connection,
        FaultKind::Certificate => FaultKind::Certificate,
        FaultKind::Stalled => FaultKind::Stalled,
        FaultKind::Malformed => FaultKind::Malformed,
        FaultKind::Empty => FaultKind::Empty,
    } as |kind| {
        let words = match kind {
            FaultKind::Key => "401 REASON",
            FaultKind::Billing => "402 REASON",
            FaultKind::NotFound => "404 REASON",
            FaultKind::ContextOverflow => "413 REASON",
            FaultKind::BadRequest => "400 REASON",
            FaultKind::RateLimit => "429 REASON",
            FaultKind::Unavailable => "500 REASON",
            FaultKind::Redirected => "307 REASON",
            _ => "REASON",
        };
        ServiceFailure::met(Service::Anthropic, "HOST", kind, words).into()
    });
}
