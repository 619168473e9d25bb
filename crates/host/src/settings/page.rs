//! The settings as text: a file to begin with, and the reference.

use std::fmt::Write as _;

use super::keys::{Guard, KEYS, Key, TABLES, Unset};

/// How wide a comment may be.
const COLUMNS: usize = 96;

/// A detected value of a project, as TOML, for one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// The table.
    pub table: &'static str,
    /// The key in it.
    pub name: &'static str,
    /// The value, in TOML.
    pub value: String,
}

/// A `proctor.toml` that explains every key. Detected settings are set, everything else is a comment.
///
/// `parts` are the repository's parts, if it has several: the root of each, and its runner.
pub fn template(found: &[Preset], parts: &[(&str, &str)]) -> String {
    let mut text = String::from(
        "# Settings of Proctor. Every key is optional: what stands behind a `#` is the default or an\n\
         # example. `proctor doctor` checks this file. Commit it: a change is judged by the settings of\n\
         # the commit that it starts from.\n",
    );
    for (table, about) in TABLES {
        let parts = if *table == "test" { parts } else { &[] };
        let first = parts
            .first()
            .map(|(root, runner)| [("root", root), ("runner", runner)]);
        let _ = match first {
            Some(_) => write!(text, "\n# {about}\n[[{table}]]\n"),
            None => write!(text, "\n# {about}\n[{table}]\n"),
        };
        for key in KEYS.iter().filter(|key| key.table == *table) {
            for line in wrapped(&comment(key)) {
                let _ = writeln!(text, "# {line}");
            }
            let set = found
                .iter()
                .find(|preset| preset.table == key.table && preset.name == key.name)
                .map(|preset| preset.value.clone());
            let of_part = first.iter().flatten().find(|(name, _)| *name == key.name);
            let _ = match of_part.map(|(_, value)| format!("{value:?}")).or(set) {
                Some(value) => writeln!(text, "{} = {value}", key.name),
                None => writeln!(text, "# {} = {}", key.name, key.sample()),
            };
        }
        for (root, runner) in parts.iter().skip(1) {
            let _ = write!(
                text,
                "\n[[{table}]]\nroot = {root:?}\nrunner = {runner:?}\n"
            );
        }
    }
    text
}

fn comment(key: &Key) -> String {
    let meaning = meaning(key);
    match key.unset {
        Unset::Value(_) => meaning,
        Unset::Otherwise { words, .. } => format!("{meaning} If not set: {words}."),
    }
}

/// Its purpose, and whether it needs trust.
fn meaning(key: &Key) -> String {
    let meaning = key.meaning;
    match key.guard {
        Guard::Keeps => meaning.to_owned(),
        Guard::Lowers(_) => format!("{meaning} Needs `proctor trust`."),
        Guard::LowersAs(start, _) => format!("{meaning} `{start}` needs `proctor trust`."),
    }
}

/// The reference, in Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# Configuration\n\n\
         `proctor.toml` stands at the root of the repository. Every key is optional; an unknown one is an error that names\n\
         the nearest valid key. `proctor init` writes a file with all of them as comments.\n\n\
         A run takes the file of your checkout when it starts and keeps what it read; `proctor gate` and `proctor review` take the\n\
         file of the commit that changes are measured against. What a model writes into `proctor.toml` has no effect on its own run.\n\n\
         Keys that need `proctor trust` lower the guard: they run programs of their own or show judged code more than it would see. They\n\
         count once a person has trusted exactly this content in this repository, or `PROCTOR_TRUST` names its SHA-256; until then what\n\
         would use them is refused with exit code 4. All other keys always count.\n\n\
         This page is made from `crates/host/src/settings/keys.rs`.\n",
    );
    for (table, about) in TABLES {
        let _ = write!(
            text,
            "\n## `[{table}]`\n\n{about}\n\n| key | meaning | if not set |\n|---|---|---|\n"
        );
        for key in KEYS.iter().filter(|key| key.table == *table) {
            let unset = match key.unset {
                Unset::Value(value) => format!("`{value}`"),
                Unset::Otherwise { words, .. } => words.to_owned(),
            };
            let example = match key.unset {
                Unset::Value(_) => String::new(),
                Unset::Otherwise { example, .. } => format!(" Example: `{example}`"),
            };
            let _ = writeln!(
                text,
                "| `{}` | {}{example} | {unset} |",
                key.name,
                meaning(key)
            );
        }
    }
    text
}

/// Words in lines of a readable length.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= COLUMNS {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proctor_core::dialect::Runner;

    use super::super::Settings;
    use super::*;

    #[test]
    fn a_fresh_file_means_the_defaults() {
        assert_eq!(
            Settings::parse(&template(&[], &[])).unwrap(),
            Settings::default()
        );
    }

    #[test]
    fn every_described_value_is_accepted_and_every_default_is_the_default() {
        for key in KEYS {
            let text = format!("[{}]\n{} = {}\n", key.table, key.name, key.sample());
            let settings = Settings::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let is_default = settings == Settings::default();
            let says_default = matches!(key.unset, Unset::Value(_));
            assert_eq!(is_default, says_default, "{text}");
        }
    }

    #[test]
    fn every_setting_is_described_and_nothing_else() {
        let all = serde_json::to_value(Settings::default()).unwrap();
        let fields: BTreeSet<String> = all
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(table, keys)| {
                let keys = keys.as_object().unwrap().keys();
                keys.map(move |key| format!("{table}.{key}"))
            })
            .collect();
        let described: BTreeSet<String> = KEYS.iter().map(Key::full_name).collect();
        assert_eq!(fields, described);
        let tables: BTreeSet<&str> = KEYS.iter().map(|key| key.table).collect();
        assert_eq!(tables, TABLES.iter().map(|(table, _)| *table).collect());
    }

    #[test]
    fn what_was_found_is_set_and_the_rest_stays_a_comment() {
        let paths = Preset {
            table: "test",
            name: "paths",
            value: "[\"checks\"]".to_owned(),
        };
        let text = template(&[paths], &[]);
        assert_eq!(
            Settings::parse(&text).unwrap().test.paths,
            ["checks".to_owned()]
        );
        assert!(text.lines().all(|line| line.chars().count() < 100));
    }

    #[test]
    fn every_part_has_a_table_of_its_own() {
        let text = template(&[], &[("api", "pytest"), ("web", "vitest")]);
        let settings = Settings::parse(&text).unwrap();
        let parts: Vec<_> = settings
            .parts()
            .map(|part| (part.root.as_str(), part.runner.map(Runner::name)))
            .collect();
        assert_eq!(
            parts,
            [("api", Some("pytest")), ("web", Some("vitest"))],
            "{text}"
        );
    }

    #[test]
    fn the_reference_in_the_documentation_is_this_one() {
        proctor_testkit::expect_page("configuration.md", &reference());
    }
}
