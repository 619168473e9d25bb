//! The sheet with one file of every kind.

use std::collections::BTreeSet;

use proctor_core::review_gate::{Label, ReviewedFile};

use super::*;
use crate::terminal::sample::{LOG, file, files, text, with_sheet};

fn shown(files: Vec<ReviewedFile>, columns: usize) -> String {
    with_sheet(files, |sheet| {
        review_lines(sheet, LOG, columns)
            .map(|line| line.plain() + "\n")
            .collect()
    })
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "the whole sheet is one snapshot, to be read as a person reads it"
)]
fn every_kind_of_change_is_shown_for_what_it_is() {
    insta::assert_snapshot!(shown(files(), 80), @r"
    ────────────────────────────────────────────────────────────────────────────────
    Review of run 87-123456: Feature: Discounts
      issue  87
      into   main
      tree   7777777777777777777777777777777777777777

    Red    accepted: 1 new test fails
    Green  accepted: 1 new test passes
    Lint   no complaint

    WARNING: look closely at these files
      src/total.py  MAJOR-CHANGE  OUTSIDE-LLD  HIDDEN-CHARACTERS
      old.txt  DELETED
      logo.png  BINARY
      current  SYMLINK  HIDDEN-CHARACTERS
      config  SYMLINK  MODE
      vendor/lib  SUBMODULE
      run.sh  MODE
      na\x0ame<U+200B>.py  NEW  HIDDEN-CHARACTERS

      DELETED            is gone
      MAJOR-CHANGE       differs in more than half as many lines as it had
      BINARY             is not text, so its content cannot be shown
      SYMLINK            is or was a symbolic link
      SUBMODULE          is or was a commit of another repository
      MODE               became executable, or is another kind of thing than before
      OUTSIDE-LLD        is not in the design document's list of files
      HIDDEN-CHARACTERS  has characters that a reader does not see

     tests/test_discount.py | +5 -0        +++++  TEST  NEW
     src/total.py           | +2 -2        ++--  MAJOR-CHANGE  OUTSIDE-LLD  HIDDEN-CHARACTERS
     src/empty.py           | +0 -0          NEW
     old.txt                | +0 -1        -  DELETED
     logo.png               | 4 -> 7 bytes   BINARY
     current                | +1 -1        +-  SYMLINK  HIDDEN-CHARACTERS
     config                 | +1 -1        +-  SYMLINK  MODE
     vendor/lib             | +1 -1        +-  SUBMODULE
     run.sh                 | +0 -0          MODE
     na\x0ame<U+200B>.py    | +1 -0        +  NEW  HIDDEN-CHARACTERS
     10 files changed, 11 insertions(+), 6 deletions(-)

    How it was judged
    Red    exit code 1, sandbox off
           failed  tests/test_discount.py::test_ten_percent
           note: tests/test_discount.py::test_ten_percent: in doubt, TypeError raised in the test itself
    Green  exit code 0, sandbox off
           passed  tests/test_discount.py::test_ten_percent
    Lint   ruff check src

    ────────────────────────────────────────────────────────────────────────────────
    tests/test_discount.py  new file  TEST  NEW
    @@ -0,0 +1,5 @@
       1 +from src import discount
       2 +
       3 +
       4 +def test_ten_percent():
       5 +    assert discount.of(100) == 10

    ────────────────────────────────────────────────────────────────────────────────
    src/total.py  MAJOR-CHANGE  OUTSIDE-LLD  HIDDEN-CHARACTERS
    @@ -1,6 +1,6 @@
       1  def total(items):
       2 -    return sum(items)
       2 +    return sum(items) <U+202E># ok
    ^ contains hidden characters
       3  
       4  
       5  def tax(amount):
       6 -    return amount
       6 +	return amount * 0.19
    \ No newline at end of file

    ────────────────────────────────────────────────────────────────────────────────
    src/empty.py  new file  NEW
    (no content)

    ────────────────────────────────────────────────────────────────────────────────
    old.txt  deleted file  DELETED
    @@ -1,1 +0,0 @@
       1 -gone

    ────────────────────────────────────────────────────────────────────────────────
    logo.png  BINARY
    binary, not shown: 4 bytes before, 7 bytes after

    ────────────────────────────────────────────────────────────────────────────────
    current  SYMLINK  HIDDEN-CHARACTERS
    -symbolic link to releases/1
    +symbolic link to /etc/\x1b[2Jpasswd
    ^ contains hidden characters

    ────────────────────────────────────────────────────────────────────────────────
    config  was a file (100644), is now a symbolic link (120000)  SYMLINK  MODE
    @@ -1,1 +0,0 @@
       1 -a = 1
    +symbolic link to other

    ────────────────────────────────────────────────────────────────────────────────
    vendor/lib  SUBMODULE
    -submodule at commit 1111111111111111111111111111111111111111
    +submodule at commit 2222222222222222222222222222222222222222

    ────────────────────────────────────────────────────────────────────────────────
    run.sh  was a file (100644), is now an executable file (100755)  MODE
    (the content is the same)

    ────────────────────────────────────────────────────────────────────────────────
    na\x0ame<U+200B>.py  new file  NEW  HIDDEN-CHARACTERS
    ^ contains hidden characters
    @@ -0,0 +1,1 @@
       1 +x = 1

    ────────────────────────────────────────────────────────────────────────────────
    10 files changed, 11 insertions(+), 6 deletions(-); tree 7777777777 into main
    WARNING: look closely at src/total.py, old.txt, logo.png, current, config, vendor/lib, run.sh, na\x0ame<U+200B>.py
    ");
}

#[test]
fn nothing_is_left_out_however_long_it_is() {
    let lines: Vec<String> = (0..5000)
        .map(|number| format!("x_{number} = {number}"))
        .collect();
    let content = lines.join("\n") + "\n";
    let long = format!("y = \"{}\"\n", "long ".repeat(2000));
    let shown = shown(
        vec![file("a.py", None, text(&(content.clone() + &long)))],
        80,
    );
    for line in content.lines().chain(long.lines()) {
        assert!(shown.contains(&format!(" +{line}\n")), "{line:.40}");
    }
    assert!(shown.contains(" a.py | +5001 -0 "));
}

#[test]
fn the_rows_of_the_table_fit_the_screen_with_their_labels() {
    let lines: Vec<String> = (0..270).map(|number| format!("x = {number}\n")).collect();
    let replaced = file("src/state.py", text(&lines.concat()), text("y = 1\n"));
    for columns in [60, 80, 200] {
        let shown = shown(vec![replaced.clone()], columns);
        let row = shown
            .lines()
            .find(|line| line.starts_with(" src/state.py |"));
        let row = row.expect("a row");
        assert!(row.ends_with("-  REPLACED  MAJOR-CHANGE"), "{row}");
        assert!(row.len() <= columns, "{row}");
    }
}

#[test]
fn ordinary_changes_raise_no_alarm() {
    let before = "a\nb\nc\nd\ne\nf\n";
    let shown = shown(
        vec![file("a.py", text(before), text(&before.replace('c', "C")))],
        80,
    );
    assert!(!shown.contains("WARNING"), "{shown}");
}

#[test]
fn labels_that_came_with_a_file_are_not_repeated() {
    let mut symlink = files().remove(5);
    symlink.labels = BTreeSet::from([Label::Symlink]);
    assert_eq!(
        shown(vec![symlink], 80).matches("SYMLINK").count(),
        4,
        "once in the table, twice in the warning, once above the file"
    );
}

#[test]
fn added_lines_are_green_deleted_red_and_hunks_cyan() {
    let painted: Vec<String> = with_sheet(vec![file("a.py", text("a\n"), text("b\n"))], |sheet| {
        review_lines(sheet, LOG, 80)
            .map(|line| line.painted())
            .collect()
    });
    for expected in [
        "\u{1b}[36m@@ -1,1 +1,1 @@\u{1b}[0m",
        "\u{1b}[31m-a\u{1b}[0m",
        "\u{1b}[32m+b\u{1b}[0m",
    ] {
        assert!(
            painted.iter().any(|line| line.ends_with(expected)),
            "{expected:?}"
        );
    }
}

#[test]
fn a_gate_that_has_not_run_is_said_to_be_missing() {
    let lines: Vec<Line> = with_sheet(Vec::new(), |sheet| {
        let bare = ReviewSheet {
            subject: sheet.subject,
            about: String::new(),
            base: None,
            tree: sheet.tree,
            files: Vec::new(),
            opened: Vec::new(),
            reopenings: &[],
            red: None,
            green: None,
            lint: None,
        };
        review_lines(&bare, LOG, 80).collect()
    });
    let missing = lines
        .iter()
        .filter(|line| line.plain().ends_with("has not been judged"));
    assert_eq!(missing.count(), 2);
}

const COLOURED: Appearance = Appearance {
    colour: true,
    unicode: true,
    live: false,
    paged: false,
};

fn painted(files: Vec<ReviewedFile>) -> Vec<String> {
    with_sheet(files, |sheet| {
        review_lines(sheet, COLOURED, 80)
            .map(|line| line.painted())
            .collect()
    })
}

#[test]
fn words_of_a_program_have_their_own_ink_and_what_changed_stays_red_or_green() {
    let before = "def tax(a):  # of a\n    return 'x' + a\n";
    let after = "def tax(a):  # of a\n    if a:\n        return 'y' * 2\n";
    let lines = painted(vec![file("a.py", text(before), text(after))]);
    for expected in [
        " \u{1b}[35mdef\u{1b}[0m tax(a):  \u{1b}[2m\u{1b}[3m# of a\u{1b}[0m",
        "\u{1b}[31m-    \u{1b}[0m\u{1b}[1m\u{1b}[31mreturn\u{1b}[0m\u{1b}[31m \u{1b}[0m\u{1b}[3m\u{1b}[31m'x'\u{1b}[0m\u{1b}[31m + a\u{1b}[0m",
        "\u{1b}[32m+    \u{1b}[0m\u{1b}[1m\u{1b}[32mif\u{1b}[0m\u{1b}[32m a:\u{1b}[0m",
    ] {
        assert!(
            lines.iter().any(|line| line.ends_with(expected)),
            "{expected:?} in {lines:#?}"
        );
    }
}

#[test]
fn a_block_that_moved_to_another_file_is_dimmed_in_both() {
    let block = "def tax(a):\n    b = a * 2\n    return b\n";
    let lines = painted(vec![
        file(
            "a.txt",
            text(&format!("one\n{block}two\n")),
            text("one\ntwo\n"),
        ),
        file("b.txt", text("x\n"), text(&format!("x\n{block}y\n"))),
    ]);
    for expected in [
        "\u{1b}[2m\u{1b}[31m-    return b\u{1b}[0m",
        "\u{1b}[2m\u{1b}[32m+    return b\u{1b}[0m",
        "\u{1b}[32m+y\u{1b}[0m",
    ] {
        assert!(
            lines.iter().any(|line| line.ends_with(expected)),
            "{expected:?} in {lines:#?}"
        );
    }
}

#[test]
fn lock_files_are_folded_in_the_pager_unless_they_are_flagged_and_never_elsewhere() {
    let lines: Vec<String> = (0..90).map(|number| format!("name = {number}\n")).collect();
    let many = lines.concat();
    let changed = many.replace("name = 7\n", "name = seven\n");
    let small = file("web/yarn.lock", text(&many), text(&changed));
    let flagged = file("Cargo.lock", text(&many), None);
    with_sheet(vec![small, flagged], |sheet| {
        let folded = Look {
            columns: 80,
            unfolded: false,
        };
        let document = review_document(sheet, LOG);
        let shown = |part: usize, look| -> Vec<String> {
            let lines = document.parts[part].lines(look);
            lines.iter().map(Line::plain).collect()
        };
        let words = "lock file, folded: 1 line added, 1 line deleted; x shows them";
        assert_eq!(shown(1, folded)[2..], ["web/yarn.lock", words]);
        let unfolded = Look {
            unfolded: true,
            ..folded
        };
        assert!(
            shown(1, unfolded)
                .iter()
                .any(|line| line == "   8 +name = seven")
        );
        assert!(
            shown(2, folded)
                .iter()
                .any(|line| line == "  90 -name = 89")
        );
        let whole = review_lines(sheet, LOG, 80).map(|line| line.plain());
        assert!(whole.into_iter().any(|line| line == "   8 +name = seven"));
    });
}

#[test]
fn a_wide_screen_keeps_the_columns_of_long_paths() {
    let long = format!("src/{}.py", "long_name_".repeat(8));
    let two = vec![
        file(&long, None, text("a\n")),
        file("b.py", None, text("b\n")),
    ];
    let bar = |columns| -> Vec<Option<usize>> {
        let text = shown(two.clone(), columns);
        let rows = text.lines().filter(|line| line.contains(" | +1 -0"));
        rows.map(|row| row.find(" | ")).collect()
    };
    let [first, second] = bar(200)[..] else {
        panic!("two rows")
    };
    assert_eq!(first, second);
    // There is no room for it here, and the short ones stay near their names.
    let [first, second] = bar(80)[..] else {
        panic!("two rows")
    };
    assert!(first > second);
}

#[test]
fn every_label_is_explained_in_the_book() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/concepts.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    for label in Label::all() {
        let row = format!("| {} | {} |\n", label.name(), label.meaning());
        assert!(page.contains(&row), "missing in docs/concepts.md: {row}");
    }
}
