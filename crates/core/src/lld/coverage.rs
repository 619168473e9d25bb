//! The requirements that the test scenarios cover.
//!
//! Documents rarely say which scenario covers which requirement, so words decide: a scenario
//! covers a requirement when it shares enough telling words with it, or names its number. The
//! answer is a hint for a person, never a reason to stop.

use std::collections::BTreeSet;

use super::Scenario;
use super::outline::words_of;

/// Words of this length or less tell little.
const SHORT_WORD: usize = 3;
/// Words count as the same when they start alike: "validate", "validation".
const STEM: usize = 4;
/// How many words have to be shared.
const ENOUGH: usize = 2;

/// Words that every requirement uses.
const COMMON: [&str; 33] = [
    "must",
    "shall",
    "should",
    "when",
    "with",
    "without",
    "that",
    "this",
    "from",
    "into",
    "over",
    "each",
    "every",
    "have",
    "has",
    "been",
    "will",
    "only",
    "also",
    "before",
    "after",
    "does",
    "than",
    "then",
    "they",
    "them",
    "their",
    "more",
    "less",
    "cannot",
    "available",
    "correctly",
    "continue",
];

/// The positions (from 0) of requirements that no scenario covers.
pub(super) fn uncovered(requirements: &[String], scenarios: &[Scenario]) -> Vec<usize> {
    let rows: Vec<(BTreeSet<String>, Vec<String>)> = scenarios
        .iter()
        .map(|scenario| (stems_of(&scenario.details), words_of(&scenario.details)))
        .collect();
    let is_covered = |index: usize, requirement: &str| {
        let wanted = stems_of(requirement);
        let enough = ENOUGH.min(wanted.len());
        rows.iter().any(|(stems, words)| {
            names_number(words, index + 1) || wanted.intersection(stems).count() >= enough
        })
    };
    requirements
        .iter()
        .enumerate()
        .filter(|(index, requirement)| !is_covered(*index, requirement))
        .map(|(index, _)| index)
        .collect()
}

/// Whether the row says `REQ-3`, `R3` or "requirement 3".
fn names_number(words: &[String], number: usize) -> bool {
    let number = number.to_string();
    let joined = |word: &String| {
        let rest = word.strip_prefix("req").or_else(|| word.strip_prefix('r'));
        rest.is_some_and(|rest| rest.trim_start_matches('0') == number)
    };
    let is_name = |word: &str| ["req", "requirement", "r"].contains(&word);
    words.iter().any(joined)
        || words
            .windows(2)
            .any(|pair| is_name(&pair[0]) && pair[1].trim_start_matches('0') == number)
}

fn stems_of(text: &str) -> BTreeSet<String> {
    words_of(text)
        .into_iter()
        .filter(|word| word.chars().count() > SHORT_WORD && !COMMON.contains(&word.as_str()))
        .map(|word| word.chars().take(STEM).collect())
        .collect()
}
