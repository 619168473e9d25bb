//! The text that a model would be sent, as `check` and `run` collect it from the command line and show it.

use std::path::Path;

use clap::Args;
use proctor_core::limits::{MAX_TOTAL_TOKENS, Portion};
use proctor_core::lld::PlannedFile;
use proctor_core::secrets::{AllowedSecrets, Fingerprint};
use proctor_host::files::ContextArguments;

use crate::output::Text;
use crate::terminal::grouped;

/// What goes to the model besides the document.
#[derive(Debug, Args)]
pub(crate) struct ContextOptions {
    /// A file, directory or pattern ('src/**/*.py') that the model may see; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) context: Vec<String>,
    /// Let one finding of the secret scan pass; its fingerprint is in the message. May be given several times
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) allow_secret: Vec<Fingerprint>,
}

impl ContextOptions {
    /// The allowed findings.
    pub(crate) fn allowed(&self) -> AllowedSecrets {
        self.allow_secret.iter().cloned().collect()
    }

    /// The same for the intake.
    pub(crate) fn arguments<'a>(
        &'a self,
        here: &'a Path,
        allowed: &'a AllowedSecrets,
    ) -> ContextArguments<'a> {
        ContextArguments {
            paths: &self.context,
            here,
            allowed,
        }
    }
}

/// The files of a design document, a row each; also for a run's plan.
pub(crate) fn file_rows<'a>(text: &mut Text, files: impl Iterator<Item = &'a PlannedFile>) {
    for file in files {
        text.line(format_args!(
            "  {:<7} {}",
            file.change.to_string(),
            file.path
        ));
    }
}

/// The cost of each portion, a row each, and the total; also for a run's plan.
pub(crate) fn budget_rows(text: &mut Text, portions: &[Portion]) {
    text.line(format_args!(
        "  {:>9}  {:>9}  {:>7}",
        "bytes", "tokens", "share"
    ));
    let mut row = |name: &str, bytes: usize, tokens: usize| {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a share is shown with one digit"
        )]
        let share = tokens as f64 * 100.0 / MAX_TOTAL_TOKENS as f64;
        text.line(format_args!(
            "  {:>9}  {:>9}  {share:>5.1} %  {name}",
            grouped(bytes as u64),
            grouped(tokens as u64)
        ));
    };
    for portion in portions {
        row(&portion.name, portion.bytes, portion.tokens);
    }
    let total = |size: fn(&Portion) -> usize| portions.iter().map(size).sum();
    row(
        &format!(
            "in all; a run may send {} tokens (estimate)",
            grouped(MAX_TOTAL_TOKENS as u64)
        ),
        total(|portion| portion.bytes),
        total(|portion| portion.tokens),
    );
}
