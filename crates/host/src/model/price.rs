//! A model's price: configured, or built in for well-known models, or unknown.

use super::Service;
use crate::settings::Price;

/// List prices as they could be looked up in November 2026: Anthropic's and the small models of OpenAI on the vendors'
/// own pages, `gpt-5` and `gpt-4.1` on pages of resellers that agree. By name without its date; dollars a million
/// tokens: input, output, read from the cache, written to it. Other models are unknown, on purpose: prices that go up
/// with the length of the prompt (Gemini's, some of the newest) do not fit into one line. `[model.prices]` wins.
const USUAL: &[(Service, &[&str], [f64; 4])] = &[
    (
        Service::Anthropic,
        &["claude-opus-5-5"],
        [4.0, 20.0, 0.2, 5.0],
    ),
    (
        Service::Anthropic,
        &[
            "claude-opus-5",
            "claude-opus-4-8",
            "claude-opus-4-7",
            "claude-opus-4-6",
            "claude-opus-4-5",
        ],
        [5.0, 25.0, 0.5, 6.25],
    ),
    (
        Service::Anthropic,
        &["claude-opus-4-1", "claude-opus-4-0", "claude-opus-4"],
        [15.0, 75.0, 1.5, 18.75],
    ),
    (
        Service::Anthropic,
        &["claude-sonnet-5-5", "claude-sonnet-5"],
        [2.0, 10.0, 0.2, 2.5],
    ),
    (
        Service::Anthropic,
        &[
            "claude-sonnet-4-6",
            "claude-sonnet-4-5",
            "claude-sonnet-4-0",
            "claude-sonnet-4",
        ],
        [3.0, 15.0, 0.3, 3.75],
    ),
    (
        Service::Anthropic,
        &["claude-haiku-4-5"],
        [1.0, 5.0, 0.1, 1.25],
    ),
    (Service::OpenAi, &["gpt-5"], [1.25, 10.0, 0.125, 1.25]),
    (Service::OpenAi, &["gpt-5-mini"], [0.25, 2.0, 0.025, 0.25]),
    (Service::OpenAi, &["gpt-5-nano"], [0.05, 0.4, 0.005, 0.05]),
    (Service::OpenAi, &["gpt-4.1"], [2.0, 8.0, 0.5, 2.0]),
];

impl Price {
    /// The list price of a model that is known here.
    pub(super) fn usual(service: Service, name: &str) -> Option<Self> {
        if service == Service::Ollama {
            return Some(Self::of([0.0; 4]));
        }
        USUAL
            .iter()
            .find(|(of, names, _)| *of == service && names.iter().any(|known| is_of(name, known)))
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

    /// Millionths of a dollar for this many tokens, rounded up; `input` is all that was sent.
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

/// A date may follow a known name; anything else makes it another model.
fn is_of(name: &str, known: &str) -> bool {
    let is_date = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        digits == 8
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    name.strip_prefix(known).is_some_and(|rest| {
        let suffix = rest.strip_prefix('-');
        rest.is_empty() || suffix.is_some_and(|suffix| is_date(suffix) || suffix == "latest")
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
        assert_eq!(
            input(Service::Anthropic, "claude-opus-4-20250514"),
            Some(15.0)
        );
        // A version that is not in the table is not a date.
        assert_eq!(input(Service::Anthropic, "claude-opus-4-9"), None);
        assert_eq!(input(Service::OpenAi, "gpt-5-mini-2025-08-07"), Some(0.25));
        assert_eq!(input(Service::OpenAi, "gpt-5.1"), None);
        assert_eq!(input(Service::OpenAi, "gpt-4.1-mini"), None);
        assert_eq!(input(Service::OpenAi, "my-own"), None);
        assert_eq!(input(Service::Gemini, "gpt-5"), None);
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
