//! Any text can be read as a design document, always with the same result, and what is said about it is
//! about one of its lines.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proctor_core::path::ProjectPath;
use proctor_core::lld::{EntryKind, check, parse, resolve};

/// A world in which everything is possible and which never changes.
fn exists(path: &str) -> Option<EntryKind> {
    match path.bytes().map(usize::from).sum::<usize>() % 4 {
        0 => Some(EntryKind::File),
        1 => Some(EntryKind::Directory),
        2 => Some(EntryKind::Other),
        _ => None,
    }
}

fuzz_target!(|text: &str| {
    let design = parse(text);
    assert_eq!(design, parse(text));

    let problems = check(&design, &exists);
    let last = text.matches('\n').count() + 1;
    let files = design.files.iter().map(|file| file.line);
    let scenarios = design.scenarios.iter().map(|scenario| scenario.line);
    let sections = design.sections.iter().map(|section| section.line);
    let found = problems.iter().map(|problem| problem.line);
    for line in files.chain(scenarios).chain(sections).chain(found) {
        assert!((1..=last).contains(&line), "line {line} of {last}");
    }

    let planned = resolve(&design, &exists);
    for (index, file) in planned.iter().enumerate() {
        assert_eq!(ProjectPath::parse(file.path.as_str()).as_ref(), Ok(&file.path));
        assert!(planned[..index].iter().all(|other| other.path != file.path));
    }
    for section in &design.sections {
        assert!(text.contains(&section.text), "the text of a section is as written");
    }
});
