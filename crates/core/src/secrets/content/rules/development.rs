//! Where code is hosted, built, published and watched.

use super::{TokenRule, token};

pub(super) static RULES: [TokenRule; 33] = [
    token(
        "github-token",
        "a GitHub token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        "gh[pousr]_[A-Za-z0-9]{36,}",
    ),
    token(
        "github-fine-grained-token",
        "a fine-grained GitHub token",
        &["github_pat_"],
        "github_pat_[A-Za-z0-9_]{36,}",
    ),
    token(
        "gitlab-token",
        "a GitLab token",
        &[
            "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glimt-", "glagent-",
            "gloas-", "glsoat-", "glffct-",
        ],
        r"gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?",
    ),
    token(
        "gitlab-runner-registration-token",
        "a GitLab runner registration token",
        &["GR1348941"],
        "GR1348941[A-Za-z0-9_-]{20,}",
    ),
    token(
        "bitbucket-app-password",
        "a Bitbucket app password",
        &["ATBB"],
        "ATBB[A-Za-z0-9]{32}",
    ),
    token(
        "bitbucket-access-token",
        "a Bitbucket access token",
        &["ATCTT3"],
        "ATCTT3[A-Za-z0-9+/=_-]{60,}",
    )
    .longest(512),
    token(
        "atlassian-api-token",
        "an Atlassian API token",
        &["ATATT3"],
        "ATATT3[A-Za-z0-9+/=_-]{60,}",
    )
    .longest(512),
    token(
        "npm-token",
        "an npm token",
        &["npm_"],
        "npm_[A-Za-z0-9]{36}",
    ),
    token(
        "pypi-token",
        "a PyPI token",
        &["pypi-Ag"],
        "pypi-Ag[A-Za-z0-9_-]{60,}",
    )
    .longest(1024),
    token(
        "rubygems-token",
        "a RubyGems token",
        &["rubygems_"],
        "rubygems_[a-f0-9]{48}",
    ),
    token(
        "crates-io-token",
        "a crates.io token",
        &["cio"],
        "cio[A-Za-z0-9]{32}",
    )
    .random(),
    token(
        "docker-hub-token",
        "a Docker Hub token",
        &["dckr_pat_", "dckr_oat_"],
        "dckr_[po]at_[A-Za-z0-9_-]{27,}",
    ),
    token(
        "new-relic-key",
        "a New Relic key",
        &["NRAK-", "NRIQ-", "NRII-", "NRRA-"],
        "NR(?:AK|IQ|II|RA)-[A-Za-z0-9_-]{27,}",
    ),
    token(
        "grafana-token",
        "a Grafana token",
        &["glc_", "glsa_"],
        "(?:glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})",
    )
    .longest(512),
    token(
        "grafana-api-key",
        "a Grafana API key",
        &["eyJrIjoi"],
        "eyJrIjoi[A-Za-z0-9_-]{60,}={0,2}",
    )
    .longest(512),
    token(
        "sentry-token",
        "a Sentry token",
        &["sntrys_", "sntryu_"],
        "(?:sntrys_eyJ[A-Za-z0-9+/=_-]{60,}|sntryu_[a-f0-9]{64})",
    )
    .longest(1024),
    token(
        "linear-api-key",
        "a Linear API key",
        &["lin_api_", "lin_oauth_"],
        "lin_(?:api|oauth)_[A-Za-z0-9]{40,}",
    ),
    token(
        "notion-token",
        "a Notion token",
        &["ntn_", "secret_"],
        "(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})",
    ),
    token(
        "airtable-token",
        "an Airtable token",
        &["pat"],
        r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
    ),
    token(
        "figma-token",
        "a Figma token",
        &["figd_", "figo_"],
        "fig[do]_[A-Za-z0-9_-]{38,}",
    ),
    token(
        "postman-api-key",
        "a Postman API key",
        &["PMAK-"],
        "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
    ),
    token(
        "sonar-token",
        "a SonarQube token",
        &["squ_", "sqp_", "sqa_"],
        "sq[upa]_[a-f0-9]{40}",
    ),
    token(
        "circleci-token",
        "a CircleCI token",
        &["CCIPAT_", "CCIPRJ_"],
        "CCI(?:PAT|PRJ)_[A-Za-z0-9]+_[a-f0-9]{40}",
    ),
    token(
        "buildkite-token",
        "a Buildkite token",
        &["bkua_"],
        "bkua_[a-f0-9]{40}",
    ),
    token(
        "contentful-token",
        "a Contentful token",
        &["CFPAT-"],
        "CFPAT-[A-Za-z0-9_-]{43,}",
    ),
    token(
        "readme-api-key",
        "a ReadMe API key",
        &["rdme_"],
        "rdme_[a-z0-9]{70}",
    ),
    token(
        "prefect-api-key",
        "a Prefect API key",
        &["pnu_"],
        "pnu_[A-Za-z0-9]{36}",
    ),
    token(
        "typeform-token",
        "a Typeform token",
        &["tfp_"],
        r"tfp_[A-Za-z0-9_.=-]{44,}",
    ),
    token(
        "launchdarkly-token",
        "a LaunchDarkly key",
        &["sdk-", "api-", "mob-"],
        "(?:sdk|mob|api)-[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9]{4}-[a-f0-9]{12}",
    ),
    token(
        "sourcegraph-token",
        "a Sourcegraph token",
        &["sgp_"],
        "sgp_(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}",
    ),
    token(
        "clojars-token",
        "a Clojars token",
        &["CLOJARS_"],
        "CLOJARS_[A-Za-z0-9]{60}",
    ),
    token(
        "nuget-api-key",
        "a NuGet API key",
        &["oy2"],
        "oy2[a-z0-9]{43}",
    )
    .random(),
    token(
        "jfrog-api-key",
        "a JFrog API key",
        &["AKCp"],
        "AKCp[A-Za-z0-9]{69}",
    )
    .random(),
];
