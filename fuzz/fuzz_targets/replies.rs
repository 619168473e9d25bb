//! Any text can be read as a model's reply: it brings files whose every byte stands in it, each once, or
//! a line of it is named.

#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use proctor_core::generation::{Body, Reply, ends_with_end_marker, parse_reply};
use proctor_core::path::ProjectPath;

fuzz_target!(|text: &str| {
    let sole = ProjectPath::parse("src/only.py").expect("the path is valid");
    for sole_file in [None, Some(&sole)] {
        let reply = parse_reply(text, sole_file);
        assert_eq!(reply, parse_reply(text, sole_file));
        match reply {
            Ok(Reply::Files(files)) => {
                let paths: BTreeSet<_> = files.iter().map(|file| &file.path).collect();
                assert!(!files.is_empty());
                assert_eq!(paths.len(), files.len());
                for file in &files {
                    match &file.body {
                        Body::Whole(content) => assert!(text.contains(content)),
                        Body::Edits(changes) => assert!(!changes.is_empty()),
                    }
                }
            }
            Ok(Reply::GiveUp(_) | Reply::TestsAreWrong(_)) => {}
            Err(malformed) => {
                let last = text.matches('\n').count() + 1;
                assert!((1..=last).contains(&malformed.line), "{malformed} of {last}");
            }
        }
    }
    ends_with_end_marker(text);
});
