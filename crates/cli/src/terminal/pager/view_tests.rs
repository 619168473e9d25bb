//! A small document, read in every direction.

use super::*;
use crate::terminal::document::Topic;

/// An overview of three lines, then files of a heading and hunks with two lines each.
fn document() -> Document<'static> {
    let file = |name: &'static str, hunks: usize, flagged: bool, folded: bool| {
        let make = move |look: Look| {
            let mut lines = ["", "----", name]
                .map(|it| Line::of(Ink::Plain, it))
                .to_vec();
            if folded && !look.unfolded {
                lines.push(Line::of(Ink::Faint, "folded"));
                return lines;
            }
            for hunk in 1..=hunks {
                lines.push(Line::of(Ink::Place, format!("@@ {name} {hunk} @@")));
                lines.push(Line::of(Ink::Bad, format!("-{name} old {hunk}")));
                lines.push(Line::of(Ink::Good, format!("+{name} new {hunk}")));
            }
            lines
        };
        Part::new(Topic::File { flagged, folded }, name, make)
    };
    let words = |words: &'static [&'static str]| {
        move |_| words.iter().map(|it| Line::of(Ink::Plain, *it)).collect()
    };
    Document::new(vec![
        Part::new(Topic::Overview, "overview", words(&["one", "two", "three"])),
        file("a.py", 1, true, false),
        file("b.py", 2, false, false),
        file("Cargo.lock", 3, false, true),
        file("c.py", 1, true, false),
        Part::new(Topic::End, "end", words(&["", "the end"])),
    ])
}

fn shown(view: &mut View<'_, '_>) -> Vec<String> {
    let (rows, complete) = view.frame(false);
    assert!(complete);
    let text = |row: &Row| row.iter().map(|piece| piece.text.as_str()).collect();
    rows.iter().map(text).collect()
}

fn top(view: &mut View<'_, '_>) -> String {
    shown(view).remove(0)
}

#[test]
fn scrolling_down_shows_every_row_once_and_stops_with_a_full_screen() {
    let document = document();
    for (columns, height) in [(80, 5), (3, 4), (80, 100), (1, 1)] {
        let mut view = View::new(&document, columns, height);
        let mut seen = shown(&mut view);
        loop {
            let before = view.top;
            view.scroll(Way::Forward, 1);
            if view.top == before {
                break;
            }
            let screen = shown(&mut view);
            assert_eq!(screen.len(), height);
            seen.extend(screen.last().cloned());
        }
        let look = Look {
            columns,
            unfolded: false,
        };
        let all: String = document
            .parts
            .iter()
            .flat_map(|part| part.lines(look))
            .map(|line| line.plain())
            .collect();
        assert_eq!(seen.concat(), all, "{columns} columns");
        let end = view.top;
        view.go_to_start();
        view.go_to_end();
        assert_eq!(view.top, end);
        // And the same way back.
        let mut rows = 0;
        while view.top != Place::default() {
            view.scroll(Way::Back, 1);
            rows += 1;
        }
        assert_eq!(rows + height.min(seen.len()), seen.len());
    }
}

#[test]
fn pages_overlap_by_a_row_and_half_pages_by_half() {
    let document = document();
    let mut view = View::new(&document, 80, 4);
    let last = shown(&mut view).pop();
    view.page(Way::Forward);
    assert_eq!(Some(top(&mut view)), last);
    view.page(Way::Back);
    assert_eq!(top(&mut view), "one");
    view.half_page(Way::Forward);
    assert_eq!(top(&mut view), "three");
}

#[test]
fn files_flags_and_hunks_are_found_in_both_directions() {
    let document = document();
    let mut view = View::new(&document, 80, 3);
    let mut tops = Vec::new();
    while view.go_to_file(Way::Forward) {
        tops.push(top(&mut view));
    }
    assert_eq!(tops, ["a.py", "b.py", "Cargo.lock", "c.py"]);
    assert!(view.go_to_flagged(Way::Back));
    assert_eq!(top(&mut view), "a.py");
    assert!(!view.go_to_flagged(Way::Back));
    assert!(view.go_to_flagged(Way::Forward));
    assert_eq!(top(&mut view), "c.py");
    assert!(!view.go_to_flagged(Way::Forward));
    // From the middle of a file back to its own beginning first.
    view.scroll(Way::Forward, 1);
    assert!(view.go_to_file(Way::Back));
    assert_eq!(top(&mut view), "c.py");

    view.go_to_start();
    let mut hunks = Vec::new();
    while view.go_to_hunk(Way::Forward) {
        hunks.push(top(&mut view));
    }
    let expected = [
        "@@ a.py 1 @@",
        "@@ b.py 1 @@",
        "@@ b.py 2 @@",
        "@@ c.py 1 @@",
    ];
    assert_eq!(hunks, expected);
    assert!(view.go_to_hunk(Way::Back));
    assert_eq!(top(&mut view), "@@ b.py 2 @@");
    assert_eq!(view.whereabouts()[0], "2/4 b.py");
}

#[test]
fn a_search_goes_around_and_marks_what_it_found() {
    let document = document();
    let mut view = View::new(&document, 80, 3);
    let pattern = |text| Pattern::new(text).expect("not empty");
    assert!(view.search(pattern("new")));
    let mut tops = vec![top(&mut view)];
    for _ in 0..4 {
        assert!(view.search_again(Way::Forward));
        tops.push(top(&mut view));
    }
    let expected = [
        "+a.py new 1",
        "+b.py new 1",
        "+b.py new 2",
        "+c.py new 1",
        "+a.py new 1",
    ];
    assert_eq!(tops, expected);
    assert!(view.search_again(Way::Back));
    assert_eq!(top(&mut view), "+c.py new 1");
    let found: Vec<String> = view.frame(false).0[0]
        .iter()
        .filter(|piece| piece.found)
        .map(|piece| piece.text.clone())
        .collect();
    assert_eq!(found, ["new"]);
    assert!(!view.search(pattern("nowhere at all")));
    assert_eq!(
        top(&mut view),
        "+c.py new 1",
        "the view moves only for a reason"
    );
}

#[test]
fn what_is_folded_is_shown_when_asked_for() {
    let document = document();
    let mut view = View::new(&document, 80, 6);
    assert!(!view.unfold(), "nothing is folded in the overview");
    assert!(view.search(Pattern::new("folded").expect("not empty")));
    assert!(view.unfold());
    assert_eq!(top(&mut view), "Cargo.lock");
    assert!(shown(&mut view).contains(&"+Cargo.lock new 1".to_owned()));
    assert!(view.unfold());
    assert_eq!(shown(&mut view)[1], "folded");
}

#[test]
fn a_smaller_screen_keeps_the_place() {
    let document = document();
    let mut view = View::new(&document, 80, 5);
    assert!(view.go_to_file(Way::Forward));
    assert!(view.go_to_hunk(Way::Forward));
    view.resize(5, 2);
    assert_eq!(shown(&mut view), ["@@ a.", "py 1 "]);
}

#[test]
fn what_takes_long_is_announced_first_and_made_only_once_it_is_wanted() {
    let mut document = document();
    document.parts[2].bytes = SLOW + 1;
    let mut view = View::new(&document, 80, 40);
    let (rows, complete) = view.frame(false);
    assert!(!complete);
    assert_eq!(
        rows.last().map(|row| row[0].text.as_str()),
        Some("comparing b.py")
    );
    let (rows, complete) = view.frame(true);
    assert!(complete);
    assert_eq!(rows.len(), 30);
}

#[test]
fn only_what_is_near_the_screen_is_kept() {
    let document = document();
    let mut view = View::new(&document, 80, 3);
    assert!(view.search(Pattern::new("the end").expect("not empty")));
    view.frame(false);
    let kept: Vec<usize> = view.made.keys().copied().collect();
    assert!(kept.iter().all(|part| *part >= 4), "{kept:?}");
}
