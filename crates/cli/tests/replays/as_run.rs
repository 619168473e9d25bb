//! A release as a run: its tests as the scaffold, its source as the implementation, and a design that lists its files.
//!
//! The authors' intention is in their design, and a run has one: an existing test may expect something else if the
//! design lists its file, and a person is shown both versions. `proctor gate` has no design.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proctor_testkit::{PublishedCheckout, Reply, RunOutput, Script, file_reply, files_in};

/// A file of the release that the one before does not have, or has otherwise.
struct ChangedFile {
    path: String,
    before: Option<String>,
    after: String,
}

impl ChangedFile {
    fn is_test(&self) -> bool {
        let mut folders = self.path.split('/');
        let name = folders.next_back().unwrap_or_default();
        name == "conftest.py"
            || name.starts_with("test_")
            || folders.any(|folder| matches!(folder, "test" | "tests"))
    }

    /// The reply that brings it: the whole file if it is new, otherwise the changes.
    fn reply(&self) -> String {
        match &self.before {
            None => file_reply(&self.path, &self.after),
            Some(before) => format!(
                "### FILE: {}\n{}",
                self.path,
                one_change(before, &self.after)
            ),
        }
    }
}

/// From the first line that differs to the last one, with as many lines before them as it takes to be found once.
fn one_change(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let shorter = old.len().min(new.len());
    let same = |index: &usize| old[*index] == new[*index];
    let mut first = (0..shorter).take_while(same).count();
    let same_from_end = |index: &usize| old[old.len() - 1 - index] == new[new.len() - 1 - index];
    let last = (0..shorter - first).take_while(same_from_end).count();
    let text = |lines: &[&str], first: usize| lines[first..lines.len() - last].join("\n");
    while first > 0 && before.matches(&text(&old, first)).count() != 1 {
        first -= 1;
    }
    let fence = "`".repeat(8);
    format!(
        "### CHANGE 1: as released\nFIND:\n{fence}\n{}\n{fence}\nREPLACE WITH:\n{fence}\n{}\n{fence}\n",
        text(&old, first),
        text(&new, first)
    )
}

/// The files of the code: Python's, and those beside them below the top.
fn changed_files(before: &Path, after: &Path) -> Vec<ChangedFile> {
    let files = files_in(after);
    let folders: Vec<&Path> = files
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "py"))
        .filter_map(|file| file.parent())
        .collect();
    let mut changed: Vec<ChangedFile> = files
        .iter()
        .filter(|file| {
            let python = file.extension().is_some_and(|ending| ending == "py");
            let folder = file
                .parent()
                .filter(|folder| folder.iter().next().is_some());
            python || folder.is_some_and(|folder| folders.contains(&folder))
        })
        .filter_map(|file| {
            Some(ChangedFile {
                path: file.to_str()?.to_owned(),
                before: fs::read_to_string(before.join(file)).ok(),
                after: fs::read_to_string(after.join(file)).ok()?,
            })
        })
        .filter(|file| file.before.as_ref() != Some(&file.after))
        .collect();
    changed.sort_by(|one, other| one.path.cmp(&other.path));
    changed
}

fn design(title: &str, files: &[ChangedFile]) -> String {
    let mut text = format!(
        "# 1 - Feature: {title}\n\n## 1. Context & Goal\n* **Issue:** #1\n\n## 2. Proposed Changes\n\n\
         ### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n"
    );
    for file in files {
        let kind = file.before.as_ref().map_or("Add", |_| "Modify");
        writeln!(text, "| `{}` | {kind} | As released. |", file.path).expect("a string");
    }
    text.push_str(
        "\n## 3. Requirements\n\n1. The project does what the release does.\n\n## 10. Verification & Testing\n\n\
         ### 10.1 Test Scenarios\n\n| ID | Scenario | Type | Input | Output | Criteria |\n|---|---|---|---|---|---|\n\
         | 010 | The release | Unit | its tests | they pass | The project does what the release does |\n",
    );
    text
}

/// Has the release made by a run that is not approved: it rests at the review, with both verdicts.
pub(crate) fn run(
    title: &str,
    before: &Path,
    after: &Path,
    checkout: &PublishedCheckout,
) -> RunOutput {
    let files = changed_files(before, after);
    let (tests, sources): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.is_test());
    let scaffold: Vec<String> = tests.iter().map(|file| file.reply()).collect();
    let script = sources.iter().fold(
        Script::new().reply(Reply::scaffold(scaffold.join("\n"))),
        |script, file| script.reply(Reply::implement(&file.path, file.reply())),
    );
    let root = checkout.environment.root();
    let model = script.write_to(root.join("release.jsonl"));
    let document = checkout
        .environment
        .write("design.md", design(title, &files));
    checkout.environment.proctor([
        "run",
        "--issue",
        "1",
        "--lld",
        &document.to_string_lossy(),
        "--model",
        &model,
        "--auto",
        "--force",
        "--format",
        "json",
    ])
}
