//! Any text has as many tokens as the tokenizer's own, slower way of counting finds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proctor_core::tokens::count_tokens;

fuzz_target!(|text: &str| {
    let tokenizer = bpe_openai::cl100k_base();
    assert_eq!(count_tokens(text), tokenizer.count(text));
    // Most inputs are short, and what is longer than a window is counted in another way.
    let repeated = text.repeat(1 + 1_024 / text.len().max(1));
    assert_eq!(count_tokens(&repeated), tokenizer.count(repeated.as_str()));
});
