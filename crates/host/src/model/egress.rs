//! The one way out: everything sent to a model passes here, and nothing else does.

use std::borrow::Cow;

use proctor_core::generation::{Hold, check_request};
use proctor_core::secrets::AllowedSecrets;
use serde_json::Value;

use super::{Asking, Model, Request};

/// A request that may leave.
#[derive(Debug)]
pub struct Cleared<'a> {
    request: Request<'a>,
    allowed: &'a AllowedSecrets,
    sent: String,
}

impl<'a> Cleared<'a> {
    /// The requested files.
    pub fn asking(&self) -> Asking<'a> {
        self.request.asking
    }

    /// The number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.request.attempt
    }

    /// How many replies to this question were cut off.
    pub fn cut_off(&self) -> u32 {
        self.request.cut_off
    }

    /// The bytes that leave.
    pub fn sent(&self) -> &str {
        &self.sent
    }

    /// The same request as the model would put it now, through the same door.
    pub(super) fn again(&self, model: &dyn Model) -> Result<Self, Hold> {
        clear(model, &self.request, self.allowed)
    }
}

/// Has the model put the request as it would send it, and looks at all of that.
pub fn clear<'a>(
    model: &dyn Model,
    request: &Request<'a>,
    allowed: &'a AllowedSecrets,
) -> Result<Cleared<'a>, Hold> {
    let sent = model.serialise(request);
    check_request(request.prompt, &as_read(&sent), allowed)?;
    Ok(Cleared {
        request: *request,
        allowed,
        sent,
    })
}

/// The text as the receiver reads it: of a JSON document every name and string in it, otherwise all of it. Escaped, a
/// secret would have another shape and another fingerprint than in the file it came from.
fn as_read(sent: &str) -> Cow<'_, str> {
    fn collect(value: &Value, texts: &mut Vec<String>) {
        match value {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    texts.push(name.clone());
                    collect(value, texts);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    match serde_json::from_str::<Value>(sent) {
        Ok(document @ Value::Object(_)) => {
            let mut texts = Vec::new();
            collect(&document, &mut texts);
            texts.join("\n").into()
        }
        _ => sent.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::as_read;

    #[test]
    fn a_document_is_looked_at_as_its_reader_sees_it() {
        let sent = r#"{"model":"m","messages":[{"content":"one\n\"two\""}],"n":1}"#;
        let seen = as_read(sent);
        for text in ["one\n\"two\"", "messages", "m"] {
            assert!(seen.contains(text), "{seen}");
        }
        assert_eq!(as_read("plain {text}"), "plain {text}");
    }
}
