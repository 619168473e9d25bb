//! What judged code may not see: the one list of hidden places.

use std::path::{Path, PathBuf};

use crate::git::Repository;
use crate::run_data::worktrees_directory;
use crate::settings::WorktreeSettings;
use crate::surroundings::Surroundings;

/// Directories that tests and linters have no business with: history, other runs, Proctor's own data. `own` is
/// where the judging at hand keeps its files; the tree that is judged lies there too and is shown all the same.
pub(super) fn hidden_places(
    repository: &Repository,
    surroundings: &Surroundings,
    worktree: &WorktreeSettings,
    own: &Path,
) -> Vec<PathBuf> {
    let mut hidden = vec![
        repository.common_directory().to_owned(),
        repository.top().join(".git"),
        own.to_owned(),
    ];
    // Runs of all repositories lie in the one, and those that name the same directory in the other, if one is named.
    hidden.extend(surroundings.state_directory());
    let worktrees = worktrees_directory(Some(repository), worktree, surroundings);
    hidden.extend(worktrees.filter(|directory| !hidden.contains(directory)));
    hidden
}
