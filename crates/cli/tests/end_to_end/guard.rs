//! `proctor guard` and `proctor mcp`: real gates behind the hooks of clients that are played here, message by message.

mod answers;
mod exemptions;
mod failing_closed;
mod git;
mod installing;
mod mcp;
mod persons;
mod scripts;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use proctor_testkit::{RunOutput, pytest_python};
use serde_json::{Value, json};

use crate::project::Project;

/// The clients, as `proctor guard` names them.
pub(crate) const CLIENTS: [&str; 6] = [
    "claude-code",
    "codex",
    "gemini",
    "copilot",
    "opencode",
    "cursor",
];

pub(crate) const SOURCE: &str = "mathkit/power.py";
pub(crate) const TEST: &str = "tests/test_power.py";

/// A hook's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    Pass,
    No(String),
}

impl Said {
    #[track_caller]
    pub(crate) fn no(self) -> String {
        match self {
            Self::No(reason) => reason,
            Self::Pass => panic!("the guard did not object"),
        }
    }

    #[track_caller]
    pub(crate) fn pass(self) {
        assert_eq!(self, Self::Pass);
    }
}

/// A project with `proctor` on the path, as a client's hooks need it.
pub(crate) fn guarded() -> Project {
    let mut project = Project::sharing_verdicts();
    put_proctor_on_path(&mut project);
    project
}

pub(crate) fn put_proctor_on_path(project: &mut Project) {
    let script = format!(
        "#!/bin/sh\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_proctor")
    );
    project.environment.put_program("proctor", &script);
    let own = project.environment.root().join("bin");
    let python = pytest_python();
    let python = python.parent().expect("python lies in a directory");
    let others = std::env::var("PATH").expect("a search path");
    let path = format!("{}:{}:{others}", own.display(), python.display());
    project.environment.set_variable("PATH", path);
}

/// Runs a command to its end with this on its standard input.
pub(crate) fn fed(project: &Project, mut command: Command, input: &str) -> RunOutput {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut pipe = child.stdin.take().expect("it is piped");
    // A hook that does not read its input is not the test's problem.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    project.environment.output_of(&output)
}

/// A client that works in a project.
pub(crate) struct Agent<'p> {
    pub(crate) project: &'p Project,
    pub(crate) client: &'static str,
}

impl Agent<'_> {
    fn top(&self) -> &Path {
        self.project.repository.path()
    }

    /// Sends a hook its message.
    pub(crate) fn hook(&self, event: &str, message: &Value) -> RunOutput {
        let mut words = vec!["guard", "hook", self.client];
        words.extend(self.names_events().then_some(event));
        let command = self.project.environment.proctor_command(words);
        fed(self.project, command, &self.report(event, message))
    }

    /// Whether the client's settings name the event on the command line, because its message does not.
    fn names_events(&self) -> bool {
        matches!(self.client, "copilot" | "opencode" | "cursor")
    }

    /// A message with where it comes from.
    fn report(&self, event: &str, message: &Value) -> String {
        let mut message = message.clone();
        message["cwd"] = self.top().display().to_string().into();
        if !self.names_events() {
            message["hook_event_name"] = event.into();
        }
        message.to_string()
    }

    /// The names of its events: begin, before, after, end.
    fn events(&self) -> [&'static str; 4] {
        match self.client {
            "gemini" => ["SessionStart", "BeforeTool", "AfterTool", "AfterAgent"],
            "copilot" => ["sessionStart", "preToolUse", "postToolUse", "agentStop"],
            "opencode" => ["", "tool.execute.before", "tool.execute.after", ""],
            "cursor" => ["sessionStart", "preToolUse", "afterShellExecution", "stop"],
            _ => ["SessionStart", "PreToolUse", "PostToolUse", "Stop"],
        }
    }

    fn tool(&self, event: &str, name: &str, arguments: &Value) -> Said {
        self.said(&self.hook(event, &self.call(name, arguments)))
    }

    /// The call of a tool, as the client words it.
    fn call(&self, name: &str, arguments: &Value) -> Value {
        match self.client {
            "copilot" => json!({"toolName": name, "toolArgs": arguments}),
            "opencode" => json!({"tool": name, "args": arguments}),
            _ => json!({"tool_name": name, "tool_input": arguments}),
        }
    }

    pub(crate) fn edit(&self, path: &str) -> Said {
        let (event, message) = self.edit_message(path);
        self.said(&self.hook(event, &message))
    }

    /// The client's event before it edits a file.
    fn edit_message(&self, path: &str) -> (&'static str, Value) {
        let whole = self.top().join(path).display().to_string();
        let (name, arguments) = match self.client {
            "codex" => {
                let text =
                    format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch");
                ("apply_patch", json!({"command": text}))
            }
            "gemini" => ("write_file", json!({"file_path": whole, "content": ""})),
            "copilot" => ("create", json!({"path": whole, "file_text": ""})),
            "opencode" => ("write", json!({"filePath": whole, "content": ""})),
            _ => ("Write", json!({"file_path": whole, "content": ""})),
        };
        (self.events()[1], self.call(name, &arguments))
    }

    pub(crate) fn shell(&self, command: &str) -> Said {
        let name = match self.client {
            "gemini" => "run_shell_command",
            "copilot" | "opencode" => "bash",
            "cursor" => "Shell",
            _ => "Bash",
        };
        self.tool(self.events()[1], name, &json!({"command": command}))
    }

    /// Runs a command the way a client does: asks, runs, tells.
    pub(crate) fn runs(&self, command: &str) -> Said {
        self.shell(command).pass();
        let mut shell = self.project.environment.command("sh");
        shell.args(["-c", command]);
        self.project.environment.run(shell);
        self.after()
    }

    pub(crate) fn after(&self) -> Said {
        self.tool(self.events()[2], "Bash", &json!({"command": "x"}))
    }

    pub(crate) fn end(&self, repeated: bool) -> Said {
        let message = json!({"stop_hook_active": repeated, "loop_count": u8::from(repeated)});
        self.said(&self.hook(self.events()[3], &message))
    }

    pub(crate) fn starts(&self) -> RunOutput {
        self.hook(self.events()[0], &json!({}))
    }

    /// The answer, read as this client reads it.
    #[track_caller]
    fn said(&self, output: &RunOutput) -> Said {
        output.expect_code(0);
        let answer = output.json();
        let reason = match self.client {
            "claude-code" | "codex" => {
                let own = &answer["hookSpecificOutput"];
                match (
                    own["permissionDecision"].as_str(),
                    answer["decision"].as_str(),
                ) {
                    (Some("deny"), None) => own["permissionDecisionReason"].as_str(),
                    (None, Some("block")) => answer["reason"].as_str(),
                    (None, None) => None,
                    other => panic!("{other:?} is not an answer"),
                }
            }
            "copilot" => match answer["permissionDecision"].as_str() {
                Some("deny") => answer["permissionDecisionReason"].as_str(),
                _ => answer["reason"]
                    .as_str()
                    .filter(|_| answer["decision"] == "block"),
            },
            "cursor" => match answer["permission"].as_str() {
                Some("deny") => answer["agent_message"].as_str(),
                _ => answer["followup_message"].as_str(),
            },
            _ => answer["reason"]
                .as_str()
                .filter(|_| answer["decision"] == "deny"),
        };
        assert!(
            answer["hookSpecificOutput"]["permissionDecision"] != "allow"
                && answer["permission"] != "allow",
            "the guard grants nothing: {answer}"
        );
        reason.map_or(Said::Pass, |reason| Said::No(reason.to_owned()))
    }

    pub(crate) fn stage(&self) -> String {
        let status = self.project.json(&["guard", "status"]);
        status["stage"].as_str().expect("a stage").to_owned()
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        self.project.repository.write(path, content);
    }
}

pub(crate) fn claude(project: &Project) -> Agent<'_> {
    Agent {
        project,
        client: "claude-code",
    }
}
