//! Egress control: the last check of a request before a model gets it.
//!
//! Whichever part produced it, the whole request is checked here, as it would be sent. A secret or a request that is
//! too large holds the run until a person has decided.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Prompt;
use crate::limits::{MAX_TOTAL_TOKENS, Portion, largest_first};
use crate::secrets::{AllowedSecrets, Fingerprint};
use crate::tokens::count_tokens;

/// The largest request: a run's largest input, and room for the text that it writes and receives.
pub const MAX_REQUEST_TOKENS: usize = MAX_TOTAL_TOKENS + 50_000;

/// Why a request is held back. Gives places, never contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "hold", rename_all = "snake_case")]
pub enum Hold {
    /// It contains likely secrets.
    Secrets {
        /// All of them.
        secrets: Vec<HeldSecret>,
    },
    /// It is over the limit.
    TooLarge {
        /// Estimated tokens of it all.
        tokens: usize,
        /// Its pieces by size, in words.
        largest: String,
    },
    /// It could cost more than the rest of the run's budget. All in millionths of a dollar.
    OverBudget {
        /// The setting `[model] max_cost_usd`.
        limit: u64,
        /// The run's cost so far.
        spent: u64,
        /// The most that this request can cost; nothing where the model's price is not known.
        most: Option<u64>,
    },
    /// It could use more tokens than the run may.
    OverTokens {
        /// The setting `[model] max_run_tokens`.
        limit: u64,
        /// The tokens that the run has used so far.
        spent: u64,
        /// The most that this request can use.
        most: u64,
    },
}

/// One finding in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldSecret {
    /// Which piece of the request, and which line of it.
    pub place: String,
    /// The kind of secret.
    pub description: String,
    /// The value that `--allow-secret` takes.
    pub fingerprint: Fingerprint,
}

impl fmt::Display for Hold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secrets { secrets } => {
                let words: Vec<String> = secrets
                    .iter()
                    .map(|secret| {
                        format!(
                            "{} holds what looks like {} (fingerprint {})",
                            secret.place, secret.description, secret.fingerprint
                        )
                    })
                    .collect();
                formatter.write_str(&words.join("; "))
            }
            Self::TooLarge { tokens, largest } => write!(
                formatter,
                "the request has about {tokens} tokens, more than the limit of \
                 {MAX_REQUEST_TOKENS}; the largest pieces: {largest}"
            ),
            Self::OverBudget {
                limit,
                spent,
                most: Some(most),
            } => write!(
                formatter,
                "the request may cost up to {}, the run has cost {} and \
                 `[model] max_cost_usd` is {}",
                dollars(*most),
                dollars(*spent),
                dollars(*limit)
            ),
            Self::OverTokens { limit, spent, most } => write!(
                formatter,
                "the request may use up to {most} tokens, the run has used {spent} and \
                 `[model] max_run_tokens` is {limit}"
            ),
            Self::OverBudget { limit, .. } => write!(
                formatter,
                "`[model] max_cost_usd` is {} and the price of this model is unknown",
                dollars(*limit)
            ),
        }
    }
}

/// An amount in millionths of a dollar, to a hundredth of a cent where that matters.
pub fn dollars(micro_usd: u64) -> String {
    let digits = if micro_usd < 1_000_000 { 4 } else { 2 };
    #[expect(clippy::cast_precision_loss, reason = "no one spends 2^52 millionths")]
    let amount = micro_usd as f64 / 1_000_000.0;
    format!("${amount:.digits$}")
}

/// Whether the rest of a budget allows a request; `most` is the most that it can cost, `None` if unknown.
pub fn check_budget(limit: u64, spent: u64, most: Option<u64>) -> Result<(), Hold> {
    match most {
        // A free request is within any budget, even one that is spent.
        Some(0) => Ok(()),
        Some(most) if spent.saturating_add(most) <= limit => Ok(()),
        _ => Err(Hold::OverBudget { limit, spent, most }),
    }
}

/// Whether the rest of a run's tokens allows a request.
pub fn check_tokens(limit: u64, spent: u64, most: u64) -> Result<(), Hold> {
    if most == 0 || spent.saturating_add(most) <= limit {
        return Ok(());
    }
    Err(Hold::OverTokens { limit, spent, most })
}

/// Looks at a prompt, and at the bytes that would be sent for it, which may be the same.
pub fn check_request(prompt: &Prompt, sent: &str, allowed: &AllowedSecrets) -> Result<(), Hold> {
    let mut known = BTreeSet::new();
    let mut secrets = Vec::new();
    for finding in allowed.find(prompt.text()) {
        let (source, line) = prompt.origin(finding.range.start);
        if known.insert(finding.fingerprint.clone()) {
            secrets.push(HeldSecret {
                place: format!("line {line} of {source}"),
                description: finding.description.to_owned(),
                fingerprint: finding.fingerprint,
            });
        }
    }
    // A secret that the transport adds or transforms has no line in the prompt.
    if sent != prompt.text() {
        let added = allowed
            .find(sent)
            .into_iter()
            .filter(|finding| known.insert(finding.fingerprint.clone()));
        secrets.extend(added.map(|finding| HeldSecret {
            place: "the request as it would be sent".to_owned(),
            description: finding.description.to_owned(),
            fingerprint: finding.fingerprint,
        }));
    }
    if !secrets.is_empty() {
        return Err(Hold::Secrets { secrets });
    }
    check_size(prompt)
}

fn check_size(prompt: &Prompt) -> Result<(), Hold> {
    // A token is at least a byte.
    if prompt.text().len() <= MAX_REQUEST_TOKENS {
        return Ok(());
    }
    let tokens = count_tokens(prompt.text());
    if tokens <= MAX_REQUEST_TOKENS {
        return Ok(());
    }
    let portions: Vec<Portion> = prompt
        .pieces()
        .map(|(source, text)| Portion::of(source.to_string(), text))
        .collect();
    Err(Hold::TooLarge {
        tokens,
        largest: largest_first(&portions),
    })
}

/// Where `--allow-secret` would help.
impl Hold {
    /// The fingerprints of all findings.
    pub fn fingerprints(&self) -> impl Iterator<Item = &Fingerprint> {
        let secrets = match self {
            Self::Secrets { secrets } => secrets.as_slice(),
            Self::TooLarge { .. } | Self::OverBudget { .. } | Self::OverTokens { .. } => &[],
        };
        secrets.iter().map(|secret| &secret.fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::{Hold, MAX_REQUEST_TOKENS, check_budget, check_request, check_tokens};
    use crate::generation::{Prompt, Source};
    use crate::secrets::AllowedSecrets;

    /// Concatenated here, so that no file contains it.
    fn key() -> String {
        ["AKIA", "Q3EGRQ7Z2LHT5XWB"].concat()
    }

    fn prompt(source: Source, text: &str) -> Prompt {
        let mut prompt = Prompt::default();
        prompt.say("Rules\n");
        prompt.quote(source, text);
        prompt
    }

    fn held(prompt: &Prompt, sent: &str) -> String {
        let hold = check_request(prompt, sent, &AllowedSecrets::default());
        hold.expect_err("it is held").to_string()
    }

    #[test]
    fn the_message_names_the_place_and_not_the_secret() {
        let text = format!("one\ntwo {}\n", key());
        let cases = [
            (Source::Document, "line 2 of the design document"),
            (Source::File("a.py".to_owned()), "line 2 of the file a.py"),
            (
                Source::Context("b.py".to_owned()),
                "line 2 of the context file b.py",
            ),
            (
                Source::Feedback,
                "line 2 of the test output of the last attempt",
            ),
        ];
        for (source, place) in cases {
            let prompt = prompt(source, &text);
            let message = held(&prompt, prompt.text());
            assert!(message.starts_with(place), "{message}");
            assert!(message.contains("an AWS access key id"), "{message}");
            assert!(!message.contains(&key()), "{message}");
        }
    }

    #[test]
    fn what_a_transport_adds_is_looked_at_too() {
        let prompt = prompt(Source::Document, "harmless");
        let sent = format!("{{\"prompt\":\"harmless\",\"user\":\"{}\"}}", key());
        assert!(held(&prompt, &sent).starts_with("the request as it would be sent"));
    }

    #[test]
    fn a_finding_is_reported_once_and_passes_when_a_person_allows_it() {
        let text = format!("{0}\n{0}\n", key());
        let prompt = prompt(Source::Document, &text);
        let hold = check_request(&prompt, prompt.text(), &AllowedSecrets::default());
        let hold = hold.expect_err("it is held");
        let fingerprints: Vec<_> = hold.fingerprints().cloned().collect();
        assert_eq!(fingerprints.len(), 1);
        let allowed: AllowedSecrets = fingerprints.into_iter().collect();
        assert_eq!(check_request(&prompt, prompt.text(), &allowed), Ok(()));
    }

    #[test]
    fn a_masked_text_is_held_like_the_secret_and_sent_as_it_is_when_allowed() {
        let text = format!("E  assert 'x' == '{}'\n", key());
        let allowed = AllowedSecrets::default();
        let masked = allowed.mask(&text).into_owned();
        assert!(!masked.contains(&key()), "{masked}");
        let prompt = prompt(Source::Feedback, &masked);
        let hold = check_request(&prompt, prompt.text(), &allowed).expect_err("it is held");
        let allowed: AllowedSecrets = hold.fingerprints().cloned().collect();
        assert_eq!(allowed.find(&text), []);
        assert_eq!(check_request(&prompt, prompt.text(), &allowed), Ok(()));
    }

    #[test]
    fn a_request_that_could_exceed_the_budget_is_held() {
        let held =
            |spent, most| check_budget(1_000_000, spent, most).map_err(|hold| hold.to_string());
        assert_eq!(held(400_000, Some(600_000)), Ok(()));
        assert_eq!(held(2_000_000, Some(0)), Ok(()));
        let message = held(400_000, Some(600_001)).expect_err("it is held");
        for amount in ["up to $0.6000", "has cost $0.4000", "is $1.00"] {
            assert!(message.contains(amount), "{message}");
        }
        let message = held(0, None).expect_err("it is held");
        assert!(message.contains("is unknown"), "{message}");
    }

    #[test]
    fn a_request_that_could_use_too_many_tokens_is_held() {
        assert_eq!(check_tokens(1000, 400, 600), Ok(()));
        assert_eq!(check_tokens(1000, 4000, 0), Ok(()));
        let message = check_tokens(1000, 400, 601)
            .expect_err("it is held")
            .to_string();
        assert!(message.contains("up to 601 tokens"), "{message}");
        assert!(message.contains("has used 400"), "{message}");
    }

    #[test]
    fn a_request_that_is_too_large_is_held_with_its_pieces_by_size() {
        let mut prompt = prompt(Source::Document, "one two");
        prompt.quote(Source::Feedback, &"a b c d ".repeat(MAX_REQUEST_TOKENS / 4));
        let hold = check_request(&prompt, prompt.text(), &AllowedSecrets::default());
        let Err(Hold::TooLarge { tokens, largest }) = hold else {
            panic!("it is too large, not {hold:?}");
        };
        assert!(tokens > MAX_REQUEST_TOKENS, "{tokens}");
        assert!(
            largest.starts_with("the test output of the last attempt"),
            "{largest}"
        );
        assert!(largest.ends_with("the design document 2"), "{largest}");
    }
}
