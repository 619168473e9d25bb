//! Clouds, hosting and infrastructure.

use super::{TokenRule, token};
use crate::secrets::content::segment::is_base64url;

pub(super) static RULES: [TokenRule; 28] = [
    token(
        "aws-access-key-id",
        "an AWS access key id",
        &["AKIA", "ASIA", "ABIA", "ACCA"],
        "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
    ),
    token(
        "aws-bedrock-api-key",
        "an Amazon Bedrock API key",
        &["ABSK"],
        "ABSK[A-Za-z0-9+/]{109,269}={0,2}",
    ),
    token(
        "gcp-api-key",
        "a Google API key",
        &["AIza"],
        "AIza[A-Za-z0-9_-]{35,}",
    )
    .random()
    .longest(39),
    token(
        "google-oauth-client-secret",
        "a Google OAuth client secret",
        &["GOCSPX-"],
        "GOCSPX-[A-Za-z0-9_-]{28,}",
    )
    .longest(60),
    token(
        "google-oauth-access-token",
        "a Google OAuth access token",
        &["ya29."],
        r"ya29\.[A-Za-z0-9_-]{30,}",
    )
    .longest(1024),
    token(
        "google-oauth-refresh-token",
        "a Google OAuth refresh token",
        &["1//0"],
        "1//0[A-Za-z0-9_-]{40,}",
    ),
    token(
        "azure-storage-account-key",
        "the key of an Azure storage account",
        &["AccountKey="],
        r#"(?i:AccountKey)=[\\"']{0,3}([A-Za-z0-9+/]{86}==)"#,
    ),
    token(
        "azure-shared-access-key",
        "an Azure shared access key",
        &["SharedAccessKey="],
        "(?i:SharedAccessKey)=([A-Za-z0-9+/]{43}=)",
    ),
    token(
        "azure-shared-access-signature",
        "the signature of an Azure shared access address",
        &["sig="],
        "(?i:sig)=([A-Za-z0-9%+/]{43,70}(?:%3[Dd]|=))",
    ),
    token(
        "azure-client-secret",
        "an Azure client secret",
        &["Q~"],
        r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}",
    )
    .before(is_azure, 4)
    .longest(40),
    token(
        "alibaba-access-key-id",
        "an Alibaba Cloud access key id",
        &["LTAI"],
        "LTAI[A-Za-z0-9]{17,26}",
    )
    .random(),
    token(
        "digitalocean-token",
        "a DigitalOcean token",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        "do[opr]_v1_[a-f0-9]{64}",
    ),
    token(
        "heroku-api-key",
        "a Heroku API key",
        &["HRKU-"],
        "HRKU-[A-Za-z0-9_-]{36,}",
    )
    .longest(80),
    token(
        "fly-access-token",
        "a Fly.io access token",
        &["fm1_", "fm1a_", "fm1r_", "fm2_", "fo1_"],
        "(?:fm1[ar]?|fm2|fo1)_[A-Za-z0-9+/=_-]{40,}",
    )
    .longest(2048),
    token(
        "netlify-token",
        "a Netlify token",
        &["nfp_", "nfc_"],
        "nf[pc]_[A-Za-z0-9]{36,}",
    ),
    token(
        "planetscale-token",
        "a PlanetScale token or password",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}",
    ),
    token(
        "supabase-token",
        "a Supabase token",
        &["sbp_", "sb_secret_"],
        "(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{22,})",
    ),
    token(
        "cloudflare-origin-key",
        "a Cloudflare origin certificate key",
        &["v1.0-"],
        r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}",
    ),
    token(
        "databricks-token",
        "a Databricks token",
        &["dapi"],
        "dapi[a-h0-9]{32}(?:-[0-9])?",
    ),
    token(
        "vault-token",
        "a HashiCorp Vault token",
        &["hvs.", "hvb.", "hvr."],
        r"hv[sbr]\.[A-Za-z0-9_-]{24,}",
    ),
    token(
        "terraform-cloud-token",
        "a Terraform Cloud token",
        &[".atlasv1."],
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}",
    )
    .before(|byte| byte.is_ascii_alphanumeric(), 14),
    token(
        "pulumi-token",
        "a Pulumi access token",
        &["pul-"],
        "pul-[a-f0-9]{40}",
    ),
    token(
        "doppler-token",
        "a Doppler token",
        &[
            "dp.pt.",
            "dp.st.",
            "dp.ct.",
            "dp.sa.",
            "dp.scim.",
            "dp.audit.",
        ],
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}",
    ),
    token(
        "tailscale-key",
        "a Tailscale key",
        &["tskey-"],
        "tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}",
    ),
    token(
        "dynatrace-token",
        "a Dynatrace token",
        &["dt0c01.", "dt0s"],
        r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}",
    ),
    token(
        "one-password-service-token",
        "a 1Password service account token",
        &["ops_eyJ"],
        "ops_eyJ[A-Za-z0-9+/=_-]{200,}",
    )
    .longest(4096),
    token(
        "one-password-secret-key",
        "a 1Password secret key",
        &["A3-"],
        "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    token(
        "age-secret-key",
        "an age secret key",
        &["AGE-SECRET-KEY-1"],
        "(?i:AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})",
    ),
];

fn is_azure(byte: u8) -> bool {
    is_base64url(byte) || matches!(byte, b'~' | b'.')
}
