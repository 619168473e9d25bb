//! The permissions that `--auto` and `--force` give at every gate, in one place.
//!
//! | gate | at a terminal | no terminal | `--auto` | `--auto --force` |
//! |---|---|---|---|---|
//! | red, green, lint | decided by facts | same | same | same |
//! | existing file of more than 100 lines replaced, by all of it or by changes that keep less than half | asks | parks | back to the model | written, audited |
//! | changes that keep more of it | written | written | written | written |
//! | diff review | asks | parks | parks | parks |
//!
//! `--force` alone changes nothing: it only widens the permissions of `--auto`.

use serde::{Deserialize, Serialize};

/// Existing files with more lines than this are not replaced without a person.
pub const LINES_REPLACED_FREELY: usize = 100;

/// The refusal of every attempt to pass the review without a person.
pub const REVIEW_CANNOT_BE_BYPASSED: &str =
    "Diff review gate cannot be bypassed. Manual approval required.";

/// The flags that a run was started with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Autonomy {
    /// Ask no questions.
    pub auto: bool,
    /// With `auto`: replace large files in the worktree.
    pub force: bool,
}

/// Whether a person can be asked right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Standard input is a terminal, or a page is open where only a passkey approves.
    AtTerminal,
    /// It is a pipe, a file or nothing.
    NoTerminal,
}

/// The permission at a gate that a person owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Go on without asking.
    Granted,
    /// Ask the person at the terminal.
    Ask,
    /// Rest until a person comes.
    Park,
    /// Refuse, and tell the model why.
    Refuse,
}

impl Autonomy {
    /// The diff review gate: nothing passes it but a person at a terminal.
    pub fn at_review(self, presence: Presence) -> Permission {
        match presence {
            Presence::AtTerminal if !self.auto => Permission::Ask,
            Presence::AtTerminal | Presence::NoTerminal => Permission::Park,
        }
    }

    /// A write that a person has to agree to, for whatever reason.
    pub fn at_large_write(self, presence: Presence) -> Permission {
        match (self.auto, self.force, presence) {
            (true, true, _) => Permission::Granted,
            (true, false, _) => Permission::Refuse,
            (false, _, Presence::AtTerminal) => Permission::Ask,
            (false, _, Presence::NoTerminal) => Permission::Park,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Autonomy; 4] = [
        Autonomy {
            auto: false,
            force: false,
        },
        Autonomy {
            auto: false,
            force: true,
        },
        Autonomy {
            auto: true,
            force: false,
        },
        Autonomy {
            auto: true,
            force: true,
        },
    ];

    #[test]
    fn no_flag_passes_the_review_gate() {
        for autonomy in ALL {
            for presence in [Presence::AtTerminal, Presence::NoTerminal] {
                let permission = autonomy.at_review(presence);
                assert_ne!(permission, Permission::Granted, "{autonomy:?} {presence:?}");
                let asks = !autonomy.auto && presence == Presence::AtTerminal;
                assert_eq!(permission == Permission::Ask, asks);
            }
        }
    }

    #[test]
    fn a_large_write_is_asked_parked_refused_or_forced() {
        let with = |auto, force, presence| Autonomy { auto, force }.at_large_write(presence);
        assert_eq!(with(false, false, Presence::AtTerminal), Permission::Ask);
        assert_eq!(with(false, true, Presence::AtTerminal), Permission::Ask);
        assert_eq!(with(false, false, Presence::NoTerminal), Permission::Park);
        assert_eq!(with(true, false, Presence::AtTerminal), Permission::Refuse);
        assert_eq!(with(true, true, Presence::NoTerminal), Permission::Granted);
    }
}
