//! A run in text, for people.

mod activity;
mod trail;

use proctor_core::generation::dollars;
use proctor_core::workflow::{State, Usage};
use proctor_host::journal::RunRow;
use proctor_host::run_data::rescue_reference;

use crate::output::Text;
use crate::terminal::grouped;

pub(crate) use activity::{Activity, age_words, subject};
pub(crate) use trail::{body, record_words};

/// A run for people; with its subject and activity, where that is asked for.
pub(crate) fn summary(row: &RunRow, asked: Option<(&str, Activity)>) -> Text {
    let run = &row.run;
    let mut text = Text::default();
    let mut line = |name: &str, value: &str| {
        text.lines(11, format_args!("{name:<10} {value}"));
    };
    line("run", row.id.as_str());
    line("issue", &run.started().issue);
    if let Some((subject, _)) = asked.filter(|(subject, _)| !subject.is_empty()) {
        line("title", subject);
    }
    line(
        "stage",
        &format!("{} {}", run.stage().node(), run.stage().title()),
    );
    line(
        "state",
        asked.map_or(run.state().key(), |(_, activity)| activity.word()),
    );
    match run.state() {
        State::Parked(waiting) => line("waits for", &waiting.to_string()),
        State::Merged(commit) => {
            line("commit", commit.as_str());
            line("branch", &run.started().base_branch);
        }
        State::Running | State::Aborted => {}
    }
    if !run.worktree_removed() {
        line("worktree", &row.worktree.display().to_string());
    }
    if let Some(rescue) = run.rescue() {
        line(
            "rescued",
            &format!("{} ({})", rescue.short(), rescue_reference(&row.id)),
        );
    }
    let (scaffold, implement) = (run.scaffold().asked(), run.implement().asked());
    line(
        "replies",
        &format!("{scaffold} for tests, {implement} for the implementation"),
    );
    if let Some(level) = run.sandbox() {
        line("sandbox", level.as_str());
    }
    let usage = run.usage();
    let cached = match usage.cached_tokens {
        0 => String::new(),
        tokens => format!(" ({} of them cached)", grouped(tokens)),
    };
    let (input, output) = (grouped(usage.input_tokens), grouped(usage.output_tokens));
    line("tokens", &format!("{input} in{cached}, {output} out"));
    line("cost", &cost_words(&usage));
    text
}

/// Its cost, as far as known.
pub(crate) fn cost_words(usage: &Usage) -> String {
    match usage.micro_usd() {
        Some(cost) => dollars(cost),
        None if usage.known_micro_usd == 0 => "unknown".to_owned(),
        None => format!("more than {}", dollars(usage.known_micro_usd)),
    }
}
