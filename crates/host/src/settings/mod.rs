//! `proctor.toml`: read once, unknown keys refused with the nearest valid one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proctor_core::approval::{Demand, UserPresence};
use proctor_core::dialect::Runner;
use proctor_core::failure::{Explained, Kind};
use proctor_core::gate::RedRule;
use proctor_core::mutants::MutantRule;
use proctor_core::path::ProjectPath;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml::{Table, Value};

use crate::process::SandboxMode;

mod file;
mod keys;
mod page;

pub use file::{Lowering, SettingsFile};
pub use keys::{Guard, KEYS, Key, TABLES, Unset};
pub use page::{Preset, reference, template};

/// The file's name, at the root of the repository.
pub const FILE_NAME: &str = "proctor.toml";

/// The values of `sandbox.mode`.
const SANDBOX_MODES: &str = "auto, bubblewrap, landlock, off";

/// The repository owner's configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How tests are run.
    pub test: TestSettings,
    /// The same for further parts of the repository, where there are several `[[test]]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_tests: Vec<TestSettings>,
    /// How changed files are linted.
    pub lint: LintSettings,
    /// Which model is asked.
    pub model: ModelSettings,
    /// How a person's own changes are reviewed.
    pub review: ReviewSettings,
    /// How approvals are signed, and which count.
    pub approval: ApprovalSettings,
    /// Where work happens.
    pub worktree: WorktreeSettings,
    /// Permissions of other agents.
    pub guard: GuardSettings,
    /// How a person is called.
    pub notify: NotifySettings,
    /// How tests are confined.
    pub sandbox: SandboxSettings,
}

/// `[test]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TestSettings {
    /// The part of the repository that this is about: a directory; empty: all of it.
    pub root: String,
    /// The runner; none: found from the project's own files.
    #[serde(deserialize_with = "runner")]
    pub runner: Option<Runner>,
    /// The command that starts it, in words; empty: found automatically.
    #[serde(deserialize_with = "words")]
    pub command: Vec<String>,
    /// For each process of the runner.
    pub timeout_seconds: u64,
    /// Where tests are; empty: the runner's own defaults.
    pub paths: Vec<String>,
    /// How many of the new tests have to fail: `any` or `all`.
    pub red: RedRule,
    /// The consequence of a mutant that no test notices: `off`, `report` or `demand`.
    pub mutants: MutantRule,
    /// Which share of the new tests the implementing model is not shown.
    pub held_out: f64,
    /// How long mutants may take; not set: 30, and no longer than the gate itself.
    pub mutant_seconds: Option<u64>,
}

impl Default for TestSettings {
    fn default() -> Self {
        Self {
            root: String::new(),
            runner: None,
            command: Vec::new(),
            timeout_seconds: 300,
            paths: Vec::new(),
            red: RedRule::Any,
            mutants: MutantRule::Report,
            mutant_seconds: None,
            held_out: 0.33,
        }
    }
}

impl TestSettings {
    /// `paths`, from the repository's root.
    pub fn whole_paths(&self) -> impl Iterator<Item = String> {
        self.paths.iter().map(|path| self.whole(path))
    }

    /// A path of this part from the repository's root.
    pub fn whole(&self, path: &str) -> String {
        match self.root.as_str() {
            "" => path.to_owned(),
            root => format!("{root}/{}", path.trim_start_matches("./")),
        }
    }
}

/// `[lint]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LintSettings {
    /// The command, in words; the changed files are added to it. Empty: no linter. Not set: found automatically.
    #[serde(deserialize_with = "some_words")]
    pub command: Option<Vec<String>>,
}

/// Dollars a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens sent.
    pub input: f64,
    /// Tokens received.
    pub output: f64,
    /// Tokens sent and found in the service's cache; as `input` if not given.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// Tokens sent and put into the service's cache; as `input` if not given.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

/// `[model]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelSettings {
    /// Used when neither `--model` nor `PROCTOR_MODEL` names one.
    pub default: Option<String>,
    /// The most that a model service may send; scripts and programs have limits of their own.
    pub max_output_tokens: Option<u64>,
    /// The most that a run may cost at a model service.
    pub max_cost_usd: Option<f64>,
    /// The most tokens that a run may use at a model service, both ways.
    pub max_run_tokens: Option<u64>,
    /// Whether a model service is asked for its reply in pieces; it is by default.
    pub stream: Option<bool>,
    /// How long a model service may be silent.
    pub idle_timeout_seconds: Option<u64>,
    /// How long one request to a model service may take, all tries together.
    pub timeout_seconds: Option<u64>,
    /// By `SERVICE:NAME`, dollars a million tokens.
    pub prices: BTreeMap<String, Price>,
}

impl ModelSettings {
    /// The most that a run may cost, in millionths of a dollar.
    pub fn max_cost_micro_usd(&self) -> Option<u64> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked when it was read; casting saturates"
        )]
        self.max_cost_usd
            .map(|dollars| (dollars * 1_000_000.0) as u64)
    }
}

/// `[review]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewSettings {
    /// Whether git's pre-commit hook runs before changes are shown; a repository's hooks are programs that anyone may
    /// have put there, so only if the committed settings ask for it.
    pub pre_commit_hook: bool,
}

/// `[approval]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ApprovalSettings {
    /// Whether an approval is signed.
    pub sign: SignMode,
    /// The key to sign with: a file, or a public key that an agent has.
    pub key: Option<String>,
    /// How sure it has to be that a person was at the key.
    pub presence: UserPresence,
    /// How many people have to approve.
    pub approvers: usize,
    /// Whether a commit's author may be one of them.
    pub author_may_approve: bool,
}

/// Whether an approval is signed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignMode {
    /// It is a word in the audit trail.
    #[default]
    Off,
    /// By `ssh-keygen`.
    Ssh,
    /// By a passkey, on a page in the browser.
    Passkey,
}

impl Default for ApprovalSettings {
    fn default() -> Self {
        let demand = Demand::default();
        Self {
            sign: SignMode::Off,
            key: None,
            presence: demand.presence,
            approvers: demand.approvers,
            author_may_approve: demand.author_may_approve,
        }
    }
}

impl ApprovalSettings {
    /// The requirements for an approval to count.
    pub fn demand(&self) -> Demand {
        Demand {
            presence: self.presence,
            approvers: self.approvers,
            author_may_approve: self.author_may_approve,
        }
    }
}

/// `[worktree]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorktreeSettings {
    /// Where worktrees go instead of the state directory.
    pub directory: Option<PathBuf>,
    /// The command that makes the files that the tests need and git does not have, in words; empty: none.
    #[serde(deserialize_with = "words")]
    pub setup: Vec<String>,
    /// For that command.
    pub setup_timeout_seconds: u64,
    /// Files and directories that are taken from the checkout although git ignores them.
    pub copy_ignored: Vec<String>,
}

impl Default for WorktreeSettings {
    fn default() -> Self {
        Self {
            directory: None,
            setup: Vec::new(),
            setup_timeout_seconds: 600,
            copy_ignored: Vec::new(),
        }
    }
}

/// `[guard]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardSettings {
    /// Directories in which anything may be tried; nothing in them is judged, and nothing in them is committed.
    pub scratch: Vec<String>,
}

/// `[notify]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NotifySettings {
    /// The command, in words; empty: none.
    #[serde(deserialize_with = "words")]
    pub command: Vec<String>,
    /// Whether the terminal's bell rings.
    pub bell: bool,
    /// How long the work has to have taken for that.
    pub bell_after_seconds: u64,
}

impl Default for NotifySettings {
    fn default() -> Self {
        Self {
            command: Vec::new(),
            bell: true,
            bell_after_seconds: 10,
        }
    }
}

/// `[sandbox]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SandboxSettings {
    /// `auto`, `bubblewrap`, `landlock` or `off`.
    pub mode: SandboxMode,
}

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("{FILE_NAME} cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is not TOML, or a value has the wrong type.
    #[error("{FILE_NAME} is not valid: {0}")]
    Invalid(String),
    /// A key that means nothing.
    #[error("{FILE_NAME} has an unknown key {key:?}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The valid key that is most like it.
        nearest: String,
    },
    /// A value that this version cannot honour.
    #[error("{FILE_NAME}: {key} = {value:?} is not supported")]
    Unsupported {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// The supported values.
        supported: &'static str,
    },
}

impl Explained for SettingsError {
    fn kind(&self) -> Kind {
        Kind::Usage
    }

    fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::UnknownKey { nearest, .. } => format!("did you mean {nearest:?}?"),
            Self::Unsupported { supported, .. } => format!("supported: {supported}"),
            Self::Io(_) | Self::Invalid(_) => {
                "fix the file, or move it away and have `proctor init` write a new one".to_owned()
            }
        }]
    }
}

#[cfg(feature = "samples")]
impl proctor_core::failure::Sampled for SettingsError {
    fn samples() -> Vec<Self> {
        proctor_core::samples!(SettingsError {
            SettingsError::Io(_) => SettingsError::Io(std::io::Error::other("REASON")),
            SettingsError::Invalid(_) => SettingsError::Invalid("REASON".to_owned()),
            SettingsError::UnknownKey { .. } => SettingsError::UnknownKey { key: "KEY".to_owned(), nearest: "NEAREST".to_owned() },
            SettingsError::Unsupported { .. } => SettingsError::Unsupported { key: "KEY", value: "VALUE".to_owned(), supported: "VALUES" },
        })
    }
}

impl Settings {
    /// The parts of the repository that are tested, one `[test]` or several `[[test]]`.
    pub fn parts(&self) -> impl Iterator<Item = &TestSettings> {
        std::iter::once(&self.test).chain(&self.further_tests)
    }

    /// The values of a text that is known to be TOML.
    fn of(text: &str, mut table: Table) -> Result<Self, SettingsError> {
        let read = |text: &str| toml::from_str(text).map_err(|error| invalid(text, &error));
        let several = match table.get("test") {
            Some(Value::Array(several)) if !several.is_empty() => several.clone(),
            _ => return read(text),
        };
        table.remove("test");
        let mut parts = Vec::new();
        for value in several {
            let words = |error: toml::de::Error| error.message().trim().replace('\n', " ");
            let part = value
                .try_into()
                .map_err(|error| SettingsError::Invalid(format!("`[[test]]`: {}", words(error))))?;
            parts.push(part);
        }
        let further_tests = parts.split_off(1);
        Ok(Self {
            test: parts.remove(0),
            further_tests,
            ..read(&table.to_string())?
        })
    }

    /// Parses the file's text, trusted or not; only a [`SettingsFile`] gives settings to others.
    fn parse(text: &str) -> Result<Self, SettingsError> {
        let table = table(text)?;
        refuse_unknown(&table)?;
        let unsupported = |key, value: &str, supported| SettingsError::Unsupported {
            key,
            value: value.to_owned(),
            supported,
        };
        let mode = table.get("sandbox").and_then(|inner| inner.get("mode"));
        if let Some(Value::String(mode)) = mode
            && !SANDBOX_MODES.split(", ").any(|name| name == mode)
        {
            return Err(unsupported("sandbox.mode", mode, SANDBOX_MODES));
        }
        for (key, supported) in [
            ("approval.sign", "off, ssh, passkey"),
            ("approval.presence", "touch, verified, none"),
            ("test.runner", "auto, pytest, vitest, jest, node"),
        ] {
            let (table_name, name) = key.split_once('.').unwrap_or((key, ""));
            let values = tables_of(&table, table_name).filter_map(|inner| inner.get(name));
            for value in values.filter_map(Value::as_str) {
                if !supported.split(", ").any(|name| name == value) {
                    return Err(unsupported(key, value, supported));
                }
            }
        }
        let settings = Self::of(text, table)?;
        for test in settings.parts() {
            if !(0.0..=1.0).contains(&test.held_out) {
                let value = test.held_out.to_string();
                return Err(unsupported("test.held_out", &value, "a number from 0 to 1"));
            }
            if test.mutant_seconds == Some(0) {
                return Err(unsupported("test.mutant_seconds", "0", "1 or more"));
            }
            if test.timeout_seconds == 0 {
                return Err(unsupported("test.timeout_seconds", "0", "1 or more"));
            }
            if !test.root.is_empty() && ProjectPath::parse(&test.root).is_err() {
                let supported = "a directory of the repository, without `./` or a slash at its end";
                return Err(unsupported("test.root", &test.root, supported));
            }
        }
        let mut roots = BTreeSet::new();
        let repeated = settings.parts().find(|test| !roots.insert(&test.root));
        if let Some(test) = repeated {
            let supported = "another directory for every `[[test]]`";
            return Err(unsupported("test.root", &test.root, supported));
        }
        let model = &settings.model;
        let no_amount = |dollars: f64| !dollars.is_finite() || dollars < 0.0;
        if let Some(dollars) = model.max_cost_usd.filter(|it| no_amount(*it)) {
            let value = dollars.to_string();
            return Err(unsupported("model.max_cost_usd", &value, "0 or more"));
        }
        for (key, value) in [
            ("model.max_output_tokens", model.max_output_tokens),
            ("model.max_run_tokens", model.max_run_tokens),
            ("model.idle_timeout_seconds", model.idle_timeout_seconds),
            ("model.timeout_seconds", model.timeout_seconds),
        ] {
            if value == Some(0) {
                return Err(unsupported(key, "0", "1 or more"));
            }
        }
        if let Some((name, _)) = model.prices.iter().find(|(_, price)| !price.is_sound()) {
            return Err(unsupported("model.prices", name, "prices of 0 or more"));
        }
        if settings.approval.approvers == 0 {
            return Err(unsupported("approval.approvers", "0", "1 or more"));
        }
        if settings.worktree.setup_timeout_seconds == 0 {
            return Err(unsupported(
                "worktree.setup_timeout_seconds",
                "0",
                "1 or more",
            ));
        }
        let is_path = |path: &&String| ProjectPath::parse(path.trim_end_matches('/')).is_ok();
        for (key, listed) in [
            ("worktree.copy_ignored", &settings.worktree.copy_ignored),
            ("guard.scratch", &settings.guard.scratch),
        ] {
            if let Some(path) = listed.iter().find(|path| !is_path(path)) {
                let supported = "plain paths inside the repository, from its root";
                return Err(unsupported(key, path, supported));
            }
        }
        Ok(settings)
    }
}

fn table(text: &str) -> Result<Table, SettingsError> {
    toml::from_str(text).map_err(|error| invalid(text, &error))
}

/// The reader's own words and the line they are about, without the picture that it draws.
fn invalid(text: &str, error: &toml::de::Error) -> SettingsError {
    let words = error.message().trim().replace('\n', " ");
    SettingsError::Invalid(match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {words}", before.matches('\n').count() + 1),
        None => words,
    })
}

fn refuse_unknown(table: &Table) -> Result<(), SettingsError> {
    for (name, value) in table {
        let several = name == "test" && value.is_array();
        if !TABLES.iter().any(|(table, _)| table == name) {
            return Err(unknown(
                name,
                TABLES.iter().map(|(table, _)| (*table).to_owned()),
            ));
        }
        if !value.is_table() && !several {
            continue;
        }
        for key in tables_of(table, name).flat_map(Table::keys) {
            let full = format!("{name}.{key}");
            if !KEYS.iter().any(|key| key.full_name() == full) {
                return Err(unknown(&full, KEYS.iter().map(Key::full_name)));
            }
        }
    }
    Ok(())
}

/// The table of a name, or all of them where there are several.
fn tables_of<'t>(table: &'t Table, name: &str) -> impl Iterator<Item = &'t Table> {
    let value = table.get(name).into_iter();
    value.flat_map(|value| match value {
        Value::Array(several) => several.iter().filter_map(Value::as_table).collect(),
        other => other.as_table().into_iter().collect::<Vec<_>>(),
    })
}

fn unknown(key: &str, valid: impl Iterator<Item = String>) -> SettingsError {
    SettingsError::UnknownKey {
        key: key.to_owned(),
        nearest: valid
            .max_by(|one, other| {
                strsim::jaro_winkler(one, key).total_cmp(&strsim::jaro_winkler(other, key))
            })
            .unwrap_or_default(),
    }
}

/// A command is a list of words, or one text that is split as a shell would, without a shell.
#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Words(Vec<String>),
    Text(String),
}

impl Command {
    fn words<E: serde::de::Error>(self) -> Result<Vec<String>, E> {
        match self {
            Self::Words(words) => Ok(words),
            Self::Text(text) => shell_words::split(&text).map_err(E::custom),
        }
    }
}

/// The name of a runner; `auto` is none.
fn runner<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Runner>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    let named = name.filter(|name| name != "auto").map(|name| {
        let known = Runner::ALL.into_iter().find(|runner| runner.name() == name);
        known.ok_or_else(|| serde::de::Error::custom(format!("there is no runner {name}")))
    });
    named.transpose()
}

fn words<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Command::deserialize(deserializer)?.words()
}

fn some_words<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    let command = Option::<Command>::deserialize(deserializer)?;
    command.map(Command::words).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_valid_one() {
        let error = Settings::parse("[test]\ntimeout = 3\n").unwrap_err();
        let SettingsError::UnknownKey { key, nearest } = error else {
            panic!("{error}")
        };
        assert_eq!(
            (key.as_str(), nearest.as_str()),
            ("test.timeout", "test.timeout_seconds")
        );
        let error = Settings::parse("[tests]\n").unwrap_err();
        let SettingsError::UnknownKey { nearest, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(nearest, "test");
    }

    #[test]
    fn a_command_is_words_or_a_text_that_is_split_without_a_shell() {
        let settings = Settings::parse("[test]\ncommand = \"python -m 'my pytest'\"\n").unwrap();
        assert_eq!(settings.test.command, ["python", "-m", "my pytest"]);
        let settings = Settings::parse("[lint]\ncommand = [\"ruff\", \"check\"]\n").unwrap();
        let words = ["ruff", "check"].map(str::to_owned).to_vec();
        assert_eq!(settings.lint.command, Some(words));
        let settings = Settings::parse("[lint]\ncommand = []\n").unwrap();
        assert_eq!(settings.lint.command, Some(Vec::new()), "none is wanted");
    }

    #[test]
    fn values_that_cannot_be_honoured_are_refused() {
        for text in [
            "[test]\nrunner = \"mocha\"\n",
            "[[test]]\nroot = \"a\"\n[[test]]\nroot = \"b\"\nrunner = \"mocha\"\n",
            "[[test]]\nroot = \"a\"\n[[test]]\nroot = \"a\"\n",
            "[test]\nroot = \"../a\"\n",
            "[sandbox]\nmode = \"docker\"\n",
            "[test]\ntimeout_seconds = 0\n",
            "[test]\nmutant_seconds = 0\n",
            "[test]\nheld_out = 1.5\n",
            "[test]\nmutants = \"sometimes\"\n",
            "[approval]\nsign = \"gpg\"\n",
            "[approval]\npresence = \"maybe\"\n",
            "[approval]\napprovers = 0\n",
            "[worktree]\nsetup_timeout_seconds = 0\n",
            "[worktree]\ncopy_ignored = [\"../.env\"]\n",
            "[worktree]\ncopy_ignored = [\"/etc/passwd\"]\n",
            "[worktree]\ncopy_ignored = [\".git/config\"]\n",
            "[guard]\nscratch = [\"..\"]\n",
            "[guard]\nscratch = [\"\"]\n",
            "[test]\ntimeout_seconds = \"long\"\n",
            "[model]\nmax_cost_usd = -1.0\n",
            "[model]\nmax_output_tokens = 0\n",
            "[model.prices]\n\"openai:x\" = { input = 1.0 }\n",
            "[model.prices]\n\"openai:x\" = { input = -1.0, output = 1.0 }\n",
            "[model.prices]\n\"openai:x\" = { input = 1.0, output = 1.0, colour = 1.0 }\n",
            "[test\n",
        ] {
            assert!(Settings::parse(text).is_err(), "{text}");
        }
        assert_eq!(Settings::parse("").unwrap().test.timeout_seconds, 300);
    }

    #[test]
    fn the_sandbox_has_four_modes_and_starts_with_auto() {
        let mode = |text: &str| Settings::parse(text).map(|settings| settings.sandbox.mode);
        let meant = [
            SandboxMode::Auto,
            SandboxMode::Bubblewrap,
            SandboxMode::Landlock,
            SandboxMode::Off,
        ];
        for (name, meant) in SANDBOX_MODES.split(", ").zip(meant) {
            let text = format!("[sandbox]\nmode = \"{name}\"\n");
            assert_eq!(mode(&text).unwrap(), meant);
        }
        assert_eq!(mode("").unwrap(), SandboxMode::Auto);
    }
}
