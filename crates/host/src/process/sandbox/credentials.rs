//! Where credentials are, hidden from every job.
//!
//! Nothing that a job prints is private: it goes into evidence and, when a test fails, back to the model. So nothing
//! that a job could read may be worth reading.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::{Environment, variable};

/// In a home directory.
const IN_HOME: &[&str] = &[
    ".ICEauthority",
    ".Xauthority",
    ".ansible",
    ".aws",
    ".azure",
    ".bash_history",
    ".boto",
    ".cache/huggingface/token",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".claude",
    ".claude.json",
    ".codex",
    ".composer/auth.json",
    ".config",
    ".databrickscfg",
    ".docker",
    ".gem/credentials",
    ".gemini",
    ".git-credentials",
    ".gnupg",
    ".gradle/gradle.properties",
    ".helm",
    ".history",
    ".huggingface",
    ".kaggle",
    ".kube",
    ".local/share/fish",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".m2/settings-security.xml",
    ".m2/settings.xml",
    ".minikube",
    ".mozilla",
    ".my.cnf",
    ".mylogin.cnf",
    ".mysql_history",
    ".netrc",
    ".node_repl_history",
    ".npmrc",
    ".oci",
    ".password-store",
    ".pgpass",
    ".pip",
    ".pki",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".s3cfg",
    ".sh_history",
    ".snowflake",
    ".snowsql",
    ".ssh",
    ".subversion",
    ".terraform.d",
    ".terraformrc",
    ".thunderbird",
    ".vault-token",
    ".yarnrc.yml",
    ".zsh_history",
];

/// Variables that say that a credential is elsewhere; some are lists.
const NAMED_BY: &[&str] = &[
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AZURE_CONFIG_DIR",
    "CLAUDE_CONFIG_DIR",
    "CLOUDSDK_CONFIG",
    "DOCKER_CONFIG",
    "GNUPGHOME",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "KUBECONFIG",
    "NETRC",
    "NPM_CONFIG_USERCONFIG",
    "PGPASSFILE",
    "PIP_CONFIG_FILE",
    "SSH_AUTH_SOCK",
    "XAUTHORITY",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
];

/// Every place with credentials that exists here.
pub(super) fn credentials(environment: &Environment) -> Vec<PathBuf> {
    let named = NAMED_BY
        .iter()
        .filter_map(|name| variable(environment, name))
        .flat_map(std::env::split_paths)
        // A name that leads nowhere in particular would hide everything.
        .filter(|path| path.is_absolute() && path.components().count() > 2);
    let at_home = homes(environment)
        .into_iter()
        .flat_map(|home| IN_HOME.iter().map(move |name| home.join(name)));
    named.chain(at_home).filter(|path| path.exists()).collect()
}

/// The person's home directory and, since root can read them all, everybody's.
fn homes(environment: &Environment) -> BTreeSet<PathBuf> {
    let users = std::fs::read("/etc/passwd").unwrap_or_default();
    let users = String::from_utf8_lossy(&users);
    let listed = users.lines().filter_map(|line| line.split(':').nth(5));
    listed
        .map(PathBuf::from)
        .chain(variable(environment, "HOME").map(PathBuf::from))
        .filter(|home| home.is_absolute() && home != Path::new("/") && home.is_dir())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_found_at_home_and_where_variables_say() {
        let directory = tempfile::tempdir().unwrap();
        let [home, elsewhere] = ["home", "elsewhere"].map(|name| directory.path().join(name));
        std::fs::create_dir_all(home.join(".ssh")).unwrap();
        std::fs::create_dir_all(&elsewhere).unwrap();
        let environment = vec![
            ("HOME".into(), home.clone().into()),
            ("KUBECONFIG".into(), "/".into()),
            ("GNUPGHOME".into(), elsewhere.clone().into()),
        ];
        let found = credentials(&environment);
        assert!(found.contains(&home.join(".ssh")), "{found:?}");
        assert!(found.contains(&elsewhere), "{found:?}");
        assert!(!found.contains(&home.join(".aws")), "{found:?}");
        assert!(!found.contains(&PathBuf::from("/")), "{found:?}");
    }
}
