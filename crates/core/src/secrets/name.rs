//! Names under which people keep secrets.
//!
//! A context file is sent to a model service, so a file whose name says that it holds a secret is refused before it is
//! opened. A name proves nothing either way, so a source file that only deals with secrets (`secret_santa.py`) is
//! allowed.

/// File names, in lower case, that hold credentials by convention.
const FILE_NAMES: [&str; 10] = [
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".dockercfg",
    ".vault-token",
];

/// Directories, in lower case, whose contents are credentials.
const DIRECTORIES: [&str; 4] = [".ssh", ".aws", ".gnupg", ".kube"];

/// Extensions, in lower case, of keys, key stores and infrastructure state.
const EXTENSIONS: [(&str, &str); 14] = [
    ("pem", "*.pem"),
    ("key", "*.key"),
    ("p12", "*.p12"),
    ("pfx", "*.pfx"),
    ("p8", "*.p8"),
    ("jks", "*.jks"),
    ("keystore", "*.keystore"),
    ("kdbx", "*.kdbx"),
    ("kdb", "*.kdb"),
    ("ppk", "*.ppk"),
    ("gpg", "*.gpg"),
    ("tfstate", "*.tfstate"),
    ("tfvars", "*.tfvars"),
    ("env", "*.env"),
];

/// The names that `ssh-keygen` gives private keys.
const KEY_STEMS: [&str; 4] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];

/// Endings that mark a file of the `.env` family as one without values.
const TEMPLATE_ENDINGS: [&str; 4] = [".example", ".sample", ".template", ".dist"];

/// Extensions, in lower case, of program text.
const SOURCE_EXTENSIONS: [&str; 40] = [
    "py", "pyi", "rs", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "java", "kt",
    "kts", "scala", "rb", "php", "c", "h", "cc", "cpp", "hpp", "cs", "fs", "swift", "m", "mm",
    "ex", "exs", "erl", "hs", "ml", "lua", "pl", "dart", "vue", "svelte", "css", "zig",
];

/// The rule by which this path names a secret, if one does.
///
/// The path may be relative or absolute; callers ask again for a link's target.
pub fn secret_name(path: &str) -> Option<&'static str> {
    let folded = path.to_lowercase();
    let mut components = folded.rsplit('/').filter(|component| !component.is_empty());
    let name = components.next()?;
    let in_directory = std::iter::once(name)
        .chain(components)
        .any(|component| DIRECTORIES.contains(&component));
    if in_directory {
        return Some(".ssh/, .aws/, .gnupg/ or .kube/");
    }
    environment_file(name)
        .or_else(|| {
            FILE_NAMES
                .contains(&name)
                .then_some("a credentials file by convention")
        })
        .or_else(|| {
            folded
                .ends_with(".docker/config.json")
                .then_some(".docker/config.json")
        })
        .or_else(|| by_extension(name))
        .or_else(|| by_word(name))
}

/// `.env` and its relatives, but not the templates that list only the names of variables.
fn environment_file(name: &str) -> Option<&'static str> {
    let is_template = TEMPLATE_ENDINGS.iter().any(|ending| name.ends_with(ending));
    (name.starts_with(".env") && !is_template).then_some(".env*")
}

fn by_extension(name: &str) -> Option<&'static str> {
    let unbacked = name
        .strip_suffix(".backup")
        .or_else(|| name.strip_suffix(".bak"))
        .or_else(|| name.strip_suffix(".old"))
        .unwrap_or(name);
    if unbacked.ends_with(".tfvars.json") {
        return Some("*.tfvars");
    }
    let (_, extension) = unbacked.rsplit_once('.')?;
    EXTENSIONS
        .iter()
        .find(|(known, _)| *known == extension)
        .map(|(_, rule)| *rule)
}

/// Words that give a file away unless it is program text.
fn by_word(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if SOURCE_EXTENSIONS.contains(&extension) && !stem.is_empty() {
        return None;
    }
    if KEY_STEMS.iter().any(|key| name.starts_with(key)) && extension != "pub" {
        return Some("id_rsa and other private keys");
    }
    if name.starts_with("credentials") || name.starts_with(".credentials") {
        return Some("credentials*");
    }
    let is_service_account = stem.contains("service-account") || stem.contains("service_account");
    if is_service_account && extension == "json" {
        return Some("service-account*.json");
    }
    name.contains("secret").then_some("*secret*")
}

#[cfg(test)]
mod tests {
    use super::secret_name;

    #[test]
    fn names_of_secrets_are_recognised() {
        let secrets = [
            (".env", ".env*"),
            ("config/.env.local", ".env*"),
            (".ENV.production", ".env*"),
            (".envrc", ".env*"),
            ("deploy/prod.env", "*.env"),
            ("server.pem", "*.pem"),
            ("tls/Server.KEY", "*.key"),
            ("server.key.bak", "*.key"),
            ("a.p12", "*.p12"),
            ("a.pfx", "*.pfx"),
            ("a.jks", "*.jks"),
            ("a.kdbx", "*.kdbx"),
            ("a.ppk", "*.ppk"),
            ("id_rsa", "id_rsa and other private keys"),
            ("keys/id_ed25519_work", "id_rsa and other private keys"),
            (".netrc", "a credentials file by convention"),
            (".npmrc", "a credentials file by convention"),
            ("home/.pypirc", "a credentials file by convention"),
            (".git-credentials", "a credentials file by convention"),
            (".pgpass", "a credentials file by convention"),
            ("/home/me/.ssh/config", ".ssh/, .aws/, .gnupg/ or .kube/"),
            (".aws/config.py", ".ssh/, .aws/, .gnupg/ or .kube/"),
            (".kube", ".ssh/, .aws/, .gnupg/ or .kube/"),
            ("infra/terraform.tfstate", "*.tfstate"),
            ("infra/terraform.tfstate.backup", "*.tfstate"),
            ("infra/prod.auto.tfvars", "*.tfvars"),
            ("infra/prod.tfvars.json", "*.tfvars"),
            ("credentials", "credentials*"),
            ("credentials.json", "credentials*"),
            ("service-account-prod.json", "service-account*.json"),
            ("client_secret.json", "*secret*"),
            ("k8s/my-secrets.yaml", "*secret*"),
            ("SECRETS", "*secret*"),
            (".docker/config.json", ".docker/config.json"),
        ];
        for (path, rule) in secrets {
            assert_eq!(secret_name(path), Some(rule), "{path}");
        }
    }

    #[test]
    fn names_that_only_sound_like_secrets_pass() {
        let harmless = [
            ".env.example",
            "config/.env.sample",
            "secret_santa.py",
            "secret_santa/main.py",
            "secrets/README.txt",
            "tokenizer.py",
            "monkey.py",
            "keyboard.key.ts",
            "src/environment.rs",
            "src/credentials_form.tsx",
            "keys.py",
            "key",
            "turkey.md",
            "id_rsa.pub",
            "src/id_rsa_parser.go",
            "docs/service-account.md",
            "pem.rs",
            "aws/config.toml",
            "",
            "/",
        ];
        for path in harmless {
            assert_eq!(secret_name(path), None, "{path}");
        }
    }
}
