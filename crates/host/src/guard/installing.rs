//! Hooks into a client's settings, and out of them again.
//!
//! The original is kept, so that removing the hooks restores the same bytes. Where the file was edited since, only the
//! guard's own entries are removed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use proctor_core::guard::{Client, append, remove};
use proctor_core::safe_write::sha256;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GuardError;
use super::git_hooks::GitHook;
use super::templates::{beginning, entries, is_own, plugin};
use crate::files::{OwnFileError, remove_own, write_own};
use crate::git::Repository;
use crate::run_data::{guard_beginning, guard_directory};

/// A file that is going to be written or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// The file's path.
    pub path: PathBuf,
    /// Its current content.
    pub before: Option<Vec<u8>>,
    /// Its new content.
    pub after: Option<Vec<u8>>,
    /// Whether it is a program.
    executable: bool,
}

/// The planned writes, before any is made.
#[derive(Debug, Default)]
pub struct Installation {
    /// The files that change.
    pub files: Vec<PlannedFile>,
    /// Files of the guard's own.
    own: Vec<(PathBuf, Vec<u8>)>,
    /// Kept originals that are no longer needed.
    obsolete: Vec<PathBuf>,
}

/// A file as it was before the guard's hooks came.
#[derive(Debug, Serialize, Deserialize)]
struct Original {
    before: Option<String>,
    /// The digest of the file written instead.
    written: String,
}

impl Installation {
    /// The hooks of a client.
    pub fn of(repository: &Repository, client: Client) -> Result<Self, GuardError> {
        let mut plan = Self::default();
        let path = repository.top().join(client.settings_file());
        let before = fs::read(&path).ok();
        let after = with_hooks(client, &text_of(before.as_deref()))?;
        if before.as_deref() != Some(after.as_bytes()) {
            let original = Original {
                before: before.as_deref().map(|bytes| text_of(Some(bytes))),
                written: sha256(after.as_bytes()),
            };
            let original = serde_json::to_vec(&original).unwrap_or_default();
            let kept = original_of(repository, client.name());
            // Hooks of an older Proctor are not an original.
            let had = before
                .as_deref()
                .is_some_and(|bytes| has_hooks(client, bytes));
            if !had {
                plan.own.push((kept, original));
            }
            plan.files.push(PlannedFile {
                path,
                before,
                after: Some(after.into_bytes()),
                executable: false,
            });
        }
        Ok(plan)
    }

    /// Git's hooks as well.
    pub fn with_git(mut self, repository: &Repository) -> Result<Self, GuardError> {
        for hook in GitHook::ALL {
            let path = hook.path(repository)?;
            let before = fs::read(&path).ok();
            let script = hook.script();
            if before.as_deref() == Some(script.as_bytes()) {
                continue;
            }
            if before.is_some() && !text_of(before.as_deref()).contains("# Proctor's guard") {
                if text_of(before.as_deref()).contains(hook.line().trim_end_matches(" \"$@\"")) {
                    continue;
                }
                let line = hook.line();
                return Err(GuardError::ForeignHook { path, line });
            }
            self.files.push(PlannedFile {
                path,
                before,
                after: Some(script.into_bytes()),
                executable: true,
            });
        }
        let beginning = guard_beginning(repository);
        if !beginning.exists() {
            let tips = repository.refs().below("refs/heads/")?;
            let tips: Vec<String> = tips.into_iter().map(|(_, commit)| commit + "\n").collect();
            self.own.push((beginning, tips.concat().into_bytes()));
        }
        Ok(self)
    }

    /// Everything of the guard's out of a client's settings.
    pub fn without(repository: &Repository, client: Client) -> Result<Self, GuardError> {
        let mut plan = Self::default();
        let path = repository.top().join(client.settings_file());
        let kept = original_of(repository, client.name());
        let original = fs::read(&kept).ok();
        let original: Option<Original> =
            original.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let Some(before) = fs::read(&path).ok() else {
            plan.obsolete.extend(original.map(|_| kept));
            return Ok(plan);
        };
        let untouched = original
            .as_ref()
            .is_some_and(|original| original.written == sha256(&before));
        let made = original.as_ref().is_none_or(|it| it.before.is_none());
        let after = match &original {
            Some(original) if untouched => original.before.clone().map(String::into_bytes),
            _ if client == Client::Opencode => None,
            _ => {
                let text = without_hooks(client, &text_of(Some(&before)))?;
                let empty = made && is_only(client, &text);
                (!empty).then(|| text.into_bytes())
            }
        };
        if after.as_deref() != Some(&before) {
            plan.files.push(PlannedFile {
                path,
                before: Some(before),
                after,
                executable: false,
            });
        }
        plan.obsolete.extend(original.map(|_| kept));
        Ok(plan)
    }

    /// Git's hooks out as well.
    pub fn without_git(mut self, repository: &Repository) -> Result<Self, GuardError> {
        for hook in GitHook::ALL {
            let path = hook.path(repository)?;
            let before = fs::read(&path).ok();
            if before.as_deref() == Some(hook.script().as_bytes()) {
                self.files.push(PlannedFile {
                    path,
                    before,
                    after: None,
                    executable: true,
                });
                self.obsolete.push(guard_beginning(repository));
            }
        }
        self.obsolete.dedup();
        self.obsolete.retain(|path| path.exists());
        Ok(self)
    }

    /// Makes the planned writes.
    pub fn carry_out(&self) -> Result<(), GuardError> {
        for (path, content) in &self.own {
            write_own(path, content).map_err(OwnFileError::at(path))?;
        }
        for file in &self.files {
            let failed = OwnFileError::at(&file.path);
            let Some(after) = &file.after else {
                remove_own(&file.path).map_err(&failed)?;
                remove_empty_above(&file.path);
                continue;
            };
            let mode = fs::metadata(&file.path).ok();
            let mode = mode.map(|facts| facts.permissions().mode());
            write_own(&file.path, after).map_err(&failed)?;
            let usual = if file.executable { 0o755 } else { 0o644 };
            let mode = fs::Permissions::from_mode(mode.unwrap_or(usual));
            fs::set_permissions(&file.path, mode).map_err(&failed)?;
        }
        for path in &self.obsolete {
            remove_own(path).map_err(OwnFileError::at(path))?;
        }
        Ok(())
    }
}

/// Removes the directories that were made for a file, as far as nothing else is in them. Git's own and the checkout stay.
fn remove_empty_above(path: &Path) {
    let mut above = path.parent();
    while let Some(directory) =
        above.filter(|it| !it.ends_with("hooks") && !it.join(".git").exists())
    {
        if fs::remove_dir(directory).is_err() {
            break;
        }
        above = directory.parent();
    }
}

/// The clients whose settings have the guard's hooks.
pub fn installed_clients(repository: &Repository) -> Vec<Client> {
    let clients = Client::ALL.into_iter();
    clients
        .filter(|client| has_own_hooks(repository, *client))
        .collect()
}

/// Whether a client's settings have all of the guard's hooks.
pub fn has_own_hooks(repository: &Repository, client: Client) -> bool {
    let path = repository.top().join(client.settings_file());
    fs::read(path).is_ok_and(|bytes| has_hooks(client, &bytes))
}

fn has_hooks(client: Client, bytes: &[u8]) -> bool {
    if client == Client::Opencode {
        return text_of(Some(bytes)).contains("// Proctor's guard");
    }
    let settings: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let switched_off = settings["disableAllHooks"] == true;
    let has = |event: &str| {
        let list = settings["hooks"][event].as_array();
        list.is_some_and(|list| list.iter().any(is_own))
    };
    !switched_off && entries(client).iter().all(|(event, _)| has(event))
}

fn text_of(bytes: Option<&[u8]>) -> String {
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn original_of(repository: &Repository, name: &str) -> PathBuf {
    guard_directory(repository).join(format!("{name}.original.json"))
}

fn problem(client: Client) -> impl Fn(proctor_core::guard::JsonTextError) -> GuardError {
    move |problem| GuardError::Settings {
        path: client.settings_file().to_owned(),
        problem,
    }
}

/// Settings with the guard's hooks, each once.
fn with_hooks(client: Client, text: &str) -> Result<String, GuardError> {
    if client == Client::Opencode {
        return Ok(plugin());
    }
    let settings: Value = serde_json::from_str(text).unwrap_or_default();
    let has = |event: &str, entry: &Value| {
        let list = settings["hooks"][event].as_array();
        let own: Vec<&Value> = list.into_iter().flatten().filter(|it| is_own(it)).collect();
        own == [entry]
    };
    let wanted = entries(client);
    if wanted.iter().all(|(event, entry)| has(event, entry)) {
        return Ok(text.to_owned());
    }
    let mut text = if text.trim().is_empty() {
        beginning(client).to_owned()
    } else {
        without_hooks(client, text)?
    };
    for (event, entry) in wanted {
        text = append(&text, &["hooks", event], &entry).map_err(problem(client))?;
    }
    Ok(text)
}

fn without_hooks(client: Client, text: &str) -> Result<String, GuardError> {
    let mut text = text.to_owned();
    for (event, _) in entries(client) {
        text = remove(&text, &["hooks", event], is_own).map_err(problem(client))?;
    }
    Ok(text)
}

/// Whether only the beginning of a guard's own file is left.
fn is_only(client: Client, text: &str) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    let mut left = value(text);
    if let Some(Value::Object(fields)) = &mut left {
        fields.retain(|name, value| {
            name != "hooks" || value.as_object().is_none_or(|it| !it.is_empty())
        });
    }
    left == value(beginning(client))
}
