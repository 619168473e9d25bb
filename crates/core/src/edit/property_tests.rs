//! Properties of all files and all changes.

use proptest::prelude::*;

use super::{Change, apply, render};
use crate::generation::{Body, RepliedFile, Reply, parse_reply};
use crate::path::ProjectPath;

/// Lines that cause trouble: repeated, indented, blank, fences, labels and markers.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ab]{1,2}",
        2 => "( |\t){0,4}[xyz]( ){0,2}",
        1 => Just(String::new()),
        1 => prop_oneof![
            Just("```".to_owned()),
            Just("````python".to_owned()),
            Just("=======".to_owned()),
            Just("### CHANGE 1: x".to_owned()),
            Just("REPLACE WITH:".to_owned()),
            Just("### END".to_owned()),
            Just("<<<<<<< SEARCH".to_owned()),
        ],
        2 => "[^\n\r]{0,8}",
    ]
}

fn block(lines: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(line(), lines)
        .prop_map(|lines| lines.iter().flat_map(|line| [line, "\n"]).collect())
}

/// A file of lines that are all different, and changes of some of them that do not touch each other.
fn file_and_changes() -> impl Strategy<Value = (Vec<String>, Vec<(usize, usize, String)>)> {
    (prop::collection::vec(line(), 1..30), 1_usize..5)
        .prop_flat_map(|(lines, count)| {
            let length = lines.len();
            let places = prop::collection::vec((0..length, 1_usize..4, block(0..4)), count);
            (Just(lines), places)
        })
        .prop_map(|(lines, mut places)| {
            let lines: Vec<String> = lines
                .iter()
                .enumerate()
                .map(|(index, line)| format!("{line}\u{b7}{index}\u{b7}"))
                .collect();
            places.sort_by_key(|place| place.0);
            let mut from = 0;
            places.retain_mut(|(start, height, _)| {
                *height = (*height).min(lines.len() - *start);
                let is_free = *start >= from;
                if is_free {
                    from = *start + *height;
                }
                is_free
            });
            (lines, places)
        })
}

fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn changes_of(lines: &[String], places: &[(usize, usize, String)]) -> Vec<Change> {
    let change = |(start, height, replace): &(usize, usize, String)| Change {
        description: "words".to_owned(),
        find: text(&lines[*start..*start + *height]),
        replace: replace.clone(),
    };
    places.iter().map(change).collect()
}

fn replaced_by_hand(lines: &[String], places: &[(usize, usize, String)]) -> String {
    let mut result = String::new();
    let mut from = 0;
    for (start, height, replace) in places {
        result += &text(&lines[from..*start]);
        result += replace;
        from = start + height;
    }
    result + &text(&lines[from..])
}

/// Whether no replacement holds lines of the reply's own format, which are refused.
fn is_ordinary(places: &[(usize, usize, String)]) -> bool {
    places.iter().all(|(.., replace)| {
        super::suspicious::marker_residue(replace, b"").is_none()
            && super::suspicious::placeholder(replace, b"").is_none()
            && !replace.contains('\0')
    })
}

proptest! {
    #[test]
    fn untouched_bytes_stay_and_the_rest_is_as_the_changes_say(
        (lines, places) in file_and_changes()
    ) {
        prop_assume!(is_ordinary(&places));
        // A byte order mark is not part of the text; a separate test shows that it stays.
        prop_assume!(!text(&lines).starts_with('\u{feff}'));
        let applied = apply(text(&lines).as_bytes(), &changes_of(&lines, &places));
        let content = applied.map(|applied| applied.content);
        prop_assert_eq!(content, Ok(replaced_by_hand(&lines, &places).into_bytes()));
    }

    #[test]
    fn the_order_of_changes_does_not_matter(
        (lines, places) in file_and_changes(), rotation in 0_usize..5
    ) {
        let changes = changes_of(&lines, &places);
        let mut others = changes.clone();
        others.reverse();
        others.rotate_left(rotation % changes.len().max(1));
        let original = text(&lines);
        let content = |changes: &[Change]| {
            apply(original.as_bytes(), changes).map(|applied| applied.content).map_err(|_| ())
        };
        prop_assert_eq!(content(&changes), content(&others));
    }

    #[test]
    fn rendered_changes_are_read_back(
        texts in prop::collection::vec((block(0..5), block(0..5)), 1..5)
    ) {
        let changes: Vec<Change> = texts
            .into_iter()
            .enumerate()
            .map(|(index, (find, replace))| Change {
                description: format!("number {index}"),
                find,
                replace,
            })
            .collect();
        let path = ProjectPath::parse("src/only.py").expect("a plain path");
        let expected = RepliedFile {
            path: path.to_string(),
            body: Body::Edits(changes.clone()),
        };
        let reply = parse_reply(&render(&changes), Some(&path));
        prop_assert_eq!(reply, Ok(Reply::Files(vec![expected])));
    }

    #[test]
    fn anything_is_refused_or_applied_without_panic(
        file in prop_oneof![block(0..12).prop_map(String::into_bytes), any::<Vec<u8>>()],
        texts in prop::collection::vec((block(0..4), block(0..4)), 0..4),
    ) {
        let changes: Vec<Change> = texts
            .into_iter()
            .map(|(find, replace)| Change { description: String::new(), find, replace })
            .collect();
        match apply(&file, &changes) {
            Ok(applied) => {
                prop_assert_eq!(applied.changes.len(), changes.len());
                let last = file.iter().filter(|byte| **byte == b'\n').count() + 1;
                prop_assert!(applied.changes.iter().all(|change| (1..=last).contains(&change.line)));
            }
            Err(refusals) => prop_assert!(!refusals.is_empty()),
        }
    }

    /// A single text is found wherever a plain search finds it, and nowhere else.
    #[test]
    fn exact_places_are_those_of_a_plain_search(file in block(0..20), find in block(1..3)) {
        prop_assume!(!find.trim().is_empty());
        let needle = find.trim_end_matches('\n').as_bytes();
        prop_assume!(!needle.starts_with(b"\n") && find.ends_with('\n') && !find.ends_with("\n\n"));
        let count = file.as_bytes().windows(needle.len()).filter(|it| *it == needle).count();
        let change = Change { description: String::new(), find, replace: "@@@\n".to_owned() };
        let result = apply(file.as_bytes(), &[change]);
        match count {
            0 => prop_assert!(result.map_or(true, |applied| applied.changes[0].tier == super::Tier::Whitespace)),
            1 => prop_assert!(result.is_ok_and(|applied| applied.changes[0].tier == super::Tier::Exact)),
            _ => prop_assert!(result.is_err()),
        }
    }
}
