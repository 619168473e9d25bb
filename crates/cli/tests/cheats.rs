//! Every cheat of `testdata/cheats` on the built binary, and the honest work beside it.
//!
//! The format of the folders is in `testdata/cheats/README.md`. Every case is a test of its own, judged in an environment of
//! its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use proctor_testkit::{
    CaseOutcome, Corpus, Repository, TestEnvironment, link_packages, packages_of,
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

    /// The differences between the expected and the actual verdicts.
    fn is_refused_and_its_counterpart_is_not(&self) -> CaseOutcome {
        let judged = self.cheat();
        let wanted = format!("invalid_{}", self.stage.name());
        let refused = judged.code == 1
            && judged.verdict == wanted
            && !judged.rules.is_disjoint(&self.expected);
        let mut wrong = Vec::new();
        if !judged.changes.is_empty() {
            wrong.push(format!("{}: changed: {:?}", self.name, judged.changes));
        }
        let unconfined = !refused && self.needs == Some(Needs::Sandbox);
        if !refused && !unconfined {
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
        if unconfined && wrong.is_empty() {
            let (verdict, rules) = (judged.verdict, judged.rules);
            return CaseOutcome::Skipped(format!("it needs a sandbox: {verdict} {rules:?}"));
        }
        CaseOutcome::Wrong(wrong)
    }

    /// One that is neither refused nor flagged yet says why, and leaves the list once it is.
    fn is_still_open(&self) -> CaseOutcome {
        let judged = self.cheat();
        let mut wrong = Vec::new();
        if self.open.is_none() || judged.code != 0 || !judged.changes.is_empty() {
            wrong.push(format!(
                "{}: {:?} {} {:?}: if it is refused now, it does not belong here\n{}",
                self.name, self.open, judged.verdict, judged.changes, judged.text
            ));
        }
        CaseOutcome::Wrong(wrong)
    }

    fn is_accepted_with_its_flags(&self) -> CaseOutcome {
        let judged = self.cheat();
        let mut wrong = Vec::new();
        if judged.code != 0 || !judged.flags.is_superset(&self.flags) || !judged.changes.is_empty()
        {
            wrong.push(format!(
                "{} has to be accepted with {:?}: {} {:?} {:?}\n{}",
                self.name, self.flags, judged.verdict, judged.flags, judged.changes, judged.text
            ));
        }
        CaseOutcome::Wrong(wrong)
    }
}

/// Honest work on a task is a valid red and then a valid green.
fn honest_work_is_accepted(task: &Path) -> CaseOutcome {
    let name = name_of(task);
    let bases = [task.join("base")];
    let tests = task.join("tests");
    let red = honest(&name, Stage::Red, &bases, std::slice::from_ref(&tests));
    let whole = [tests, task.join("honest")];
    let green = honest(&name, Stage::Green, &bases, &whole);
    CaseOutcome::Wrong(red.into_iter().chain(green).collect())
}

fn the_corpus_is_large_and_whole() -> CaseOutcome {
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
    CaseOutcome::Wrong(Vec::new())
}

/// Whether all open and flagged cases are tried, and the tasks that only they use: minutes, and nothing is learnt from most of them.
#[expect(
    clippy::disallowed_methods,
    reason = "a person's choice of cases, for this test alone"
)]
fn everything_is_wanted() -> bool {
    std::env::var("PROCTOR_CHEATS").is_ok()
}

/// A case is skipped where the packages of its task are unavailable.
fn judged_on(task: &Path, judge: impl FnOnce() -> CaseOutcome) -> CaseOutcome {
    match packages_of(&task.join("base")) {
        Ok(_) => judge(),
        Err(reason) => CaseOutcome::Skipped(reason),
    }
}

fn main() -> ExitCode {
    let mut corpus = Corpus::new();
    let everything = everything_is_wanted() || corpus.is_chosen_by_name();
    let [open, flagged] = ["_open", "_flagged"].map(|name| cases_in(&cheats().join(name)));
    let only_open: BTreeSet<String> = {
        let refused: BTreeSet<String> = cases().into_iter().map(|case| case.task).collect();
        let others = open.iter().chain(&flagged).map(|case| case.task.clone());
        others.filter(|task| !refused.contains(task)).collect()
    };
    corpus.case(
        "the_corpus_is_large_and_whole",
        the_corpus_is_large_and_whole,
    );
    for task in folders(&cheats().join("_tasks")) {
        let name = name_of(&task);
        if everything || !only_open.contains(&name) {
            corpus.case(format!("honest::{name}"), move || {
                judged_on(&task, || honest_work_is_accepted(&task))
            });
        }
    }
    let mut add = |kind: &str, case: Case, judge: fn(&Case) -> CaseOutcome| {
        corpus.case(format!("{kind}::{}", case.name), move || {
            judged_on(&case.task(""), || judge(&case))
        });
    };
    for case in cases() {
        add("refused", case, Case::is_refused_and_its_counterpart_is_not);
    }
    for (index, case) in open.into_iter().enumerate() {
        if everything || index % 12 == 0 {
            add("open", case, Case::is_still_open);
        }
    }
    for (index, case) in flagged.into_iter().enumerate() {
        if everything || index % 5 == 0 {
            add("flagged", case, Case::is_accepted_with_its_flags);
        }
    }
    corpus.run()
}
