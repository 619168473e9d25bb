//! The entries for the clients' settings.

use proctor_core::guard::Client;
use serde_json::{Value, json};

/// How long a client waits for a hook, in seconds; a client that does not wait any longer lets everything through.
const PATIENCE: u64 = 600;
/// The time limit of a hook. It answers before the client stops listening.
const DEADLINE: u64 = 570;

/// The mark of Proctor's hooks.
const OWN: &str = "proctor guard hook ";

/// The shell line of a hook. If Proctor fails in any way, even if it is not installed, the tool does not run.
pub fn hook_command(client: Client, event: Option<&str>) -> String {
    let event = event.map(|event| format!(" {event}")).unwrap_or_default();
    let name = client.name();
    format!(
        "{OWN}{name}{event} --deadline {DEADLINE} || {{ echo 'proctor guard did not answer, so nothing goes on; \
         a person can look with: proctor guard doctor' >&2; exit 2; }}"
    )
}

/// Whether an entry of a client's settings is Proctor's.
pub(super) fn is_own(entry: &Value) -> bool {
    match entry {
        Value::String(text) => text.contains(OWN),
        Value::Array(values) => values.iter().any(is_own),
        Value::Object(fields) => fields.values().any(is_own),
        _ => false,
    }
}

/// The events of a client, and the entry for each list.
pub(super) fn entries(client: Client) -> Vec<(&'static str, Value)> {
    let command = |event| hook_command(client, event);
    let claude = |matcher: Option<&str>| {
        let hook = json!({"type": "command", "command": command(None), "timeout": PATIENCE});
        match matcher {
            Some(matcher) => json!({"matcher": matcher, "hooks": [hook]}),
            None => json!({"hooks": [hook]}),
        }
    };
    match client {
        Client::ClaudeCode => {
            let tools = Some("Write|Edit|MultiEdit|NotebookEdit|Bash|mcp__.*");
            vec![
                ("SessionStart", claude(None)),
                ("PreToolUse", claude(tools)),
                ("PostToolUse", claude(tools)),
                ("Stop", claude(None)),
                ("ConfigChange", claude(None)),
            ]
        }
        Client::Codex => {
            let tools = Some("Bash|apply_patch|Write|Edit|mcp__.*");
            vec![
                ("SessionStart", claude(None)),
                ("PreToolUse", claude(tools)),
                ("PostToolUse", claude(tools)),
                ("Stop", claude(None)),
            ]
        }
        Client::Gemini => {
            let hook = json!({
                "type": "command",
                "name": "proctor",
                "command": command(None),
                "timeout": PATIENCE * 1000,
            });
            let tools = "write_file|replace|run_shell_command|mcp_.*";
            let of_tools = json!({"matcher": tools, "hooks": [hook]});
            let of_all = json!({"hooks": [hook]});
            vec![
                ("SessionStart", of_all.clone()),
                ("BeforeTool", of_tools.clone()),
                ("AfterTool", of_tools),
                ("AfterAgent", of_all),
            ]
        }
        Client::Copilot => ["sessionStart", "preToolUse", "postToolUse", "agentStop"]
            .into_iter()
            .map(|event| {
                let command = command(Some(event));
                let entry = json!({"type": "command", "bash": command, "timeoutSec": PATIENCE});
                (event, entry)
            })
            .collect(),
        Client::Cursor => ["sessionStart", "preToolUse", "afterShellExecution", "stop"]
            .into_iter()
            .map(|event| {
                let mut entry = json!({"command": command(Some(event)), "timeout": PATIENCE});
                if event == "preToolUse" {
                    entry["failClosed"] = true.into();
                }
                (event, entry)
            })
            .collect(),
        Client::Opencode => Vec::new(),
    }
}

/// The beginning of a settings file that has only hooks in it.
pub(super) fn beginning(client: Client) -> &'static str {
    match client {
        Client::Copilot | Client::Cursor => "{\n  \"version\": 1\n}\n",
        _ => "{}\n",
    }
}

/// The plugin for OpenCode, which has no hooks in its settings. A program that does not answer is a no.
pub(super) fn plugin() -> String {
    PLUGIN.replace("DEADLINE", &DEADLINE.to_string())
}

const PLUGIN: &str = r#"// Proctor's guard; `proctor guard uninstall opencode` removes it.
import { spawnSync } from "node:child_process";

const ask = (directory, event, input) => {
  const words = ["guard", "hook", "opencode", event, "--deadline", "DEADLINE"];
  const run = spawnSync("proctor", words, { cwd: directory, input: JSON.stringify({ cwd: directory, ...input }), encoding: "utf8" });
  if (run.status !== 0) {
    throw new Error((run.stderr || "").trim() || "proctor guard did not answer, so nothing goes on");
  }
  return JSON.parse(run.stdout);
};

export const Proctor = async ({ directory }) => ({
  "tool.execute.before": async ({ tool, sessionID }, { args }) => {
    const answer = ask(directory, "tool.execute.before", { tool, sessionID, args });
    if (answer.decision !== "pass") throw new Error(answer.reason);
  },
  "tool.execute.after": async ({ tool, sessionID }, output) => {
    const answer = ask(directory, "tool.execute.after", { tool, sessionID });
    if (answer.decision !== "pass") output.output = answer.reason;
  },
});
"#;
