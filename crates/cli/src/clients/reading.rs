//! A hook's event.

use std::path::PathBuf;

use proctor_core::guard::Client;
use proctor_host::guard::Report;
use serde_json::Value;

use super::patch::patched_files;

/// The event as read.
#[derive(Debug)]
pub(crate) struct Heard {
    /// The client's own name of the event.
    pub(crate) event: String,
    /// The kind of event, which decides the answer's form.
    pub(crate) moment: Moment,
    /// The question for the guard; none if the event does not concern it.
    pub(crate) report: Option<Report>,
    /// Where the agent works.
    pub(crate) directory: Option<PathBuf>,
}

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The agent begins.
    Start,
    /// A tool is about to run.
    Before,
    /// A tool has run.
    After,
    /// The agent is about to end.
    End {
        /// Whether it was sent back just before.
        repeated: bool,
    },
    /// The settings were changed.
    Settings,
    /// Something that the guard has nothing to say about.
    Other,
}

/// A report that makes no sense. The tool does not run then.
#[derive(Debug, thiserror::Error)]
#[error("the hook's input is not understood: {0}")]
pub(crate) struct NotUnderstood(String);

impl NotUnderstood {
    /// The input could not be read at all.
    pub(crate) fn unreadable(why: String) -> Self {
        Self(why)
    }
}

/// Reads the event that a client's hook got on its standard input.
pub(crate) fn hear(
    client: Client,
    event: Option<&str>,
    input: &str,
) -> Result<Heard, NotUnderstood> {
    let input: Value = serde_json::from_str(input)
        .map_err(|error| NotUnderstood(format!("it is not JSON, {error}")))?;
    if !input.is_object() {
        return Err(NotUnderstood("it is not a JSON object".to_owned()));
    }
    let named = input["hook_event_name"].as_str();
    let event = event.or(named);
    let event = event.ok_or_else(|| NotUnderstood("it names no event".to_owned()))?;
    let moment = moment(event, &input);
    let tool = || tool(client, event, &input);
    let report = match moment {
        Moment::Start => Some(Report::Start),
        Moment::Before => tool()?,
        Moment::After => Some(Report::Done),
        Moment::End { repeated } => Some(Report::End { repeated }),
        Moment::Settings => Some(Report::Settings(client)),
        Moment::Other => None,
    };
    Ok(Heard {
        event: event.to_owned(),
        moment,
        report,
        directory: input["cwd"].as_str().map(PathBuf::from),
    })
}

fn moment(event: &str, input: &Value) -> Moment {
    let repeated = input["stop_hook_active"] == true
        || input["stopHookActive"] == true
        || input["loop_count"].as_u64().is_some_and(|count| count > 0);
    match event {
        "SessionStart" | "sessionStart" => Moment::Start,
        "PreToolUse"
        | "preToolUse"
        | "BeforeTool"
        | "tool.execute.before"
        | "beforeShellExecution"
        | "beforeMCPExecution" => Moment::Before,
        "PostToolUse"
        | "postToolUse"
        | "AfterTool"
        | "tool.execute.after"
        | "afterShellExecution"
        | "afterFileEdit" => Moment::After,
        "Stop" | "AfterAgent" | "agentStop" | "stop" => Moment::End { repeated },
        "ConfigChange" => Moment::Settings,
        _ => Moment::Other,
    }
}

/// Keys under which tools name files.
const PATH_KEYS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "file",
    "filename",
    "target_file",
    "absolute_path",
    "destination",
    "target",
    "uri",
];

/// Tools of any client that only look.
const LOOKING: &[&str] = &[
    "read", "list", "get", "search", "find", "view", "grep", "glob", "fetch", "status",
];

/// A tool's next action; none if it changes no file and runs no command.
fn tool(client: Client, event: &str, input: &Value) -> Result<Option<Report>, NotUnderstood> {
    let first = |names: &[&str]| names.iter().find_map(|name| input.get(*name));
    let arguments = match first(&["tool_input", "toolArgs", "args"]) {
        // Copilot has been seen to send them as text.
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
        Some(other) => other.clone(),
        None if event == "beforeShellExecution" => input.clone(),
        None => return Err(NotUnderstood("it has no arguments of a tool".to_owned())),
    };
    let name = first(&["tool_name", "toolName", "tool"]).and_then(Value::as_str);
    let name = match name {
        Some(name) => name,
        None if event == "beforeShellExecution" => "Shell",
        None => return Err(NotUnderstood("it names no tool".to_owned())),
    };
    let command = arguments["command"].as_str();
    let edits = |text: &str| Report::Edit(patched_files(text));
    Ok(match (name, command) {
        ("apply_patch", Some(text)) => Some(edits(text)),
        ("apply_patch", None) => {
            let text = arguments.as_str().or(arguments["input"].as_str());
            let text = text.or(arguments["patch"].as_str());
            let text = text.ok_or_else(|| NotUnderstood("the patch is missing".to_owned()))?;
            Some(edits(text))
        }
        (_, Some(text)) if !is_foreign(client, name) => Some(Report::Command {
            text: text.to_owned(),
            edits: patched_files(text),
        }),
        _ if only_looks(name) => None,
        _ => {
            let mut paths = Vec::new();
            collect_paths(&arguments, &mut paths);
            let is_known = !is_foreign(client, name) && writes(name);
            if paths.is_empty() && is_known {
                return Err(NotUnderstood(format!("{name} names no file")));
            }
            (!paths.is_empty()).then_some(Report::Edit(paths))
        }
    })
}

/// Whether a tool is one that a server of the user's brings.
fn is_foreign(client: Client, name: &str) -> bool {
    match client {
        Client::Gemini => name.starts_with("mcp_"),
        _ => name.starts_with("mcp__"),
    }
}

/// Whether a client's own tool of this name writes files.
fn writes(name: &str) -> bool {
    let name = name.to_lowercase();
    ["write", "edit", "create", "replace", "delete"]
        .iter()
        .any(|word| name.contains(word))
}

fn only_looks(name: &str) -> bool {
    let name = name.rsplit("__").next().unwrap_or(name).to_lowercase();
    LOOKING.iter().any(|word| name.starts_with(word))
}

fn collect_paths(value: &Value, paths: &mut Vec<PathBuf>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if PATH_KEYS.contains(&name.as_str()) => {
                        let text = text.strip_prefix("file://").unwrap_or(text);
                        paths.push(PathBuf::from(text));
                    }
                    other => collect_paths(other, paths),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect_paths(value, paths)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(client: Client, event: Option<&str>, input: &str) -> Option<Report> {
        hear(client, event, input).expect("it is understood").report
    }

    fn edit(path: &str) -> Report {
        Report::Edit(vec![path.into()])
    }

    #[test]
    fn every_client_names_files_and_commands_in_its_own_way() {
        let before = Some("tool.execute.before");
        for (client, event, input) in [
            (
                Client::ClaudeCode,
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a.py","content":""}}"#,
            ),
            (
                Client::ClaudeCode,
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"NotebookEdit","tool_input":{"notebook_path":"a.py"}}"#,
            ),
            (
                Client::ClaudeCode,
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__files__write","tool_input":{"deep":[{"path":"a.py"}]}}"#,
            ),
            (
                Client::Codex,
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a.py\n@@\n*** End Patch"}}"#,
            ),
            (
                Client::Gemini,
                None,
                r#"{"hook_event_name":"BeforeTool","tool_name":"replace","tool_input":{"file_path":"a.py"}}"#,
            ),
            (
                Client::Copilot,
                Some("preToolUse"),
                r#"{"toolName":"edit","toolArgs":"{\"path\":\"a.py\"}"}"#,
            ),
            (
                Client::Copilot,
                Some("preToolUse"),
                r#"{"toolName":"create","toolArgs":{"path":"a.py"}}"#,
            ),
            (
                Client::Opencode,
                before,
                r#"{"tool":"edit","args":{"filePath":"a.py"}}"#,
            ),
            (
                Client::Cursor,
                Some("preToolUse"),
                r#"{"tool_name":"Write","tool_input":{"file_path":"a.py"}}"#,
            ),
        ] {
            assert_eq!(report(client, event, input), Some(edit("a.py")), "{input}");
        }
        for (client, event, input) in [
            (
                Client::ClaudeCode,
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
            ),
            (
                Client::Gemini,
                None,
                r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"}}"#,
            ),
            (
                Client::Copilot,
                Some("preToolUse"),
                r#"{"toolName":"bash","toolArgs":{"command":"ls"}}"#,
            ),
            (
                Client::Opencode,
                before,
                r#"{"tool":"bash","args":{"command":"ls"}}"#,
            ),
            (
                Client::Cursor,
                Some("beforeShellExecution"),
                r#"{"command":"ls","cwd":"/x"}"#,
            ),
        ] {
            let expected = Report::Command {
                text: "ls".to_owned(),
                edits: Vec::new(),
            };
            assert_eq!(report(client, event, input), Some(expected), "{input}");
        }
        let shell = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.py\n+x\n*** End Patch\nEOF"}}"#;
        let Some(Report::Command { edits, .. }) = report(Client::Codex, None, shell) else {
            panic!("a command")
        };
        assert_eq!(edits, [PathBuf::from("b.py")]);
        let look = r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__files__read_file","tool_input":{"path":"a.py"}}"#;
        assert_eq!(report(Client::ClaudeCode, None, look), None);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for (event, input) in [
            (None, ""),
            (None, "{"),
            (None, "[]"),
            (None, "{}"),
            (None, r#"{"hook_event_name":"PreToolUse"}"#),
            (
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"Write"}"#,
            ),
            (
                None,
                r#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{}}"#,
            ),
            (Some("preToolUse"), r#"{"toolName":"edit","toolArgs":"{"}"#),
        ] {
            assert!(hear(Client::ClaudeCode, event, input).is_err(), "{input}");
        }
    }

    #[test]
    fn an_end_that_follows_a_block_is_known_as_such() {
        for (client, event, input, repeated) in [
            (
                Client::ClaudeCode,
                None,
                r#"{"hook_event_name":"Stop","stop_hook_active":true}"#,
                true,
            ),
            (
                Client::Gemini,
                None,
                r#"{"hook_event_name":"AfterAgent"}"#,
                false,
            ),
            (Client::Cursor, Some("stop"), r#"{"loop_count":2}"#, true),
        ] {
            assert_eq!(report(client, event, input), Some(Report::End { repeated }));
        }
    }
}
