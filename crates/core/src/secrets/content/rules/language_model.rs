//! Services that run language models.

use super::{TokenRule, token};

pub(super) static RULES: [TokenRule; 12] = [
    token(
        "openai-api-key",
        "an OpenAI API key",
        &["sk-"],
        "sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})",
    ),
    token(
        "anthropic-api-key",
        "an Anthropic API key",
        &["sk-ant-"],
        "sk-ant-[A-Za-z0-9_-]{32,}",
    ),
    token(
        "openrouter-api-key",
        "an OpenRouter API key",
        &["sk-or-"],
        "sk-or-v1-[a-f0-9]{64}",
    ),
    token(
        "sk-api-key",
        "an API key of the kind that starts with sk-",
        &["sk-"],
        "sk-[A-Za-z0-9]{32,}",
    )
    .random()
    .longest(80),
    token(
        "hugging-face-token",
        "a Hugging Face token",
        &["hf_", "api_org_"],
        "(?:hf_|api_org_)[A-Za-z0-9]{34,}",
    )
    .random()
    .longest(60),
    token(
        "replicate-token",
        "a Replicate token",
        &["r8_"],
        "r8_[A-Za-z0-9]{37}",
    ),
    token(
        "groq-api-key",
        "a Groq API key",
        &["gsk_"],
        "gsk_[A-Za-z0-9]{40,}",
    )
    .longest(80),
    token(
        "perplexity-api-key",
        "a Perplexity API key",
        &["pplx-"],
        "pplx-[A-Za-z0-9]{40,}",
    )
    .longest(80),
    token(
        "xai-api-key",
        "an xAI API key",
        &["xai-"],
        "xai-[A-Za-z0-9]{70,}",
    )
    .longest(120),
    token(
        "langsmith-api-key",
        "a LangSmith API key",
        &["lsv2_"],
        "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
    ),
    token(
        "fireworks-api-key",
        "a Fireworks API key",
        &["fw_"],
        "fw_[A-Za-z0-9]{22,24}",
    )
    .random(),
    token(
        "tavily-api-key",
        "a Tavily API key",
        &["tvly-"],
        "tvly-(?:(?:dev|prod)-)?[A-Za-z0-9]{32}",
    ),
];
