//! Random values under the name of a secret.

use std::ops::Range;

use super::placeholder::{contains, contains_any, is_placeholder_token, is_placeholder_value};
use super::random_value::{is_random_value, is_unmistakable};
use super::rules::{ASSIGNED, GENERIC, Kind, is_uuid};
use super::secret_word::{continues_word, is_about_a_secret, is_of_no_secret};
use super::segment::{Segment, is_word};

/// The longest part of a name before and after its keyword.
const LONGEST_NAME_PART: usize = 48;

/// The longest value that is looked at.
const LONGEST_VALUE: usize = 2048;

/// The shortest value of unknown shape.
const SHORTEST_VALUE: usize = 16;

/// Names under which services give out an identifier that is a secret; most identifiers are none.
const NAMES_OF_IDENTIFIERS: &[&str] = &[
    "accesstoken",
    "apikey",
    "apisecret",
    "apitoken",
    "authtoken",
    "clientsecret",
    "secretkey",
];

/// The secret that is assigned to the name around this keyword.
pub(super) fn assigned_secret(
    segment: Segment<'_>,
    keyword: Range<usize>,
) -> Option<(Kind, Range<usize>)> {
    let before = segment.run_behind(keyword.start, LONGEST_NAME_PART, is_name);
    let after = segment.run(keyword.end, LONGEST_NAME_PART, is_name);
    let rest = &segment.bytes[keyword.end..keyword.end + after];
    if after == LONGEST_NAME_PART || continues_word(segment.bytes[keyword.end - 1], rest) {
        return None;
    }
    // The letter of an escaped line end is not part of the name.
    let run = keyword.start - before;
    let is_escape = before > 0
        && segment.behind(run, 1) == b"\\"
        && matches!(segment.bytes[run], b'n' | b'r' | b't');
    let name_start = run + usize::from(is_escape);
    let name = &segment.bytes[name_start..keyword.end + after];
    let start = value_start(segment, name_start, keyword.end + after)?;
    let (range, is_quoted) = value(segment, start)?;
    if range.len() < SHORTEST_VALUE || is_about_a_secret(rest) {
        return None;
    }
    let text = &segment.bytes[range.clone()];
    let folded: Vec<u8> = name
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let provider = ASSIGNED.iter().find(|rule| {
        contains_any(&folded, rule.names) && (rule.shape)(text) && !is_placeholder_token(text)
    });
    if let Some(rule) = provider {
        return Some((rule.kind, range));
    }
    let is_public = is_of_no_secret(name) || segment.behind(name_start, 2) == b"::";
    let is_key_uuid = is_uuid(text) && contains_any(&folded, NAMES_OF_IDENTIFIERS);
    let is_secret = !is_public
        && (is_key_uuid && !is_placeholder_value(text) || is_random_value(text, SHORTEST_VALUE))
        && (is_quoted || is_unmistakable(text));
    is_secret.then_some((GENERIC, range))
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
}

/// Where the value starts, if something is assigned to the name.
fn value_start(segment: Segment<'_>, name_start: usize, name_end: usize) -> Option<usize> {
    let closing = quote_length(segment, name_end);
    let is_quoted = closing > 0;
    let mut at = name_end + closing;
    at += usize::from(is_quoted && segment.byte(at) == Some(b']'));
    at += brackets(segment.ahead(at, 8));
    let spaces = segment.run(at, 40, is_blank);
    let rest = segment.ahead(at + spaces, 4);
    let separator = match rest {
        [b':', b':', b':', b'=', ..] => 4,
        [b'=' | b'!', b'=', b'=', ..]
        | [b':', b':', b'=', ..]
        | [b'|', b'|', b'=', ..]
        | [b'?', b'?', b'=', ..] => 3,
        [b':' | b'=' | b'!' | b'?' | b'.' | b'+', b'=', ..] | [b'=', b'>', ..] => 2,
        [b':', b':', ..] => return None,
        [b':', ..] => return Some(behind_annotation(segment, at + spaces + 1)),
        [b'=', ..] => 1,
        [b',', ..] if is_quoted => {
            let next = behind_blanks(segment, at + spaces + 1);
            return value_attribute(segment, at).or(Some(next));
        }
        [b'(', ..] if !is_quoted && spaces == 0 => 1,
        [b'>', ..] if spaces == 0 => 1 + character_data(segment, at + 1),
        _ if spaces > 0 && is_option(segment.behind(name_start + 2, 10)) => 0,
        _ if is_quoted => return value_attribute(segment, at),
        _ if segment.behind(name_start, 1) == b"<" => return behind_attributes(segment, at),
        _ => return behind_type(segment, name_start, at),
    };
    Some(behind_blanks(segment, at + spaces + separator))
}

/// The length of the mark that XML puts before text in which nothing is markup.
fn character_data(segment: Segment<'_>, at: usize) -> usize {
    const MARK: &[u8] = b"<![CDATA[";
    let is_marked = segment.ahead(at, MARK.len()) == MARK;
    if is_marked { MARK.len() } else { 0 }
}

/// The value of an element or a list that names what it holds: `key="name" value="…"`.
fn value_attribute(segment: Segment<'_>, at: usize) -> Option<usize> {
    let start = behind_blanks(segment, at);
    let start = start + segment.run(start, 80, |byte| byte == b',' || is_blank(byte));
    let sign = start + b"value".len();
    let is_value = segment.ahead(start, 5).eq_ignore_ascii_case(b"value")
        && matches!(segment.byte(sign), Some(b'=' | b':'));
    is_value.then(|| behind_blanks(segment, sign + 1))
}

/// The text of an element that has attributes besides its name.
fn behind_attributes(segment: Segment<'_>, at: usize) -> Option<usize> {
    let start = behind_blanks(segment, at);
    let text = segment.ahead(start, 80);
    let end = text.iter().position(|&byte| byte == b'>' || byte == b'<')?;
    let is_element = text[end] == b'>' && text[..end].contains(&b'=');
    is_element.then(|| start + end + 1 + character_data(segment, start + end + 1))
}

/// `var name type = "value"` has its value behind the type.
fn behind_type(segment: Segment<'_>, name_start: usize, at: usize) -> Option<usize> {
    let start = behind_blanks(segment, at);
    let is_type = |byte| is_word(byte) || b"*.[]".contains(&byte);
    let sign = behind_blanks(segment, start + segment.run(start, 40, is_type));
    let value = behind_blanks(segment, sign + 1);
    let is_declared = sign > start
        && segment.behind(name_start, 4) == b"var "
        && segment.byte(sign) == Some(b'=')
        && quote_length(segment, value) > 0;
    is_declared.then_some(value)
}

/// `--password value` and `#define PASSWORD value`, of which this is the start.
fn is_option(before: &[u8]) -> bool {
    before.starts_with(b"--")
        || contains(before, b"--")
        || before[..before.len().saturating_sub(2)].ends_with(b"define ")
}

/// `name: type = value` has its value behind the type.
fn behind_annotation(segment: Segment<'_>, at: usize) -> usize {
    let is_type = |byte| is_word(byte) || b" &'<>[].,|:?*".contains(&byte);
    let length = segment.run(at, 40, is_type);
    let value = behind_blanks(segment, at);
    if length > 0 && segment.byte(at + length) == Some(b'=') && quote_length(segment, value) == 0 {
        behind_blanks(segment, at + length + 1)
    } else {
        value
    }
}

fn behind_blanks(segment: Segment<'_>, at: usize) -> usize {
    at + segment.run(at, 40, is_blank)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The length of `[]` or `[32]`.
fn brackets(text: &[u8]) -> usize {
    let inner = text.iter().skip(1).take_while(|byte| byte.is_ascii_digit());
    let length = 1 + inner.count();
    if text.first() == Some(&b'[') && text.get(length) == Some(&b']') {
        length + 1
    } else {
        0
    }
}

/// The length of a quote with the backslashes that a text within a text puts before it.
fn quote_length(segment: Segment<'_>, at: usize) -> usize {
    let backslashes = segment.run(at, 7, |byte| byte == b'\\');
    match segment.byte(at + backslashes) {
        Some(b'"' | b'\'' | b'`') => backslashes + 1,
        _ => 0,
    }
}

/// The value that starts here, and whether it is in quotes.
fn value(segment: Segment<'_>, start: usize) -> Option<(Range<usize>, bool)> {
    let letters = segment.run(start, 2, |byte| b"bBrRuUfF@".contains(&byte));
    for prefix in [0, letters] {
        let opening = quote_length(segment, start + prefix);
        if opening > 0 {
            return quoted(segment, start + prefix, opening).map(|range| (range, true));
        }
    }
    let length = segment.run(start, LONGEST_VALUE, is_unquoted);
    let end = start + length;
    let ends_well = segment
        .byte(end)
        .is_none_or(|byte| byte.is_ascii_whitespace() || b"\\\"',;&<)}]|".contains(&byte));
    (length > 0 && ends_well && !segment.is_cut_at(end)).then_some((start..end, false))
}

/// What lies between this quote and the next of the same kind.
fn quoted(segment: Segment<'_>, start: usize, opening: usize) -> Option<Range<usize>> {
    let quote = segment.byte(start + opening - 1)?;
    let mut backslashes = 0;
    let text = segment.ahead(start + opening, LONGEST_VALUE);
    for (at, &byte) in text.iter().enumerate() {
        if byte == quote && backslashes < opening {
            let end = start + opening + at - backslashes;
            return (backslashes + 1 == opening).then_some(start + opening..end);
        }
        if !byte.is_ascii_graphic() {
            return None;
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
    }
    None
}

fn is_unquoted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_.~!@#%^*$:?-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use crate::secrets::content::find_secrets;

    const VALUE: &str = "kZ8qXw2LpV9bTf4RjN7c";

    #[test]
    fn a_value_is_found_however_it_is_assigned() {
        let shapes = [
            "api_key = \"VALUE\"",
            "api_key='VALUE'",
            "apiKey: `VALUE`,",
            "\"api_key\": \"VALUE\"",
            "'api-key' => 'VALUE'",
            "api_key := \"VALUE\"",
            "API_KEY=VALUE",
            "export API_KEY=VALUE\n",
            "api_key: VALUE # a comment",
            "api_key: str = \"VALUE\"",
            "const API_KEY: &'static str = \"VALUE\";",
            "api_key = b'VALUE'",
            "char api_key[32] = \"VALUE\";",
            "os.environ[\"API_KEY\"] = \"VALUE\"",
            "os.environ.setdefault(\"API_KEY\", \"VALUE\")",
            "<api_key>VALUE</api_key>",
            "#define API_KEY \"VALUE\"",
            "tool --api-key VALUE",
            "set_api_key(\"VALUE\")",
            "if api_key == \"VALUE\":",
            "?api_key=VALUE&x=1",
            r#"{\"api_key\": \"VALUE\"}"#,
            r#"{\\\"api_key\\\": \\\"VALUE\\\"}"#,
            r"a\napi_key=VALUE\nb",
            "var apiKey string = \"VALUE\"",
            "var apiKey *string = \"VALUE\"",
            "API_KEY ?= VALUE",
            "API_KEY ::= VALUE",
            "API_KEY :::= VALUE",
            "$api_key .= 'VALUE';",
            "api_key += \"VALUE\"",
            "api_key ||= 'VALUE'",
            "apiKey ??= 'VALUE';",
            "<string name=\"api_key\">VALUE</string>",
            "<add key=\"ApiKey\" value=\"VALUE\" />",
            "<api_key xml:space='preserve'>VALUE</api_key>",
            "<api_key><![CDATA[VALUE]]></api_key>",
            "//registry.acme.io/:_authToken=VALUE",
            "{name: \"API_KEY\", value: \"VALUE\"}",
        ];
        for shape in shapes {
            let text = shape.replace("VALUE", VALUE);
            let findings = find_secrets(&text);
            assert_eq!(findings.len(), 1, "{text}");
            assert_eq!(&text[findings[0].range.clone()], VALUE, "{text}");
        }
    }

    #[test]
    fn other_uses_of_the_name_are_none() {
        let shapes = [
            "tokenizer = \"VALUE\"",
            "token_type = \"VALUE\"",
            "next_token = \"VALUE\"",
            r"a\nnext_token=VALUE\nb",
            "token_hash: VALUE",
            "AWS::Service::ApiKey: \"VALUE\"",
            "api_key VALUE",
            "api_key = VALUE(1)",
            "api_key = VALUE[1]",
            "api_key = \"VALUE and more words\"",
            "api_key = \"VALUE",
            "api_key = \"${VALUE}\"",
            "api_key::VALUE",
            "var api_key string = VALUE",
            "the api_key is a string = \"VALUE\"",
            "<a name=\"api_key\">see VALUE</a>",
            "api_key ? VALUE : other",
            "api_key < VALUE",
        ];
        for shape in shapes {
            let text = shape.replace("VALUE", VALUE);
            assert_eq!(find_secrets(&text), [], "{text}");
        }
    }

    #[test]
    fn identifiers_under_names_of_tokens_are_secrets_and_other_identifiers_are_none() {
        let uuid = "3f2b8c1e-9d47-4a6b-8e5f-7c1d0a9b2e34";
        for name in [
            "api_key",
            "auth_token",
            "ACCESS_TOKEN",
            "client_secret",
            "secretKey",
        ] {
            let text = format!("{name} = \"{uuid}\"");
            assert_eq!(find_secrets(&text).len(), 1, "{text}");
        }
        for name in [
            "id",
            "token_id",
            "secret_id",
            "page_token",
            "request_token_uuid",
        ] {
            let text = format!("{name} = \"{uuid}\"");
            assert_eq!(find_secrets(&text), [], "{text}");
        }
    }

    #[test]
    fn a_tilde_belongs_to_a_value() {
        let text = "client_secret: 'kZ8~Xw2LpV9bT~4RjN7cQ'";
        assert_eq!(find_secrets(text).len(), 1);
        assert_eq!(find_secrets("client_secret=kZ8~Xw2LpV9bT~4RjN7cQ").len(), 1);
    }

    #[test]
    fn a_quote_within_a_value_does_not_end_it() {
        let plain = r#"password = "k9$vX\"q2Lp!Z4wR8t""#;
        let findings = find_secrets(plain);
        assert_eq!(&plain[findings[0].range.clone()], r#"k9$vX\"q2Lp!Z4wR8t"#);
        let json = serde_json::to_string(plain).expect("a text is JSON");
        assert_eq!(find_secrets(&json)[0].fingerprint, findings[0].fingerprint);
    }
}
