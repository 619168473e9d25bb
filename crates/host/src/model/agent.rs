//! Command-line agents, used for their text only: `claude-cli`, `codex-cli` and `gemini-cli`.
//!
//! The prompt goes in on standard input, never as an argument, which others on the machine could read. They get no
//! tools, and a directory of their own. Their output is documented JSON; it does not show that a reply was cut off,
//! hence the `### END` line.

use proctor_core::generation::ends_with_end_marker;
use proctor_core::generation::{ModelReply, StopReason};
use proctor_core::test_outcome::Exit;
use serde_json::Value;
use thiserror::Error;

use super::command::CommandModel;
use super::{Cleared, Destination, Model, ModelError, Request, SpecError, most_input};
use crate::process::{Environment, Finished, Interrupt, Launcher};
use crate::settings::Price;

/// How much of an agent's own words is quoted.
const QUOTED: usize = 300;

/// An agent that people have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// `claude`
    Claude,
    /// `codex`
    Codex,
    /// `gemini`
    Gemini,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Gemini];

    /// Its name in a `--model` value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Claude => "claude-cli",
            Self::Codex => "codex-cli",
            Self::Gemini => "gemini-cli",
        }
    }

    /// The program that people install.
    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// How people install it.
    pub(super) fn installation(self) -> &'static str {
        match self {
            Self::Claude => "npm install -g @anthropic-ai/claude-code",
            Self::Codex => "npm install -g @openai/codex",
            Self::Gemini => "npm install -g @google/gemini-cli",
        }
    }

    /// Program and arguments, with or without the name of a model.
    fn words(self, model: Option<&str>) -> Vec<String> {
        let (fixed, flag, last): (&[&str], _, &[&str]) = match self {
            Self::Claude => (
                &[
                    "-p",
                    "--output-format",
                    "json",
                    "--tools",
                    "",
                    "--strict-mcp-config",
                ],
                "--model",
                &[],
            ),
            // Its directory is not a repository, and does not have to be one.
            Self::Codex => (
                &["exec", "--json", "-s", "read-only", "--skip-git-repo-check"],
                "-m",
                &["-"],
            ),
            // Standard input comes before this text.
            Self::Gemini => (
                &[
                    "-p",
                    "Reply with the text that is asked for above.",
                    "-o",
                    "json",
                ],
                "-m",
                &[],
            ),
        };
        let model = model.into_iter().flat_map(|name| [flag, name]);
        std::iter::once(self.program())
            .chain(fixed.iter().copied())
            .chain(model)
            .chain(last.iter().copied())
            .map(str::to_owned)
            .collect()
    }

    /// Its reply, from its output.
    fn read(self, printed: &str) -> Result<Said, NoReply> {
        match self {
            Self::Claude => claude(printed),
            Self::Codex => codex(printed),
            Self::Gemini => gemini(printed),
        }
    }
}

/// Why an agent's output contains no reply.
#[derive(Debug, PartialEq, Eq, Error)]
enum NoReply {
    #[error("what it printed is not JSON: {0}")]
    NotJson(String),
    /// The agent's own message, after the status of the service behind it.
    #[error("{}{words}", status.map(|status| format!("{status}: ")).unwrap_or_default())]
    Failed { status: Option<u64>, words: String },
}

impl NoReply {
    fn failed(words: &str) -> Self {
        Self::Failed {
            status: None,
            words: quoted(words),
        }
    }
}

/// A reply, or as much as there is of one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    text: String,
    refused: bool,
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
    cost_micro_usd: Option<u64>,
}

fn document(printed: &str) -> Result<Value, NoReply> {
    // Warnings may come before it.
    let start = printed.find('{').unwrap_or(0);
    serde_json::from_str(printed[start..].trim()).map_err(|_| NoReply::NotJson(quoted(printed)))
}

fn claude(printed: &str) -> Result<Said, NoReply> {
    let document = document(printed)?;
    let result = document["result"].as_str().unwrap_or_default();
    // `subtype` says "success" even on errors.
    if document["is_error"] == true {
        return Err(NoReply::Failed {
            status: document["api_error_status"].as_u64(),
            words: quoted(result),
        });
    }
    let usage = &document["usage"];
    let count = |name: &str| usage[name].as_u64().unwrap_or(0);
    let cached = count("cache_read_input_tokens");
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cost is small and not negative; casting saturates"
    )]
    let micro = |dollars: f64| (dollars * 1_000_000.0).ceil() as u64;
    Ok(Said {
        text: result.to_owned(),
        refused: document["stop_reason"] == "refusal",
        input_tokens: count("input_tokens") + cached + count("cache_creation_input_tokens"),
        cached_tokens: cached,
        output_tokens: count("output_tokens"),
        cost_micro_usd: document["total_cost_usd"].as_f64().map(micro),
    })
}

fn codex(printed: &str) -> Result<Said, NoReply> {
    let mut said = Said::default();
    let events = printed
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    for event in events {
        let event: Value = event;
        match event["type"].as_str() {
            Some("item.completed") => {
                let item = &event["item"];
                if item["type"] == "agent_message" || item["item_type"] == "agent_message" {
                    // The last message is the answer; earlier ones announce it.
                    item["text"]
                        .as_str()
                        .unwrap_or_default()
                        .clone_into(&mut said.text);
                }
            }
            Some("turn.completed") => {
                let count = |name: &str| event["usage"][name].as_u64().unwrap_or(0);
                said.input_tokens += count("input_tokens");
                said.cached_tokens += count("cached_input_tokens");
                said.output_tokens += count("output_tokens");
            }
            Some("turn.failed") => {
                let words = event["error"]["message"].as_str();
                return Err(NoReply::failed(words.unwrap_or("the turn failed")));
            }
            // Followed by `turn.failed` unless the agent recovers.
            _ => {}
        }
    }
    Ok(said)
}

fn gemini(printed: &str) -> Result<Said, NoReply> {
    let document = document(printed)?;
    if let Some(error) = document.get("error").filter(|error| !error.is_null()) {
        let words = error["message"].as_str();
        return Err(NoReply::failed(words.unwrap_or("it failed")));
    }
    let mut said = Said {
        text: document["response"].as_str().unwrap_or_default().to_owned(),
        ..Said::default()
    };
    for model in document["stats"]["models"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let tokens = &model.1["tokens"];
        let count = |name: &str| tokens[name].as_u64().unwrap_or(0);
        said.input_tokens += count("prompt");
        said.cached_tokens += count("cached");
        said.output_tokens += count("candidates") + count("thoughts");
    }
    Ok(said)
}

/// One line, not too long.
fn quoted(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(QUOTED).collect()
}

/// An agent that answers.
#[derive(Debug)]
pub(super) struct AgentModel {
    agent: Agent,
    program: CommandModel,
    /// As configured; the agent's own figure takes precedence.
    price: Option<Price>,
}

impl AgentModel {
    pub(super) fn find(
        agent: Agent,
        model: Option<&str>,
        price: Option<Price>,
        launcher: Launcher,
        environment: Environment,
        interrupt: Interrupt,
    ) -> Result<Self, SpecError> {
        let words = agent.words(model);
        let program = CommandModel::find(words, launcher, environment, interrupt)?;
        Ok(Self {
            agent,
            program,
            price,
        })
    }

    fn cost(&self, said: &Said) -> Option<u64> {
        let counted = said.input_tokens + said.output_tokens > 0;
        self.price.filter(|_| counted).map(|price| {
            price.micro_usd(said.input_tokens, said.cached_tokens, 0, said.output_tokens)
        })
    }

    fn said(&self, finished: &Finished) -> Result<Said, ModelError> {
        let failed = |problem: String| ModelError::Program {
            program: self.agent.program().to_owned(),
            problem,
        };
        let printed = finished.stdout.text();
        match (self.agent.read(&printed), finished.exit) {
            (Ok(said), Exit::Code(0)) if said.text.trim().is_empty() => {
                Err(failed("the reply is empty".to_owned()))
            }
            (Ok(said), Exit::Code(0)) => Ok(said),
            // Its own words say more than its exit code.
            (Err(problem), Exit::Code(0)) => Err(failed(problem.to_string())),
            (Err(problem), exit) if !printed.trim().is_empty() => {
                Err(failed(format!("{problem} ({exit})")))
            }
            (_, exit) => {
                let words = finished.output.text();
                let last = words.lines().rev().find(|line| !line.trim().is_empty());
                Err(failed(match last {
                    Some(last) => format!("{exit}: {}", quoted(last)),
                    None => exit.to_string(),
                }))
            }
        }
    }
}

impl Model for AgentModel {
    fn serialise(&self, request: &Request<'_>) -> String {
        request.prompt.text().to_owned()
    }

    fn send(&mut self, request: &Cleared<'_>) -> Result<ModelReply, ModelError> {
        let finished = self.program.run(request.sent())?;
        let said = self.said(&finished)?;
        let stop_reason = if said.refused {
            StopReason::Refusal
        } else if ends_with_end_marker(&said.text) {
            StopReason::EndTurn
        } else {
            StopReason::MaxTokens
        };
        let cost = said.cost_micro_usd.or_else(|| self.cost(&said));
        Ok(ModelReply {
            text: said.text,
            stop_reason,
            input_tokens: said.input_tokens,
            output_tokens: said.output_tokens,
            cached_tokens: said.cached_tokens,
            cost_micro_usd: cost,
            script_line: None,
            seen: Vec::new(),
            asked_for_changes: false,
        })
    }

    /// Only the agent knows its cost. One that reports it afterwards is asked until the budget is spent.
    fn most_micro_usd(&self, request: &Cleared<'_>) -> Option<u64> {
        let says = self.agent == Agent::Claude;
        let input = most_input(request);
        let configured = self.price.map(|price| price.micro_usd(input, 0, input, 0));
        configured.map(|most| most.max(1)).or(says.then_some(1))
    }

    /// The agent itself decides what it sends.
    fn most_tokens(&self, request: &Cleared<'_>) -> u64 {
        most_input(request)
    }

    fn destination(&self) -> Destination {
        self.program.destination()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_get_no_tools_and_no_prompt_among_their_arguments() {
        let words = |agent: Agent| agent.words(Some("m")).join(" ");
        assert_eq!(
            words(Agent::Claude),
            "claude -p --output-format json --tools  --strict-mcp-config --model m"
        );
        assert_eq!(
            words(Agent::Codex),
            "codex exec --json -s read-only --skip-git-repo-check -m m -"
        );
        assert!(words(Agent::Gemini).ends_with(" -o json -m m"));
        assert!(!Agent::Claude.words(None).contains(&"--model".to_owned()));
    }

    #[test]
    fn what_agents_print_is_read_as_documented() {
        let claude = r#"{"type":"result","subtype":"success","is_error":false,"result":"hi","stop_reason":"end_turn",
            "total_cost_usd":0.0123,"usage":{"input_tokens":3,"cache_creation_input_tokens":4,
            "cache_read_input_tokens":5,"output_tokens":6}}"#;
        let said = Agent::Claude.read(claude).expect("a reply");
        assert_eq!(said.text, "hi");
        assert_eq!(
            (said.input_tokens, said.cached_tokens, said.output_tokens),
            (12, 5, 6)
        );
        assert_eq!(said.cost_micro_usd, Some(12_300));
        let wrong = r#"{"subtype":"success","is_error":true,"api_error_status":401,"result":"Invalid API key"}"#;
        let problem =
            |agent: Agent, printed: &str| agent.read(printed).map_err(|no| no.to_string());
        assert_eq!(
            problem(Agent::Claude, wrong),
            Err("401: Invalid API key".to_owned())
        );
        let codex = concat!(
            r#"{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"hi"}}"#,
            "\n",
            r#"{"type":"turn.completed","usage":{"input_tokens":9,"cached_input_tokens":2,"output_tokens":1}}"#,
        );
        let said = Agent::Codex.read(codex).expect("a reply");
        assert_eq!(
            (said.text.as_str(), said.input_tokens, said.cached_tokens),
            ("hi", 9, 2)
        );
        let failed = r#"{"type":"turn.failed","error":{"message":"no more credits"}}"#;
        assert_eq!(
            problem(Agent::Codex, failed),
            Err("no more credits".to_owned())
        );
        let gemini = r#"Loaded cached credentials.
            {"response":"hi","stats":{"models":{"g":{"tokens":{"prompt":7,"candidates":2,"thoughts":1,"cached":0}}}}}"#;
        let said = Agent::Gemini.read(gemini).expect("a reply");
        assert_eq!(
            (said.text.as_str(), said.input_tokens, said.output_tokens),
            ("hi", 7, 3)
        );
        let failed = r#"{"error":{"type":"Error","message":"quota","code":1}}"#;
        assert_eq!(problem(Agent::Gemini, failed), Err("quota".to_owned()));
        assert_eq!(
            problem(Agent::Gemini, "no"),
            Err("what it printed is not JSON: no".to_owned())
        );
    }
}
