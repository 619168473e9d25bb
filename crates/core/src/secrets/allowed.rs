//! A person's decisions about single findings.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::content::{Fingerprint, SecretFinding, find_secrets, mask_findings};

/// The findings that a person has allowed; every other one holds back the text it is found in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedSecrets(BTreeSet<Fingerprint>);

impl AllowedSecrets {
    /// Lets one finding through, wherever it turns up.
    pub fn allow(&mut self, fingerprint: Fingerprint) {
        self.0.insert(fingerprint);
    }

    /// The secrets in the text that no person has allowed.
    pub fn find(&self, text: &str) -> Vec<SecretFinding> {
        let mut found = find_secrets(text);
        found.retain(|finding| !self.0.contains(&finding.fingerprint));
        found
    }

    /// The text with a mark in place of every secret that no person has allowed.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        mask_findings(text, &self.find(text))
    }
}

impl FromIterator<Fingerprint> for AllowedSecrets {
    fn from_iter<T: IntoIterator<Item = Fingerprint>>(fingerprints: T) -> Self {
        Self(fingerprints.into_iter().collect())
    }
}
