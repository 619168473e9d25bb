//! What goes wrong, as a user meets it: a kind, one sentence, hints. Printed once, in `main`.
//!
//! Every failure comes from a typed error, so that the samples beside the tests have all of them and
//! `docs/troubleshooting.md` lists them. What the commands themselves find wrong has one type for each kind:
//! [`Misuse`], [`Refused`], [`Unanswered`], [`Unsafe`], [`Obstacle`], [`Bug`], [`Interruption`]. What the host and the core
//! find wrong is given its kind and hints in the modules that are named for what it is about.

use proctor_core::secrets::mask_secrets;
use serde_json::{Value, json};

mod bug;
mod file;
mod interruption;
mod misuse;
mod model;
mod obstacle;
mod refused;
mod repository;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
mod unanswered;
mod unsafe_request;
mod work;

pub(crate) use bug::Bug;
pub(crate) use interruption::Interruption;
pub(crate) use misuse::Misuse;
pub(crate) use obstacle::{FREE_SPACE, Obstacle};
pub(crate) use refused::Refused;
pub(crate) use unanswered::Unanswered;
pub(crate) use unsafe_request::Unsafe;

/// What sort of failure, which is also the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The work was refused on its merits.
    Refused,
    /// Wrong usage.
    Usage,
    /// A person is needed.
    NeedsPerson,
    /// Refused for safety.
    Safety,
    /// Git, test runner, model, disk.
    Environment,
    /// A bug in Proctor.
    Bug,
    /// Interrupted; resumable.
    Interrupted,
}

impl Kind {
    /// The documented exit code.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Usage => 2,
            Self::NeedsPerson => 3,
            Self::Safety => 4,
            Self::Environment => 5,
            Self::Bug => 70,
            Self::Interrupted => 130,
        }
    }

    /// What to do where nothing better is known.
    fn hint(self) -> &'static str {
        match self {
            Self::Refused => {
                "nothing was merged, committed or written; mend what is named and try again"
            }
            Self::Usage => "see `proctor --help`",
            Self::NeedsPerson => "`proctor status` says what each run waits for",
            Self::Safety => "nothing was written and nothing was sent",
            Self::Environment => "`proctor doctor` looks at everything that a run needs",
            Self::Bug => "please report it; the run, if there is one, can be resumed",
            Self::Interrupted => "`proctor resume` goes on with a run; nothing was lost",
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Usage => "usage",
            Self::NeedsPerson => "needs_person",
            Self::Safety => "safety",
            Self::Environment => "environment",
            Self::Bug => "bug",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A failure that a user sees.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
    /// Fields that the JSON document has besides the error.
    pub(crate) details: Value,
}

impl Failure {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        let message: String = message.into();
        Self {
            kind,
            // A message may quote a program's last words; what is allowed to be sent is not to be printed.
            message: mask_secrets(&message).into_owned(),
            hints: Vec::new(),
            details: json!({}),
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn details(mut self, details: Value) -> Self {
        self.details = details;
        self
    }

    /// What to do: its own hints, else what can be said of every failure of its kind.
    pub(crate) fn hints(&self) -> Vec<&str> {
        if self.hints.is_empty() {
            return vec![self.kind.hint()];
        }
        self.hints.iter().map(String::as_str).collect()
    }

    /// The one JSON document of a failed command.
    pub(crate) fn to_json(&self) -> Value {
        let mut document = json!({
            "schema": 1,
            "ok": false,
            "error": {
                "kind": self.kind.key(),
                "message": self.message,
                "hint": self.hints().join("; "),
            },
        });
        if let (Value::Object(document), Value::Object(details)) = (&mut document, &self.details) {
            for (key, value) in details {
                document.entry(key.clone()).or_insert(value.clone());
            }
        }
        document
    }
}
