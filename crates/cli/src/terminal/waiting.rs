//! The current wait, in a person's words.

use proctor_core::workflow::{Effect, Run};

/// The current activity; `None` if there is none.
pub(super) fn words(run: &Run, effect: &Effect) -> Option<String> {
    let words = match effect {
        Effect::LoadContext => "reading the design document and the context".to_owned(),
        Effect::CreateWorktree => "making the worktree".to_owned(),
        Effect::TakeBaseline => "running the tests as they are at the base".to_owned(),
        Effect::AskForTests { attempt } => format!(
            "asking the model for tests, attempt {attempt} of {}",
            run.scaffold().granted()
        ),
        Effect::AskForFile { path, attempt } => format!(
            "asking the model for {path}, attempt {attempt} of {}",
            run.implement().granted()
        ),
        Effect::ApplyReply => "checking the reply and writing its files".to_owned(),
        Effect::DeleteFile { path } => format!("deleting {path}"),
        Effect::JudgeRed(_) => "running the tests; the new ones have to fail".to_owned(),
        Effect::JudgeGreen(_) => "judging the change by its tests".to_owned(),
        Effect::Lint { .. } => "running the linter".to_owned(),
        Effect::AskPerson { .. } => "waiting for you".to_owned(),
        Effect::Merge(_) => format!("merging into {}", run.started().base_branch),
        Effect::RemoveWorktree => "removing the worktree".to_owned(),
        Effect::Rest => return None,
    };
    Some(words)
}

/// Whether this takes so long that a log should say that it began.
pub(super) fn takes_long(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::TakeBaseline
            | Effect::AskForTests { .. }
            | Effect::AskForFile { .. }
            | Effect::JudgeRed(_)
            | Effect::JudgeGreen(_)
    )
}
