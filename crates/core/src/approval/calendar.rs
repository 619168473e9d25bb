//! Moments as `allowed_signers` has them.

/// Reads `YYYYMMDD[HHMM[SS]][Z]`, in UTC with and without the `Z`: a verifier on another machine has to read the same
/// moment.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let digits = text.strip_suffix('Z').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || ![8, 12, 14].contains(&digits.len()) {
        return None;
    }
    let number = |range: std::ops::Range<usize>| match digits.get(range) {
        Some(part) => part.parse::<i64>().ok(),
        None => Some(0),
    };
    let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
    let (hour, minute, second) = (number(8..10)?, number(10..12)?, number(12..14)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year < 1970 || !(1..=longest).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Years begin in March here, so that a leap day is the last of its year.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    // Days from the first of March of the year 0 to the first of January 1970.
    Some((days - 719_468) * 86_400 + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn moments_are_read_in_utc() {
        let table = [
            ("19700101", Some(0)),
            ("19700102Z", Some(86_400)),
            ("20000229", Some(951_782_400)),
            ("202611161530", Some(1_794_843_000)),
            ("20261116153001Z", Some(1_794_843_001)),
            ("21000228", Some(4_107_456_000)),
            ("21000229", None),
            ("20261301", None),
            ("20260431", None),
            ("2026", None),
            ("202611162500", None),
            ("2026111615", None),
            ("+2026111", None),
            ("", None),
        ];
        for (text, moment) in table {
            assert_eq!(seconds(text), moment, "{text}");
        }
    }
}
