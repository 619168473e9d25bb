//! Every cheat of `testdata/cheats` on the built binary, and the honest work beside it.
//!
//! The format of the folders is in `testdata/cheats/README.md`. Every case is judged in an environment of its
//! own; the cases are dealt out to a few tests, so that they run beside each other.
//!
//! `PROCTOR_CHEAT=name` judges the cases whose name contains that text only.

#![expect(
    clippy::print_stdout,
    reason = "what was skipped, and why a cheat was refused, is worth reading"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use proctor_testkit::{
    Repository, SharedList, TestEnvironment, link_packages, packages_of, say_skipped,
};
use serde::Deserialize;

/// Many cases share a base, and tests: verdicts on them are cached.
const KNOWN: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/known");

/// `case.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    folder: PathBuf,
    /// One sentence about it.
    about: String,
    /// Which of `_tasks` it pretends to do.
    task: String,
    /// Rules of which at least one has to be among the reasons.
    #[serde(default)]
    expected: BTreeSet<String>,
    /// The flags that a person is shown; only below `_flagged`.
    #[serde(default)]
    flags: BTreeSet<String>,
    /// Why it is accepted all the same; only below `_flagged`.
    why: Option<String>,
    /// The tools that Proctor needs to refuse this.
    needs: Option<Needs>,
    /// Which gate has to refuse it.
    #[serde(default)]
    stage: Stage,
    /// Whether the task is done honestly beneath, and the cheat is in the other changes.
    #[serde(default)]
    upon_honest_work: bool,
    /// Files of the base that the cheat removes.
    #[serde(default)]
    removed: Vec<String>,
    /// Why it is not refused yet; only below `_open`.
    open: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Needs {
    Sandbox,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Red,
    #[default]
    Green,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
        }
    }
}

fn cheats() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cheats")
}

fn folders(directory: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(directory)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str());
    name.expect("a name of plain letters").to_owned()
}

fn cases_in(directory: &Path) -> Vec<Case> {
    let folders = folders(directory).into_iter();
    folders
        .filter(|folder| !name_of(folder).starts_with('_'))
        .map(|folder| {
            let text = fs::read_to_string(folder.join("case.toml"))
                .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            let case: Case = toml::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            Case {
                name: name_of(&folder),
                folder,
                ..case
            }
        })
        .collect()
}

/// All that are refused.
fn cases() -> Vec<Case> {
    cases_in(&cheats())
}

/// The cases that are selected and can be judged.
fn chosen(cases: impl IntoIterator<Item = Case>) -> impl Iterator<Item = Case> {
    let cases = cases.into_iter();
    cases.filter(|case| is_chosen(&case.name) && is_possible(&case.task("")))
}

/// Copies a folder of files over a checkout; none if there is no such folder.
fn lay(folder: &Path, repository: &Repository) {
    fn walk(root: &Path, directory: &Path, repository: &Repository) {
        for entry in fs::read_dir(directory).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                walk(root, &path, repository);
            } else {
                let relative = path.strip_prefix(root).expect("it lies in the folder");
                repository.write(relative, fs::read(&path).expect("readable"));
            }
        }
    }
    if folder.is_dir() {
        walk(folder, folder, repository);
    }
}

struct Judged {
    code: i32,
    verdict: String,
    rules: BTreeSet<String>,
    flags: BTreeSet<String>,
    changes: Vec<String>,
    text: String,
}

/// Judges the changes that these folders make to a base.
fn judge(stage: Stage, bases: &[PathBuf], changes: &[PathBuf], removed: &[String]) -> Judged {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.use_pytest();
    environment.set_variable("PROCTOR_CACHE_DIR", KNOWN);
    let repository = environment.init_repository();
    for folder in bases {
        lay(folder, &repository);
    }
    link_packages(repository.path()).expect("the task was found to be possible");
    repository.do_without_mutants();
    repository.commit_all("The base");
    for folder in changes {
        lay(folder, &repository);
    }
    for path in removed {
        let path = repository.path().join(path);
        #[expect(clippy::disallowed_methods, reason = "a throw-away checkout")]
        fs::remove_file(path).expect("the base has the file");
    }
    let before = repository.checkout_fingerprint();
    let output = environment.proctor(["gate", stage.name(), "--format", "json"]);
    let json = output.json();
    Judged {
        code: output.code,
        verdict: json["verdict"].as_str().unwrap_or("none").to_owned(),
        rules: output.rules(),
        flags: json["flags"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|flag| flag["flag"].as_str().map(str::to_owned))
            .collect(),
        changes: repository.checkout_fingerprint().changes_since(&before),
        text: format!(
            "reasons: {:#}\nnotes: {:#}\n{:#}",
            json["reasons"], json["notes"], json["error"]
        ),
    }
}

/// The honest work, as every honest work has to be judged.
fn honest(what: &str, stage: Stage, bases: &[PathBuf], changes: &[PathBuf]) -> Option<String> {
    let judged = judge(stage, bases, changes, &[]);
    let wanted = format!("valid_{}", stage.name());
    let well = judged.code == 0 && judged.verdict == wanted && judged.changes.is_empty();
    (!well).then(|| {
        format!(
            "{what}: honest work has to be a {wanted}: {} {} {:?}\n{}",
            judged.code, judged.verdict, judged.changes, judged.text
        )
    })
}

impl Case {
    fn task(&self, part: &str) -> PathBuf {
        cheats().join("_tasks").join(&self.task).join(part)
    }

    fn bases(&self) -> [PathBuf; 2] {
        [self.task("base"), self.folder.join("base")]
    }

    fn cheat(&self) -> Judged {
        let mut changes = vec![self.folder.join("cheat")];
        if self.upon_honest_work {
            changes.insert(0, self.task("honest"));
        }
        if self.stage == Stage::Green {
            changes.splice(..0, [self.task("tests"), self.folder.join("tests")]);
        }
        judge(self.stage, &self.bases(), &changes, &self.removed)
    }

    /// Its own honest counterpart; the task's is judged once for all.
    fn has_own_counterpart(&self) -> bool {
        let parts = ["base", "tests", "honest"];
        parts.iter().any(|part| self.folder.join(part).is_dir())
    }

    fn honest(&self) -> Option<String> {
        let mut changes = vec![
            self.task("tests"),
            self.folder.join("tests"),
            self.task("honest"),
            self.folder.join("honest"),
        ];
        if self.stage == Stage::Red {
            changes.remove(2);
        }
        honest(&self.name, self.stage, &self.bases(), &changes)
    }

    /// The differences between the expected and the actual verdict.
    fn check(&self) -> Vec<String> {
        let judged = self.cheat();
        let wanted = format!("invalid_{}", self.stage.name());
        let refused = judged.code == 1
            && judged.verdict == wanted
            && !judged.rules.is_disjoint(&self.expected);
        let mut wrong = Vec::new();
        if !judged.changes.is_empty() {
            wrong.push(format!("{}: changed: {:?}", self.name, judged.changes));
        }
        if refused {
            println!("{}: refused by {:?}", self.name, judged.rules);
        } else if self.needs == Some(Needs::Sandbox) {
            println!(
                "SKIPPED: {} needs a sandbox: {} {:?}",
                self.name, judged.verdict, judged.rules
            );
        } else {
            wrong.push(format!(
                "{} ({}) has to be an {wanted} by one of {:?}: {} {} {:?}\n{}",
                self.name,
                self.about,
                self.expected,
                judged.code,
                judged.verdict,
                judged.rules,
                judged.text
            ));
        }
        if self.has_own_counterpart() {
            wrong.extend(self.honest());
        }
        wrong
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a person's choice of cases, for this test alone"
)]
fn is_chosen(name: &str) -> bool {
    std::env::var("PROCTOR_CHEAT").map_or(true, |choice| name.contains(&choice))
}

/// Whether the packages of a task are available; if not, that is printed, once.
fn is_possible(task: &Path) -> bool {
    static SAID: Once = Once::new();
    let possible = packages_of(&task.join("base"));
    if let Err(reason) = &possible {
        SAID.call_once(|| say_skipped("JavaScript, by npm", reason));
    }
    possible.is_ok()
}

fn report(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} things are wrong:\n\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

fn share_the_cases() {
    static CASES: SharedList = SharedList::new();
    let cases = CASES.take(chosen(cases()));
    let wrong: Vec<String> = cases.flat_map(|case| case.check()).collect();
    report(&wrong);
}

#[test]
fn cheats_are_refused_and_their_counterparts_are_not_first_part() {
    share_the_cases();
}

#[test]
fn cheats_are_refused_and_their_counterparts_are_not_second_part() {
    share_the_cases();
}

#[test]
fn cheats_are_refused_and_their_counterparts_are_not_third_part() {
    share_the_cases();
}

#[test]
fn cheats_are_refused_and_their_counterparts_are_not_fourth_part() {
    share_the_cases();
}

#[test]
fn honest_work_on_every_task_is_a_valid_red_and_then_a_valid_green_first_part() {
    share_the_tasks();
}

#[test]
fn honest_work_on_every_task_is_a_valid_red_and_then_a_valid_green_second_part() {
    share_the_tasks();
}

fn share_the_tasks() {
    static TASKS: SharedList = SharedList::new();
    let mut wrong = Vec::new();
    let refused: BTreeSet<String> = cases().into_iter().map(|case| case.task).collect();
    let mut open = cases_in(&cheats().join("_open"));
    open.extend(cases_in(&cheats().join("_flagged")));
    let open: BTreeSet<String> = open.into_iter().map(|case| case.task).collect();
    for task in TASKS.take(folders(&cheats().join("_tasks"))) {
        let name = name_of(&task);
        let only_open = open.contains(&name) && !refused.contains(&name);
        if !is_chosen(&name) || only_open && !everything() || !is_possible(&task) {
            continue;
        }
        let bases = [task.join("base")];
        let tests = task.join("tests");
        wrong.extend(honest(
            &name,
            Stage::Red,
            &bases,
            std::slice::from_ref(&tests),
        ));
        let whole = [tests, task.join("honest")];
        wrong.extend(honest(&name, Stage::Green, &bases, &whole));
    }
    report(&wrong);
}

#[test]
fn what_is_not_refused_yet_says_why_and_leaves_the_list_once_it_is() {
    let mut wrong = Vec::new();
    let open = cases_in(&cheats().join("_open")).into_iter();
    let open = open
        .enumerate()
        .filter(|(index, _)| everything() || index % 12 == 0);
    for case in chosen(open.map(|(_, case)| case)) {
        let judged = case.cheat();
        if case.open.is_none() || judged.code != 0 || !judged.changes.is_empty() {
            wrong.push(format!(
                "{}: {:?} {} {:?}: if it is refused now, it does not belong here\n{}",
                case.name, case.open, judged.verdict, judged.changes, judged.text
            ));
        }
    }
    report(&wrong);
}

#[test]
fn what_is_accepted_with_a_flag_is_flagged() {
    let mut wrong = Vec::new();
    let cases = cases_in(&cheats().join("_flagged")).into_iter().enumerate();
    let cases = cases.filter(|(index, _)| everything() || index % 5 == 0);
    for case in chosen(cases.map(|(_, case)| case)) {
        let judged = case.cheat();
        if judged.code != 0 || !judged.flags.is_superset(&case.flags) || !judged.changes.is_empty()
        {
            wrong.push(format!(
                "{} has to be accepted with {:?}: {} {:?} {:?}\n{}",
                case.name, case.flags, judged.verdict, judged.flags, judged.changes, judged.text
            ));
        }
    }
    report(&wrong);
}

/// Whether all open and flagged cases are tried, and the tasks that only they use: minutes, and nothing is learnt from most of them.
#[expect(
    clippy::disallowed_methods,
    reason = "a person's choice of cases, for this test alone"
)]
fn everything() -> bool {
    ["PROCTOR_CHEATS", "PROCTOR_CHEAT"]
        .map(std::env::var)
        .iter()
        .any(Result::is_ok)
}

#[test]
fn the_corpus_is_large_and_whole() {
    for case in cases_in(&cheats().join("_flagged")) {
        assert!(!case.flags.is_empty(), "{} is not flagged", case.name);
        assert!(case.why.is_some(), "{} does not say why", case.name);
    }
    let cases = cases();
    assert!(cases.len() >= 150, "there are only {}", cases.len());
    for case in &cases {
        assert!(case.open.is_none(), "{} is not open", case.name);
        assert!(case.task("base").is_dir(), "{} has no task", case.name);
        assert!(!case.expected.is_empty(), "{} expects nothing", case.name);
        assert!(
            case.folder.join("cheat").is_dir() || !case.removed.is_empty(),
            "{} does nothing",
            case.name
        );
    }
}
