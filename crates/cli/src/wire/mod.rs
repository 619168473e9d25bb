//! The JSON that scripts rely on: a struct for each document that the contract promises, so that a field cannot be
//! forgotten in one place or spelt otherwise in another.
//!
//! A document's content comes from core and host; only its shape is here.

mod apply;
mod check;
mod gate;
mod guard;
mod review;
mod run;
mod trust;
mod verdict;
mod verify;
mod write;

use serde::Serialize;
use serde_json::Value;

pub(crate) use apply::{ApplyDocument, Rehearsal};
pub(crate) use check::{CheckDocument, ContextRow, PlanDocument};
pub(crate) use gate::GateDocument;
pub(crate) use guard::{GuardDocument, InstallDocument, InstallRow, TrialDocument, TrialRow};
pub(crate) use review::ReviewDocument;
pub(crate) use run::{RunDocument, RunsDocument, StatusDocument};
pub(crate) use trust::TrustDocument;
pub(crate) use verify::{KeyRow, KeysDocument, SkippedRow, VerifyDocument, VerifyRow};
pub(crate) use write::WriteDocument;

/// The version of all documents.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Success<T> {
    schema: u32,
    ok: bool,
    #[serde(flatten)]
    body: T,
}

/// The document of a command that succeeded.
pub(crate) fn ok(body: impl Serialize) -> Value {
    value(&Success {
        schema: SCHEMA,
        ok: true,
        body,
    })
}

#[derive(Serialize)]
struct Failed<'a> {
    schema: u32,
    ok: bool,
    error: FailedError<'a>,
}

#[derive(Serialize)]
struct FailedError<'a> {
    kind: &'a str,
    message: &'a str,
    hint: &'a str,
}

/// The document of a command that failed; `details` has the facts besides the error.
pub(crate) fn failed(kind: &str, message: &str, hint: &str, details: &Value) -> Value {
    let mut document = value(&Failed {
        schema: SCHEMA,
        ok: false,
        error: FailedError {
            kind,
            message,
            hint,
        },
    });
    if let (Value::Object(document), Value::Object(details)) = (&mut document, details) {
        for (key, value) in details {
            document.entry(key.clone()).or_insert(value.clone());
        }
    }
    document
}

/// A document as a value.
pub(crate) fn value(document: &impl Serialize) -> Value {
    serde_json::to_value(document).expect("documents have text keys and plain fields")
}
