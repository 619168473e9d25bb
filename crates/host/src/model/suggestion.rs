//! The probable meaning of a `--model` value that names no model.

use super::{Agent, Service};

/// Beginnings by which models are known, and whose they are.
const FAMILIES: [(&str, Service); 16] = [
    ("claude-", Service::Anthropic),
    ("opus", Service::Anthropic),
    ("sonnet", Service::Anthropic),
    ("haiku", Service::Anthropic),
    ("gpt", Service::OpenAi),
    ("chatgpt", Service::OpenAi),
    ("o1", Service::OpenAi),
    ("o3", Service::OpenAi),
    ("o4", Service::OpenAi),
    ("gemini-", Service::Gemini),
    ("llama", Service::Ollama),
    ("qwen", Service::Ollama),
    ("mistral", Service::Ollama),
    ("deepseek", Service::Ollama),
    ("gemma", Service::Ollama),
    ("phi", Service::Ollama),
];

/// Other names of the services.
const ALIASES: [(&str, Service); 3] = [
    ("claude", Service::Anthropic),
    ("google", Service::Gemini),
    ("gpt", Service::OpenAi),
];

/// How alike two words have to be for one to be a slip of the other.
const ALIKE: f64 = 0.85;

impl Service {
    /// A model that the service has, as `--model` takes it.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic:claude-sonnet-5-5",
            Self::OpenAi => "openai:gpt-5",
            Self::Gemini => "gemini:gemini-2.5-pro",
            Self::Ollama => "ollama:qwen3:8b",
        }
    }
}

/// The probable meaning; none where it cannot be guessed.
pub(super) fn suggestion(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let Some((kind, name)) = lower.split_once(':') else {
        return alone(&lower);
    };
    // The name of a model may have large letters, and a file surely.
    let rest = &text[text.len() - name.len()..];
    let alias = ALIASES.iter().find(|(alias, _)| *alias == kind);
    let word = alias
        .map(|(_, service)| service.word())
        .or_else(|| nearest(kind))?;
    Some(format!("{word}:{rest}")).filter(|meant| meant != text && !rest.is_empty())
}

/// A word without a colon: an agent, a model without its service, or a service without its model.
fn alone(word: &str) -> Option<String> {
    if let Some(agent) = Agent::ALL.into_iter().find(|it| it.program() == word) {
        let service = Service::ALL
            .into_iter()
            .find(|it| it.example().contains(&format!("{word}-")));
        let service = service.map(|it| format!("` or `{}", it.example()));
        return Some(agent.word().to_owned() + &service.unwrap_or_default());
    }
    let family = FAMILIES.iter().find(|(start, _)| word.starts_with(start));
    if let Some((_, service)) = family {
        let has_number = word.contains(|it: char| it.is_ascii_digit());
        return Some(if has_number {
            format!("{}:{word}", service.word())
        } else {
            service.example().to_owned()
        });
    }
    let near = nearest(word)?;
    let service = Service::ALL.into_iter().find(|it| it.word() == near);
    match (service, near) {
        (Some(service), _) => Some(service.example().to_owned()),
        (None, "script") => Some("script:FILE".to_owned()),
        (None, "command") => Some("command:PROGRAM".to_owned()),
        (None, agent) => Some(agent.to_owned()),
    }
}

/// The first word of a `--model` value that this is a slip of.
fn nearest(word: &str) -> Option<&'static str> {
    let services = Service::ALL.into_iter().map(Service::word);
    let agents = Agent::ALL.into_iter().map(Agent::word);
    let known = services.chain(agents).chain(["script", "command"]);
    known
        .map(|known| (strsim::jaro_winkler(known, word), known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::ModelSpec;
    use super::{Service, suggestion};

    #[test]
    fn what_was_meant_is_a_model() {
        let cases = [
            ("gpt-5", "openai:gpt-5"),
            ("GPT-5", "openai:gpt-5"),
            ("gpt", "openai:gpt-5"),
            ("claude-opus-5-5", "anthropic:claude-opus-5-5"),
            ("sonnet", "anthropic:claude-sonnet-5-5"),
            ("antropic:x", "anthropic:x"),
            ("Anthropic:x", "anthropic:x"),
            ("anthropic", "anthropic:claude-sonnet-5-5"),
            ("claude:opus", "anthropic:opus"),
            ("google:gemini-2.5-pro", "gemini:gemini-2.5-pro"),
            ("openia:gpt-5", "openai:gpt-5"),
            ("olama:Qwen3:8b", "ollama:Qwen3:8b"),
            ("codex", "codex-cli"),
            ("claude-cil", "anthropic:claude-sonnet-5-5"),
            ("qwen3", "ollama:qwen3"),
            ("scirpt:Replies.jsonl", "script:Replies.jsonl"),
        ];
        for (text, meant) in cases {
            assert_eq!(suggestion(text).as_deref(), Some(meant), "{text}");
            ModelSpec::parse(meant, Path::new("/")).expect("a model");
        }
        assert_eq!(
            suggestion("claude").as_deref(),
            Some("claude-cli` or `anthropic:claude-sonnet-5-5")
        );
        for text in ["", "xyz", "zzz:model", "antropic:"] {
            assert_eq!(suggestion(text), None, "{text}");
        }
        for service in Service::ALL {
            ModelSpec::parse(service.example(), Path::new("/")).expect("a model");
        }
    }
}
