//! `trust`.

use std::path::{Path, PathBuf};

use proctor_host::settings::{FILE_NAME, Lowering, SettingsFile};
use serde::Serialize;

/// The permissions that a file would give, and whether they are trusted.
#[derive(Serialize)]
pub(crate) struct TrustDocument<'a> {
    path: PathBuf,
    digest: &'a str,
    lowers: Vec<Lowered<'a>>,
    trusted: bool,
}

#[derive(Serialize)]
struct Lowered<'a> {
    key: &'a str,
    value: &'a str,
    allows: &'a str,
}

impl<'a> TrustDocument<'a> {
    pub(crate) fn of(top: &Path, file: &'a SettingsFile, trusted: bool) -> Self {
        let lowered = |it: &'a Lowering| Lowered {
            key: &it.key,
            value: &it.value,
            allows: it.allows,
        };
        Self {
            path: top.join(FILE_NAME),
            digest: file.digest(),
            lowers: file.lowering().iter().map(lowered).collect(),
            trusted,
        }
    }
}
