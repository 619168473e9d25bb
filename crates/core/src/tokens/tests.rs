use std::path::Path;

use proptest::prelude::*;

use super::count_tokens;
use super::pieces::Pieces;

/// What this module has to agree with.
fn peer(text: &str) -> usize {
    bpe_openai::cl100k_base().count(text)
}

fn assert_same(text: &str) {
    let ours: Vec<_> = Pieces::of(text).map(|piece| &text[piece]).collect();
    let theirs: Vec<_> = bpe_openai::cl100k_base().split(text).collect();
    assert_eq!(ours, theirs, "pieces of {text:?}");
    assert_eq!(count_tokens(text), peer(text), "tokens of {text:?}");
}

#[test]
fn empty_text_has_no_tokens() {
    assert_eq!(count_tokens(""), 0);
}

#[test]
fn each_alternative_of_the_expression_is_cut_like_the_expression() {
    for text in [
        "I'm he'S they'RE we'Ve I'LL he'd don'T 'sun 'ſun 'rx 'l 'Re",
        "'",
        "''s",
        "'1",
        "' s",
        "\u{2019}s",
        "'\u{301}",
        "x'",
        "'r",
        "'ſ",
        "one\ttwo\u{a0}three (four) _five\n\nsix",
        "\rA\nB",
        "a\u{301}b",
        "1234567 1 ²³¼५",
        "if (a != b) {\r\n\t}\n  ",
        " !?\n\n x",
        "\t!",
        "\u{a0}!",
        "  !",
        "a  b   c",
        "a \n b",
        " \n \t ",
        " \n\u{2003}",
        " \u{2003}",
        "\u{2003} x",
        "x \u{2028}\n y",
        "\u{85}x",
        "end  ",
        "end \n",
        "\n",
        " ",
        "日本語、テキスト。",
        "👩‍👩‍👧 👍🏽",
        "\u{10ffff}\u{e000}x",
        "ℵ ªº Ⅷ",
        "\0\u{1}\u{7f}",
    ] {
        assert_same(text);
    }
}

#[test]
fn every_character_is_cut_like_the_expression() {
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for some in characters.chunks(4_096) {
        let between: String = some.iter().flat_map(|one| ['a', *one, *one, '1']).collect();
        assert!(
            Pieces::of(&between)
                .map(|piece| &between[piece])
                .eq(bpe_openai::cl100k_base().split(&between))
        );
    }
}

#[test]
fn every_token_that_is_one_piece_is_one_token() {
    let encoding = &bpe_openai::cl100k_base().bpe;
    let tokens = (0..).take(encoding.num_tokens());
    for text in tokens.filter_map(|token| str::from_utf8(encoding.token_bytes(token)).ok()) {
        assert_eq!(count_tokens(text), peer(text), "{text:?}");
    }
}

#[test]
fn real_sources_have_the_same_tokens() {
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).expect("the sources are there") {
            let path = entry.expect("the sources are there").path();
            if path.is_dir() {
                directories.push(path);
            } else {
                assert_same(&std::fs::read_to_string(path).expect("a source is text"));
            }
        }
    }
}

#[test]
fn long_runs_have_the_same_tokens() {
    for unit in [
        "a",
        " ",
        "\n",
        "\r\n",
        "-",
        "/",
        "=",
        "'",
        "7",
        "a ",
        "ab",
        "語",
        "한국어",
        "😀",
        "a\u{301}",
        "\t ",
    ] {
        for bytes in [1, 127, 255, 256, 257, 513, 1_025, 4_096, 20_011] {
            let text = unit.repeat(bytes / unit.len() + 1);
            assert_eq!(
                count_tokens(&text),
                peer(&text),
                "{bytes} bytes of {unit:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_has_the_same_tokens(text in any::<String>()) {
        assert_same(&text);
    }

    #[test]
    fn nasty_text_has_the_same_tokens(text in "(?s)([ \t\r\n'a-eEsStTlLſ0-9!/\\-_=.\u{a0}\u{2003}\u{301}語😀]|'re|'ll|  |//|--|\r\n){0,200}") {
        assert_same(&text);
    }

    #[test]
    fn long_pieces_have_the_same_tokens(text in prop_oneof!["[a-z]{500,3000}", "[a-e]{500,3000}", "[A-Za-z]{500,3000}", "[ab]{500,3000}", "[!-/]{500,3000}", "(-|--|/|=|----){300,1500}", "[ \t\n]{500,3000}", "(an|the|in|er|on|ing|s){300,1000}", "[一-龥]{200,1000}", "[가-힣]{200,1000}"]) {
        prop_assert_eq!(count_tokens(&text), peer(&text));
    }
}
