//! Kinds without a mark of their own, known by the name that they are assigned to.

use super::{Kind, kind};
use crate::secrets::content::entropy::is_hex;
use crate::secrets::content::segment::{is_base64, is_base64url};

/// A kind whose values have a shape that counts only under a provider's name.
pub(in crate::secrets::content) struct AssignedRule {
    pub(in crate::secrets::content) kind: Kind,
    /// Parts of the name, in lower case and without separators, of which it has at least one.
    pub(in crate::secrets::content) names: &'static [&'static str],
    /// Whether a value is one.
    pub(in crate::secrets::content) shape: fn(&[u8]) -> bool,
}

const fn assigned(
    name: &'static str,
    description: &'static str,
    names: &'static [&'static str],
    shape: fn(&[u8]) -> bool,
) -> AssignedRule {
    AssignedRule {
        kind: kind(name, description),
        names,
        shape,
    }
}

pub(in crate::secrets::content) static ASSIGNED: [AssignedRule; 22] = [
    assigned(
        "aws-secret-access-key",
        "an AWS secret access key",
        &["secretaccesskey", "awssecret", "awskey"],
        |value| value.len() == 40 && value.iter().all(|&byte| is_base64(byte)) && !is_hex(value),
    ),
    assigned(
        "aws-session-token",
        "an AWS session token",
        &["sessiontoken", "securitytoken"],
        |value| value.len() >= 100 && value.iter().all(|&byte| is_base64(byte)),
    ),
    assigned(
        "discord-bot-token",
        "a Discord bot token",
        &["token", "discord"],
        is_discord_token,
    ),
    assigned("heroku-api-key", "a Heroku API key", &["heroku"], is_uuid),
    assigned(
        "cloudflare-api-token",
        "a Cloudflare API token",
        &["cloudflare", "cfapi", "cftoken"],
        |value| value.len() == 37 && is_hex(value) || value.len() == 40 && is_url_text(value),
    ),
    assigned(
        "fastly-api-token",
        "a Fastly API token",
        &["fastly"],
        |value| value.len() == 32 && is_url_text(value),
    ),
    assigned(
        "datadog-key",
        "a Datadog key",
        &["datadog", "ddapi", "ddapp"],
        |value| matches!(value.len(), 32 | 40) && is_hex(value),
    ),
    assigned(
        "pagerduty-token",
        "a PagerDuty token",
        &["pagerduty", "pdapi", "pdtoken"],
        |value| {
            matches!(value.len(), 20 | 32)
                && value.iter().all(|&byte| is_base64url(byte) || byte == b'+')
        },
    ),
    assigned(
        "twilio-auth-token",
        "a Twilio auth token",
        &["twilio"],
        |value| value.len() == 32 && is_hex(value),
    ),
    assigned("postmark-token", "a Postmark token", &["postmark"], is_uuid),
    assigned(
        "paypal-client-secret",
        "a PayPal client secret",
        &["paypal"],
        |value| value.len() == 80 && is_url_text(value),
    ),
    assigned(
        "vault-token",
        "a HashiCorp Vault token",
        &["vault"],
        |value| value.len() >= 26 && value.starts_with(b"s.") && is_url_text(&value[2..]),
    ),
    assigned(
        "mailgun-api-key",
        "a Mailgun API key",
        &["mailgun"],
        |value| {
            matches!(value.len(), 32 | 50)
                && value
                    .iter()
                    .all(|&byte| byte.is_ascii_hexdigit() || byte == b'-')
        },
    ),
    assigned("okta-api-token", "an Okta API token", &["okta"], |value| {
        value.len() == 42 && value.starts_with(b"00") && is_url_text(value)
    }),
    assigned(
        "algolia-api-key",
        "an Algolia API key",
        &["algolia"],
        |value| value.len() == 32 && is_hex(value),
    ),
    assigned("snyk-token", "a Snyk token", &["snyk"], is_uuid),
    assigned("codecov-token", "a Codecov token", &["codecov"], is_uuid),
    assigned(
        "circleci-token",
        "a CircleCI token",
        &["circleci", "circletoken"],
        |value| value.len() == 40 && is_hex(value),
    ),
    assigned("new-relic-key", "a New Relic key", &["newrelic"], |value| {
        value.len() == 40 && value.iter().all(u8::is_ascii_alphanumeric)
    }),
    assigned(
        "mongodb-atlas-key",
        "a MongoDB Atlas key",
        &["atlas"],
        is_uuid,
    ),
    assigned("plaid-secret", "a Plaid secret", &["plaid"], |value| {
        value.len() == 30 && is_hex(value)
    }),
    assigned(
        "square-access-token",
        "a Square access token",
        &["square", "sqaccess"],
        |value| value.len() == 64 && value.starts_with(b"EAAA") && is_url_text(value),
    ),
];

fn is_url_text(value: &[u8]) -> bool {
    value.iter().all(|&byte| is_base64url(byte))
}

/// Groups of 8, 4, 4, 4 and 12 hexadecimal digits.
pub(in crate::secrets::content) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// An account number in base 64, a time and a signature.
fn is_discord_token(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'.');
    let (Some(account), Some(time), Some(signature), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    matches!(account, [b'M' | b'N' | b'O', ..])
        && (24..=28).contains(&account.len())
        && time.len() == 6
        && (27..=40).contains(&signature.len())
        && [account, time, signature]
            .iter()
            .all(|part| is_url_text(part))
}
