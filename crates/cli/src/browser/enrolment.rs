//! Making a passkey on a page.

use std::time::{Duration, Instant};

use proctor_core::approval::ssh::{NewPasskey, RELYING_PARTY, from_page, to_page};
use proctor_host::approval::SignError;
use proctor_host::local_page::Left;
use proctor_host::process::Interrupt;
use serde::Deserialize;
use serde_json::json;

use super::signing::Declined;
use super::{Desk, markup};
use crate::terminal::Screen;

/// How long a user may take to find their token and choose a PIN.
const LONGEST: Duration = Duration::from_mins(5);

/// The browser's answer about a passkey that it created.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    authenticator_data: String,
    client_data: String,
}

/// Has the person make a passkey; `known` are those that they have already.
pub(crate) fn new_passkey(
    screen: &Screen,
    interrupt: &Interrupt,
    principal: &str,
    known: &[Vec<u8>],
) -> Result<NewPasskey, SignError> {
    let mut desk = Desk::open(screen.clone(), interrupt).map_err(SignError::NoPage)?;
    let challenge = desk.page.nonce().map_err(SignError::NoPage)?;
    let handle = desk.page.nonce().map_err(SignError::NoPage)?;
    desk.announce("Make the passkey in your browser");
    let until = Instant::now() + LONGEST;
    let page = |session: &str| markup::enrolment(principal, session);
    loop {
        let sent = match desk.next(Some(until), &page) {
            Ok(sent) => sent,
            Err(Left::TimedOut) => return Err(SignError::TimedOut(LONGEST.as_secs())),
            Err(Left::Interrupted) => return Err(SignError::Declined("interrupted".to_owned())),
        };
        match sent.path.as_str() {
            "/challenge" => {
                let known: Vec<String> = known.iter().map(|it| to_page(it)).collect();
                sent.answer(&json!({
                    "challenge": to_page(&challenge),
                    "party": RELYING_PARTY,
                    "user": { "id": to_page(&handle), "name": principal },
                    "credentials": known,
                }));
            }
            "/registration" => {
                let made = sent.read().and_then(|made: Made| {
                    let data = from_page(&made.authenticator_data).ok()?;
                    Some((data, from_page(&made.client_data).ok()?))
                });
                let Some((data, client_data)) = made else {
                    sent.unreadable();
                    continue;
                };
                let origin = desk.page.origin();
                match NewPasskey::read(&data, &client_data, &challenge, &origin) {
                    Ok(passkey) => {
                        sent.end("The passkey is made. The terminal says what is next.");
                        return Ok(passkey);
                    }
                    Err(error) => sent.refuse(422, &error.to_string()),
                }
            }
            "/declined" => {
                let Some(declined) = sent.read::<Declined>() else {
                    sent.unreadable();
                    continue;
                };
                sent.end("No passkey was made.");
                return Err(SignError::NotMade(declined.word()));
            }
            _ => sent.not_now(),
        }
    }
}
