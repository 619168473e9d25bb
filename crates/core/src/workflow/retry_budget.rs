//! How often the model may try.
//!
//! The budget is three attempts for the tests and three for the implementation. An attempt is spent
//! when a reply is refused, or when the gate after it sends the work back. A person who resumes a run
//! whose attempts are spent, or comments at review, grants three more.

/// Attempts that one grant is worth, for scaffold and for implement alike.
pub const ATTEMPTS: u32 = 3;

/// The counters of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    asked: u32,
    spent: u32,
    granted: u32,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            asked: 0,
            spent: 0,
            granted: ATTEMPTS,
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

    /// Whether no attempt is left.
    pub fn are_spent(self) -> bool {
        self.spent >= self.granted
    }

    pub(super) fn count_reply(&mut self) {
        self.asked += 1;
    }

    pub(super) fn spend(&mut self) {
        self.spent += 1;
    }

    /// A person allows another full set, counted from now.
    pub(super) fn grant(&mut self) {
        self.granted = self.spent + ATTEMPTS;
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
}
