//! Secrets that the search must find: each kind with its shapes.

use crate::generator::{Random, armour, base64, base64url};

/// How a secret comes into a text.
pub(crate) enum Form {
    /// It is recognised on its own: the shapes.
    Token(&'static [&'static str]),
    /// It is known by the name that it has: the names and the shapes.
    Named(&'static [&'static str], &'static [&'static str]),
    /// It brings its surroundings: a function that gives the text and the secret in it.
    Whole(fn(&mut Random) -> (String, String)),
}

/// A kind, by the rule that must find it.
pub(crate) type Sample = (&'static str, Form);

#[rustfmt::skip]
pub(crate) const KINDS: &[Sample] = &[
    ("aws-access-key-id", Form::Token(&["AKIA<BASE16>", "ASIA<BASE16>"])),
    ("aws-secret-access-key", Form::Named(&["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "secretAccessKey"], &["<base40>"])),
    ("aws-session-token", Form::Named(&["aws_session_token", "AWS_SESSION_TOKEN", "sessionToken"], &["IQoJ<base300>", "FwoGZXIvYXdz<base180>=="])),
    ("gcp-api-key", Form::Token(&["AIza<url35>"])),
    ("google-oauth-client-secret", Form::Token(&["GOCSPX-<url28>"])),
    ("google-oauth-access-token", Form::Token(&["ya29.<url120>", "ya29.a0A<url60>"])),
    ("gcp-service-account-key", Form::Whole(service_account)),
    ("azure-storage-account-key", Form::Whole(azure_storage)),
    ("azure-shared-access-signature", Form::Whole(azure_signature)),
    ("azure-client-secret", Form::Token(&["<w3>8Q~<url34>", "<w3>7Q~<w31>"])),
    ("alibaba-access-key-id", Form::Token(&["LTAI<w20>"])),
    ("digitalocean-token", Form::Token(&["dop_v1_<hex64>", "doo_v1_<hex64>", "dor_v1_<hex64>"])),
    ("heroku-api-key", Form::Token(&["HRKU-AA<w58>", "HRKU-<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>"])),
    ("heroku-api-key", Form::Named(&["HEROKU_API_KEY", "heroku_token"], &["<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>"])),
    ("cloudflare-api-token", Form::Named(&["CLOUDFLARE_API_TOKEN", "cloudflare_api_key"], &["<url40>", "<hex37>"])),
    ("fastly-api-token", Form::Named(&["FASTLY_API_TOKEN", "fastly_api_key"], &["<url32>"])),
    ("netlify-token", Form::Token(&["nfp_<w40>"])),
    ("planetscale-token", Form::Token(&["pscale_tkn_<w43>", "pscale_pw_<w43>"])),
    ("supabase-token", Form::Token(&["sbp_<hex40>"])),
    ("databricks-token", Form::Token(&["dapi<hex32>", "dapi<hex32>-2"])),
    ("vault-token", Form::Token(&["hvs.<url95>", "hvb.<url140>"])),
    ("vault-token", Form::Named(&["VAULT_TOKEN", "vault_token"], &["s.<w24>"])),
    ("terraform-cloud-token", Form::Token(&["<w14>.atlasv1.<url67>"])),
    ("pulumi-token", Form::Token(&["pul-<hex40>"])),
    ("doppler-token", Form::Token(&["dp.pt.<w43>", "dp.st.prod.<w43>"])),
    ("tailscale-key", Form::Token(&["tskey-auth-<w12>-<w32>"])),
    ("one-password-secret-key", Form::Token(&["A3-<UP6>-<UP11>-<UP5>-<UP5>-<UP5>", "A3-<UP6>-<UP6>-<UP5>-<UP5>-<UP5>-<UP5>"])),
    ("age-secret-key", Form::Token(&["AGE-SECRET-KEY-1<bech58>"])),
    ("github-token", Form::Token(&["ghp_<w36>", "gho_<w36>", "ghu_<w36>", "ghs_<w36>", "ghr_<w36>", "ghr_<w76>"])),
    ("github-fine-grained-token", Form::Token(&["github_pat_<w22>_<w59>"])),
    ("gitlab-token", Form::Token(&["glpat-<url20>", "glptt-<hex40>", "gldt-<url20>", "glrt-<url20>", "glpat-<w27>.01.<low9>"])),
    ("bitbucket-app-password", Form::Token(&["ATBB<w32>"])),
    ("atlassian-api-token", Form::Token(&["ATATT3xFfGF0<url172>=<HEX8>"])),
    ("npm-token", Form::Token(&["npm_<w36>"])),
    ("pypi-token", Form::Token(&["pypi-AgEIcHlwaS5vcmc<url140>", "pypi-AgENdGVzdC5weXBpLm9yZw<url120>"])),
    ("rubygems-token", Form::Token(&["rubygems_<hex48>"])),
    ("crates-io-token", Form::Token(&["cio<w32>"])),
    ("docker-hub-token", Form::Token(&["dckr_pat_<url27>"])),
    ("new-relic-key", Form::Token(&["NRAK-<UP27>"])),
    ("grafana-token", Form::Token(&["glsa_<w32>_<hex8>", "glc_<base80>"])),
    ("grafana-api-key", Form::Token(&["eyJrIjoi<w70>"])),
    ("sentry-token", Form::Token(&["sntrys_eyJ<w120>=_<base43>", "sntryu_<hex64>"])),
    ("linear-api-key", Form::Token(&["lin_api_<w40>"])),
    ("notion-token", Form::Token(&["secret_<w43>", "ntn_<digit11><w35>"])),
    ("airtable-token", Form::Token(&["pat<w14>.<hex64>"])),
    ("figma-token", Form::Token(&["figd_<url40>"])),
    ("postman-api-key", Form::Token(&["PMAK-<hex24>-<hex34>"])),
    ("sonar-token", Form::Token(&["squ_<hex40>", "sqp_<hex40>"])),
    ("sourcegraph-token", Form::Token(&["sgp_<hex40>", "sgp_local_<hex40>", "sgp_<HEX16>_<hex40>"])),
    ("datadog-key", Form::Named(&["DATADOG_API_KEY", "DD_API_KEY", "datadog_app_key"], &["<hex32>", "<hex40>"])),
    ("pagerduty-token", Form::Named(&["PAGERDUTY_TOKEN", "pagerduty_api_key"], &["<url20>"])),
    ("openai-api-key", Form::Token(&["sk-<w20>T3BlbkFJ<w20>", "sk-proj-<url74>T3BlbkFJ<url74>", "sk-proj-<url48>", "sk-svcacct-<url60>"])),
    ("anthropic-api-key", Form::Token(&["sk-ant-api03-<url93>AA", "sk-ant-admin01-<url93>AA"])),
    ("openrouter-api-key", Form::Token(&["sk-or-v1-<hex64>"])),
    ("hugging-face-token", Form::Token(&["hf_<w34>", "hf_<letter34>"])),
    ("replicate-token", Form::Token(&["r8_<w37>"])),
    ("groq-api-key", Form::Token(&["gsk_<w52>"])),
    ("perplexity-api-key", Form::Token(&["pplx-<w48>"])),
    ("slack-token", Form::Token(&["xoxb-<digit12>-<digit13>-<w24>", "xoxp-<digit12>-<digit12>-<digit13>-<hex32>", "xoxa-2-<digit12>-<digit12>-<hex32>", "xoxr-<digit12>-<w24>", "xoxr-1-<low20>"])),
    ("slack-app-token", Form::Token(&["xapp-1-A<UP10>-<digit13>-<hex64>"])),
    ("slack-webhook", Form::Token(&["hooks.slack.com/services/T<UP10>/B<UP10>/<w24>"])),
    ("discord-webhook", Form::Token(&["/api/webhooks/<digit18>/<url68>"])),
    ("discord-bot-token", Form::Whole(discord_bot)),
    ("discord-bot-token", Form::Named(&["DISCORD_TOKEN", "bot_token"], &["MT<w22>.<url6>.<url38>", "NzM<w21>.<url6>.<url27>"])),
    ("telegram-bot-token", Form::Token(&["<digit9>:AA<url33>", "<digit10>:AA<url33>"])),
    ("telegram-bot-token", Form::Whole(telegram_address)),
    ("stripe-secret-key", Form::Token(&["sk_live_<w24>", "sk_live_<w99>", "rk_live_<w24>"])),
    ("stripe-webhook-secret", Form::Token(&["whsec_<w32>"])),
    ("square-token", Form::Token(&["sq0atp-<url22>", "sq0csp-<url43>"])),
    ("braintree-access-token", Form::Token(&["access_token$production$<low16>$<hex32>"])),
    ("plaid-access-token", Form::Token(&["access-production-<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>"])),
    ("paypal-client-secret", Form::Named(&["PAYPAL_CLIENT_SECRET", "paypal_secret"], &["E<url79>"])),
    ("shopify-token", Form::Token(&["shpat_<hex32>", "shpss_<hex32>", "shpca_<hex32>"])),
    ("twilio-api-key", Form::Token(&["SK<hex32>"])),
    ("twilio-auth-token", Form::Named(&["TWILIO_AUTH_TOKEN", "twilio_auth_token"], &["<hex32>"])),
    ("sendgrid-api-key", Form::Token(&["SG.<url22>.<url43>"])),
    ("mailgun-api-key", Form::Token(&["key-<hex32>"])),
    ("mailchimp-api-key", Form::Token(&["<hex32>-us12", "<hex32>-us6"])),
    ("postmark-token", Form::Named(&["POSTMARK_SERVER_TOKEN", "postmark_api_token"], &["<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>"])),
    ("private-key", Form::Whole(private_key)),
    ("pgp-private-key", Form::Whole(pgp_key)),
    ("putty-private-key", Form::Whole(putty_key)),
    ("json-web-token", Form::Whole(web_token)),
    ("url-password", Form::Whole(address)),
    ("generic-secret", Form::Whole(password)),
    ("bearer-token", Form::Whole(bearer)),
    ("basic-credentials", Form::Whole(basic)),
    ("command-password", Form::Whole(command)),
    ("generic-secret", Form::Named(
        &["password", "DB_PASSWORD", "api_key", "apiKey", "client_secret", "SECRET_KEY", "auth_token", "access_key", "credentials"],
        &["<w20>", "<w32>", "<hex32>", "<hex64>", "<base43>=", "<url43>", "<w24>", "<w16>"],
    )),
];

fn service_account(random: &mut Random) -> (String, String) {
    let key = armour(random, "PRIVATE KEY", 25).replace('\n', "\\n");
    let id = random.text("hex", 40);
    let text = format!(
        "{{\n  \"type\": \"service_account\",\n  \"private_key_id\": \"{id}\",\n  \"private_key\": \"{key}\\n\"\n}}\n"
    );
    (text, key)
}

fn telegram_address(random: &mut Random) -> (String, String) {
    let token = random.fill("7<digit9>:AA<url33>");
    let text = format!("GET https://api.telegram.org/bot{token}/sendMessage\n");
    (text, token)
}

fn azure_storage(random: &mut Random) -> (String, String) {
    let key = random.fill("<base86>==");
    let account = random.text("low", 12);
    let text = format!(
        "connection = \"DefaultEndpointsProtocol=https;AccountName={account};AccountKey={key};EndpointSuffix=core.windows.net\"\n"
    );
    (text, key)
}

fn azure_signature(random: &mut Random) -> (String, String) {
    let signature = random.fill("<w20>%2B<w22>%3D");
    let account = random.text("low", 12);
    let text = format!(
        "url: https://{account}.blob.core.windows.net/data?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2025-01-01T00:00:00Z&sig={signature}\n"
    );
    (text, signature)
}

fn discord_bot(random: &mut Random) -> (String, String) {
    let token = random.fill("MT<w24>.G<url5>.<url38>");
    let text = match random.below(3) {
        0 => format!("client.run(\"{token}\")\n"),
        1 => format!("client.login('{token}');\n"),
        _ => format!(
            "curl -H \"Authorization: Bot {token}\" https://discord.com/api/v10/users/@me\n"
        ),
    };
    (text, token)
}

fn private_key(random: &mut Random) -> (String, String) {
    let labels = [
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "DSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PRIVATE KEY",
    ];
    let label = labels[random.below(labels.len())];
    let lines = 1 + random.below(30);
    let key = armour(random, label, lines);
    let end = key.rfind("\n-----END").expect("it has an end");
    match random.below(6) {
        0 => (format!("KEY = \"\"\"{key}\n\"\"\"\n"), key),
        1 => {
            let indented = key.replace('\n', "\n    ");
            (format!("key: |\n    {indented}\n"), indented)
        }
        2 => {
            let added = key.replace('\n', "\n+");
            (format!("+{added}\n"), added)
        }
        3 => {
            let shown = key.replace('\n', "\nE       ");
            (format!("E       {shown}\n"), shown)
        }
        // A block whose end was cut off.
        4 => {
            let start = key[..end].rfind('\n').expect("it has lines");
            (format!("{}\n", &key[..end]), key[..start].to_owned())
        }
        _ => (format!("{key}\n"), key),
    }
}

fn pgp_key(random: &mut Random) -> (String, String) {
    let key = armour(random, "PGP PRIVATE KEY BLOCK", 20).replacen(
        "-----\n",
        "-----\nVersion: GnuPG v2\n\n",
        1,
    );
    (format!("{key}\n"), key)
}

fn putty_key(random: &mut Random) -> (String, String) {
    let public = random.fill("<base64>\n<base64>\n<base40>");
    let private = random.fill("<base64>\n<base64>\n<base64>\n<base64>");
    let text = format!(
        "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: me\nPublic-Lines: 3\n{public}\nPrivate-Lines: 4\n{private}\nPrivate-MAC: {}\n",
        random.text("hex", 40)
    );
    (text, private)
}

fn web_token(random: &mut Random) -> (String, String) {
    let algorithm = ["HS256", "RS256", "ES384"][random.below(3)];
    let header = base64url(format!("{{\"alg\":\"{algorithm}\",\"typ\":\"JWT\"}}").as_bytes());
    let payload = base64url(
        random
            .fill("{\"sub\":\"<w12>\",\"exp\":<digit9>}")
            .as_bytes(),
    );
    let token = format!("{header}.{payload}.{}", random.text("url", 43));
    let text = match random.below(4) {
        0 => format!("token = \"{token}\"\n"),
        1 => format!("Cookie: session={token}; path=/\n"),
        2 => format!("curl -H 'Authorization: Bearer {token}' https://api.acme.io/\n"),
        _ => format!("E       AssertionError: assert '{token}' == ''\n"),
    };
    (text, token)
}

fn address(random: &mut Random) -> (String, String) {
    let schemes = [
        "postgres",
        "postgresql+psycopg2",
        "mysql",
        "mongodb+srv",
        "redis",
        "amqp",
        "https",
        "ftp",
    ];
    let scheme = schemes[random.below(schemes.len())];
    let password = random.text("safe", 12);
    let host = random.fill("db-<low6>.acme.io");
    let address = format!("{scheme}://app:{password}@{host}:5432/main");
    let text = match random.below(4) {
        0 => format!("DATABASE_URL={address}\n"),
        1 => format!("engine = create_engine(\"{address}\")\n"),
        2 => format!("  url: {address}\n"),
        _ => format!("could not connect to {address}: timed out\n"),
    };
    (text, password)
}

fn password(random: &mut Random) -> (String, String) {
    let password = random.fill("<safe1><mixed17>");
    let text = match random.below(3) {
        0 => format!("DB_PASSWORD = \"{password}\"\n"),
        1 => format!("E       assert {{'password': '{password}'}} == {{}}\n"),
        _ => format!("login(user=\"app\", password=\"{password}\")\n"),
    };
    (text, password)
}

fn bearer(random: &mut Random) -> (String, String) {
    let token = random.text("url", 40);
    let text = match random.below(3) {
        0 => format!("curl -H \"Authorization: Bearer {token}\" https://api.acme.io/v1\n"),
        1 => format!("headers = {{'Authorization': 'Bearer {token}'}}\n"),
        _ => format!("> Authorization: Bearer {token}\n"),
    };
    (text, token)
}

fn basic(random: &mut Random) -> (String, String) {
    let pair = random.fill("deploy:<safe14>");
    let value = base64(pair.as_bytes());
    let text = match random.below(3) {
        0 => format!("Authorization: Basic {value}\n"),
        1 => format!("headers = {{\"Authorization\": \"Basic {value}\"}}\n"),
        _ => format!("{{\"auths\": {{\"registry.acme.io\": {{\"auth\": \"{value}\"}}}}}}\n"),
    };
    (text, value)
}

fn command(random: &mut Random) -> (String, String) {
    let password = random.text("safe", 14);
    let text = match random.below(3) {
        0 => format!("curl -s -u deploy:{password} https://api.acme.io/v1\n"),
        1 => format!("curl -X POST -u \"deploy:{password}\" https://api.acme.io/v1\n"),
        _ => format!("curl --user 'deploy:{password}' https://api.acme.io/v1\n"),
    };
    (text, password)
}
