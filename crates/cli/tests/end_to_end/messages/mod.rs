//! Every message of `docs/troubleshooting.md`, provoked.
//!
//! The tables beside this file have small worlds in which one thing is wrong, real ones, and the command that meets it.
//! Messages that need a whole run are provoked by the tests about them; they call [`says`] with the row. The last test
//! here counts: a row that no test provokes is in [`NOT_PROVOKED`] with its reason, or the test fails.

mod directories;
mod files;
mod node;
mod page;
mod people;
mod python;
mod repository;
mod usage;
mod world;

use std::collections::BTreeSet;
use std::path::Path;

pub(crate) use world::says;

/// Rows that nothing from outside leads to, and why.
const NOT_PROVOKED: &[(&str, &str)] = &[
    (
        "PATH does not exist",
        "the file would have to go between two looks at it",
    ),
    (
        "PATH has more than 1073741824 bytes",
        "a file of that size takes longer than all other tests here",
    ),
    (
        "merging would lose or double MEMBER",
        "the last check of a merge, which no merge is known to fail",
    ),
    (
        "proctor wrote settings that it cannot read: proctor.toml is not valid: REASON",
        BUG,
    ),
    (
        "no signature within 120 seconds, so nothing is approved",
        "a test would have to wait for two minutes",
    ),
    (
        "the page for the passkey cannot be opened: REASON",
        "every machine has a loopback address with a free port",
    ),
    (
        "a private file for signing cannot be used: REASON",
        "the temporary directory would have to go between two looks at it",
    ),
    ("run RUN stopped without a reason", BUG),
    (
        "the run's state machine refused an event: the run is parked at Review and does not expect this: EVENT",
        BUG,
    ),
    ("the sample has no commit", BUG),
    ("there is no model to ask", BUG),
];

const BUG: &str = "it would be a bug, and none is known";

/// The tables.
fn situations() -> impl Iterator<Item = &'static world::Situation> {
    [
        usage::COMMAND_LINES,
        usage::SETTINGS,
        usage::MODELS,
        files::MERGES,
        files::CHANGES,
        files::WRITES,
        files::DOCUMENTS,
        files::CONTEXT,
        files::NAMES,
        people::REVIEWS,
        people::WRITES,
        repository::GIT,
        repository::JOURNAL,
        directories::DIRECTORIES,
        node::NODE,
        python::PYTHON,
        python::PREPARATION,
        directories::FAULTS,
        directories::BUGS,
    ]
    .into_iter()
    .flatten()
}

/// Rows that tests elsewhere look for.
fn said_elsewhere() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/end_to_end");
    let mut folders = vec![folder];
    let mut rows = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .expect("tests are readable")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "world.rs") {
                let source = std::fs::read_to_string(path).expect("tests are text");
                rows.extend(rows_looked_for(&source));
            }
        }
    }
    rows
}

/// The texts in calls of [`says`].
fn rows_looked_for(source: &str) -> Vec<String> {
    let calls = source.split("says(").skip(1);
    calls
        .filter_map(|call| {
            let text = call.split_once('"')?.1.replace("\\\"", "\u{1}");
            let text = text.split_once('"')?.0;
            Some(text.replace('\u{1}', "\"").replace("\\n", "\n"))
        })
        .collect()
}

#[test]
fn every_message_on_the_page_is_provoked() {
    let mut provoked = said_elsewhere();
    provoked.extend(situations().map(|situation| situation.row.to_owned()));
    let mut unprovoked = Vec::new();
    for row in page::rows() {
        let excused = NOT_PROVOKED
            .iter()
            .any(|(message, _)| *message == row.message);
        let is_provoked = provoked.contains(&row.message);
        assert!(!(excused && is_provoked), "{:?} is provoked", row.message);
        if !excused && !is_provoked {
            unprovoked.push(format!("{}: {}", row.code, row.message));
        }
    }
    assert!(unprovoked.is_empty(), "{}", unprovoked.join("\n"));
    for (message, _) in NOT_PROVOKED {
        let is_there = page::rows().iter().any(|row| row.message == *message);
        assert!(is_there, "the page has no {message:?}");
    }
}
