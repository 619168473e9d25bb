//! Messages, payments, shops and mail.

use super::{TokenRule, token};

pub(super) static RULES: [TokenRule; 27] = [
    token(
        "slack-token",
        "a Slack token",
        &[
            "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.xox",
        ],
        r"xox(?:[abprso]|e(?:\.xox[bp])?)-[0-9][A-Za-z0-9-]{18,}",
    ),
    token(
        "slack-token",
        "a Slack token",
        &["xoxa-", "xoxr-"],
        "xox[ar]-(?:[0-9]-)?[A-Za-z0-9]{12,48}",
    )
    .random(),
    token(
        "slack-app-token",
        "a Slack app token",
        &["xapp-"],
        "xapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{20,}",
    ),
    token(
        "slack-webhook",
        "a Slack webhook address",
        &["hooks.slack.com/"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{36,}",
    ),
    token(
        "discord-webhook",
        "a Discord webhook address",
        &["/api/webhooks/"],
        "/api/webhooks/[0-9]{16,20}/[A-Za-z0-9_-]{60,}",
    ),
    token(
        "discord-bot-token",
        "a Discord bot token",
        &[".run(", ".login(", "Bot "],
        r#"(?:\.run\(|\.login\(|Bot )[\\"']*([MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,})"#,
    ),
    token(
        "telegram-bot-token",
        "a Telegram bot token",
        &[":AA"],
        "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    )
    .before(|byte| byte.is_ascii_digit(), 10)
    .longest(46),
    token(
        "telegram-bot-token",
        "a Telegram bot token",
        &[
            "bot1", "bot2", "bot3", "bot4", "bot5", "bot6", "bot7", "bot8", "bot9",
        ],
        "bot([0-9]{8,10}:AA[A-Za-z0-9_-]{33})",
    )
    .longest(49),
    token(
        "teams-webhook",
        "a Microsoft Teams webhook address",
        &[".webhook.office.com/"],
        r"\.webhook\.office\.com/webhookb2/[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[A-Za-z0-9]{32}/[a-f0-9-]{36}",
    ),
    token(
        "stripe-secret-key",
        "a Stripe secret key",
        &["sk_live_", "rk_live_", "sk_prod_", "rk_prod_"],
        "[sr]k_(?:live|prod)_[A-Za-z0-9]{16,}",
    ),
    token(
        "stripe-webhook-secret",
        "a Stripe webhook secret",
        &["whsec_"],
        "whsec_[A-Za-z0-9+/]{32,}={0,2}",
    ),
    token(
        "square-token",
        "a Square token",
        &["sq0atp-", "sq0csp-"],
        "(?:sq0atp-[A-Za-z0-9_-]{22,}|sq0csp-[A-Za-z0-9_-]{43,})",
    ),
    token(
        "braintree-access-token",
        "a Braintree access token",
        &["access_token$production$"],
        r"access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}",
    ),
    token(
        "plaid-access-token",
        "a Plaid access token",
        &[
            "access-production-",
            "access-development-",
            "access-sandbox-",
        ],
        "access-(?:production|development|sandbox)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
    ),
    token(
        "shopify-token",
        "a Shopify token",
        &["shpat_", "shpss_", "shpca_", "shppa_"],
        "shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32}",
    ),
    token(
        "twilio-api-key",
        "a Twilio API key",
        &["SK"],
        "SK[a-f0-9]{32}",
    ),
    token(
        "sendgrid-api-key",
        "a SendGrid API key",
        &["SG."],
        r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{39,}",
    )
    .longest(80),
    token(
        "sendinblue-api-key",
        "a Brevo API key",
        &["xkeysib-"],
        "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
    ),
    token(
        "mailgun-api-key",
        "a Mailgun API key",
        &["key-"],
        "key-[a-f0-9]{32}",
    ),
    token(
        "mailchimp-api-key",
        "a Mailchimp API key",
        &["-us"],
        "[a-f0-9]{32}-us[0-9]{1,2}",
    )
    .before(|byte| byte.is_ascii_hexdigit(), 32),
    token(
        "resend-api-key",
        "a Resend API key",
        &["re_"],
        "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}",
    )
    .random(),
    token(
        "razorpay-key",
        "a Razorpay key",
        &["rzp_live_"],
        "rzp_live_[A-Za-z0-9]{14,}",
    ),
    token(
        "easypost-api-key",
        "an EasyPost API key",
        &["EZAK"],
        "EZAK[A-Za-z0-9]{54}",
    )
    .random(),
    token(
        "facebook-access-token",
        "a Facebook access token",
        &["EAAC", "EAAM"],
        "EAA[CM][A-Za-z0-9]{100,}",
    )
    .longest(400),
    token(
        "mapbox-secret-token",
        "a Mapbox secret token",
        &["sk.eyJ"],
        r"sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{22,}",
    ),
    token(
        "okta-api-token",
        "an Okta API token",
        &["SSWS 00"],
        "(?i:SSWS) (00[A-Za-z0-9_-]{40})",
    ),
    token(
        "telnyx-api-key",
        "a Telnyx API key",
        &["KEY01"],
        "KEY01[A-F0-9]{30}_[A-Za-z0-9]{22}",
    ),
];
