//! The data that leaves the machine, announced before it does.

use proctor_host::model::Destination;

use super::style::{Appearance, Ink, Line};
use super::text::grouped;

/// The data policy in short.
pub(super) fn lines(appearance: Appearance, destination: &Destination, tokens: usize) -> Vec<Line> {
    let tokens = grouped(tokens as u64);
    let heading = match destination {
        Destination::Nowhere => format!(
            "Nothing leaves this machine: replies to about {tokens} tokens come from a file"
        ),
        Destination::Program(program) => {
            format!("About {tokens} tokens go to the program `{program}`, which may send them on")
        }
        Destination::Service {
            name,
            host,
            encrypted,
            local,
        } => {
            let how = match (encrypted, local) {
                (true, _) | (false, true) => "",
                (false, false) => ", unencrypted",
            };
            format!("About {tokens} tokens go to {name} at {host}{how}")
        }
    };
    let mut lines = vec![
        Line::of(Ink::Place, appearance.dot())
            .and(Ink::Plain, " ")
            .and(Ink::Strong, heading),
    ];
    lines.extend(
        [
            "what goes to a model: the design document, the context files you named, the",
            "files that the design lists, test output; every request is scanned for secrets",
            "what is kept: all of that and the replies, in the git directory's proctor/ on",
            "this machine; `proctor clean` removes test output; more: docs/data-policy.md",
        ]
        .map(|words| Line::of(Ink::Faint, format!("  {words}"))),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_fits_a_usual_screen() {
        let program = Destination::Program("claude".to_owned());
        for destination in [Destination::Nowhere, program] {
            let lines = lines(Appearance::default(), &destination, 123_456);
            assert_eq!(lines.len(), 5);
            for line in lines {
                assert!(line.plain().len() <= 80, "{}", line.plain());
            }
        }
    }
}
