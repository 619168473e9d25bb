//! Keeps phrases that docs/glossary.md replaces out of everything that people read: pages, messages, comments, names.

use proctor_testkit::text_files;

use super::read;

/// The page that lists the phrases.
const GLOSSARY: &str = "docs/glossary.md";

/// A place that keeps a phrase, and the reason.
const KEPT: [(&str, &str, &str); 1] = [(
    "crates/core/src/workflow/event.rs",
    "nobody",
    "journals of earlier versions have it",
)];

/// The first column of the table of phrases; a cell may hold several.
fn phrases(glossary: &str) -> Vec<String> {
    let (_, table) = glossary
        .split_once("## Phrases we do not use")
        .expect("the glossary has the table");
    let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split(','))
        .map(|phrase| phrase.trim().to_lowercase())
        .collect()
}

/// Whether a line has the phrase as words of its own. Underscores separate words: names count as well.
fn says(line: &str, phrase: &str) -> bool {
    let line = line.to_lowercase().replace('_', " ");
    line.match_indices(phrase).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[test]
fn a_phrase_is_found_as_words_and_not_inside_of_others() {
    let glossary = "| mend | before the table |\n## Phrases we do not use\n\n| instead of | write |\n|---|---|\n| mend | fix |\n| Once more, anew | again |\n";
    assert_eq!(phrases(glossary), ["mend", "once more", "anew"]);
    for line in ["Mend it.", "fn mend_it()", "// to mend"] {
        assert!(says(line, "mend"), "{line}");
    }
    for line in ["amend", "recommended", "mender"] {
        assert!(!says(line, "mend"), "{line}");
    }
}

#[test]
fn the_repository_uses_the_words_of_its_glossary() {
    let phrases = phrases(&read(GLOSSARY));
    assert!(phrases.len() > 10, "the table was not found");
    let mut found = Vec::new();
    for (path, text) in text_files() {
        // The list itself, and texts of other people and other programs.
        let is_ours = !path.ends_with(GLOSSARY)
            && !path.starts_with("testdata")
            && path.extension().is_none_or(|extension| extension != "lock");
        if !is_ours || path.ends_with("architecture/words.rs") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            for phrase in phrases.iter().filter(|phrase| says(line, phrase)) {
                let place = (path.to_str(), phrase.as_str());
                if KEPT
                    .iter()
                    .any(|(file, kept, _)| (Some(*file), *kept) == place)
                {
                    continue;
                }
                found.push(format!("{}:{}: {phrase}", path.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
