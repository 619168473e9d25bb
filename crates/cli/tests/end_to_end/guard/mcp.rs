//! `proctor mcp`: a transcript.

use serde_json::{Value, json};

use super::{SOURCE, TEST, fed, guarded};
use crate::project::{DESIGN, POWERS, Project, TESTS};

fn transcript(project: &Project, requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let command = project.environment.proctor_command(["mcp"]);
    let output = fed(project, command, &(lines.join("\n") + "\n"));
    output.expect_code(0);
    let replies = output.stdout.lines();
    replies
        .map(|line| serde_json::from_str(line).expect("a document a line"))
        .collect()
}

fn call(id: u32, name: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

#[test]
fn tools_judge_and_nothing_approves() {
    let project = guarded();
    project.repository.write(TEST, TESTS);
    project.repository.write(SOURCE, POWERS);
    project.repository.write("docs/lld/87.md", DESIGN);
    let replies = transcript(
        &project,
        &[
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": "a", "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}),
            json!({"jsonrpc": "2.0", "id": 4, "method": "resources/list"}),
            call(5, "approve", &json!({})),
            call(6, "status", &json!({})),
            call(7, "gate_red", &json!({})),
            call(8, "gate_green", &json!({})),
            call(9, "gate_change", &json!({"base": "nowhere"})),
            call(10, "check", &json!({"document": "docs/lld/87.md"})),
        ],
    );
    assert_eq!(replies.len(), 10, "a notification has no answer");
    assert_eq!(replies[0]["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(
        replies[1],
        json!({"jsonrpc": "2.0", "id": "a", "result": {}})
    );
    let tools = replies[2]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["status", "gate_red", "gate_green", "gate_change", "check"]
    );
    assert_eq!(replies[3]["error"]["code"], -32601);
    assert_eq!(replies[4]["error"]["code"], -32602);
    for reply in &replies[5..] {
        let result = &reply["result"];
        let text = result["content"][0]["text"].as_str().expect("a text");
        let text: Value = serde_json::from_str(text).expect("the same document");
        assert_eq!(text, result["structuredContent"]);
    }
    let said = |index: usize| replies[index]["result"]["structuredContent"].clone();
    assert_eq!(said(5)["stage"], "open");
    assert_eq!(said(6)["verdict"], "valid_red");
    assert_eq!(said(7)["verdict"], "valid_green");
    assert_eq!(replies[8]["result"]["isError"], true);
    assert_eq!(
        said(8)["error"]["message"],
        "there is no commit \"nowhere\""
    );
    assert_eq!(said(9)["files"][0]["path"], "mathkit/power.py");
    assert_eq!(
        project.repository.git(["log", "--oneline"]).lines().count(),
        1
    );
}

#[test]
fn a_line_that_is_no_json_is_answered_and_the_next_one_too() {
    let project = guarded();
    let command = project.environment.proctor_command(["mcp"]);
    let output = fed(
        &project,
        command,
        "garbage\n\n{\"id\":1,\"method\":\"ping\"}\n",
    );
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("-32700") && lines[1].contains("\"result\""));
}
