//! Choosing how files are written, through pipes; the binary's own tests do it at a terminal.

use proctor_core::edit::Applied;
use proctor_core::path::ProjectPath;

use super::*;
use crate::terminal::sample::answered;

fn numbered(count: usize) -> String {
    let line = |number| format!("line_{number} = {number}\n");
    (0..count).map(line).collect()
}

/// Asks about files of 150 lines that are to get one new line; returns the writes, and the screen.
fn asked(names: &[&str], typed: &str) -> (Option<WriteAnswer>, String) {
    let (approver, captured) = answered(typed);
    let before = numbered(150);
    let proposals: Vec<Proposal> = names
        .iter()
        .map(|name| {
            let path = ProjectPath::parse(name).expect("a plain path");
            let (before, given) = (before.clone().into_bytes(), b"fresh = 1\n".to_vec());
            if name.contains("edited") {
                let (content, changes) = (given, Vec::new());
                let applied = Applied {
                    content,
                    changes,
                    touched_lines: 151,
                };
                return Proposal::edited(path, before, applied);
            }
            Proposal::new(path, Some(before), given, Merge::Replace).expect("replaced")
        })
        .collect();
    let questions: Vec<&Proposal> = proposals.iter().collect();
    let answer = approver.ask_about_writes(&questions);
    (answer, captured.text())
}

/// Name, strategy and lines afterwards of each file.
fn written(answer: Option<WriteAnswer>) -> Vec<(String, &'static str, usize)> {
    let Some(WriteAnswer::Write(proposals)) = answer else {
        panic!("nothing is written: {answer:?}");
    };
    let line = |proposal: &Proposal| {
        let lines = proposal.new_lines();
        (proposal.path.to_string(), proposal.way.key(), lines)
    };
    proposals.iter().map(line).collect()
}

#[test]
fn one_file_is_written_the_way_that_was_seen_last() {
    let (answer, screen) = asked(&["a.py"], "replace\nback\nappend\nwrite\n");
    assert_eq!(written(answer), [("a.py".to_owned(), "append", 151)]);
    assert!(!screen.contains("ALL"), "{screen}");
    assert!(!screen.contains("File 1 of"), "{screen}");
}

#[test]
fn many_files_begin_with_an_overview_and_are_decided_one_by_one() {
    let typed = "append\nwrite\ninsert\n3\nwrite\n";
    let (answer, screen) = asked(&["a.py", "b.py"], typed);
    let expected = [
        ("a.py".to_owned(), "append", 151),
        ("b.py".to_owned(), "insert", 151),
    ];
    assert_eq!(written(answer), expected);
    let overview = screen
        .find("2 existing files have more than 100 lines")
        .expect("an overview");
    let line = "  b.py: replace, 150 lines before, 1 after, 1 added, 150 deleted";
    assert!(screen[overview..].contains(line), "{screen}");
    assert!(screen.contains("File 2 of 2"), "{screen}");
}

#[test]
fn what_was_chosen_for_one_is_done_with_the_rest_that_it_works_for() {
    // A language without a grammar cannot be extended, and the result of edits cannot go inside a file.
    let names = ["a.py", "b.txt", "c.py", "edited.py"];
    let typed = "extend\nall\nwrite\nreplace\nwrite\nreplace\nwrite\n";
    let (answer, screen) = asked(&names, typed);
    let expected = [
        ("a.py", "extend", 151),
        ("b.txt", "replace", 1),
        ("c.py", "extend", 151),
        ("edited.py", "replace", 1),
    ];
    let expected = expected.map(|(name, strategy, lines)| (name.to_owned(), strategy, lines));
    assert_eq!(written(answer), expected);
    assert!(screen.contains("2 files cannot be changed this way; you will be asked"));
    assert!(
        screen.contains("Type REPLACE to see what it does"),
        "{screen}"
    );
}

#[test]
fn the_rest_is_seen_before_it_is_written() {
    let typed = "append\nall\nback\nreplace\nwrite\n";
    let (answer, screen) = asked(&["a.py", "b.py"], typed);
    let expected = [
        ("a.py".to_owned(), "append", 151),
        ("b.py".to_owned(), "replace", 1),
    ];
    assert_eq!(written(answer), expected);
    assert!(screen.contains("  b.py: append, 150 lines before, 151 after, 1 added, 0 deleted"));
}

#[test]
fn a_line_of_one_file_is_not_offered_for_the_others() {
    let typed = "insert\n1\nall\nwrite\nskip\n";
    let (answer, screen) = asked(&["a.py", "b.py"], typed);
    assert!(matches!(answer, Some(WriteAnswer::Skip(path)) if path.as_str() == "b.py"));
    assert!(
        screen.contains("Only a whole word is accepted: WRITE, WHOLE, BACK."),
        "{screen}"
    );
}

#[test]
fn leaving_and_aborting_write_nothing() {
    let names = ["a.py", "b.py"];
    assert!(matches!(
        asked(&names, "append\nwrite\nabort\n").0,
        Some(WriteAnswer::Abort)
    ));
    for typed in [
        "",
        "append\n",
        "append\nwrite\n",
        "append\nall\n",
        "y\n\nyes\n",
    ] {
        let (answer, screen) = asked(&names, typed);
        assert!(answer.is_none(), "{typed:?}");
        assert!(
            screen.ends_with("Nothing was decided; no file was changed.\n"),
            "{screen}"
        );
    }
}
