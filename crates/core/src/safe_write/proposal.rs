//! One write, looked at before it happens.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::Concern;
use crate::diff::{LineDiff, line_count};
use crate::edit::Applied;
use crate::merge::{Merge, MergeError, Strategy};
use crate::path::ProjectPath;
use crate::permission::{Autonomy, LINES_REPLACED_FREELY, Permission, Presence};
use crate::review_gate::Measure;

/// The bytes of a file; shared, because a person may try several ways on the same ones.
pub type Content = Arc<Vec<u8>>;

/// How a content came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The given text was merged into the existing one by a strategy.
    Merged(Merge),
    /// The existing text with a model's changes at their places.
    Edited {
        /// Lines that the changes take out and put in, with those that they only quote.
        touched_lines: usize,
    },
}

impl Way {
    /// The word for scripts and people.
    pub fn key(self) -> &'static str {
        match self {
            Self::Merged(merge) => merge.strategy().key(),
            Self::Edited { .. } => "edit",
        }
    }
}

/// The effect of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The file's path.
    pub path: ProjectPath,
    /// Its current content, if it exists.
    pub before: Option<Content>,
    /// The content to bring into it.
    pub given: Content,
    /// Its content afterwards.
    pub after: Content,
    /// How that came about.
    pub way: Way,
    /// Whether a person listed the file in a design document, and so knows its name.
    is_listed: bool,
}

impl Proposal {
    /// A write of `given` by a strategy; a file that does not exist is created by any strategy.
    pub fn new(
        path: ProjectPath,
        before: Option<impl Into<Content>>,
        given: impl Into<Content>,
        merge: Merge,
    ) -> Result<Self, MergeError> {
        let (before, given) = (before.map(Into::into), given.into());
        let merged = |before: &[u8]| merge.apply(path.file_name(), before, &given).map(Arc::new);
        let after = match (&before, merge) {
            (Some(before), Merge::Append | Merge::Insert { .. } | Merge::Extend) => merged(before)?,
            // A missing file has no lines to insert at; the other strategies have nothing to keep.
            (None, Merge::Insert { .. }) => merged(b"")?,
            (_, Merge::Replace) | (None, Merge::Append | Merge::Extend) => Arc::clone(&given),
        };
        Ok(Self {
            path,
            before,
            given,
            after,
            way: Way::Merged(merge),
            is_listed: false,
        })
    }

    /// A write of an existing file with a model's changes.
    pub fn edited(path: ProjectPath, before: impl Into<Content>, applied: Applied) -> Self {
        let after = Content::from(applied.content);
        Self {
            path,
            before: Some(before.into()),
            given: Arc::clone(&after),
            after,
            way: Way::Edited {
                touched_lines: applied.touched_lines,
            },
            is_listed: false,
        }
    }

    /// The same write of a file that a design document lists: its name alone needs no consent.
    #[must_use]
    pub fn listed(self) -> Self {
        Self {
            is_listed: true,
            ..self
        }
    }

    /// The given content, brought into the same file another way.
    pub fn by(&self, merge: Merge) -> Result<Self, MergeError> {
        let (path, before) = (self.path.clone(), self.before.clone());
        let proposal = Self::new(path, before, Arc::clone(&self.given), merge)?;
        Ok(Self {
            is_listed: self.is_listed,
            ..proposal
        })
    }

    /// The strategies that make sense for the given content.
    pub fn strategies(&self) -> &'static [Strategy] {
        match self.way {
            Way::Merged(_) => &Strategy::ALL,
            // The result of changes is the whole file; it cannot go inside it.
            Way::Edited { .. } => &[Strategy::Replace],
        }
    }

    /// Whether the file exists.
    pub fn existed(&self) -> bool {
        self.before.is_some()
    }

    /// Lines of the file as it is; 0 if it does not exist.
    pub fn existing_lines(&self) -> usize {
        self.before
            .as_deref()
            .map_or(0, |before| line_count(before))
    }

    /// Lines of the file as it would be.
    pub fn new_lines(&self) -> usize {
        line_count(&self.after)
    }

    /// Whether nothing would change.
    pub fn changes_nothing(&self) -> bool {
        self.before.as_ref() == Some(&self.after)
    }

    /// Why a person has to agree, if one has to: the name alone makes tools act, or many lines would change.
    pub fn concern(&self) -> Option<Concern> {
        if self.changes_nothing() {
            return None;
        }
        let path = self.path.clone();
        if self.path.is_protected() && !self.is_listed {
            return Some(Concern::Protected { path });
        }
        let (before, after) = (self.existing_lines(), self.new_lines());
        if before <= LINES_REPLACED_FREELY || self.changes_keep_most(before, after) {
            return None;
        }
        Some(Concern::Large {
            path,
            before,
            after,
        })
    }

    /// Whether a model's changes leave most of the file.
    fn changes_keep_most(&self, before: usize, after: usize) -> bool {
        let (Way::Edited { touched_lines }, Some(old)) = (self.way, &self.before) else {
            return false;
        };
        let measure = |added, deleted| Measure {
            before,
            after,
            added,
            deleted,
        };
        // No more can differ than was touched, and comparing a large file takes longer than changing it.
        measure(touched_lines, 0).keeps_most() || {
            let difference = LineDiff::between(old, &self.after);
            measure(difference.added, difference.deleted).keeps_most()
        }
    }

    /// The permission that follows from the flags and from whether a person is present.
    ///
    /// Under `--auto` a strategy that only adds, and adds at most half of the existing lines, keeps most of the file
    /// and needs no consent; a replacement does, however much it keeps.
    pub fn permission(&self, autonomy: Autonomy, presence: Presence) -> Permission {
        match self.concern() {
            None => Permission::Granted,
            Some(Concern::Large { before, after, .. })
                if autonomy.auto
                    && self.only_adds()
                    && after.saturating_sub(before) * 2 <= before =>
            {
                Permission::Granted
            }
            Some(_) => autonomy.at_large_write(presence),
        }
    }

    fn only_adds(&self) -> bool {
        matches!(
            self.way,
            Way::Merged(Merge::Append | Merge::Insert { .. } | Merge::Extend)
        )
    }

    /// The digest of the file as it is.
    pub fn sha256_before(&self) -> Option<String> {
        self.before.as_deref().map(|before| sha256(before))
    }

    /// The digest of the file as it would be.
    pub fn sha256_after(&self) -> String {
        sha256(&self.after)
    }
}

/// The digest of some bytes, in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<u8> {
        (0..count)
            .flat_map(|number| format!("line {number}\n").into_bytes())
            .collect()
    }

    fn replacing(before: Option<Vec<u8>>, after: &[u8]) -> Proposal {
        let path = ProjectPath::parse("src/a.py").expect("a plain path");
        Proposal::new(path, before, after.to_vec(), Merge::Replace).expect("replacing always works")
    }

    #[test]
    fn a_new_file_needs_no_confirmation() {
        let proposal = replacing(None, &lines(5000));
        assert!(!proposal.existed());
        assert_eq!(proposal.concern(), None);
        assert_eq!((proposal.existing_lines(), proposal.new_lines()), (0, 5000));
        assert_eq!(proposal.sha256_before(), None);
    }

    #[test]
    fn exactly_one_hundred_existing_lines_are_changed_freely_and_one_more_is_not() {
        for (count, asks) in [
            (0, false),
            (50, false),
            (100, false),
            (101, true),
            (270, true),
        ] {
            let proposal = replacing(Some(lines(count)), b"x\n");
            assert_eq!(proposal.concern().is_some(), asks, "{count}");
            for (auto, force) in [(false, false), (false, true), (true, false), (true, true)] {
                let granted = !asks || (auto && force);
                let permission =
                    proposal.permission(Autonomy { auto, force }, Presence::NoTerminal);
                assert_eq!(permission == Permission::Granted, granted, "{count}");
            }
        }
        // A last line without a line end is a line.
        let mut unended = lines(100);
        unended.push(b'x');
        assert!(replacing(Some(unended), b"x\n").concern().is_some());
        let windows = String::from_utf8(lines(100))
            .expect("text")
            .replace('\n', "\r\n");
        assert!(
            replacing(Some(windows.into_bytes()), b"x\n")
                .concern()
                .is_none()
        );
    }

    #[test]
    fn the_same_content_changes_nothing_and_needs_no_confirmation() {
        let proposal = replacing(Some(lines(200)), &lines(200));
        assert!(proposal.changes_nothing());
        assert_eq!(proposal.concern(), None);
        assert_eq!(proposal.sha256_before(), Some(proposal.sha256_after()));
    }

    #[test]
    fn every_strategy_makes_a_file_that_is_not_there_except_at_a_line_of_it() {
        let path = || ProjectPath::parse("a.txt").expect("a plain path");
        for merge in [Merge::Append, Merge::Extend, Merge::Replace] {
            let proposal =
                Proposal::new(path(), None::<Content>, b"x".to_vec(), merge).expect("made");
            assert_eq!(*proposal.after, b"x");
        }
        let merge = Merge::Insert { line: 1 };
        assert!(Proposal::new(path(), None::<Content>, b"x".to_vec(), merge).is_err());
    }

    #[test]
    fn auto_replaces_nothing_large_but_may_add_a_little() {
        let auto = Autonomy {
            auto: true,
            force: false,
        };
        let path = || ProjectPath::parse("a.txt").expect("a plain path");
        let allowed = |merge, added: usize| {
            Proposal::new(path(), Some(lines(200)), lines(added), merge)
                .expect("text")
                .permission(auto, Presence::AtTerminal)
        };
        assert_eq!(allowed(Merge::Replace, 199), Permission::Refuse);
        assert_eq!(allowed(Merge::Append, 100), Permission::Granted);
        assert_eq!(allowed(Merge::Append, 101), Permission::Refuse);
        assert_eq!(allowed(Merge::Insert { line: 7 }, 3), Permission::Granted);
        // Without the flag a person is asked about those too.
        let append = Proposal::new(path(), Some(lines(200)), lines(1), Merge::Append);
        let asked = append
            .expect("text")
            .permission(Autonomy::default(), Presence::AtTerminal);
        assert_eq!(asked, Permission::Ask);
    }

    #[test]
    fn a_name_that_makes_tools_act_needs_a_person_whatever_its_size() {
        let path = ProjectPath::parse(".github/workflows/ci.yml").expect("a plain path");
        let proposal = Proposal::new(
            path,
            None::<Content>,
            b"on: push\n".to_vec(),
            Merge::Replace,
        )
        .expect("made");
        let with = |auto, force, presence| proposal.permission(Autonomy { auto, force }, presence);
        assert_eq!(with(false, false, Presence::AtTerminal), Permission::Ask);
        assert_eq!(with(false, false, Presence::NoTerminal), Permission::Park);
        assert_eq!(with(true, false, Presence::AtTerminal), Permission::Refuse);
        assert_eq!(with(true, true, Presence::NoTerminal), Permission::Granted);
    }

    #[test]
    fn a_design_document_answers_for_a_name_but_not_for_a_size() {
        let path = ProjectPath::parse("tests/conftest.py").expect("a plain path");
        let proposal = |before| {
            Proposal::new(path.clone(), Some(before), b"x\n".to_vec(), Merge::Replace)
                .expect("replacing always works")
        };
        let small = proposal(lines(3));
        assert!(matches!(small.concern(), Some(Concern::Protected { .. })));
        assert_eq!(small.listed().concern(), None);
        let large = proposal(lines(120)).listed();
        assert!(matches!(large.concern(), Some(Concern::Large { .. })));
        let appended = large.by(Merge::Append).expect("text");
        assert!(matches!(appended.concern(), Some(Concern::Large { .. })));
    }

    /// A file of 200 lines of which one change replaces `taken` by `put`, and quotes `quoted` more.
    fn changed(taken: usize, put: usize, quoted: usize) -> Proposal {
        let before = lines(200);
        let kept: Vec<u8> = before
            .split_inclusive(|byte| *byte == b'\n')
            .skip(taken)
            .flatten()
            .copied()
            .collect();
        let mut content = b"new\n".repeat(put);
        content.extend(kept);
        let path = ProjectPath::parse("src/a.py").expect("a plain path");
        let applied = Applied {
            content,
            changes: Vec::new(),
            touched_lines: taken + put + 2 * quoted,
        };
        Proposal::edited(path, before, applied)
    }

    #[test]
    fn changes_need_a_person_only_where_they_keep_less_than_half_of_a_large_file() {
        let table = [
            (1, 1, 0, false),
            (50, 50, 0, false),
            (50, 51, 0, true),
            (199, 1, 0, true),
            // Lines that are quoted and put back are not changed.
            (1, 1, 199, false),
        ];
        for (taken, put, quoted, asks) in table {
            let proposal = changed(taken, put, quoted);
            assert_eq!(proposal.concern().is_some(), asks, "{taken} {put} {quoted}");
        }
        let auto = Autonomy {
            auto: true,
            force: false,
        };
        let refused = changed(199, 1, 0).permission(auto, Presence::AtTerminal);
        assert_eq!(refused, Permission::Refuse);
    }

    #[test]
    fn the_digest_is_the_usual_one() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
