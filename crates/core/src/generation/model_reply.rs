//! A model's answer and its metadata.

use serde::{Deserialize, Serialize};

use crate::path::ProjectPath;

/// A model's answer, kept so that it is paid for once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelReply {
    /// The text, byte for byte; secrets that no one allowed are masked.
    pub text: String,
    /// Why the model stopped.
    pub stop_reason: StopReason,
    /// As the service counted them.
    pub input_tokens: u64,
    /// As the service counted them.
    pub output_tokens: u64,
    /// Those of the input that the service had kept from an earlier call.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Its cost, in millionths of a dollar; `None` if unknown.
    #[serde(default)]
    pub cost_micro_usd: Option<u64>,
    /// The line of the script it came from, so that a resumed run does not use it twice.
    pub script_line: Option<usize>,
    /// The files that the question was about as they were in the worktree then, by their digest; a missing file has
    /// none.
    #[serde(default)]
    pub seen: Vec<SeenFile>,
    /// Whether the question asked for changes rather than whole files.
    #[serde(default)]
    pub asked_for_changes: bool,
}

/// A file as it was when a question about it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFile {
    /// The file's path.
    pub path: ProjectPath,
    /// Its digest, if it was there.
    pub digest: Option<String>,
}

/// Why a model stopped writing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had finished.
    #[default]
    EndTurn,
    /// It ran into its limit; the text is cut off.
    MaxTokens,
    /// The model declined.
    Refusal,
}
