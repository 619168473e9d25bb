//! The commits to verify, from the command line or a hook's input.

use std::path::Path;

use proctor_core::approval::{Revoked, Signers, Stored};
use proctor_core::object_id::{CommitId, TreeId};

use super::VerifyError;
use crate::git::Repository;
use crate::run_data::APPROVALS;

/// The two ends of a line of commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The commit before the first.
    pub base: CommitId,
    /// The last commit.
    pub tip: CommitId,
}

impl Range {
    /// `BASE..TIP`, or a tip with a base beside it; without either, the branch's commits ahead of its upstream.
    pub fn parse(
        repository: &Repository,
        range: Option<&str>,
        base: Option<&str>,
    ) -> Result<Self, VerifyError> {
        let commit = |revision: &str| {
            let found = repository.refs().commit(revision)?;
            if found.is_none() && repository.objects().is_shallow() {
                return Err(VerifyError::Shallow);
            }
            found.ok_or_else(|| VerifyError::NoCommit(revision.to_owned()))
        };
        let ends = range.and_then(|range| range.split_once(".."));
        let (from, to) = if let Some((from, to)) = ends {
            (Some(from), to)
        } else {
            (None, range.unwrap_or_default())
        };
        let tip = commit(if to.is_empty() { "HEAD" } else { to })?;
        let base = if let Some(base) = from.filter(|from| !from.is_empty()).or(base) {
            commit(base)?
        } else {
            let usual = ["@{upstream}", "refs/remotes/origin/HEAD"].iter();
            let mut found = usual.filter_map(|name| repository.refs().commit(name).transpose());
            found.next().ok_or(VerifyError::NoBase)??
        };
        Ok(Self { base, tip })
    }
}

/// Reads a file of signers that the command line names.
pub fn read_signers(path: &Path) -> Result<Signers, VerifyError> {
    let text = std::fs::read(path).map_err(|error| unusable(path, &error))?;
    Ok(Signers::parse(&String::from_utf8_lossy(&text)))
}

/// Reads a file of revoked keys that the command line names.
pub fn read_revoked(path: &Path) -> Result<Revoked, VerifyError> {
    let bytes = std::fs::read(path).map_err(|error| unusable(path, &error))?;
    Revoked::parse(&bytes).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, reason: &dyn std::fmt::Display) -> VerifyError {
    VerifyError::File {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

/// The branches that a server guards, by their full names: the named ones, or the one that its HEAD names.
pub fn guarded_branches(
    repository: &Repository,
    named: &[String],
) -> Result<Vec<String>, VerifyError> {
    if named.is_empty() {
        return Ok(repository.refs().head_branch()?.into_iter().collect());
    }
    Ok(named
        .iter()
        .map(|name| format!("refs/heads/{name}"))
        .collect())
}

/// A push as git tells a hook of it.
#[derive(Debug, Default)]
pub struct Push {
    /// Branches that are guarded: name, old and new tip.
    pub branches: Vec<(String, Option<CommitId>, CommitId)>,
    /// Approvals that come with it: name and object.
    pub approvals: Vec<(String, String)>,
    /// Refs that are declined despite any approval, and why.
    pub declined: Vec<(String, &'static str)>,
}

impl Push {
    /// Reads the lines `OLD NEW REF` of a pre-receive hook.
    pub fn parse(input: &str, guarded: &[String]) -> Result<Self, VerifyError> {
        let mut push = Self::default();
        for line in input.lines() {
            let wrong = || VerifyError::HookInput(line.chars().take(200).collect());
            let words: Vec<&str> = line.split(' ').collect();
            let [old, new, reference] = words[..] else {
                return Err(wrong());
            };
            let commit = |text: &str| match CommitId::parse(text) {
                Ok(_) if text.bytes().all(|byte| byte == b'0') => Ok(None),
                Ok(commit) => Ok(Some(commit)),
                Err(_) => Err(wrong()),
            };
            let (old, new) = (commit(old)?, commit(new)?);
            if reference.starts_with(APPROVALS) {
                push.take_approval(reference, old, new);
            } else if guarded.iter().any(|name| name == reference) {
                match new {
                    Some(new) => push.branches.push((reference.to_owned(), old, new)),
                    None => push.decline(reference, "a guarded branch may not be deleted"),
                }
            }
        }
        Ok(push)
    }

    fn take_approval(&mut self, reference: &str, old: Option<CommitId>, new: Option<CommitId>) {
        let rest = reference.strip_prefix(APPROVALS).unwrap_or_default();
        let is_name = rest.split_once('/').is_some_and(|(tree, name)| {
            TreeId::parse(tree).is_ok() && name.len() == Stored::NAME_DIGITS
        });
        match (old, new) {
            (_, None) => self.decline(reference, "an approval may not be deleted"),
            (Some(_), Some(_)) => self.decline(reference, "an approval may not be replaced"),
            (None, Some(_)) if !is_name => {
                self.decline(reference, "approvals are named TREE/DIGEST");
            }
            (None, Some(new)) => {
                let object = new.as_str().to_owned();
                self.approvals.push((reference.to_owned(), object));
            }
        }
    }

    fn decline(&mut self, reference: &str, why: &'static str) {
        self.declined.push((reference.to_owned(), why));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_may_add_approvals_and_move_branches_and_nothing_else() {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let approval = format!("{APPROVALS}{a}/0123456789abcdef");
        let guarded = ["refs/heads/main".to_owned()];
        let push = |line: String| Push::parse(&line, &guarded).expect("git's own form");
        assert_eq!(push(format!("{a} {b} refs/heads/main")).branches.len(), 1);
        assert_eq!(push(format!("{a} {b} refs/heads/other")).branches.len(), 0);
        assert_eq!(push(format!("{a} {zero} refs/heads/other")).declined, []);
        assert_eq!(push(format!("{zero} {b} {approval}")).approvals.len(), 1);
        for (line, why) in [
            (
                format!("{a} {zero} refs/heads/main"),
                "a guarded branch may not be deleted",
            ),
            (
                format!("{a} {b} {approval}"),
                "an approval may not be replaced",
            ),
            (
                format!("{a} {zero} {approval}"),
                "an approval may not be deleted",
            ),
            (
                format!("{zero} {b} {APPROVALS}x/y"),
                "approvals are named TREE/DIGEST",
            ),
        ] {
            assert_eq!(push(line).declined[0].1, why);
        }
        for wrong in ["", "x", "a b c", "a b c d"].map(|line| format!("{line}\n")) {
            let read = Push::parse(&wrong, &guarded);
            assert!(read.is_err(), "{wrong:?}");
        }
    }
}
