//! How random a text looks.

/// Pairs of letters that make up four fifths of English words and of the names in programs, but less than a fifth of a
/// random generator's output.
const COMMON_PAIRS: &str = "ab ac ad ai al am an ap ar as at be bl ca ce ch cl co ct de di ea ec ed ee ef el em en \
    ep er es et ex fi fo ge ha he hi ho ic id ie ig il im in io is it ke la le li ll lo ls \
    lt ly ma me mo mp na nc nd ne ng ni no ns nt od ol om on op or ot ou ow pa pe pl po pr \
    pt ra re ri rn ro rr rs rt se si so ss st su ta te th ti to tr ts tt tu ty ue ul un ur \
    us ut va ve";

/// [`COMMON_PAIRS`] as one bit a second letter for each first letter.
static PAIR_TABLE: [u32; 26] = pair_table(COMMON_PAIRS.as_bytes());

const fn pair_table(pairs: &[u8]) -> [u32; 26] {
    let mut table = [0; 26];
    let mut at = 0;
    while at + 1 < pairs.len() {
        table[(pairs[at] - b'a') as usize] |= 1 << (pairs[at + 1] - b'a');
        at += 3;
    }
    table
}

/// Shannon entropy in bits a byte.
pub(super) fn bits_per_byte(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in text {
        counts[usize::from(byte)] += 1;
    }
    let total: u32 = counts.iter().sum();
    let total = f64::from(total);
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| {
            let share = f64::from(count) / total;
            -share * share.log2()
        })
        .sum()
}

/// How many different bytes there are.
pub(super) fn distinct_bytes(text: &[u8]) -> usize {
    let mut seen = [false; 256];
    for &byte in text {
        seen[usize::from(byte)] = true;
    }
    seen.iter().filter(|&&seen| seen).count()
}

/// Whether the letters follow each other as they do in words.
///
/// One in sixty random texts of twenty letters and digits passes for words, and so does nearly
/// every name that a programmer makes up.
pub(super) fn looks_like_words(text: &[u8]) -> bool {
    let mut pairs = 0_u32;
    let mut common = 0_u32;
    let mut switches = 0_u32;
    for pair in text.windows(2) {
        let (first, second) = (pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase());
        if first.is_ascii_lowercase() && second.is_ascii_lowercase() {
            pairs += 1;
            common += PAIR_TABLE[usize::from(first - b'a')] >> (second - b'a') & 1;
        }
        switches += u32::from(
            first.is_ascii_digit() && second.is_ascii_lowercase()
                || first.is_ascii_lowercase() && second.is_ascii_digit(),
        );
    }
    let has_digit = text.iter().any(u8::is_ascii_digit);
    // Without a digit a text is more likely a name, so fewer pairs decide.
    let (needed, spelt_out) = if has_digit { (50, 25) } else { (36, 0) };
    switches <= MOST_SWITCHES
        && !is_mostly_hex(text)
        && (pairs >= 4 && common * 100 >= pairs * needed
            || common * 100 >= pairs * spelt_out && is_spelt_out(text))
}

/// Names have a number or two; more changes between letters and digits are a generator's.
const MOST_SWITCHES: u32 = 9;

/// Whether most of the text is one run of base 16, after a prefix that names its owner.
fn is_mostly_hex(text: &[u8]) -> bool {
    text.split(|byte| !byte.is_ascii_hexdigit()).any(|run| {
        let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
        run.len() >= 16 && run.len() * 2 >= text.len() && digits * 4 >= run.len() && is_hex(run)
    })
}

/// Whether all letters come in runs of three or more that a capital may begin, as in `camelCase`.
fn is_spelt_out(text: &[u8]) -> bool {
    let mut run = 0_u32;
    let mut shortest = u32::MAX;
    for &byte in text {
        if !byte.is_ascii_lowercase() && run > 0 {
            shortest = shortest.min(run);
            run = 0;
        }
        run += u32::from(byte.is_ascii_alphabetic());
    }
    if run > 0 {
        shortest = shortest.min(run);
    }
    (3..u32::MAX).contains(&shortest)
}

/// Whether the text holds only digits of one base 16 alphabet.
pub(super) fn is_hex(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_hexdigit)
        && !(text.iter().any(u8::is_ascii_uppercase) && text.iter().any(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::{bits_per_byte, distinct_bytes, is_hex, looks_like_words};

    #[test]
    fn entropy_is_that_of_the_bytes() {
        let cases = [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0)];
        for (text, bits) in cases {
            assert!(
                (bits_per_byte(text.as_bytes()) - bits).abs() < 1e-9,
                "{text}"
            );
        }
    }

    #[test]
    fn distinct_bytes_are_counted_once() {
        assert_eq!(distinct_bytes(b"abcabc"), 3);
        assert_eq!(distinct_bytes(b""), 0);
    }

    #[test]
    fn names_look_like_words() {
        let names = [
            "get_token_from_request",
            "passwordResetTokenGenerator",
            "my-very-secret-value-2024",
            "CORRECT_HORSE_BATTERY_STAPLE",
            "application/x-www-form-urlencoded",
            "TheQuickBrownFoxJumpsOverTheLazyDog1",
        ];
        for name in names {
            assert!(looks_like_words(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn random_texts_do_not_look_like_words() {
        for random in [
            "kZ8qXw2LpV9bTf4RjN7c",
            "5f2b9c0d7e1a4836",
            "QzXkVbJwGhPdMfKq",
            "acme-live-5f2b9c0d7e1a4836",
            "a7ten3on5ar2le4st8in",
            "7ywdzbgn9bqx1mfsvdmxtdk4",
        ] {
            assert!(!looks_like_words(random.as_bytes()), "{random}");
        }
    }

    #[test]
    fn hexadecimal_has_one_case() {
        let cases = [("0aF", false), ("0af", true), ("0AF", true), ("0g", false)];
        for (text, expected) in cases {
            assert_eq!(is_hex(text.as_bytes()), expected, "{text}");
        }
    }
}
