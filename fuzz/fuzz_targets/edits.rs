//! Any changes are applied to any file or refused: nothing outside the places that were found changes, what was
//! done can be undone, and any text can be read as a reply with changes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proctor_core::path::ProjectPath;
use proctor_core::edit::{Applied, Change, Tier, apply, render};
use proctor_core::generation::{Body, Reply, parse_reply};

/// The input is a file and a reply; where it is not a reply, texts are taken from it.
fn parts(input: &[u8]) -> (&[u8], &str, Vec<Change>) {
    let mut pieces = input.split(|byte| *byte == 0);
    let file = pieces.next().unwrap_or_default();
    let texts: Vec<&str> = pieces.filter_map(|piece| std::str::from_utf8(piece).ok()).collect();
    let changes = texts.chunks_exact(2).map(|pair| Change {
        description: "words".to_owned(),
        find: ended(pair[0]),
        replace: ended(pair[1]),
    });
    (file, texts.first().copied().unwrap_or_default(), changes.take(4).collect())
}

fn ended(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

fn check(file: &[u8], changes: &[Change]) {
    let Ok(applied) = apply(file, changes) else {
        return;
    };
    assert_eq!(applied.changes.len(), changes.len());
    let mut others = changes.to_vec();
    others.reverse();
    assert_eq!(apply(file, &others).map(|it| it.content), Ok(applied.content.clone()));

    // Everything before the first and behind the last place is as it was.
    let first = applied.changes.iter().map(|it| it.line).min().unwrap_or(1);
    let before: usize = file.split_inclusive(|byte| *byte == b'\n').take(first - 1).map(<[u8]>::len).sum();
    assert!(applied.content.starts_with(&file[..before]));

    take_back(file, changes, &applied);
}

/// One change of very bytes in one line can be taken back, where what it put there is at that place only.
fn take_back(file: &[u8], changes: &[Change], applied: &Applied) {
    let [change] = changes else { return };
    let is_plain = |text: &str| {
        text.lines().count() == 1 && text.trim() == text.trim_end_matches('\n') && !text.contains('\r')
    };
    let find = change.find.trim_end().as_bytes();
    let is_literal = !find.is_empty() && file.windows(find.len()).any(|window| window == find);
    if file.contains(&b'\r') || !is_literal || !is_plain(&change.find) || !is_plain(&change.replace) {
        return;
    }
    let back = Change {
        description: String::new(),
        find: change.replace.clone(),
        replace: change.find.clone(),
    };
    let Ok(undone) = apply(&applied.content, &[back]) else {
        return;
    };
    let is_there = |it: &Applied| it.changes[0].tier == Tier::Exact && it.changes[0].line == applied.changes[0].line;
    if is_there(applied) && is_there(&undone) {
        // White space at the ends of a line that was replaced whole is not kept.
        let words = |text: &[u8]| text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>();
        assert_eq!(words(&undone.content), words(file));
    }
}

fuzz_target!(|input: &[u8]| {
    let (file, reply, changes) = parts(input);
    check(file, &changes);
    let path = ProjectPath::parse("src/only.py").expect("the path is valid");
    if let Ok(Reply::Files(files)) = parse_reply(reply, Some(&path)) {
        for body in files.into_iter().map(|file| file.body) {
            let Body::Edits(changes) = body else { continue };
            assert!(changes.iter().all(|it| reply.contains(&it.find) && reply.contains(&it.replace)));
            check(file, &changes);
        }
    }
    // What is written is read back.
    if !changes.is_empty() {
        let expected = Body::Edits(changes.clone());
        let Ok(Reply::Files(files)) = parse_reply(&render(&changes), Some(&path)) else {
            panic!("{} is not read back", render(&changes));
        };
        assert_eq!(files[0].body, expected);
    }
});
