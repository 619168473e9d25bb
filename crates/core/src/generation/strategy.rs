//! Whether a file is asked for whole or as changes (#324).
//!
//! | file | asked for |
//! |---|---|
//! | does not exist | whole, of any size |
//! | over 500 lines or 15,000 bytes | changes: a reply with all of it would be cut off |
//! | over 100 lines, with `--auto` | changes: Proctor cannot ask for permission to replace it |
//! | exists, and its last whole reply was cut off | changes |
//! | any of the three before, after changes that could not be read | whole, if it fits into a reply and may be replaced |
//! | otherwise | whole |

use crate::diff::line_count;
use crate::permission::{Autonomy, LINES_REPLACED_FREELY};
use crate::tokens::count_tokens;

/// More lines make a file large.
pub const LARGE_LINES: usize = 500;
/// More bytes make a file large.
pub const LARGE_BYTES: usize = 15_000;
/// The default output limit of a reply: most current models can send that much at once.
pub const USUAL_OUTPUT_TOKENS: u64 = 16_384;

/// How a file is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// All of it.
    Whole,
    /// The changes to it.
    Changes,
}

/// The circumstances that decide besides the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    /// `--auto` and `--force`.
    pub autonomy: Autonomy,
    /// How many tokens a reply may have.
    pub output_limit: u64,
    /// Whether the last reply brought changes that could not be read.
    pub changes_were_unreadable: bool,
    /// Whether the last reply was cut off.
    pub was_cut_off: bool,
}

/// Whether a reply with all of this would be too long.
pub fn is_large(content: &str) -> bool {
    content.len() > LARGE_BYTES || line_count(content.as_bytes()) > LARGE_LINES
}

impl Strategy {
    /// The choice for a file with this content, or for one that does not exist.
    pub fn choose(existing: Option<&str>, circumstances: &Circumstances) -> Self {
        let Some(content) = existing else {
            return Self::Whole;
        };
        let guarded =
            circumstances.autonomy.auto && line_count(content.as_bytes()) > LINES_REPLACED_FREELY;
        if !is_large(content) && !guarded && !circumstances.was_cut_off {
            return Self::Whole;
        }
        let may_replace = !guarded || circumstances.autonomy.force;
        if circumstances.changes_were_unreadable
            && may_replace
            && fits(content, circumstances.output_limit)
        {
            Self::Whole
        } else {
            Self::Changes
        }
    }
}

/// Whether a reply with all of it, and a quarter more, stays below the limit.
fn fits(content: &str, limit: u64) -> bool {
    let tokens = count_tokens(content) as u64;
    tokens + tokens / 4 <= limit
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Circumstances = Circumstances {
        autonomy: Autonomy {
            auto: false,
            force: false,
        },
        output_limit: USUAL_OUTPUT_TOKENS,
        changes_were_unreadable: false,
        was_cut_off: false,
    };

    fn lines(count: usize) -> String {
        "x = 1\n".repeat(count)
    }

    #[test]
    fn a_file_of_501_lines_is_large() {
        assert!(!is_large(&lines(500)));
        assert!(is_large(&lines(501)));
    }

    #[test]
    fn a_file_of_15001_bytes_is_large() {
        assert!(!is_large(&"x".repeat(15_000)));
        assert!(is_large(&"x".repeat(15_001)));
    }

    #[test]
    fn a_small_file_is_not_large() {
        assert!(!is_large(&"y = 23456789012345678901234567\n".repeat(100)));
    }

    #[test]
    fn a_new_file_is_asked_for_whole_whatever_else() {
        let worst = Circumstances {
            autonomy: Autonomy {
                auto: true,
                force: false,
            },
            was_cut_off: true,
            ..USUAL
        };
        assert_eq!(Strategy::choose(None, &worst), Strategy::Whole);
    }

    #[test]
    fn a_small_file_is_asked_for_whole() {
        assert_eq!(Strategy::choose(Some(&lines(500)), &USUAL), Strategy::Whole);
    }

    #[test]
    fn large_file_uses_diff_strategy() {
        assert_eq!(
            Strategy::choose(Some(&lines(501)), &USUAL),
            Strategy::Changes
        );
    }

    #[test]
    fn with_auto_more_than_a_hundred_lines_are_changed_whatever_the_size() {
        for force in [false, true] {
            let auto = Circumstances {
                autonomy: Autonomy { auto: true, force },
                ..USUAL
            };
            let strategy = |count| Strategy::choose(Some(&lines(count)), &auto);
            assert_eq!(strategy(100), Strategy::Whole);
            assert_eq!(strategy(101), Strategy::Changes);
        }
    }

    #[test]
    fn a_whole_file_that_was_cut_off_is_asked_for_as_changes() {
        let cut_off = Circumstances {
            was_cut_off: true,
            ..USUAL
        };
        assert_eq!(
            Strategy::choose(Some(&lines(10)), &cut_off),
            Strategy::Changes
        );
    }

    #[test]
    fn after_unreadable_changes_a_file_is_asked_for_whole_if_it_fits_and_may_be_replaced() {
        let unreadable = Circumstances {
            changes_were_unreadable: true,
            output_limit: 4_000,
            ..USUAL
        };
        let (fitting, too_long) = (lines(600), lines(2_000));
        let strategy = |text: &str, it: &Circumstances| Strategy::choose(Some(text), it);
        assert_eq!(strategy(&fitting, &unreadable), Strategy::Whole);
        assert_eq!(strategy(&too_long, &unreadable), Strategy::Changes);
        let guarded = |force| Circumstances {
            autonomy: Autonomy { auto: true, force },
            ..unreadable
        };
        assert_eq!(strategy(&fitting, &guarded(false)), Strategy::Changes);
        assert_eq!(strategy(&fitting, &guarded(true)), Strategy::Whole);
    }
}
