//! #87's exit-code router: where a bare exit code of the runner leads.
//!
//! Only the fallback for when there is no readable report. pytest gives the same code for very different things (2 for
//! a syntax error in the tests and for importing a module that is still to be written), and a test that ends the
//! process with code 0 looks like success. So the report is classified first, see
//! [`judge_scaffold`](super::judge_scaffold); the router may accept a red, which the green gate checks again, and never
//! a green.

use super::Disposition;
use crate::test_outcome::ExitMeaning;

/// The red gate: 1 continues with the implementation, 0 and 4/5 go back to the scaffold, 2/3 go to a person. Codes that
/// the runner does not have come from the tests themselves and go back as well.
pub fn route_red(meaning: ExitMeaning) -> Disposition {
    match meaning {
        ExitMeaning::Failed => Disposition::Accepted,
        ExitMeaning::Interrupted | ExitMeaning::InternalError => Disposition::Escalate,
        _ => Disposition::Revise,
    }
}

/// The green gate: never onwards; 2/3 go to a person, the rest goes back.
pub fn route_green(meaning: ExitMeaning) -> Disposition {
    match meaning {
        ExitMeaning::Interrupted | ExitMeaning::InternalError => Disposition::Escalate,
        _ => Disposition::Revise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pytest;
    use crate::test_outcome::Exit;
    use Disposition::{Accepted, Escalate, Revise};

    fn exit_meaning(code: i32) -> ExitMeaning {
        pytest::exit_meaning(Exit::Code(code))
    }

    #[test]
    fn red_codes_route_as_the_table_says() {
        let routed: Vec<_> = (0..=6).map(exit_meaning).map(route_red).collect();
        assert_eq!(
            routed,
            [Revise, Accepted, Escalate, Escalate, Revise, Revise, Revise]
        );
    }

    #[test]
    fn no_code_alone_is_green() {
        for code in -20..300 {
            assert_ne!(
                route_green(exit_meaning(code)),
                Disposition::Accepted,
                "{code}"
            );
        }
    }
}
