//! Whether the audit trail still has the records that signed approvals name.
//!
//! A statement names the first and the last record that the trail had. The first identifies the trail: approvals that
//! were fetched from elsewhere name others. An attacker who truncates or rewrites this trail cannot forge those
//! signatures.

use std::collections::HashSet;

use proctor_core::approval::ssh::Signature;
use proctor_core::approval::{NAMESPACE, SignedApproval, Statement, Stored};

use super::{holds, signers_at};
use crate::git::{GitError, Repository};
use crate::journal::Record;
use crate::run_data::{APPROVALS, every_approval};

/// The approvals' claims about a trail.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TrailWitness {
    /// How many were signed with this trail and are in it.
    pub told: usize,
    /// How many name another trail, or none.
    pub elsewhere: usize,
    /// Those that name a missing record, or that no record mentions, or that this trail mentions and that name another
    /// trail, by their refs.
    pub missing: Vec<String>,
}

impl TrailWitness {
    /// Compares the approvals of a repository with the records of its trail.
    pub fn of(repository: &Repository, records: &[Record]) -> Result<Self, GitError> {
        let hashes: HashSet<&str> = records.iter().map(|record| record.hash.as_str()).collect();
        let first = records.first().map(|record| record.hash.as_str());
        let mut witness = Self::default();
        for (tree, signed) in every_approval(repository)? {
            let Some(statement) = believed(repository, &signed)? else {
                continue;
            };
            let is_recorded = is_recorded(&signed, records);
            let start = statement.trail_start.as_deref();
            if !is_recorded && (start.is_none() || start != first) {
                witness.elsewhere += 1;
                continue;
            }
            // An approval signed before there was a record names none.
            let has = |hash: &Option<String>| hash.as_deref().is_none_or(|it| hashes.contains(it));
            if is_recorded && (start.is_none() || start == first) && has(&statement.trail) {
                witness.told += 1;
            } else {
                let name = Stored::of(&signed).name;
                witness.missing.push(format!("{APPROVALS}{tree}/{name}"));
            }
        }
        witness.missing.sort();
        Ok(witness)
    }
}

/// An approval's statement, if its signer is listed at its base: anyone can push a ref.
fn believed(
    repository: &Repository,
    signed: &SignedApproval,
) -> Result<Option<Statement>, GitError> {
    let text = signed.statement.as_bytes();
    let Ok(signature) = Signature::parse(signed.signature.as_bytes()) else {
        return Ok(None);
    };
    let is_signed = signature.namespace == NAMESPACE
        && signature.challenge(text).is_ok_and(|signed| holds(&signed));
    let Some(statement) = Statement::parse(text).ok().filter(|_| is_signed) else {
        return Ok(None);
    };
    let listed = match &statement.base {
        Some(base) => signers_at(repository, base)?.0,
        None => None,
    };
    // Where no signers are named yet there is nothing to compare with.
    let by = statement.principal().unwrap_or_default();
    let is_listed = listed.is_none_or(|signers| {
        let key = signature
            .certificate
            .as_ref()
            .map_or(&signature.key, |certificate| &certificate.authority);
        let mut lines = signers.lines.iter();
        lines.any(|line| line.key == *key && line.names(by))
    });
    Ok(is_listed.then_some(statement))
}

/// Whether a record tells of it, in the very words that were signed.
fn is_recorded(signed: &SignedApproval, records: &[Record]) -> bool {
    let words = serde_json::Value::from(signed.statement.as_str()).to_string();
    records.iter().any(|record| record.body.contains(&words))
}
