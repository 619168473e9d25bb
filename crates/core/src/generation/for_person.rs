//! What a person is told of a refusal that was worded for a model.
//!
//! Such a sentence says first what was seen and then, behind a semicolon, what to send instead. The second half is for
//! whoever writes the next reply, and a person does not.

/// How the half that is meant for the model begins.
const ORDERS: [&str; 17] = [
    "assert ",
    "close ",
    "copy ",
    "import ",
    "include ",
    "it has to ",
    "make ",
    "put ",
    "replace ",
    "say ",
    "send ",
    "start ",
    "that line has to ",
    "use ",
    "write ",
    "at this stage send ",
    "and if ",
];

/// A refusal without what the model is told to do about it.
pub fn for_person(reason: &str) -> String {
    let lines: Vec<&str> = reason.lines().map(fact_of).collect();
    lines.join("\n")
}

fn fact_of(line: &str) -> &str {
    let order = line
        .match_indices("; ")
        .find(|(at, _)| ORDERS.iter().any(|order| line[at + 2..].starts_with(order)));
    order.map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::for_person;
    use crate::generation::{ask_for_less, parse_reply};

    #[test]
    fn what_the_model_is_told_to_do_is_left_out_and_facts_stay() {
        let table = [
            (
                "a.py is not a test file; at this stage send test files only",
                "a.py is not a test file",
            ),
            (
                "b.py is a test file; the tests are sealed and cannot be changed any more",
                "b.py is a test file; the tests are sealed and cannot be changed any more",
            ),
            (
                "the module `x` does not exist and the design does not declare it; import only what exists",
                "the module `x` does not exist and the design does not declare it",
            ),
            ("one; send it\ntwo; write it", "one\ntwo"),
            ("", ""),
        ];
        for (told, shown) in table {
            assert_eq!(for_person(told), shown);
        }
    }

    #[test]
    fn no_order_to_a_model_is_left_in_what_the_readers_of_replies_say() {
        let replies = [
            "words",
            "```\nx\n```\n",
            "### FILE: a\n```\nx\n",
            "### FILE: a\n",
            "### FILE:\n",
            "### GIVE UP:\n",
            "### FILE: a\n```\nx\n```\n### GIVE UP: x\n",
            "### END\nmore\n",
            "### FILE: a\n```\nx\n```\n### FILE: a\n```\nx\n```\n",
            "FIND:\n```\nx\n```\nREPLACE WITH:\n```\ny\n```\n",
        ];
        let mut told: Vec<String> = replies
            .iter()
            .map(|reply| parse_reply(reply, None).expect_err(reply).to_string())
            .collect();
        told.extend([ask_for_less(0), ask_for_less(1)]);
        for reason in told {
            let shown = for_person(&reason);
            for order in ["send ", "write `", "put the ", "use a longer"] {
                assert!(!shown.contains(order), "{shown}");
            }
            assert!(!shown.is_empty(), "{reason}");
        }
    }
}
