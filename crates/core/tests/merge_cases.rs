//! Every folder of `testdata/merge`: an existing text, a new one, and the result of `extend`.
//!
//! `PROCTOR_BLESS=1` writes the results, to be read before they are committed.

#![expect(
    clippy::disallowed_methods,
    reason = "this test reads its cases, and writes them down when a person asks for it"
)]

use std::fs;
use std::path::{Path, PathBuf};

use proctor_core::failure::Explained as _;
use proctor_core::merge::{Merge, MergeError};

struct Case {
    directory: PathBuf,
    name: String,
    existing: Vec<u8>,
    new: Vec<u8>,
}

impl Case {
    fn extended(&self, existing: &[u8]) -> Result<Vec<u8>, MergeError> {
        Merge::Extend.apply(&self.name, existing, &self.new)
    }
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/merge");
    let mut found = Vec::new();
    for language in fs::read_dir(&root)
        .expect("the cases are part of the repository")
        .flatten()
    {
        let extension = language.file_name().to_string_lossy().into_owned();
        for case in fs::read_dir(language.path())
            .expect("every language is a folder")
            .flatten()
        {
            let read = |part: &str| {
                fs::read(case.path().join(format!("{part}.{extension}")))
                    .expect("a case has both texts")
            };
            found.push(Case {
                name: format!("file.{extension}"),
                existing: read("existing"),
                new: read("new"),
                directory: case.path(),
            });
        }
    }
    found.sort_by(|one, two| one.directory.cmp(&two.directory));
    found
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the cases are text")
}

#[test]
fn every_case_comes_out_as_expected() {
    let cases = cases();
    assert!(cases.len() >= 60, "{}", cases.len());
    let bless = std::env::var_os("PROCTOR_BLESS").is_some();
    let mut wrong = Vec::new();
    for case in &cases {
        let extension = case.name.trim_start_matches("file.");
        let (file, content) = match case.extended(&case.existing) {
            Ok(merged) => (format!("expected.{extension}"), merged),
            Err(error) => ("error.txt".to_owned(), format!("{error}\n").into_bytes()),
        };
        let path = case.directory.join(file);
        if bless {
            fs::write(&path, &content).unwrap();
        }
        match fs::read(&path) {
            Ok(expected) if expected == content => {}
            _ => wrong.push(format!("{}\n{}", path.display(), text(&content))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

/// Extending again changes nothing; the result was parsed on the way.
#[test]
fn extending_again_changes_nothing() {
    for case in cases() {
        if let Ok(merged) = case.extended(&case.existing) {
            let again = case.extended(&merged).map_err(|error| error.to_string());
            let again = again.as_deref().map(text);
            assert_eq!(again, Ok(text(&merged)), "{}", case.directory.display());
        }
    }
}

/// Existing members stay, in their order; only a placeholder may go.
#[test]
fn existing_bytes_are_a_subsequence_of_the_result() {
    for case in cases() {
        let Ok(merged) = case.extended(&case.existing) else {
            continue;
        };
        let mut existing = text(&case.existing).to_owned();
        if case.directory.to_string_lossy().contains("/placeholder") {
            existing = existing.replace(" pass", "").replace(" ...", "");
        }
        // Trailing blanks of a line that a placeholder stood on go with it.
        let mut rest = merged.iter();
        let lost = existing
            .bytes()
            .position(|byte| byte != b' ' && !rest.any(|other| *other == byte));
        assert_eq!(lost, None, "{}", case.directory.display());
    }
}

#[test]
fn a_conflict_marker_never_comes_out() {
    for case in cases() {
        if let Ok(merged) = case.extended(&case.existing) {
            assert!(!text(&merged).contains("<<<<<<<"));
        }
    }
}

#[test]
fn other_languages_are_refused_with_what_works() {
    for name in ["a.rb", "Makefile", "a.py.txt", "py"] {
        let error = Merge::Extend.apply(name, b"", b"").unwrap_err();
        assert_eq!(error, MergeError::Language(name.to_owned()));
        assert!(
            error
                .hints()
                .concat()
                .contains("append, insert and replace")
        );
    }
}
