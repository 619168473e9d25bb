//! `guard`.

use proctor_core::guard::{Client, Green, Session, Stage};
use proctor_core::object_id::TreeId;
use serde::Serialize;

/// How far a change is.
#[derive(Serialize)]
pub(crate) struct GuardDocument<'a> {
    stage: Stage,
    base: &'a TreeId,
    sealed: Vec<&'a str>,
    green: Option<&'a Green>,
    clients: &'a [Client],
    git_hooks: bool,
}

impl<'a> GuardDocument<'a> {
    pub(crate) fn of(session: &'a Session, clients: &'a [Client], git_hooks: bool) -> Self {
        let sealed = session.seal.0.iter();
        Self {
            stage: session.stage(),
            base: &session.base,
            sealed: sealed.map(|file| file.path.as_str()).collect(),
            green: session.green.as_ref(),
            clients,
            git_hooks,
        }
    }
}

/// The files that were or would be written.
#[derive(Serialize)]
pub(crate) struct InstallDocument {
    pub(crate) files: Vec<InstallRow>,
    pub(crate) written: bool,
}

#[derive(Serialize)]
pub(crate) struct InstallRow {
    pub(crate) path: String,
    pub(crate) change: &'static str,
}

/// Which hooks answer.
#[derive(Serialize)]
pub(crate) struct TrialDocument {
    pub(crate) clients: Vec<TrialRow>,
    pub(crate) git: bool,
}

#[derive(Serialize)]
pub(crate) struct TrialRow {
    pub(crate) client: Client,
    pub(crate) denies: bool,
}
