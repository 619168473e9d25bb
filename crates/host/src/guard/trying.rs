//! Whether installed hooks answer.

use std::path::{Path, PathBuf};

use proctor_core::guard::Client;
use serde_json::{Value, json};
use toml::Table;

use super::templates::hook_command;
use super::{GuardError, has_own_hooks};
use crate::gate::{ChangeError, GateError, Place};
use crate::process::{ProcessError, Tool, find_program};
use crate::test_runner::RunnerError;

/// The result of asking one hook whether an agent may write `proctor.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The hook's client.
    pub client: Client,
    /// Whether it said no, as it has to.
    pub denied: bool,
    /// Its answer otherwise.
    pub words: String,
    /// Whether the client trusts the hooks, where that is needed and recorded somewhere.
    pub trusted: Option<bool>,
}

/// Has the hook of a client answer the way the client does; nothing if it is not installed.
pub fn try_hook(place: Place<'_>, client: Client) -> Result<Option<Trial>, GuardError> {
    let repository = place.repository;
    if !has_own_hooks(repository, client) {
        return Ok(None);
    }
    let top = repository.top();
    let (event, payload) = payload(client, top);
    let shell = find_program(Path::new("sh"), place.surroundings.path(), top);
    let shell = shell.unwrap_or_else(|| "/bin/sh".into());
    let tool = Tool::new(shell, top)
        .variables(place.surroundings.all().iter().cloned())
        .arguments(["-c", &hook_command(client, event)])
        .input(payload.to_string());
    let output = tool.capture().map_err(not_started)?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let said_no = stdout.contains("\"deny\"") && stdout.contains("proctor.toml");
    Ok(Some(Trial {
        client,
        denied: output.success() && said_no,
        words: stderr
            .lines()
            .next()
            .unwrap_or("it said nothing")
            .to_owned(),
        trusted: (client == Client::Codex).then(|| codex_trusts(place)),
    }))
}

/// Whether Codex has a digest of hooks of this project; it runs none without. Whether it is that of these hooks only Codex
/// can tell.
fn codex_trusts(place: Place<'_>) -> bool {
    let home = place.surroundings.get("CODEX_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(place.surroundings.get("HOME")?).join(".codex")));
    let text = home.and_then(|home| std::fs::read_to_string(home.join("config.toml")).ok());
    let settings: Table = text.and_then(|text| text.parse().ok()).unwrap_or_default();
    let file = place.repository.top().join(Client::Codex.settings_file());
    let file = format!("{}:", file.display());
    let states = settings.get("hooks").and_then(|hooks| hooks.get("state"));
    let mut states = states.and_then(toml::Value::as_table).into_iter().flatten();
    states.any(|(key, state)| key.starts_with(&file) && state.get("trusted_hash").is_some())
}

fn not_started(error: ProcessError) -> GuardError {
    GuardError::Change(ChangeError::Gate(GateError::Runner(RunnerError::Process(
        error,
    ))))
}

/// A client's event before an edit of `proctor.toml`.
fn payload(client: Client, top: &Path) -> (Option<&'static str>, Value) {
    let path = top.join("proctor.toml");
    match client {
        Client::ClaudeCode => (
            None,
            json!({"hook_event_name": "PreToolUse", "cwd": top, "tool_name": "Write", "tool_input": {"file_path": path}}),
        ),
        Client::Codex => (
            None,
            json!({"hook_event_name": "PreToolUse", "cwd": top, "tool_name": "apply_patch",
                "tool_input": {"command": "*** Begin Patch\n*** Update File: proctor.toml\n*** End Patch"}}),
        ),
        Client::Gemini => (
            None,
            json!({"hook_event_name": "BeforeTool", "cwd": top, "tool_name": "write_file", "tool_input": {"file_path": path}}),
        ),
        Client::Copilot => (
            Some("preToolUse"),
            json!({"cwd": top, "toolName": "edit", "toolArgs": {"path": path}}),
        ),
        Client::Opencode => (
            Some("tool.execute.before"),
            json!({"cwd": top, "tool": "edit", "args": {"filePath": path}}),
        ),
        Client::Cursor => (
            Some("preToolUse"),
            json!({"cwd": top, "tool_name": "Write", "tool_input": {"file_path": path}}),
        ),
    }
}
