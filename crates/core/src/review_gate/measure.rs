//! How much of a file a change leaves.

/// A change of more than this share of a file is flagged.
pub const REVIEW_RATIO: f64 = 0.5;
/// A change of more than this share is a replacement, if little is left.
const REPLACEMENT_RATIO: f64 = 0.8;

/// A file's lines before and after, and how many differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measure {
    /// Lines before.
    pub before: usize,
    /// Lines after.
    pub after: usize,
    /// Lines that only the new version has.
    pub added: usize,
    /// Lines that only the old version has.
    pub deleted: usize,
}

impl Measure {
    /// Changed lines in relation to those that were there; may exceed 1.
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^52 lines")]
    pub fn ratio(self) -> f64 {
        (self.added + self.deleted) as f64 / self.before.max(1) as f64
    }

    /// Whether so much of the file stays that a change of it needs no consent.
    pub fn keeps_most(self) -> bool {
        self.ratio() <= REVIEW_RATIO && !self.is_replacement()
    }

    /// Whether the file was replaced rather than changed: most of it is other text and fewer than half as many lines
    /// are left, or fewer than a quarter are, whatever their text.
    pub fn is_replacement(self) -> bool {
        self.before > 0
            && ((self.ratio() > REPLACEMENT_RATIO && self.after * 2 < self.before)
                || self.after * 4 < self.before)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Measure;

    fn measure(before: usize, after: usize, added: usize, deleted: usize) -> Measure {
        Measure {
            before,
            after,
            added,
            deleted,
        }
    }

    #[test]
    fn half_of_the_lines_deleted_is_a_ratio_of_one_half() {
        assert!((measure(100, 50, 0, 50).ratio() - 0.5).abs() < f64::EPSILON);
        assert!((measure(0, 3, 3, 0).ratio() - 3.0).abs() < f64::EPSILON);
    }

    #[test]
    fn changes_of_half_the_lines_keep_most_and_one_more_does_not() {
        assert!(measure(200, 200, 50, 50).keeps_most());
        assert!(!measure(200, 201, 51, 50).keeps_most());
        assert!(!measure(0, 1, 1, 0).keeps_most());
    }

    #[test]
    fn a_file_of_270_lines_that_becomes_one_of_56_is_replaced_either_way() {
        assert!(measure(270, 56, 0, 214).is_replacement(), "only deleted");
        assert!(measure(270, 56, 56, 270).is_replacement(), "rewritten");
    }

    #[test]
    fn what_keeps_enough_lines_is_a_change() {
        let table = [
            (measure(100, 50, 50, 100), false),
            (measure(100, 49, 49, 100), true),
            (measure(100, 49, 15, 66), true),
            (measure(100, 49, 14, 65), false),
            (measure(100, 25, 0, 75), false),
            (measure(100, 24, 0, 76), true),
            (measure(100, 300, 300, 100), false),
            (measure(0, 10, 10, 0), false),
            (measure(3, 0, 0, 3), true),
        ];
        for (measure, expected) in table {
            assert_eq!(measure.is_replacement(), expected, "{measure:?}");
        }
    }

    proptest! {
        #[test]
        fn taking_more_away_never_makes_a_replacement_a_change(before in 1_usize..500, kept in 0_usize..500) {
            let kept = kept.min(before);
            let less = kept.saturating_sub(1);
            let pure = |after: usize| measure(before, after, 0, before - after);
            prop_assert!(!pure(kept).is_replacement() || pure(less).is_replacement());
        }
    }
}
