//! Replies that end before their end.

use super::{ModelReply, StopReason};
use crate::remark::Remark;

/// Whether a reply was cut off, according to its service: the reason it gives for stopping, or that it used up all the
/// tokens that it had. A reply that stops between two changes looks complete; only this reveals it.
pub fn is_cut_off(reply: &ModelReply, output_limit: Option<u64>) -> bool {
    reply.stop_reason == StopReason::MaxTokens
        || output_limit.is_some_and(|limit| reply.output_tokens >= limit)
}

/// The message when the model is asked again, for less each time.
pub fn ask_for_less(cut_off_before: u32) -> Remark {
    let less = if cut_off_before == 0 {
        "send the same again, in fewer words: no explanations, and of each text only the lines that are \
         needed"
    } else {
        "send much less: nothing but the lines that the tests need, as few and as short texts as possible"
    };
    Remark::from("the reply was cut off before its end, and nothing of it was used").so(less)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(stop_reason: StopReason, output_tokens: u64) -> ModelReply {
        ModelReply {
            text: String::new(),
            stop_reason,
            input_tokens: 0,
            output_tokens,
            cached_tokens: 0,
            cost_micro_usd: None,
            script_line: None,
            seen: Vec::new(),
            asked_for_changes: false,
        }
    }

    #[test]
    fn the_stop_reason_or_the_token_count_says_that_a_reply_is_cut_off() {
        let cut_off = |reason, tokens, limit| is_cut_off(&reply(reason, tokens), limit);
        assert!(cut_off(StopReason::MaxTokens, 0, None));
        assert!(cut_off(StopReason::EndTurn, 8192, Some(8192)));
        assert!(!cut_off(StopReason::EndTurn, 8191, Some(8192)));
        assert!(!cut_off(StopReason::EndTurn, 8192, None));
        assert!(!cut_off(StopReason::Refusal, 0, Some(1)));
    }

    #[test]
    fn each_time_less_is_asked_for() {
        assert_ne!(ask_for_less(0), ask_for_less(1));
        assert!(ask_for_less(1).to_string().contains("much less"));
    }
}
