//! The way back from sealed tests to their writing.
//!
//! Sealed means that the implementing model cannot change the tests, not that they are right. Five facts lift the seal:
//! a failure at green that lies in the tests, surviving mutants where the settings demand none, a reply that calls the
//! tests wrong, a person's words, a person's own edit. Each leads through the red gate again, and each is recorded with
//! its requester and reason, because a person has to look at tests that change after their code was seen.

use super::candidate::Candidate;
use super::verdicts::Red;
use super::{GateResult, LintResult, Run};
use crate::gate::{Baseline, SealedTests};
use crate::generation::prompts::{Feedback, Voice};
use crate::object_id::TreeId;
use crate::path::ProjectPath;

/// The requester of a reopening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asker {
    /// The green gate: a failure lies in the tests.
    Gate,
    /// The model that was to make them pass.
    Model,
    /// A person, as `Name <address>`.
    Person(String),
}

impl std::fmt::Display for Asker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gate => formatter.write_str("the green gate"),
            Self::Model => formatter.write_str("the model"),
            Self::Person(name) => formatter.write_str(name),
        }
    }
}

/// One time that the seal of the tests was lifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reopening {
    /// The requester.
    pub by: Asker,
    /// Why, in their words.
    pub reason: String,
    /// Whether a green had been accepted before.
    pub after_green: bool,
}

/// A green that was accepted, with all its evidence. It stays on offer while the work continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    candidate: Candidate,
    baseline: Option<Baseline>,
    red: Red,
    green: GateResult,
    lint: Option<LintResult>,
    reopenings: usize,
}

impl Offer {
    pub(super) fn tree(&self) -> &TreeId {
        &self.candidate.tree
    }
}

/// Whether the words name one of these files: whole, or by its last name, with or without a line or a test after it.
fn name_one_of<'p>(words: &str, files: impl IntoIterator<Item = &'p ProjectPath>) -> bool {
    let around =
        |character: char| character.is_whitespace() || "`'\"()[]{}<>,;".contains(character);
    let names: Vec<&str> = words
        .split(around)
        .filter_map(|word| word.split(':').next())
        .map(|name| {
            name.trim_start_matches("./")
                .trim_end_matches(['.', '!', '?'])
        })
        .collect();
    files.into_iter().any(|file| {
        let path = file.as_str();
        let last = path.rsplit('/').next().unwrap_or(path);
        names.contains(&path) || names.contains(&last)
    })
}

impl Run {
    /// Whether it is about other files too.
    fn is_about_sources(&self, comment: &str) -> bool {
        let listed = self.context.iter().flat_map(|context| &context.sources);
        let files = listed.map(|file| &file.path).chain(self.source_files());
        name_one_of(comment, files)
    }

    /// Whether the gate has questioned these very tests before. Their author was asked and kept them.
    pub(super) fn were_questioned(&self) -> bool {
        self.sealed()
            .is_some_and(|sealed| self.questioned.contains(&sealed.tree))
    }

    /// Tests that were sealed, or are still to be, are written again. The implementation waits beside them.
    pub(super) fn reopen(&mut self, by: Asker, voice: Voice, reason: &str) {
        if let Some(sealed) = self.sealed() {
            let sealed = sealed.tree.clone();
            if by == Asker::Gate {
                self.questioned.insert(sealed);
            }
            // A gate's reasons are a list; its first entry is enough.
            let said = match &by {
                Asker::Gate => reason.lines().next().unwrap_or_default(),
                _ => reason,
            };
            self.reopenings.push(Reopening {
                reason: said.trim_start_matches("- ").to_owned(),
                by,
                after_green: self.offer.is_some(),
            });
        }
        self.conversation.drop_questions();
        self.conversation.wish = Some(Feedback {
            voice,
            words: reason.to_owned(),
        });
        self.conversation.implement.attempts.grant();
        self.verdicts.lift_seal();
        if let Some(candidate) = &mut self.candidate {
            candidate.set_sources_aside();
        }
    }

    /// The same because of a person's comment on a review. Its remarks about other files are not lost.
    pub(super) fn reopen_by_comment(&mut self, by: &str, comment: &str) {
        let rest = self.is_about_sources(comment).then(|| Feedback {
            voice: Voice::Person,
            words: comment.to_owned(),
        });
        self.reopen(Asker::Person(by.to_owned()), Voice::Person, comment);
        self.conversation.after_tests = rest;
    }

    /// Keeps a green on offer that the linter has seen too.
    pub(super) fn keep_offer(&mut self) {
        let accepted = self
            .verdicts
            .green
            .as_ref()
            .filter(|green| green.verdict.is_accepted() && self.tree() == Some(&green.tree));
        let (Some(candidate), Some(red), Some(green)) =
            (&self.candidate, &self.verdicts.red, accepted)
        else {
            return;
        };
        self.offer = Some(Box::new(Offer {
            candidate: candidate.clone(),
            baseline: self.verdicts.baseline.clone(),
            red: red.clone(),
            green: green.clone(),
            lint: self.verdicts.lint.clone(),
            reopenings: self.reopenings.len(),
        }));
    }

    /// A green whose very tree was refused since is not on offer any more: the last verdict about a tree counts.
    pub(super) fn withdraw_offer(&mut self, result: &GateResult) {
        if !result.verdict.is_accepted() && self.offered() == Some(&result.tree) {
            self.offer = None;
        }
    }

    /// Back to the green that is on offer. No one has approved it yet.
    pub(super) fn recall(&mut self) {
        let Some(offer) = self.offer.clone() else {
            return;
        };
        self.candidate = Some(offer.candidate);
        self.verdicts.baseline = offer.baseline;
        self.verdicts.red = Some(offer.red);
        self.verdicts.green = Some(offer.green);
        self.verdicts.lint = offer.lint;
        self.verdicts.approval = None;
        self.reopenings.truncate(offer.reopenings);
        self.conversation.drop_questions();
        self.conversation.feedback = None;
    }
}

/// The public facts about reopening.
impl Run {
    /// Whether a comment is about tests: one of its lines names a test file of this run.
    pub fn is_about_tests(&self, comment: &str) -> bool {
        let listed = self.context.iter().flat_map(|context| &context.tests);
        let files = listed.map(|file| &file.path).chain(self.test_files());
        name_one_of(comment, files)
    }

    /// Every time that sealed tests were opened again, for the tests as they are.
    pub fn reopenings(&self) -> &[Reopening] {
        &self.reopenings
    }

    /// The tests as they were when they were first sealed.
    pub fn first_sealed(&self) -> Option<&SealedTests> {
        self.verdicts.first_sealed.as_ref()
    }

    /// The tree of the last green that was accepted, if the work has gone on since.
    pub fn offered(&self) -> Option<&TreeId> {
        self.offer.as_ref().map(|offer| offer.tree())
    }

    /// Where the implementation waits while the tests are written again.
    pub fn set_aside(&self) -> Option<&TreeId> {
        self.candidate.as_ref()?.set_aside.as_ref()
    }

    /// Whether a person wrote the current tests.
    pub fn tests_are_a_persons(&self) -> bool {
        let candidate = self.candidate.as_ref();
        candidate.is_some_and(|candidate| candidate.tests_are_a_persons)
    }

    /// Why the tests are written again, if they are.
    pub fn wish(&self) -> Option<&Feedback> {
        self.conversation.wish.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::name_one_of;
    use crate::path::ProjectPath;

    #[test]
    fn a_comment_names_a_file_whole_or_by_its_last_name_and_not_by_a_part_of_it() {
        let files = [ProjectPath::parse("tests/test_power.py").expect("a plain path")];
        let table = [
            ("tests/test_power.py:5: expect 27", true),
            (
                "please have `tests/test_power.py::test_cube` expect 27",
                true,
            ),
            ("test_power.py is wrong.", true),
            ("wrong: ./tests/test_power.py.", true),
            ("power.py: rename it", false),
            ("tests/test_power.pyc", false),
            ("the tests are fine", false),
            ("my_test_power.py", false),
            ("", false),
        ];
        for (words, named) in table {
            assert_eq!(name_one_of(words, &files), named, "{words}");
        }
    }
}
