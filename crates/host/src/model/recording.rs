//! `--record`: a run's replies as a script that plays the run again.

use proctor_core::workflow::{Effect, Event, Run, Started, step};

use super::script::{Line, ScriptStage};

/// The replies among a run's events, as JSON Lines. Made from the journal each time, so that a crash
/// can neither lose a line nor write one twice.
pub fn record(started: &Started, events: &[Event]) -> String {
    let mut run = Run::new(started.clone());
    let mut text = String::new();
    for event in events {
        if let Event::ModelReplied(reply) = event {
            let (stage, path, attempt) = match run.effect() {
                Effect::AskForTests { attempt } => {
                    (Some(ScriptStage::Scaffold), None, Some(attempt))
                }
                Effect::AskForFile { path, attempt } => (
                    Some(ScriptStage::Implement),
                    Some(path.to_string()),
                    Some(attempt),
                ),
                _ => (None, None, None),
            };
            let line = Line {
                stage,
                path,
                attempt,
                stop_reason: reply.stop_reason,
                text: reply.text.clone(),
                input_tokens: reply.input_tokens,
                output_tokens: reply.output_tokens,
                delay_ms: 0,
            };
            text.push_str(&serde_json::to_string(&line).expect("plain fields always serialise"));
            text.push('\n');
        }
        match step(&run, event) {
            Ok(next) => run = next,
            // The journal was replayed when it was opened; an event that does not fit cannot be here.
            Err(_) => break,
        }
    }
    text
}
