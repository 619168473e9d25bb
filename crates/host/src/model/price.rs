//! What a model costs: configured, or known of well-known models, or unknown.

use serde::{Deserialize, Serialize};

use super::Service;

/// Dollars a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// What is sent.
    pub input: f64,
    /// What comes back.
    pub output: f64,
    /// What is sent and found in the service's cache; as `input` if not given.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// What is sent and put into the service's cache; as `input` if not given.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

/// List prices by the beginning of a name, the longest that fits; dollars a million tokens: input, output, read
/// from the cache, written to it. Prices change: `[model.prices]` wins.
const USUAL: &[(Service, &str, [f64; 4])] = &[
    (
        Service::Anthropic,
        "claude-opus-4",
        [15.0, 75.0, 1.5, 18.75],
    ),
    (
        Service::Anthropic,
        "claude-opus-4-5",
        [5.0, 25.0, 0.5, 6.25],
    ),
    (
        Service::Anthropic,
        "claude-sonnet-4",
        [3.0, 15.0, 0.3, 3.75],
    ),
    (
        Service::Anthropic,
        "claude-haiku-4-5",
        [1.0, 5.0, 0.1, 1.25],
    ),
    (
        Service::Anthropic,
        "claude-3-5-haiku",
        [0.8, 4.0, 0.08, 1.0],
    ),
    (Service::OpenAi, "gpt-4o", [2.5, 10.0, 1.25, 2.5]),
    (Service::OpenAi, "gpt-4o-mini", [0.15, 0.6, 0.075, 0.15]),
    (Service::OpenAi, "gpt-4.1", [2.0, 8.0, 0.5, 2.0]),
    (Service::OpenAi, "gpt-4.1-mini", [0.4, 1.6, 0.1, 0.4]),
    (Service::OpenAi, "gpt-4.1-nano", [0.1, 0.4, 0.025, 0.1]),
    (Service::OpenAi, "gpt-5", [1.25, 10.0, 0.125, 1.25]),
    (Service::OpenAi, "gpt-5-mini", [0.25, 2.0, 0.025, 0.25]),
    (Service::OpenAi, "gpt-5-nano", [0.05, 0.4, 0.005, 0.05]),
    (Service::OpenAi, "o3", [2.0, 8.0, 0.5, 2.0]),
    (Service::OpenAi, "o4-mini", [1.1, 4.4, 0.275, 1.1]),
    (Service::Gemini, "gemini-2.5-pro", [1.25, 10.0, 0.31, 1.25]),
    (Service::Gemini, "gemini-2.5-flash", [0.3, 2.5, 0.075, 0.3]),
    (
        Service::Gemini,
        "gemini-2.5-flash-lite",
        [0.1, 0.4, 0.025, 0.1],
    ),
];

impl Price {
    /// The list price of a model that is known here.
    pub(super) fn usual(service: Service, name: &str) -> Option<Self> {
        if service == Service::Ollama {
            return Some(Self::of([0.0; 4]));
        }
        USUAL
            .iter()
            .filter(|(of, known, _)| *of == service && is_of(name, known))
            .max_by_key(|(_, known, _)| known.len())
            .map(|(_, _, prices)| Self::of(*prices))
    }

    fn of([input, output, cache_read, cache_write]: [f64; 4]) -> Self {
        Self {
            input,
            output,
            cache_read: Some(cache_read),
            cache_write: Some(cache_write),
        }
    }

    /// Whether every number is one that a price can be.
    pub fn is_sound(&self) -> bool {
        [
            Some(self.input),
            Some(self.output),
            self.cache_read,
            self.cache_write,
        ]
        .into_iter()
        .flatten()
        .all(|dollars| dollars.is_finite() && dollars >= 0.0)
    }

    /// Millionths of a dollar for so many tokens, rounded up; `input` is all that was sent.
    pub(super) fn micro_usd(&self, input: u64, read: u64, written: u64, output: u64) -> u64 {
        let plain = input.saturating_sub(read).saturating_sub(written);
        #[expect(clippy::cast_precision_loss, reason = "no call has 2^52 tokens")]
        let of = |tokens: u64, dollars: f64| tokens as f64 * dollars;
        let sum = of(plain, self.input)
            + of(read, self.cache_read.unwrap_or(self.input))
            + of(written, self.cache_write.unwrap_or(self.input))
            + of(output, self.output);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a sum of amounts that are not negative; casting saturates"
        )]
        let sum = sum.ceil() as u64;
        sum
    }
}

/// A version or date may follow a known name; another word is another model.
fn is_of(name: &str, known: &str) -> bool {
    name.strip_prefix(known).is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix('-').is_some_and(|rest| {
                rest.starts_with(|first: char| first.is_ascii_digit()) || rest == "latest"
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_models_have_prices_and_others_have_none() {
        let input = |service, name| Price::usual(service, name).map(|price| price.input);
        assert_eq!(
            input(Service::Anthropic, "claude-sonnet-4-5-20250929"),
            Some(3.0)
        );
        assert_eq!(input(Service::Anthropic, "claude-opus-4-5"), Some(5.0));
        assert_eq!(input(Service::Anthropic, "claude-opus-4-1"), Some(15.0));
        assert_eq!(input(Service::OpenAi, "gpt-4o-mini-2024-07-18"), Some(0.15));
        assert_eq!(input(Service::OpenAi, "gpt-4o-audio"), None);
        assert_eq!(input(Service::OpenAi, "my-own"), None);
        assert_eq!(input(Service::Gemini, "gpt-4o"), None);
        assert_eq!(input(Service::Ollama, "anything"), Some(0.0));
    }

    #[test]
    fn a_call_is_paid_by_what_was_sent_kept_and_received() {
        let price = Price::of([3.0, 15.0, 0.3, 3.75]);
        assert_eq!(price.micro_usd(1000, 0, 0, 100), 4500);
        assert_eq!(price.micro_usd(1000, 900, 0, 0), 300 + 270);
        assert_eq!(price.micro_usd(1000, 0, 1000, 0), 3750);
        let plain = Price {
            cache_read: None,
            cache_write: None,
            ..price
        };
        assert_eq!(plain.micro_usd(1000, 500, 500, 0), 3000);
        assert_eq!(price.micro_usd(1, 0, 0, 0), 3);
    }
}
