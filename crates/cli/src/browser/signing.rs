//! Having a passkey sign on a page.

use std::time::Instant;

use proctor_core::approval::ssh::{Assertion, RELYING_PARTY, SshError, from_page, to_page};
use proctor_host::approval::{PasskeyOrder, SignError};
use proctor_host::local_page::Left;
use serde::Deserialize;
use serde_json::json;

use super::{Desk, markup};

/// The browser's answer for the passkey.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    authenticator_data: String,
    client_data: String,
    signature: String,
}

/// Why there is no signature, in the browser's words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declined {
    why: String,
}

impl Declined {
    /// A word of the browser's, such as `NotAllowedError`.
    pub(super) fn word(&self) -> String {
        let letters = self.why.chars().filter(char::is_ascii_alphanumeric);
        letters.take(40).collect()
    }
}

impl Signed {
    fn assertion(&self) -> Result<Assertion, SshError> {
        Ok(Assertion {
            authenticator_data: from_page(&self.authenticator_data)?,
            client_data: from_page(&self.client_data)?,
            signature: from_page(&self.signature)?,
        })
    }
}

/// Asks for the passkey until it signs, the person declines or the time is up.
pub(super) fn have_signed(desk: &mut Desk, order: &PasskeyOrder<'_>) -> Result<String, SignError> {
    let until = Instant::now() + order.longest;
    let page = |session: &str| markup::signing(order.statement, session);
    loop {
        let sent = match desk.next(Some(until), &page) {
            Ok(sent) => sent,
            Err(Left::TimedOut) => return Err(SignError::TimedOut(order.longest.as_secs())),
            Err(Left::Interrupted) => return Err(SignError::Declined("interrupted".to_owned())),
        };
        match sent.path.as_str() {
            "/challenge" => {
                let credentials: Vec<String> =
                    order.credentials.iter().map(|it| to_page(it)).collect();
                let left = until.saturating_duration_since(Instant::now());
                sent.answer(&json!({
                    "challenge": to_page(&order.challenge),
                    "party": RELYING_PARTY,
                    "credentials": credentials,
                    "verification": if order.must_verify { "required" } else { "preferred" },
                    "timeout": u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
                }));
            }
            "/assertion" => {
                let assertion = sent.read().and_then(|it: Signed| it.assertion().ok());
                let Some(assertion) = assertion else {
                    sent.unreadable();
                    continue;
                };
                match order.accept(&assertion, &desk.page.origin()) {
                    Ok(signature) => {
                        sent.end("Signed. The terminal says what came of it.");
                        return Ok(signature);
                    }
                    Err(error) => sent.refuse(422, &error.to_string()),
                }
            }
            "/declined" => {
                let Some(declined) = sent.read::<Declined>() else {
                    sent.unreadable();
                    continue;
                };
                sent.end("Nothing was approved.");
                return Err(SignError::Declined(declined.word()));
            }
            _ => sent.not_now(),
        }
    }
}
