//! Properties of every text, also of one that was made to confuse the search.

use proctor_core::secrets::{find_secrets, mask_secrets};
use proptest::prelude::*;

use crate::generator::{Random, armour};
use crate::kinds::{Form, KINDS};

/// Pieces that begin, end, quote, cut or imitate something.
const PIECES: &[&str] = &[
    "password",
    "token",
    "api_key",
    "secret",
    "Secret",
    "_",
    "-",
    ".",
    "=",
    ": ",
    ":=",
    " => ",
    "(",
    ")",
    "\"",
    "'",
    "\\\"",
    "\\n",
    "\n",
    "\\",
    " ",
    ",",
    ";",
    "&",
    "/",
    "@",
    ":",
    "://",
    "user:",
    "Bearer ",
    "Basic ",
    "curl -u ",
    "curl ",
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9",
    "AKIA",
    "ghp_",
    "AIza",
    "sk-",
    "xoxb-1",
    "SG.",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END RSA PRIVATE KEY-----",
    "-----",
    "PRIVATE KEY",
    "Private-Lines: 2\n",
    "[masked ",
    "[masked generic-secret ",
    "[masked generic-secret 0123456789ab]",
    "[masked aws-access-key-id 0123456789ab]",
    "0123456789ab]",
    "]",
    "discord ",
    ".run(",
    "\u{1b}[31m",
    "é",
    "\u{1F600}",
    "%3D",
    "\\u0026",
    "-us1",
    ".atlasv1.",
    "8Q~",
    ":AA",
    "--",
    "==",
    "AccountKey=",
    "sig=",
    "::",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(PIECES).prop_map(str::to_owned),
        3 => (any::<u64>(), 1_usize..70).prop_map(|(seed, length)| {
            let class = ["w", "url", "base", "hex", "mixed"][length % 5];
            Random::new(seed).text(class, length)
        }),
        3 => (any::<u64>(), 0..KINDS.len()).prop_map(|(seed, kind)| secret(seed, kind)),
        1 => any::<u64>().prop_map(|seed| armour(&mut Random::new(seed), "PRIVATE KEY", 2)),
        1 => ".{0,20}",
    ]
}

/// A secret of the corpus, now and then without its end.
fn secret(seed: u64, kind: usize) -> String {
    let random = &mut Random::new(seed);
    let mut text = match &KINDS[kind].1 {
        Form::Token(shapes) | Form::Named(_, shapes) => {
            let shape = shapes[random.below(shapes.len())];
            random.fill(shape)
        }
        Form::Whole(make) => make(random).0,
    };
    if random.below(4) == 0 {
        text.truncate(random.below(text.len() + 1));
    }
    text
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let findings = find_secrets(text);
    prop_assert_eq!(
        &findings,
        &find_secrets(text),
        "the same text gives the same findings"
    );
    let mut floor = 0;
    for finding in &findings {
        prop_assert!(floor <= finding.range.start && finding.range.start < finding.range.end);
        prop_assert!(
            text.get(finding.range.clone()).is_some(),
            "a range lies between characters"
        );
        floor = finding.range.end;
    }
    let masked = mask_secrets(text);
    let names = |text: &str| -> Vec<_> {
        find_secrets(text)
            .into_iter()
            .map(|finding| (finding.rule, finding.fingerprint))
            .collect()
    };
    prop_assert_eq!(
        names(&masked),
        names(text),
        "marks are what they stand for: {}",
        &masked
    );
    prop_assert_eq!(
        &mask_secrets(&masked),
        &masked,
        "masking twice is masking once"
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_are_in_order_and_survive_masking(text in text()) {
        check(&text)?;
        let escaped = serde_json::to_string(&text).expect("a text is JSON");
        check(&escaped)?;
    }

    #[test]
    fn no_text_is_too_odd(text in any::<String>()) {
        check(&text)?;
    }
}
