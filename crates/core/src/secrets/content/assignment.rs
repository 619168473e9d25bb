//! Random values under the name of a secret.

use std::ops::Range;

use super::notation::{value, value_start};
use super::placeholder::{contains_any, is_placeholder_token, is_placeholder_value};
use super::random_value::{is_random_value, is_unmistakable};
use super::rules::{ASSIGNED, GENERIC, Kind, is_uuid};
use super::secret_word::{
    continues_word, is_about_a_secret, is_of_no_secret, is_token_of_an_account,
};
use super::segment::{Segment, is_word};

/// The longest part of a name before and after its keyword.
const LONGEST_NAME_PART: usize = 48;

/// The shortest value of unknown shape.
const SHORTEST_VALUE: usize = 16;

/// Names under which services give out an identifier that is a secret; most identifiers are none.
const NAMES_OF_IDENTIFIERS: &[&str] = &[
    "accesstoken",
    "apikey",
    "apisecret",
    "apitoken",
    "authorization",
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
    let is_random = if is_identifier(text) {
        (contains_any(&folded, NAMES_OF_IDENTIFIERS) || is_token_of_an_account(name))
            && !is_placeholder_value(text)
    } else {
        is_random_value(text, SHORTEST_VALUE)
    };
    let is_secret = !is_public && is_random && (is_quoted || is_unmistakable(text));
    is_secret.then_some((GENERIC, range))
}

/// A UUID, with or without a word before it that says whose it is.
fn is_identifier(value: &[u8]) -> bool {
    let (word, uuid) = value.split_at(value.len().saturating_sub(36));
    is_uuid(uuid)
        && word
            .last()
            .is_none_or(|&byte| !byte.is_ascii_alphanumeric())
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
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
            r#"{"name": "API_KEY", "value": "VALUE"}"#,
            "{\n  \"Name\": \"API_KEY\",\n  \"Value\": \"VALUE\"\n}",
            r#"{\"name\": \"API_KEY\",\n \"value\": \"VALUE\"}"#,
            "env:\n  - name: API_KEY\n    value: VALUE\n",
            "<key>API_KEY</key>\n<string>VALUE</string>",
            "<name>API_KEY</name><value>VALUE</value>",
            "<api_key>\n    VALUE\n</api_key>",
            "api_key: |\n  VALUE\nport: 80",
            "api_key: >-\r\n  VALUE\r\n",
            r"api_key: |\n  VALUE\nport: 80",
            "api_key =\n    \"VALUE\"",
            "\"api_key\":\n    \"VALUE\"",
            "name,key\napi_key,VALUE,\n",
            "mySecretString=VALUE",
            "db_creds = 'VALUE'",
            "ADMIN_PW=VALUE",
            "-H 'Authorization: VALUE'",
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
            "api_key | VALUE",
            "API_KEY=\nVALUE=1",
            "sum(api_key,VALUE)",
            "- name: API_KEY\n  image: VALUE",
            r#"{"name": "API_KEY", "image": "VALUE"}"#,
            "<td>api_key</td> VALUE",
            "api_key: |\n\n  VALUE",
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
            "acme_token",
            "Authorization",
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
            "client_token",
            "LockToken",
        ] {
            for value in [uuid.to_owned(), format!("token-{uuid}")] {
                let text = format!("{name} = \"{value}\"");
                assert_eq!(find_secrets(&text), [], "{text}");
            }
        }
    }

    #[test]
    fn a_value_may_end_with_the_sign_of_an_assignment_or_hold_it() {
        for value in ["kZ8qXw2LpV9bTf4RjN7=", "k8z=Xw2LpV9bTf4RjN7c"] {
            let text = format!("api_key: {value}\n");
            let findings = find_secrets(&text);
            assert_eq!(findings.len(), 1, "{text}");
            assert_eq!(&text[findings[0].range.clone()], value);
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
