//! `proctor mcp`: the gates as tools of the Model Context Protocol, one JSON document a line.
//!
//! Written by hand: five methods are all that clients need, and the libraries bring a runtime of their own. No tool approves
//! anything, and none writes to the checkout.

use std::io::BufRead as _;

use clap::Args;
use proctor_core::guard::Client;
use proctor_host::driver::Examination;
use proctor_host::files::ContextArguments;
use proctor_host::gate::{ChangeRequest, Judged, Pace, WhichGate, judge_change};
use proctor_host::guard::{Guard, git_hooks_installed, installed_clients};
use proctor_host::settings::SettingsFile;
use serde_json::{Value, json};

use crate::failure::{Failure, Misuse, Obstacle};
use crate::session::Session;
use crate::wire::{CheckDocument, ContextRow, GateDocument, GuardDocument, ok};

/// Offer the gates to an agent as tools (MCP)
///
/// Speaks the Model Context Protocol on standard input and output: the tools `status`, `gate_red`, `gate_green`, `gate_change`
/// and `check`. They judge what is in the checkout and say why not; no tool approves, commits or writes. What they offer is
/// advice for the agent: `proctor guard` is what holds it.
///
/// Example: proctor mcp
#[derive(Debug, Args)]
pub(crate) struct McpArguments {}

/// Codes of JSON-RPC.
const NO_METHOD: i64 = -32601;
const BAD_PARAMETERS: i64 = -32602;
const NOT_JSON: i64 = -32700;

/// The protocol version for a client that names none.
const PROTOCOL: &str = "2025-06-18";

pub(crate) fn mcp(session: &Session<'_>) -> Result<(), Failure> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(Obstacle::StandardInput)?;
        if line.trim().is_empty() {
            continue;
        }
        if let Some(reply) = reply(session, &line) {
            session.output.document(&reply);
        }
        if session.interrupt.is_set() {
            break;
        }
    }
    Ok(())
}

/// The answer to one line; a notification has none.
fn reply(session: &Session<'_>, line: &str) -> Option<Value> {
    let request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return Some(refusal(&Value::Null, NOT_JSON, &error.to_string())),
    };
    let id = request.get("id").filter(|id| !id.is_null())?;
    let method = request["method"].as_str().unwrap_or_default();
    let parameters = &request["params"];
    let result = match method {
        "initialize" => {
            let version = parameters["protocolVersion"].as_str().unwrap_or(PROTOCOL);
            json!({
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "proctor", "version": env!("PROCTOR_VERSION")},
            })
        }
        "ping" => json!({}),
        "tools/list" => json!({"tools": tools()}),
        "tools/call" => {
            let name = parameters["name"].as_str().unwrap_or_default();
            let Some(answered) = call(session, name, &parameters["arguments"]) else {
                let words = format!("there is no tool {name:?}");
                return Some(refusal(id, BAD_PARAMETERS, &words));
            };
            let (document, failed) = match answered {
                Ok(document) => (document, false),
                Err(failure) => (failure.to_json(), true),
            };
            // Some clients show one of them, some the other.
            json!({
                "content": [{"type": "text", "text": document.to_string()}],
                "structuredContent": document,
                "isError": failed,
            })
        }
        _ => {
            return Some(refusal(
                id,
                NO_METHOD,
                &format!("there is no method {method:?}"),
            ));
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn refusal(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// The tools, as clients show them to a model.
fn tools() -> Value {
    let base = json!({"type": "string", "description": "what the change is measured against; HEAD if not given"});
    let gate = |name: &str, description: &str| {
        let schema =
            json!({"type": "object", "properties": {"base": base}, "additionalProperties": false});
        json!({"name": name, "description": description, "inputSchema": schema})
    };
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let document =
        json!({"type": "string", "description": "a design document, from the repository's root"});
    let check = json!({
        "type": "object",
        "properties": {"document": document},
        "required": ["document"],
        "additionalProperties": false,
    });
    json!([
        {"name": "status", "description": "How far the change in this checkout is, and which tests are sealed", "inputSchema": nothing},
        gate("gate_red", "Judge the changed tests alone: do they fail for a reason that an implementation removes?"),
        gate("gate_green", "Judge tests and source: the red of the tests alone first, then everything has to pass"),
        gate("gate_change", "Judge everything that differs by what its kind asks for, and say what is wrong and what is next"),
        {"name": "check", "description": "Say what is wrong with a design document", "inputSchema": check},
    ])
}

/// A tool's answer; none if there is no such tool.
fn call(session: &Session<'_>, name: &str, arguments: &Value) -> Option<Result<Value, Failure>> {
    Some(match name {
        "status" => status(session),
        "gate_red" => gate(session, WhichGate::Red, arguments),
        "gate_green" => gate(session, WhichGate::Green, arguments),
        "gate_change" => gate(session, WhichGate::Change, arguments),
        "check" => check(session, arguments),
        _ => return None,
    })
}

fn status(session: &Session<'_>) -> Result<Value, Failure> {
    let workspace = session.workspace()?;
    let guard = Guard {
        place: session.place(&workspace),
        clock: session.clock,
    };
    let known = guard.session()?;
    let clients: Vec<Client> = installed_clients(workspace.repository());
    let git = git_hooks_installed(workspace.repository())?;
    Ok(ok(GuardDocument::of(&known, &clients, git)))
}

fn gate(session: &Session<'_>, gate: WhichGate, arguments: &Value) -> Result<Value, Failure> {
    let workspace = session.workspace()?;
    let request = ChangeRequest {
        gate,
        judged: Judged::Checkout,
        base: arguments["base"].as_str(),
        tests: &[],
        fresh: false,
        pace: Pace::Thorough,
    };
    let judged = judge_change(session.place(&workspace), &request, &mut |_| {})?;
    let next = judged.word.next(&judged.verdict);
    let mut document = ok(GateDocument::of(&judged, next));
    // As in the command's own document: whether the work continues.
    document["ok"] = judged.word.is_good().into();
    Ok(document)
}

fn check(session: &Session<'_>, arguments: &Value) -> Result<Value, Failure> {
    let document = arguments["document"]
        .as_str()
        .ok_or(Misuse::NothingToCheck)?;
    let workspace = session.workspace()?;
    let settings = SettingsFile::read(workspace.top())?;
    let base = workspace.current_commit()?;
    let allowed = proctor_core::secrets::AllowedSecrets::default();
    let context = ContextArguments {
        paths: &[],
        here: &session.directory,
        allowed: &allowed,
    };
    let found = Examination::of(
        workspace.repository(),
        base.as_ref(),
        Some(std::path::Path::new(document)),
        &context,
        settings.protective(),
    )?;
    let weaknesses = found.weaknesses.iter().cloned();
    let warnings: Vec<_> = weaknesses
        .map(|problem| problem.into_context_problem(document))
        .collect();
    let is_usable = found.refusals.is_empty();
    let mut answer = ok(CheckDocument {
        files: found.sources.iter().chain(&found.tests).collect(),
        scenarios: &found.design.scenarios,
        requirements: &found.design.requirements,
        context: ContextRow::all(&found.context),
        total_tokens: found.tokens(),
        problems: found.refusals.iter().chain(&warnings).collect(),
        suggested_context: &found.suggested,
    });
    answer["ok"] = is_usable.into();
    Ok(answer)
}
