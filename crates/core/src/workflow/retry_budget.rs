//! How often the model may try.
//!
//! The budget is three attempts for the tests and three for the implementation. An attempt is spent
//! when a reply is refused, or when the gate after it sends the work back. A person who resumes a run
//! whose attempts are spent, or comments at review, grants three more.
//!
//! A reply that is cut off spends no attempt, because its full text is not known. The same question may be answered
//! with a cut-off reply three times, each time asked for less; then a person is needed.

/// Attempts that one grant is worth, for scaffold and for implement alike.
pub const ATTEMPTS: u32 = 3;

/// Cut-off replies to one question after which it is not asked again.
pub const CUT_OFF_REPLIES: u32 = 3;

/// The counters of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    asked: u32,
    spent: u32,
    granted: u32,
    cut_off: u32,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            asked: 0,
            spent: 0,
            granted: ATTEMPTS,
            cut_off: 0,
        }
    }
}

impl Attempts {
    /// Replies that the model was asked for, several a round when there are several files.
    pub fn asked(self) -> u32 {
        self.asked
    }

    /// The number of the attempt under way, from 1.
    pub fn current(self) -> u32 {
        self.spent + 1
    }

    /// How many attempts there may be in all.
    pub fn granted(self) -> u32 {
        self.granted
    }

    /// Replies to the current question that were cut off so far.
    pub fn cut_off(self) -> u32 {
        self.cut_off
    }

    /// Whether no attempt is left, or the last question was in vain.
    pub fn are_spent(self) -> bool {
        self.spent >= self.granted || self.cut_off >= CUT_OFF_REPLIES
    }

    pub(super) fn count_reply(&mut self) {
        self.asked += 1;
    }

    pub(super) fn spend(&mut self) {
        self.spent += 1;
        self.cut_off = 0;
    }

    pub(super) fn count_cut_off(&mut self) {
        self.cut_off += 1;
    }

    /// A reply was used; the next question starts afresh.
    pub(super) fn answered(&mut self) {
        self.cut_off = 0;
    }

    /// A person allows another full set, counted from now.
    pub(super) fn grant(&mut self) {
        self.granted = self.spent + ATTEMPTS;
        self.cut_off = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_spent_attempt_is_the_last() {
        let mut attempts = Attempts::default();
        for number in 1..=3 {
            assert_eq!(attempts.current(), number);
            assert!(!attempts.are_spent());
            attempts.spend();
        }
        assert!(attempts.are_spent());
        attempts.grant();
        assert!(!attempts.are_spent());
        assert_eq!(attempts.current(), 4);
        assert_eq!(attempts.granted(), 6);
    }

    #[test]
    fn cut_off_replies_spend_no_attempt_and_the_third_in_a_row_is_the_last() {
        let mut attempts = Attempts::default();
        attempts.count_cut_off();
        attempts.count_cut_off();
        assert_eq!((attempts.current(), attempts.cut_off()), (1, 2));
        assert!(!attempts.are_spent());
        attempts.spend();
        assert_eq!((attempts.current(), attempts.cut_off()), (2, 0));
        for _ in 0..CUT_OFF_REPLIES {
            attempts.count_cut_off();
        }
        assert!(attempts.are_spent());
        attempts.grant();
        assert!(!attempts.are_spent());
    }
}
