//! One exchange with a service: its reply as far as it comes, or its error.

use std::time::{Duration, Instant};

use super::fault::{Answer, Fault, FaultKind};
use super::patience::retry_after;
use super::stream::{Documents, Framing};
use super::transport::{Exchange, Head, Piece, Stopped};
use super::wire::{self, Incoming};
use super::{News, ServiceModel};
use crate::clock::Clock;

/// An error that is longer says nothing that its beginning does not.
const ERROR_BYTES: usize = 64 * 1024;
/// One piece of a reply.
const DOCUMENT_BYTES: usize = 8 * 1024 * 1024;
/// Time between two reports of how much has come.
const NEWS_EVERY: Duration = Duration::from_millis(250);
/// Bytes of a token, near enough to see that something happens.
const TOKEN_BYTES: usize = 4;

impl ServiceModel {
    /// One exchange, to the end of its reply.
    pub(super) fn exchange(
        &self,
        sent: &str,
        incoming: &mut Incoming,
        deadline: Instant,
        tell: &mut dyn FnMut(News),
    ) -> Result<(), Stopped> {
        let service = self.endpoint.service;
        let path = wire::path(service, &self.name, self.stream);
        let url = self.endpoint.url(&path);
        let exchange = self.transport.post(&url, &self.endpoint.headers(), sent);
        let next = || exchange.next(&self.interrupt, self.patience.idle, deadline);
        let Piece::Head(head) = next()? else {
            return Err(Fault::again(FaultKind::Malformed, "there is no answer").into());
        };
        if head.status != 200 {
            return Err(self.refusal(&head, &exchange, deadline)?.into());
        }
        let framing = Framing::of(head.header("content-type"), service.framing());
        let mut documents = Documents::new(framing);
        let began = Instant::now();
        let mut told = began;
        let named = |mut fault: Fault| {
            fault.request_id = fault.request_id.or_else(|| request_id(&head));
            Stopped::from(fault)
        };
        // Nothing comes after the end event, and some servers keep the connection open for it.
        while !incoming.ended {
            match next() {
                Ok(Piece::Bytes(bytes)) => {
                    for document in documents.feed(&bytes) {
                        incoming.piece(service, &document).map_err(named)?;
                    }
                }
                Ok(Piece::End) => {
                    if let Some(document) = documents.end() {
                        incoming.piece(service, &document).map_err(named)?;
                        incoming.ended |= framing == Framing::Whole;
                    }
                    return Ok(());
                }
                Ok(Piece::Head(_)) => {}
                Err(Stopped::Fault(fault)) => return Err(named(fault)),
                Err(stopped) => return Err(stopped),
            }
            if documents.waiting() > DOCUMENT_BYTES {
                let message = "a piece of the reply does not end";
                return Err(named(Fault::never(FaultKind::Malformed, message)));
            }
            if told.elapsed() >= NEWS_EVERY {
                told = Instant::now();
                tell(News::Arrived {
                    tokens: incoming.text.len() / TOKEN_BYTES,
                    since: began.elapsed(),
                });
            }
        }
        Ok(())
    }

    /// The error in an answer without a reply.
    fn refusal(
        &self,
        head: &Head,
        exchange: &Exchange,
        deadline: Instant,
    ) -> Result<Fault, Stopped> {
        let mut body = Vec::new();
        while body.len() < ERROR_BYTES {
            match exchange.next(&self.interrupt, self.patience.idle, deadline) {
                Ok(Piece::Bytes(bytes)) => body.extend(bytes),
                // Half an error is still an error.
                Ok(_) | Err(Stopped::Fault(_)) => break,
                Err(Stopped::Interrupted) => return Err(Stopped::Interrupted),
            }
        }
        let milliseconds = || {
            let number: f64 = head.header("retry-after-ms")?.trim().parse().ok()?;
            Duration::try_from_secs_f64(number / 1000.0).ok()
        };
        let named = || retry_after(head.header("retry-after")?, Clock::system().seconds());
        let id = request_id(head);
        let answer = Answer {
            status: head.status,
            body: &String::from_utf8_lossy(&body),
            request_id: id.as_deref(),
            should_retry: head.header("x-should-retry").and_then(|it| it.parse().ok()),
            wait: milliseconds().or_else(named),
        };
        Ok(Fault::of_answer(self.endpoint.service, &answer))
    }
}

fn request_id(head: &Head) -> Option<String> {
    let found = ["request-id", "x-request-id", "x-goog-request-id"]
        .into_iter()
        .find_map(|name| head.header(name));
    found.map(str::to_owned)
}
