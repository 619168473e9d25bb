//! Whether writes may happen, and on whose authority.

use proctor_core::permission::{Autonomy, Permission};
use proctor_core::safe_write::Proposal;

use super::{WriteAnswer, WriteApprover};

/// On whose word a write happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// No one's: it needs none.
    Freely,
    /// `--auto --force`.
    ByFlags,
    /// That of a person who was asked.
    ByPerson,
}

/// Why some files may not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAgreed {
    /// This one may not, or not without a person; no one was asked about any of them.
    Blocked {
        /// The proposal's index.
        index: usize,
        /// [`Permission::Park`] or [`Permission::Refuse`].
        permission: Permission,
    },
    /// A person does not want this one written, and so none of them.
    Skipped {
        /// The proposal's index.
        index: usize,
    },
    /// A person wants nothing written.
    Aborted,
    /// The person left without an answer.
    Unanswered {
        /// The ones that were asked about.
        asked: Vec<usize>,
    },
}

/// The authority for each of these writes. All questions are asked at once; a person may choose another way than the
/// proposed one, and the proposals then follow that choice.
pub fn agree(
    proposals: &mut [Proposal],
    autonomy: Autonomy,
    approver: &mut dyn WriteApprover,
) -> Result<Vec<Allowed>, NotAgreed> {
    let presence = approver.presence();
    let mut allowed = vec![Allowed::Freely; proposals.len()];
    let mut asked = Vec::new();
    for (index, proposal) in proposals.iter().enumerate() {
        match proposal.permission(autonomy, presence) {
            Permission::Granted if autonomy.force && proposal.concern().is_some() => {
                allowed[index] = Allowed::ByFlags;
            }
            Permission::Granted => {}
            Permission::Ask => asked.push(index),
            permission @ (Permission::Park | Permission::Refuse) => {
                return Err(NotAgreed::Blocked { index, permission });
            }
        }
    }
    if asked.is_empty() {
        return Ok(allowed);
    }
    let questions: Vec<&Proposal> = asked.iter().map(|index| &proposals[*index]).collect();
    match approver.choose_writes(&questions) {
        Some(WriteAnswer::Write(chosen)) if chosen.len() == asked.len() => {
            for (index, proposal) in asked.into_iter().zip(chosen) {
                proposals[index] = proposal;
                allowed[index] = Allowed::ByPerson;
            }
            Ok(allowed)
        }
        Some(WriteAnswer::Skip(path)) => {
            let skipped = asked.iter().find(|index| proposals[**index].path == path);
            let index = skipped.copied().unwrap_or(asked[0]);
            Err(NotAgreed::Skipped { index })
        }
        // An answer about other files than those in question is none.
        Some(WriteAnswer::Abort | WriteAnswer::Write(_)) => Err(NotAgreed::Aborted),
        None => Err(NotAgreed::Unanswered { asked }),
    }
}

#[cfg(test)]
mod tests {
    use proctor_core::merge::Merge;
    use proctor_core::path::ProjectPath;
    use proctor_core::permission::Presence;

    use super::*;

    struct Person(Option<WriteAnswer>, Vec<String>);

    impl WriteApprover for Person {
        fn presence(&self) -> Presence {
            Presence::AtTerminal
        }

        fn choose_writes(&mut self, proposals: &[&Proposal]) -> Option<WriteAnswer> {
            let names = proposals.iter().map(|proposal| proposal.path.to_string());
            self.1.extend(names);
            self.0.take()
        }
    }

    fn proposal(name: &str, lines: usize) -> Proposal {
        let path = ProjectPath::parse(name).expect("a plain path");
        let (before, given) = (b"old\n".repeat(lines), b"new\n".to_vec());
        Proposal::new(path, Some(before), given, Merge::Replace).expect("replacing always works")
    }

    fn asked(
        autonomy: Autonomy,
        answer: Option<WriteAnswer>,
    ) -> (Result<Vec<Allowed>, NotAgreed>, Vec<String>) {
        let mut proposals = [
            proposal("small.py", 9),
            proposal("large.py", 109),
            proposal("proctor.toml", 9),
        ];
        let mut person = Person(answer, Vec::new());
        let agreement = agree(&mut proposals, autonomy, &mut person);
        (agreement, person.1)
    }

    #[test]
    fn only_what_needs_a_person_is_asked_about_and_at_once() {
        let chosen = vec![proposal("large.py", 109), proposal("proctor.toml", 9)];
        let answer = Some(WriteAnswer::Write(chosen));
        let (agreement, names) = asked(Autonomy::default(), answer);
        assert_eq!(names, ["large.py", "proctor.toml"]);
        let by = vec![Allowed::Freely, Allowed::ByPerson, Allowed::ByPerson];
        assert_eq!(agreement, Ok(by));
    }

    #[test]
    fn whatever_is_not_a_yes_to_all_of_them_is_no_agreement() {
        let large = ProjectPath::parse("large.py").expect("a plain path");
        let table = [
            (
                Some(WriteAnswer::Skip(large)),
                NotAgreed::Skipped { index: 1 },
            ),
            (Some(WriteAnswer::Abort), NotAgreed::Aborted),
            (Some(WriteAnswer::Write(Vec::new())), NotAgreed::Aborted),
            (None, NotAgreed::Unanswered { asked: vec![1, 2] }),
        ];
        for (answer, expected) in table {
            assert_eq!(asked(Autonomy::default(), answer).0, Err(expected));
        }
    }

    #[test]
    fn under_auto_no_one_is_asked() {
        let with = |force| Autonomy { auto: true, force };
        let (agreement, names) = asked(with(false), None);
        let permission = Permission::Refuse;
        assert_eq!(
            agreement,
            Err(NotAgreed::Blocked {
                index: 1,
                permission
            })
        );
        assert!(names.is_empty());
        let (agreement, _) = asked(with(true), None);
        let by = vec![Allowed::Freely, Allowed::ByFlags, Allowed::ByFlags];
        assert_eq!(agreement, Ok(by));
    }
}
