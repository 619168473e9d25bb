//! How many tokens a model makes of a text, estimated with the vocabulary `cl100k_base`.

/// Estimates how many tokens a model makes of the text.
///
/// Providers differ by some percent; the limit leaves room for that. The time is linear in the length for every text.
/// The vocabulary is loaded on the first call, so a command that counts nothing does not pay for it.
pub fn count_tokens(text: &str) -> usize {
    bpe_openai::cl100k_base().count(text)
}

#[cfg(test)]
mod tests {
    use super::count_tokens;

    #[test]
    fn texts_have_the_tokens_of_the_vocabulary() {
        let table = [
            ("", 0),
            ("hello world", 2),
            ("def f(x):\n    return x\n", 8),
            ("日本語", 4),
        ];
        for (text, tokens) in table {
            assert_eq!(count_tokens(text), tokens, "{text:?}");
        }
    }

    /// A context file of one character again and again, of which some have tokens of many lengths: an encoder that
    /// tries them all at every place would never end.
    #[test]
    fn a_long_run_of_one_character_is_counted() {
        let table = [("-", 1_600), ("/", 1_600), ("\t", 6_400), ("a", 12_800)];
        for (unit, tokens) in table {
            assert_eq!(count_tokens(&unit.repeat(102_400)), tokens, "{unit:?}");
        }
    }
}
