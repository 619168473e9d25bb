//! A server's capabilities, learned from its refusals.
//!
//! Servers that speak a vendor's protocol differ in small things, and models in how much they can send. A parameter
//! that a refusal names is changed once, and the question is sent again.

use super::fault::{Fault, FaultKind};

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// Whether the limit has the vendor's newer name: its newer models refuse the old one, and other servers do not
    /// know the new one.
    new_limit_name: bool,
    /// Whether tokens can be asked for in a stream.
    pub(super) counts_streams: bool,
    /// The most that the model can send, where it is known.
    ceiling: Option<u64>,
    renamed: bool,
}

impl Dialect {
    /// `official`: the vendor itself rather than a compatible server.
    pub(super) fn new(official: bool) -> Self {
        Self {
            new_limit_name: official,
            counts_streams: true,
            ceiling: None,
            renamed: false,
        }
    }

    pub(super) fn limit_name(self) -> &'static str {
        if self.new_limit_name {
            "max_completion_tokens"
        } else {
            "max_tokens"
        }
    }

    /// As much of a limit as the model can send.
    pub(super) fn within_ceiling(self, limit: u64) -> u64 {
        self.ceiling.map_or(limit, |ceiling| limit.min(ceiling))
    }

    /// Changes the parameter that a refusal complains about; whether there was anything to change. `limit` is the
    /// requested limit, `usual` the initial one.
    pub(super) fn learn(&mut self, fault: &Fault, limit: u64, usual: u64) -> bool {
        if fault.kind != FaultKind::BadRequest {
            return false;
        }
        // A raised limit is the first suspect, whatever the message.
        if limit > usual {
            self.ceiling = Some(usual);
            return true;
        }
        if self.counts_streams && fault.message.contains("stream_options") {
            self.counts_streams = false;
            return true;
        }
        if !self.renamed && fault.message.contains("max_completion_tokens") {
            self.renamed = true;
            self.new_limit_name = !self.new_limit_name;
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: &str) -> Fault {
        Fault::never(FaultKind::BadRequest, message)
    }

    #[test]
    fn what_a_refusal_names_is_changed_once() {
        let mut dialect = Dialect::new(false);
        assert_eq!(dialect.limit_name(), "max_tokens");
        let fault = refused("'max_tokens' is not supported, use 'max_completion_tokens' instead");
        assert!(dialect.learn(&fault, 100, 100));
        assert_eq!(dialect.limit_name(), "max_completion_tokens");
        assert!(!dialect.learn(&fault, 100, 100));
        let fault = refused("unknown field stream_options");
        assert!(dialect.learn(&fault, 100, 100));
        assert!(!dialect.counts_streams);
        assert!(!dialect.learn(&fault, 100, 100));
        assert!(!dialect.learn(&refused("no such thing"), 100, 100));
        let other = Fault::never(FaultKind::Key, "stream_options");
        assert!(!Dialect::new(true).learn(&other, 100, 100));
    }

    #[test]
    fn a_raised_limit_that_is_refused_is_not_raised_again() {
        let mut dialect = Dialect::new(true);
        assert_eq!(dialect.within_ceiling(200), 200);
        let fault = refused("max_completion_tokens is too large: 200");
        assert!(dialect.learn(&fault, 200, 100));
        assert_eq!(dialect.within_ceiling(200), 100);
        assert_eq!(dialect.limit_name(), "max_completion_tokens");
    }
}
