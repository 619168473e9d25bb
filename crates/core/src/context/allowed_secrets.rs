//! A person's decisions about single findings.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::problem::{ContextProblem, ProblemKind};
use super::secret_content::{Fingerprint, SecretFinding, find_secrets, mask_findings};

/// The findings that a person has let through; every other one holds what it is found in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedSecrets(BTreeSet<Fingerprint>);

impl AllowedSecrets {
    /// Lets one finding through, wherever it turns up.
    pub fn allow(&mut self, fingerprint: Fingerprint) {
        self.0.insert(fingerprint);
    }

    /// What in the text nobody has let through.
    pub fn find(&self, text: &str) -> Vec<SecretFinding> {
        let mut found = find_secrets(text);
        found.retain(|finding| !self.0.contains(&finding.fingerprint));
        found
    }

    /// The text with a mark in the place of everything that nobody has let through.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        mask_findings(text, &self.find(text))
    }

    /// Every finding in a text, as problems of the thing that it is.
    pub fn check(&self, name: &str, text: &str) -> Vec<ContextProblem> {
        let problem = |finding: SecretFinding| ContextProblem {
            kind: ProblemKind::SecretContent,
            message: format!(
                "line {} holds what looks like {} (fingerprint {}), which is never sent",
                line_of(text, finding.range.start),
                finding.description,
                finding.fingerprint
            ),
            location: name.to_owned(),
        };
        self.find(text).into_iter().map(problem).collect()
    }
}

impl FromIterator<Fingerprint> for AllowedSecrets {
    fn from_iter<T: IntoIterator<Item = Fingerprint>>(fingerprints: T) -> Self {
        Self(fingerprints.into_iter().collect())
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}
