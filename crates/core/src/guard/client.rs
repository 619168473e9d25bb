//! The clients that have hooks.

use serde::{Deserialize, Serialize};

/// A coding agent whose hooks the guard answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Client {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// GitHub's Copilot CLI.
    Copilot,
    /// The one without a maker's name.
    Opencode,
    /// Cursor, the editor.
    Cursor,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::Copilot,
        Self::Opencode,
        Self::Cursor,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Opencode => "opencode",
            Self::Cursor => "cursor",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.name() == name)
    }

    /// Where a project says which hooks the client runs.
    pub fn settings_file(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".claude/settings.json",
            Self::Codex => ".codex/hooks.json",
            Self::Gemini => ".gemini/settings.json",
            Self::Copilot => ".github/hooks/proctor.json",
            Self::Opencode => ".opencode/plugins/proctor.js",
            Self::Cursor => ".cursor/hooks.json",
        }
    }
}
