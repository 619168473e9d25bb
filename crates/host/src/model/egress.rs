//! The one door: what is sent to a model passes here, and nothing else does.

use proctor_core::context::AllowedSecrets;
use proctor_core::generation::{Hold, check_request};

use super::{Asking, Model, Request};

/// A request that may leave.
#[derive(Debug)]
pub struct Cleared<'a> {
    asking: Asking<'a>,
    attempt: u32,
    sent: String,
}

impl<'a> Cleared<'a> {
    /// What is asked for.
    pub fn asking(&self) -> Asking<'a> {
        self.asking
    }

    /// The number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The bytes that leave.
    pub fn sent(&self) -> &str {
        &self.sent
    }
}

/// Has the model put the request as it would send it, and looks at all of that.
pub fn clear<'a>(
    model: &dyn Model,
    request: &Request<'a>,
    allowed: &AllowedSecrets,
) -> Result<Cleared<'a>, Hold> {
    let sent = model.serialise(request);
    check_request(request.prompt, &sent, allowed)?;
    Ok(Cleared {
        asking: request.asking,
        attempt: request.attempt,
        sent,
    })
}
