//! Cases that the folders of `testdata/edit` do not cover: sizes, hostile texts, wording.

use super::{Change, Refusal, RefusalKind, Tier, apply, summary};

fn change(find: &str, replace: &str) -> Change {
    Change {
        description: String::new(),
        find: find.to_owned(),
        replace: replace.to_owned(),
    }
}

fn applied(original: &str, changes: &[Change]) -> String {
    let applied = apply(original.as_bytes(), changes).expect("the changes fit");
    String::from_utf8(applied.content).expect("it is text")
}

fn refused(original: &str, changes: &[Change]) -> Vec<Refusal> {
    apply(original.as_bytes(), changes).expect_err("the changes do not fit")
}

#[test]
fn a_single_change_is_applied_at_its_place() {
    assert_eq!(
        applied("a\nb\nc\n", &[change("b\n", "x\ny\n")]),
        "a\nx\ny\nc\n"
    );
}

#[test]
fn a_byte_order_mark_stays_whether_the_reply_copied_it_or_not() {
    for (find, replace) in [
        ("a\n", "x\n"),
        ("\u{feff}a\n", "x\n"),
        ("\u{feff}a\n", "\u{feff}x\n"),
    ] {
        let content = applied("\u{feff}a\nb\n", &[change(find, replace)]);
        assert_eq!(content, "\u{feff}x\nb\n", "{find:?} {replace:?}");
    }
    // Where the file has none it is a character like any other.
    assert_eq!(refused("a\n", &[change("\u{feff}a\n", "x\n")]).len(), 1);
}

#[test]
fn several_changes_are_applied_together() {
    let changes = [
        change("a\n", "1\n2\n"),
        change("c\n", ""),
        change("b\n", "B\n"),
    ];
    assert_eq!(applied("a\nb\nc\nd\n", &changes), "1\n2\nB\nd\n");
}

#[test]
fn a_text_that_occurs_twice_changes_nothing_and_names_its_lines() {
    let refusals = refused("a\nb\na\n", &[change("a\n", "x\n"), change("b\n", "y\n")]);
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].kind, RefusalKind::Ambiguous);
    assert_eq!(refusals[0].lines, [1, 3]);
    assert_eq!(refusals[0].index, Some(1));
}

#[test]
fn a_text_that_is_not_there_is_shown_what_is() {
    let file = "def f():\n    total = 1\n    return total\n";
    let refusals = refused(file, &[change("    totl = 1\n", "    total = 2\n")]);
    assert_eq!(refusals[0].kind, RefusalKind::NotFound);
    assert_eq!(refusals[0].lines, [2]);
    assert!(
        refusals[0]
            .message
            .to_string()
            .contains("2 |     total = 1")
    );
    let words = summary(&refusals).to_string();
    assert!(words.starts_with("change 1: "), "{words}");
    assert!(
        words.ends_with("nothing was applied; send all changes again"),
        "{words}"
    );
}

#[test]
fn another_indentation_is_found_and_kept() {
    let file = "class A:\n    def f(self):\n        return 1\n";
    let found = apply(
        file.as_bytes(),
        &[change(
            "def f(self):\n    return 1\n",
            "def f(self):\n    return 2\n",
        )],
    );
    let found = found.expect("it fits");
    assert_eq!(found.changes[0].tier, Tier::Whitespace);
    assert_eq!(found.changes[0].line, 2);
    assert_eq!(
        found.content,
        b"class A:\n    def f(self):\n        return 2\n"
    );
}

#[test]
fn changes_that_lie_side_by_side_do_not_overlap() {
    let changes = [
        change("a\n", "1\n"),
        change("b\n", "2\n"),
        change("c\n", "3\n"),
    ];
    assert_eq!(applied("a\nb\nc", &changes), "1\n2\n3");
}

#[test]
fn one_change_inside_another_overlaps_with_it() {
    let changes = [
        change("b\n", "x\n"),
        change("a\nb\nc\n", "y\n"),
        change("c\n", "z\n"),
    ];
    let refusals = refused("a\nb\nc\nd\n", &changes);
    assert!(
        refusals
            .iter()
            .all(|refusal| refusal.kind == RefusalKind::Overlap)
    );
    assert_eq!(refusals.len(), 2);
}

#[test]
fn a_text_with_line_numbers_is_whole_lines_without_them() {
    let refusals = refused("! | a\n2 | b\n", &[change("1 | a\n", "new\n")]);
    assert_eq!(refusals[0].kind, RefusalKind::NotFound);
    assert_eq!(
        applied("ba\na\n", &[change("2 | a\n", "2 | c\n")]),
        "ba\nc\n"
    );
}

#[test]
fn inverse_changes_restore_the_original() {
    let original = "a\n  b\nc\n";
    let forth = applied(original, &[change("  b\n", "  x\n  y\n")]);
    assert_eq!(applied(&forth, &[change("  x\n  y\n", "  b\n")]), original);
}

#[test]
fn hundred_thousand_lines_and_a_thousand_changes() {
    let line = |number: usize| format!("value_{number:06} = compute({number})\n");
    let original: String = (0..100_000).map(line).collect();
    let changes: Vec<Change> = (0..1000)
        .map(|index| change(&line(index * 97), &format!("changed_{index}\n")))
        .collect();
    let result = applied(&original, &changes);
    for (number, line_after) in result.lines().enumerate() {
        if number % 97 == 0 && number / 97 < 1000 {
            assert_eq!(line_after, format!("changed_{}", number / 97));
        } else {
            assert_eq!(line_after, line(number).trim_end());
        }
    }
}

#[test]
fn a_line_of_megabytes_is_changed_in_the_middle() {
    let half = "x".repeat(3_000_000);
    let original = format!("{half}needle{half}");
    let result = applied(&original, &[change("needle\n", "pin\n")]);
    assert_eq!(result, format!("{half}pin{half}"));
    let refusals = refused(&original, &[change("x\n", "y\n")]);
    assert_eq!(
        (refusals[0].kind, refusals[0].lines.as_slice()),
        (RefusalKind::Ambiguous, [1].as_slice())
    );
}

/// Without the budget for comparing, these would take hours.
#[test]
fn texts_that_repeat_themselves_end_soon() {
    let original = "a".repeat(1_000_000);
    let long = format!("{}b\n", "a".repeat(100_000));
    assert_eq!(
        refused(&original, &[change(&long, "x\n")])[0].kind,
        RefusalKind::NotFound
    );
    let lines = "a\n".repeat(300_000);
    let many = format!("{}b\n", "  a\n".repeat(20_000));
    assert_eq!(
        refused(&lines, &[change(&many, "x\n")])[0].kind,
        RefusalKind::NotFound
    );
    let found = format!("{original}b");
    assert_eq!(applied(&found, &[change(&long, "x\n")]).len(), 900_001);
    assert_eq!(
        refused(&lines, &[change("a\n", "x\n")])[0].lines.len(),
        1000
    );
}
