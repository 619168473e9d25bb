//! The test scenarios.
//!
//! The template asks for the same scenarios twice: a test plan (`T010`) and a table of scenarios
//! (`010`). The table of scenarios is the richer one and wins; the plan fills in for a missing
//! table, and adds to one that is evidently a part of it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::blocks::Table;
use super::outline::{Outline, Part, words_of};

/// One test scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scenario {
    /// Its id as written, without emphasis; its position where it has none.
    pub id: String,
    /// The tested behaviour.
    pub description: String,
    /// The whole row, for finding the requirement that it covers.
    #[serde(skip)]
    pub details: String,
    /// Number of its line, from 1.
    #[serde(skip)]
    pub line: usize,
}

/// The subject of a part's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    Scenarios,
    Plan,
    Other,
}

/// The scenarios in order, each once.
pub(super) fn listed(outline: &Outline<'_>) -> Vec<Scenario> {
    let topics = topics_of(outline);
    let rows_about = |wanted: Topic| -> Vec<Scenario> {
        let parts = outline.parts.iter().zip(&topics);
        let relevant = parts.filter(|(_, topic)| **topic == wanted);
        let tables = relevant.flat_map(|(part, topic)| part.tables().map(move |it| (it, *topic)));
        distinct(tables.flat_map(|(table, topic)| scenarios_of(table, topic)))
    };
    let mut scenarios = rows_about(Topic::Scenarios);
    let plan = rows_about(Topic::Plan);
    if scenarios.is_empty() {
        return plan;
    }
    for scenario in &mut scenarios {
        let key = key_of(&scenario.id);
        if let Some(same) = plan.iter().find(|it| key_of(&it.id) == key) {
            scenario.details = format!("{} {}", scenario.details, same.details);
        }
    }
    let keys = |list: &[Scenario]| {
        list.iter()
            .map(|it| key_of(&it.id))
            .collect::<BTreeSet<_>>()
    };
    let known = keys(&scenarios);
    // One numbering for both tables; otherwise the same scenario could have two ids.
    if known.is_subset(&keys(&plan)) {
        scenarios.extend(
            plan.into_iter()
                .filter(|it| !known.contains(&key_of(&it.id))),
        );
    }
    scenarios
}

/// Decides for each part by its heading and by the headings above it.
fn topics_of(outline: &Outline<'_>) -> Vec<Topic> {
    let mut above: Vec<(usize, Option<Topic>)> = Vec::new();
    let mut topics = Vec::new();
    for part in &outline.parts {
        while above.last().is_some_and(|(level, _)| *level >= part.level) {
            above.pop();
        }
        let inherited = above.last().and_then(|(_, topic)| *topic);
        let topic = topic_of(part, inherited);
        above.push((part.level, topic));
        topics.push(topic.unwrap_or(Topic::Other));
    }
    topics
}

fn topic_of(part: &Part, inherited: Option<Topic>) -> Option<Topic> {
    let is_about_tests = part.mentions(&["test", "tests", "testing", "verification"]);
    if inherited == Some(Topic::Other)
        || part.mentions(&[
            "manual", "command", "commands", "fixture", "fixtures", "data",
        ])
    {
        return Some(Topic::Other);
    }
    let is_within_tests = is_about_tests || inherited.is_some();
    if is_within_tests && part.mentions(&["scenario", "scenarios"]) {
        return Some(Topic::Scenarios);
    }
    // The title of the whole document may well mention tests.
    inherited.or((is_about_tests && part.level > 1).then_some(Topic::Plan))
}

fn scenarios_of(table: &Table, topic: Topic) -> Vec<Scenario> {
    let headers: Vec<Vec<String>> = table.header.iter().map(|cell| words_of(cell)).collect();
    let has = |words: &[String], wanted: &str| words.iter().any(|word| word == wanted);
    let id = headers
        .iter()
        .position(|words| has(words, "id"))
        .or_else(|| {
            let first = headers.first()?;
            let is_bare =
                first.is_empty() || ["no", "nr", "number", "tc"].iter().any(|it| has(first, it));
            is_bare.then_some(0)
        });
    let description = [
        "scenario",
        "description",
        "test",
        "case",
        "name",
        "behavior",
        "behaviour",
    ]
    .iter()
    .find_map(|wanted| {
        let mut columns = headers.iter().enumerate();
        columns.find(|(index, words)| Some(*index) != id && has(words, wanted))
    })
    .map(|(index, _)| index);
    // Without ids, only a table among the scenarios is one.
    if id.is_none() && (topic != Topic::Scenarios || description.is_none()) {
        return Vec::new();
    }
    let description = description.unwrap_or(1);
    let rows = table.rows.iter().enumerate().map(|(index, row)| {
        let cell = |column: usize| plain(row.cells.get(column).map_or("", String::as_str));
        Scenario {
            id: id.map_or_else(|| (index + 1).to_string(), cell),
            description: cell(description),
            details: row.cells.join(" "),
            line: row.line,
        }
    });
    rows.filter(|it| is_filled(&it.id) && is_filled(&it.description))
        .collect()
}

/// A row of headings or dots is not a scenario.
fn is_filled(cell: &str) -> bool {
    cell.chars().any(char::is_alphanumeric)
}

/// A cell without emphasis or code marks around the whole of it.
fn plain(cell: &str) -> String {
    let trimmed = cell.trim_matches(['*', '`', ' ']);
    // Marks inside come in pairs; an odd one was half of a pair around the first or last word.
    if trimmed.matches('`').count() % 2 == 1 || trimmed.matches("**").count() % 2 == 1 {
        cell.replace("**", "")
    } else {
        trimmed.replace("**", "")
    }
}

/// Drops repetitions. Tables that each count from 1 do not repeat each other.
fn distinct(scenarios: impl IntoIterator<Item = Scenario>) -> Vec<Scenario> {
    let mut seen = BTreeSet::new();
    let is_new = |it: &Scenario| seen.insert((key_of(&it.id), it.description.to_lowercase()));
    scenarios.into_iter().filter(is_new).collect()
}

/// `T010`, `010` and `10` are one scenario.
fn key_of(id: &str) -> String {
    let letters: String = id
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '.')
        .collect();
    let upper = letters.to_uppercase();
    let number = upper.strip_prefix('T').unwrap_or(&upper);
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        let significant = number.trim_start_matches('0');
        return significant.to_owned();
    }
    upper
}
