//! A `proctor.toml` as it was found, not trusted yet.

use std::path::Path;

use proctor_core::safe_write::sha256;
use toml::Table;

use super::{FILE_NAME, KEYS, Settings, SettingsError, table};

/// A file's settings. They are not accessible directly: a key that lowers the guard counts only where the file is
/// trusted (`crates/host/src/trust.rs`).
#[derive(Debug, Clone)]
pub struct SettingsFile {
    settings: Settings,
    protective: Settings,
    digest: String,
    lowering: Vec<Lowering>,
}

/// A key that lowers the guard, with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowering {
    /// The key's table.
    pub table: &'static str,
    /// The key as people write it: `sandbox.mode`.
    pub key: String,
    /// Its value, in TOML.
    pub value: String,
    /// The permission that it gives.
    pub allows: &'static str,
}

impl SettingsFile {
    /// Reads the file at the repository's root; no file says nothing.
    pub fn read(root: &Path) -> Result<Self, SettingsError> {
        match std::fs::read_to_string(root.join(FILE_NAME)) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::parse(""),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the file's text.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let settings = Settings::parse(text)?;
        let mut protective = table(text)?;
        let lowering = take_lowering(&mut protective);
        Ok(Self {
            settings,
            protective: Settings::parse(&protective.to_string())?,
            digest: sha256(text.as_bytes()),
            lowering,
        })
    }

    /// The digest of exactly this content: its SHA-256, as `sha256sum proctor.toml` prints it.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The keys that lower the guard.
    pub fn lowering(&self) -> &[Lowering] {
        &self.lowering
    }

    /// All of its settings, for a trusted file.
    pub(crate) fn whole(&self) -> &Settings {
        &self.settings
    }

    /// The settings that always count: keys that lower the guard are as if they were not set.
    pub fn protective(&self) -> &Settings {
        &self.protective
    }
}

/// Takes the keys that lower the guard out of the file's tables.
fn take_lowering(tables: &mut Table) -> Vec<Lowering> {
    let mut found = Vec::new();
    for key in KEYS {
        let inner: Vec<&mut Table> = match tables.get_mut(key.table) {
            Some(toml::Value::Table(inner)) => vec![inner],
            Some(toml::Value::Array(several)) => {
                let tables = several.iter_mut();
                tables.filter_map(toml::Value::as_table_mut).collect()
            }
            _ => continue,
        };
        for inner in inner {
            let allowed = inner.get(key.name).and_then(|value| key.allows(value));
            if let Some(allows) = allowed
                && let Some(value) = inner.remove(key.name)
            {
                found.push(Lowering {
                    table: key.table,
                    key: key.full_name(),
                    value: value.to_string(),
                    allows,
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lowers_the_guard_is_told_from_what_does_not() {
        let lowered = |text: &str| -> Vec<String> {
            let file = SettingsFile::parse(text).unwrap();
            assert_eq!(
                *file.whole() == *file.protective(),
                file.lowering.is_empty()
            );
            file.lowering.iter().map(|it| it.key.clone()).collect()
        };
        for (text, key) in [
            ("[sandbox]\nmode = \"off\"\n", "sandbox.mode"),
            ("sandbox = { mode = \"off\" }\n", "sandbox.mode"),
            ("sandbox.mode = \"off\"\n", "sandbox.mode"),
            ("[test]\ncommand = \"./t\"\n", "test.command"),
            (
                "[[test]]\nroot = \"a\"\n[[test]]\nroot = \"b\"\ncommand = \"./t\"\n",
                "test.command",
            ),
            ("[lint]\ncommand = [\"./l\"]\n", "lint.command"),
            ("[worktree]\nsetup = \"make\"\n", "worktree.setup"),
            (
                "[worktree]\ncopy_ignored = [\".env\"]\n",
                "worktree.copy_ignored",
            ),
            ("[notify]\ncommand = \"./n\"\n", "notify.command"),
            ("[model]\ndefault = \"command:./m\"\n", "model.default"),
        ] {
            assert_eq!(lowered(text), [key], "{text}");
        }
        for text in [
            "",
            "[sandbox]\nmode = \"bubblewrap\"\n",
            "[lint]\ncommand = []\n",
            "[worktree]\nsetup = []\ncopy_ignored = []\n",
            "[model]\ndefault = \"ollama:tiny\"\nmax_cost_usd = 1.5\n",
            "[test]\npaths = [\"tests\"]\nred = \"all\"\n",
        ] {
            assert!(lowered(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_does_not_lower_counts_beside_what_does() {
        let text = "[test]\ncommand = \"./t\"\nred = \"all\"\n[sandbox]\nmode = \"off\"\n";
        let file = SettingsFile::parse(text).unwrap();
        let expected = Settings::parse("[test]\nred = \"all\"\n").unwrap();
        assert_eq!(*file.protective(), expected);
    }
}
