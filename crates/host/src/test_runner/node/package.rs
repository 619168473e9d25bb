//! The facts about the runner in a `package.json`.

use serde_json::{Map, Value};

use super::script::started;

/// The parts of a `package.json` that are looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Package {
    dependencies: Vec<String>,
    keys: Vec<String>,
    scripts: Vec<(String, String)>,
    version: Option<String>,
}

impl Package {
    /// Reads it; invalid JSON, or parts of other shapes, are ignored.
    pub(super) fn parse(text: &str) -> Self {
        let Ok(Value::Object(whole)) = serde_json::from_str(text) else {
            return Self::default();
        };
        let empty = Map::new();
        let part = |name: &str| whole.get(name).and_then(Value::as_object).unwrap_or(&empty);
        let kinds = ["dependencies", "devDependencies", "optionalDependencies"];
        let scripts = part("scripts").iter();
        Self {
            dependencies: kinds
                .iter()
                .flat_map(|kind| part(kind).keys().cloned())
                .collect(),
            keys: whole.keys().cloned().collect(),
            scripts: scripts
                .filter_map(|(name, script)| Some((name.clone(), script.as_str()?.to_owned())))
                .collect(),
            version: whole
                .get("version")
                .and_then(Value::as_str)
                .map(str::to_owned),
        }
    }

    /// Whether it asks for a package.
    pub(super) fn needs(&self, name: &str) -> bool {
        self.dependencies.iter().any(|known| known == name)
    }

    /// Whether it has a part of this name.
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// The command of `npm test`, with the scripts that it calls by `npm run` in their places.
    pub(super) fn test_script(&self) -> String {
        self.resolved("test", 0).unwrap_or_default()
    }

    fn resolved(&self, name: &str, depth: usize) -> Option<String> {
        const DEEPEST: usize = 5;
        let (_, script) = self.scripts.iter().find(|(known, _)| known == name)?;
        if depth >= DEEPEST {
            return Some(script.clone());
        }
        let commands = script.split("&&").map(str::trim);
        let resolved = commands.map(|command| {
            let words: Vec<&str> = command.split_whitespace().collect();
            let is_manager = |word: &str| ["npm", "pnpm", "yarn", "bun"].contains(&word);
            let (before, called) = words.split_at(started(&words, is_manager));
            let called = match called {
                [manager, "run" | "run-script", name, ..] if is_manager(manager) => Some(name),
                [manager, name, ..] if is_manager(manager) && *manager != "npm" => Some(name),
                _ => None,
            };
            let called = called.and_then(|name| self.resolved(name, depth + 1));
            let called = called.map(|called| [&before.join(" "), called.as_str()].join(" "));
            called.map_or_else(|| command.to_owned(), |called| called.trim().to_owned())
        });
        Some(resolved.collect::<Vec<_>>().join(" && "))
    }

    /// Its own version.
    pub(super) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::Package;

    #[test]
    fn scripts_that_are_called_stand_in_their_places() {
        let table = [
            (r#"{"test": "vitest run"}"#, "vitest run"),
            (
                r#"{"test": "npm run lint && npm run unit", "lint": "eslint .", "unit": "jest"}"#,
                "eslint . && jest",
            ),
            (
                r#"{"test": "pnpm unit", "unit": "node --test"}"#,
                "node --test",
            ),
            (r#"{"test": "npm run gone"}"#, "npm run gone"),
            (
                r#"{"test": "c8 --100 --include index.js npm run unit", "unit": "node --test"}"#,
                "c8 --100 --include index.js node --test",
            ),
            (
                r#"{"test": "CI=1 npm run unit", "unit": "jest"}"#,
                "CI=1 jest",
            ),
            (r#"{"test": "node unit", "unit": "jest"}"#, "node unit"),
            (r#"{"build": "tsc"}"#, ""),
        ];
        for (scripts, expected) in table {
            let package = Package::parse(&format!(r#"{{"scripts": {scripts}}}"#));
            assert_eq!(package.test_script(), expected, "{scripts}");
        }
        let endless = Package::parse(r#"{"scripts": {"test": "npm run test"}}"#);
        assert_eq!(endless.test_script(), "npm run test");
    }

    #[test]
    fn what_is_no_package_says_nothing() {
        for text in [
            "",
            "[]",
            "{",
            r#"{"dependencies": ["vitest"], "scripts": 1}"#,
        ] {
            let package = Package::parse(text);
            assert!(!package.needs("vitest"), "{text}");
            assert_eq!(package.test_script(), "", "{text}");
        }
        let package = Package::parse(r#"{"devDependencies": {"vitest": "4"}, "jest": {}}"#);
        assert!(package.needs("vitest") && package.has("jest") && !package.has("ava"));
    }
}
