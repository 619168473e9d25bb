//! Names that programmers give to secrets.

/// Parts of names that say that a value is a secret, as they are written.
pub(super) const SECRET_WORDS: [&str; 35] = [
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "contrasena",
    "_pwd",
    "pwd",
    "_pw",
    "_pass",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "appkey",
    "app_key",
    "app-key",
    "accesskey",
    "access_key",
    "access-key",
    "authkey",
    "auth_key",
    "auth-key",
    "privatekey",
    "private_key",
    "private-key",
    "encryption_key",
    "signing_key",
    "account_key",
    "account-key",
    "accountkey",
    "credential",
    "creds",
    "authorization",
    "_auth",
];

/// Words after the keyword that make the name that of something about a secret.
const ABOUT: [&str; 52] = [
    "arn",
    "at",
    "class",
    "column",
    "count",
    "description",
    "dir",
    "directory",
    "endpoint",
    "error",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "filename",
    "format",
    "function",
    "header",
    "help",
    "hint",
    "id",
    "ids",
    "index",
    "input",
    "issuer",
    "kind",
    "label",
    "length",
    "limit",
    "link",
    "location",
    "message",
    "mode",
    "name",
    "names",
    "param",
    "parameter",
    "path",
    "pattern",
    "placeholder",
    "policy",
    "prefix",
    "prompt",
    "ref",
    "regex",
    "size",
    "suffix",
    "template",
    "title",
    "type",
    "url",
];

/// Words anywhere in the name that say that the value is public or no value at all.
const PUBLIC: [&str; 34] = [
    "change",
    "checksum",
    "ciphertext",
    "commit",
    "continuation",
    "csrf",
    "cursor",
    "digest",
    "dummy",
    "encrypted",
    "etag",
    "example",
    "fake",
    "fingerprint",
    "hash",
    "hashed",
    "integrity",
    "md5",
    "mock",
    "next",
    "nonce",
    "page",
    "pagination",
    "public",
    "revision",
    "sample",
    "sha",
    "sha1",
    "sha256",
    "signature",
    "subject",
    "update",
    "verification",
    "xsrf",
];

/// Words of tokens that a program makes up to recognise its own request.
const TOKENS_OF_REQUESTS: [&str; 8] = [
    "action",
    "client",
    "device",
    "idempotency",
    "lock",
    "request",
    "session",
    "sync",
];

/// Whether the keyword is only the start of a word, as in `tokenizer`.
pub(super) fn continues_word(last: u8, rest: &[u8]) -> bool {
    let plural = if last.is_ascii_uppercase() {
        b"S"
    } else {
        b"s"
    };
    let rest = rest.strip_prefix(plural).unwrap_or(rest);
    rest.first().is_some_and(|next| {
        next.is_ascii_lowercase() || next.is_ascii_uppercase() && last.is_ascii_uppercase()
    })
}

/// Whether the text after the keyword makes the name that of something else: `token_type`.
pub(super) fn is_about_a_secret(rest: &[u8]) -> bool {
    words(rest)
        .iter()
        .any(|word| ABOUT.contains(&word.as_str()))
}

/// Whether the name says that the value is public, harmless or made up.
pub(super) fn is_of_no_secret(name: &[u8]) -> bool {
    words(name)
        .iter()
        .any(|word| PUBLIC.contains(&word.as_str()))
}

/// Whether the name is that of a token and its issuer, as in `acme_token`.
pub(super) fn is_token_of_an_account(name: &[u8]) -> bool {
    let words = words(name);
    let is_of_a_request = |word: &String| TOKENS_OF_REQUESTS.contains(&word.as_str());
    matches!(&words[..], [owners @ .., last] if last == "token"
        && !owners.is_empty()
        && !owners.iter().any(is_of_a_request))
}

/// The words of a name, in lower case: `apiKey_id` has `api`, `key` and `id`.
fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = b'_';
    for &byte in name {
        if byte.is_ascii_alphanumeric() {
            let begins = !previous.is_ascii_alphanumeric()
                || byte.is_ascii_uppercase() && !previous.is_ascii_uppercase();
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        previous = byte;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{
        continues_word, is_about_a_secret, is_of_no_secret, is_token_of_an_account, words,
    };

    #[test]
    fn a_name_has_words() {
        let cases = [
            ("apiKey_id", vec!["api", "key", "id"]),
            ("DB_PASSWORD2", vec!["db", "password2"]),
            ("x-auth.token", vec!["x", "auth", "token"]),
            ("", vec![]),
        ];
        for (name, expected) in cases {
            assert_eq!(words(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn a_keyword_may_be_the_start_of_a_longer_word() {
        let cases = [
            (b'n', "izer", true),
            (b'N', "IZER", true),
            (b'n', "s", false),
            (b'n', "Id", false),
            (b'n', "String", false),
            (b'N', "S", false),
            (b'n', "_id", false),
            (b'N', "_ID", false),
            (b'n', "2", false),
            (b'n', "", false),
        ];
        for (last, rest, expected) in cases {
            assert_eq!(continues_word(last, rest.as_bytes()), expected, "{rest}");
        }
    }

    #[test]
    fn a_token_is_somebodys_unless_it_only_marks_a_request() {
        for name in [
            "acme_token",
            "acmeToken",
            "ACME_API_TOKEN",
            "acme.user-token",
        ] {
            assert!(is_token_of_an_account(name.as_bytes()), "{name}");
        }
        for name in [
            "token",
            "client_token",
            "LockToken",
            "acme_request_token",
            "acme_id",
        ] {
            assert!(!is_token_of_an_account(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn some_names_only_speak_of_secrets() {
        for rest in ["_type", "Url", "_FILE", "-name", "_expires_at"] {
            assert!(is_about_a_secret(rest.as_bytes()), "{rest}");
        }
        for rest in ["", "_prod", "Value", "2"] {
            assert!(!is_about_a_secret(rest.as_bytes()), "{rest}");
        }
        for name in ["password_hash", "nextToken", "csrf-token", "FAKE_SECRET"] {
            assert!(is_of_no_secret(name.as_bytes()), "{name}");
        }
        for name in ["password", "hashicorp_token", "shared_secret"] {
            assert!(!is_of_no_secret(name.as_bytes()), "{name}");
        }
    }
}
