//! The one list of places hidden from judged code.
//!
//! Everything that a test can read can come back in a failing assertion and be in the next prompt. So tests, linters
//! and readers see the judged tree, the system, and of the person's files only those needed to run: the environment of
//! the program, packages that it links to, toolchains.

use std::path::{Path, PathBuf};

use crate::git::Repository;
use crate::run_data::worktrees_directory;
use crate::settings::WorktreeSettings;
use crate::surroundings::Surroundings;
use crate::test_runner::{TestCommand, editable_packages};

/// Below a home directory: where language package managers keep programs and their libraries.
const TOOLCHAINS: &[&str] = &[
    ".asdf",
    ".bun",
    ".cargo",
    ".deno",
    ".local/bin",
    ".local/lib",
    ".local/pipx",
    ".local/share/mise",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/uv",
    ".nvm",
    ".pyenv",
    ".rustup",
    ".rye",
    ".volta",
];

/// Not a home directory, even if `HOME` says so: without them nothing runs.
const SYSTEM: &[&str] = &["/", "/bin", "/etc", "/lib", "/opt", "/usr", "/var"];

/// The places of one repository and one person.
pub(super) struct Places {
    /// Not to be seen.
    pub(super) hidden: Vec<PathBuf>,
    /// Not to be seen, and not to be known by name: the checkout.
    pub(super) absent: Vec<PathBuf>,
    /// To be seen although a hidden place is around them.
    pub(super) shown: Vec<PathBuf>,
}

impl Places {
    /// `own` is the directory of the current judgement; the judged tree lies there too and is visible nevertheless.
    /// `commands` start the tests.
    pub(super) fn of<'c>(
        repository: &Repository,
        surroundings: &Surroundings,
        worktree: &WorktreeSettings,
        own: &Path,
        commands: impl Iterator<Item = &'c TestCommand>,
    ) -> Self {
        let top = repository.top();
        let mut hidden = vec![repository.common_directory().to_owned(), own.to_owned()];
        // Runs of all repositories lie in the one, and those that name the same directory in the other, if one is named.
        hidden.extend(surroundings.state_directory());
        hidden.extend(worktrees_directory(
            Some(repository),
            worktree,
            surroundings,
        ));
        hidden.extend(surroundings.cache_directory());
        let home = surroundings.get("HOME").map(PathBuf::from);
        // A user without a home of their own is often given a directory of the system.
        let home = home
            .filter(|home| home.is_absolute() && !SYSTEM.iter().any(|it| home == Path::new(it)));
        hidden.extend(home.clone());
        let shown = home.map_or_else(Vec::new, |home| {
            let toolchains = TOOLCHAINS.iter().map(|name| home.join(name));
            let linked = commands.filter_map(TestCommand::program);
            let linked = linked.flat_map(editable_packages);
            let on_path = std::env::split_paths(surroundings.path()).flat_map(installed_with);
            let found = toolchains.chain(linked).chain(on_path);
            found
                .filter(|path| path.starts_with(&home))
                // Never more than a part of a hidden place, and nothing of the checkout.
                .filter(|path| !path.starts_with(top))
                .filter(|path| !top.starts_with(path))
                .filter(|path| !hidden.iter().any(|hidden| hidden.starts_with(path)))
                .collect()
        });
        let absent = vec![top.to_owned()];
        Self {
            hidden,
            absent,
            shown,
        }
    }
}

/// A directory of programs, and its siblings: `bin` has `lib`, `libexec` and the like beside it, unless it is the one
/// that all of a person's files share.
fn installed_with(programs: PathBuf) -> Vec<PathBuf> {
    let above = programs.parent().filter(|_| programs.ends_with("bin"));
    let above = above.filter(|above| !above.ends_with(".local"));
    let above = above.map(Path::to_owned);
    above.into_iter().chain([programs]).collect()
}
