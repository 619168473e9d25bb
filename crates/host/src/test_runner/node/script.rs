//! The words of a project's own test command besides the runner's name.

/// Options of node that a project's tests may need, with whether a value follows.
const OPTIONS: [(&str, bool); 16] = [
    ("--conditions", true),
    ("--enable-source-maps", false),
    ("--env-file", true),
    ("--experimental-default-type", true),
    ("--experimental-import-meta-resolve", false),
    ("--experimental-loader", true),
    ("--experimental-specifier-resolution", true),
    ("--experimental-strip-types", false),
    ("--experimental-test-module-mocks", false),
    ("--experimental-transform-types", false),
    ("--experimental-vm-modules", false),
    ("--experimental-wasm-modules", false),
    ("--import", true),
    ("--loader", true),
    ("--no-warnings", false),
    ("--require", true),
];

/// Those of them that say nothing of code to load, so that the runner's own process may have them.
const HARMLESS: [&str; 8] = [
    "--conditions",
    "--enable-source-maps",
    "--experimental-import-meta-resolve",
    "--experimental-specifier-resolution",
    "--experimental-strip-types",
    "--experimental-transform-types",
    "--experimental-vm-modules",
    "--no-warnings",
];

/// The words after `node` in a test command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NodeWords {
    /// Options, values joined to them by `=`.
    pub(super) options: Vec<String>,
    /// Whether it runs node's own test runner.
    pub(super) is_test: bool,
    /// Files, directories and patterns.
    pub(super) patterns: Vec<String>,
}

impl NodeWords {
    /// Reads the first command of a script that calls node, `NODE_OPTIONS` included; commands are split as a shell
    /// would, and words that a shell would have to expand are left out.
    pub(super) fn of(script: &str) -> Self {
        let mut found = Self::default();
        for command in script.split("&&") {
            let Ok(words) = shell_words::split(command) else {
                continue;
            };
            let variables = words.iter().take_while(|word| is_launcher(word));
            let options = variables.filter_map(|word| word.strip_prefix("NODE_OPTIONS="));
            for options in options {
                found.take(options.split_whitespace().map(str::to_owned));
            }
            let started = started(&words, |word| word == "node" || word == "tsx");
            let mut rest = words.iter().skip(started).cloned();
            match rest.next().as_deref() {
                Some("node") => found.take(rest),
                // It is a node that loads itself first.
                Some("tsx") => {
                    found.options.push("--import=tsx".to_owned());
                    found.take(rest);
                }
                _ => {}
            }
            if found.is_test {
                break;
            }
        }
        found
    }

    /// The options that do not affect which modules the runner's own process loads.
    pub(super) fn harmless(&self) -> Vec<String> {
        let name = |option: &str| option.split('=').next().unwrap_or_default().to_owned();
        let options = self.options.iter();
        options
            .filter(|option| HARMLESS.contains(&name(option).as_str()))
            .cloned()
            .collect()
    }

    fn take(&mut self, words: impl Iterator<Item = String>) {
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (word.clone(), None),
            };
            let name = match name.as_str() {
                "-r" => "--require".to_owned(),
                "-C" => "--conditions".to_owned(),
                _ => name,
            };
            if name == "--test" {
                self.is_test = true;
            } else if let Some((_, with_value)) = OPTIONS.iter().find(|(known, _)| *known == name) {
                let value = value.or_else(|| words.next_if(|_| *with_value));
                self.options
                    .push(value.map_or(name.clone(), |value| format!("{name}={value}")));
            } else if !word.starts_with('-') && self.is_test {
                self.patterns.push(word);
            }
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .chars()
                .all(|one| one == '_' || one.is_ascii_alphanumeric())
    })
}

/// The position of the command after variables and launchers. A launcher may have options, of which only it knows
/// whether a value follows: there the first matching word counts.
pub(super) fn started(words: &[impl AsRef<str>], is_sought: fn(&str) -> bool) -> usize {
    let is_word = |index: &usize, is: fn(&str) -> bool| is(words[*index].as_ref());
    let first = (0..words.len()).find(|index| !is_word(index, is_launcher));
    let first = first.unwrap_or(words.len());
    let has_options = first > 0 && first < words.len() && words[first].as_ref().starts_with('-');
    if has_options {
        let sought = (first..words.len()).find(|index| is_word(index, is_sought));
        return sought.unwrap_or(words.len());
    }
    first
}

fn is_launcher(word: &str) -> bool {
    is_assignment(word) || ["npx", "cross-env", "c8", "nyc", "dotenv", "--"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::NodeWords;

    #[test]
    fn options_and_files_of_a_test_command_are_found() {
        let table: [(&str, bool, &[&str], &[&str]); 11] = [
            ("node --test", true, &[], &[]),
            ("node --test test/*.js", true, &[], &["test/*.js"]),
            (
                "eslint . && c8 node --import tsx --test 'test/**/*.ts'",
                true,
                &["--import=tsx"],
                &["test/**/*.ts"],
            ),
            (
                "NODE_ENV=test node -r ./setup.cjs --test-reporter=spec --test",
                true,
                &["--require=./setup.cjs"],
                &[],
            ),
            (
                "NODE_OPTIONS=--experimental-vm-modules npx jest",
                false,
                &["--experimental-vm-modules"],
                &[],
            ),
            (
                "cross-env NODE_OPTIONS=--experimental-vm-modules CI=1 jest",
                false,
                &["--experimental-vm-modules"],
                &[],
            ),
            (
                "node --experimental-vm-modules node_modules/jest/bin/jest.js",
                false,
                &["--experimental-vm-modules"],
                &[],
            ),
            (
                "tsx --test a.test.ts",
                true,
                &["--import=tsx"],
                &["a.test.ts"],
            ),
            ("c8 --100 --include index.js node --test", true, &[], &[]),
            ("c8 --100 vitest run", false, &[], &[]),
            ("vitest run", false, &[], &[]),
        ];
        for (script, is_test, options, patterns) in table {
            let words = NodeWords::of(script);
            assert_eq!(words.is_test, is_test, "{script}");
            assert_eq!(words.options, options, "{script}");
            assert_eq!(words.patterns, patterns, "{script}");
        }
    }

    #[test]
    fn what_loads_code_is_not_for_the_runners_own_process() {
        let words = NodeWords::of("node --import=tsx --experimental-vm-modules --test");
        assert_eq!(words.harmless(), ["--experimental-vm-modules"]);
    }
}
