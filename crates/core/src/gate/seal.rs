//! The sealed tests in the tree that is judged.

use super::findings::Findings;
use super::{Disposition, Rule, Verdict};
use crate::path::ProjectPath;

/// Test files that are, byte for byte, those of the valid red. Only the comparison makes one, so a green cannot
/// be judged without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntactSeal {
    files: Vec<String>,
}

impl IntactSeal {
    /// Compares each file as it was at red with the same file in the judged tree. Replies cannot change one;
    /// commits that arrived on the base branch in the meantime can, and then a person has to look.
    pub fn check<B: PartialEq>(
        files: &[ProjectPath],
        then: &[Option<B>],
        now: &[Option<B>],
    ) -> Result<Self, Verdict> {
        let same = |index: usize| match (then.get(index), now.get(index)) {
            (Some(Some(then)), Some(Some(now))) => then == now,
            _ => false,
        };
        match (0..files.len()).find(|index| !same(*index)) {
            None => Ok(Self {
                files: files.iter().map(ToString::to_string).collect(),
            }),
            Some(broken) => {
                let path = &files[broken];
                let mut findings = Findings::default();
                findings.refuse(
                    Rule::SealBroken,
                    Some(path.as_str()),
                    format!("{path} is not the file that failed at the red gate; the base branch changed it"),
                );
                Err(findings.verdict(Disposition::Escalate, None))
            }
        }
    }

    /// The files, relative to the tree.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    #[cfg(test)]
    pub(super) fn of(files: &[&str]) -> Self {
        Self {
            files: files.iter().map(|file| (*file).to_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_holds_only_for_the_same_bytes() {
        let files = ["a", "b"].map(|name| ProjectPath::parse(name).unwrap());
        let bytes = |a: &str, b: &str| vec![Some(a.to_owned()), Some(b.to_owned())];
        let then = bytes("1", "2");
        assert!(IntactSeal::check(&files, &then, &then).is_ok());
        let others = [bytes("1", "3"), vec![Some("1".to_owned()), None], vec![]];
        for now in others {
            let verdict = IntactSeal::check(&files, &then, &now).unwrap_err();
            assert_eq!(verdict.disposition(), Disposition::Escalate);
            assert_eq!(verdict.reasons[0].rule, Rule::SealBroken);
        }
        let gone = vec![None, Some("2".to_owned())];
        assert!(
            IntactSeal::check(&files, &gone, &gone).is_err(),
            "a file that is nowhere is not intact"
        );
    }
}
