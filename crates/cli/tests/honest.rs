//! Every case of `testdata/honest/small` on the built binary: honest work is accepted, and the cheats beside it are
//! refused by the rule that the case names.
//!
//! The format is in `testdata/honest/README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use proctor_testkit::{CaseOutcome, Corpus, Repository, TestEnvironment, link_packages};

/// Many cases share a base, and tests: verdicts on them are cached.
const KNOWN: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/known");

/// Cases that wait for limits of time. They are begun first, or the others would be over long before them.
const LONGEST: [&str; 2] = ["slow_is_not_broken", "thread_that_waits_for_ever"];

/// Files by path.
type Files = BTreeMap<String, String>;

/// A case: files in four layers, and how the last one is refused.
struct Case {
    name: String,
    gate: String,
    rule: String,
    base: Files,
    tests: Files,
    source: Files,
    dishonest: Files,
}

impl Case {
    fn read(path: &Path) -> Self {
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.expect("a name of plain letters").to_owned();
        let text = fs::read_to_string(path).expect("readable");
        let mut layers: BTreeMap<String, Files> = BTreeMap::new();
        let mut refusal = None;
        let mut current: Option<&mut String> = None;
        for line in text.lines() {
            let label = line
                .strip_prefix("-- ")
                .and_then(|rest| rest.strip_suffix(" --"));
            if let Some((layer, file)) = label.and_then(|label| label.split_once(": ")) {
                let files = layers.entry(layer.to_owned()).or_default();
                current = Some(files.entry(file.to_owned()).or_default());
            } else if let Some(content) = &mut current {
                content.push_str(line);
                content.push('\n');
            } else if let Some(said) = line.strip_prefix("refused at ") {
                refusal = said.split_once(": ");
            }
        }
        let (gate, rule) =
            refusal.unwrap_or_else(|| panic!("{name} does not say `refused at GATE: RULE`"));
        let mut layer = |wanted: &str| layers.remove(wanted).unwrap_or_default();
        let case = Self {
            gate: gate.to_owned(),
            rule: rule.to_owned(),
            base: layer("base"),
            tests: layer("tests"),
            source: layer("source"),
            dishonest: layer("dishonest"),
            name,
        };
        let left: Vec<&String> = layers.keys().collect();
        assert!(left.is_empty(), "{}: unknown layers {left:?}", case.name);
        assert!(!case.tests.is_empty(), "{}: no tests", case.name);
        assert!(!case.dishonest.is_empty(), "{}: no neighbour", case.name);
        case
    }

    /// The differences between the expected and the actual verdicts.
    fn honest_work_is_accepted_and_its_neighbour_is_refused(&self) -> CaseOutcome {
        let mut wrong = Vec::new();
        let place = match Place::new(&self.base) {
            Ok(place) => place,
            Err(reason) => return CaseOutcome::Skipped(reason),
        };
        place.lay(&self.tests);
        place.lay(&self.source);
        // The green gate judges the red of the tests alone first.
        let gate = if self.source.is_empty() {
            "red"
        } else {
            "green"
        };
        let judged = place.judge(gate);
        if judged.code != 0 || judged.verdict != format!("valid_{gate}") {
            let (name, text) = (&self.name, &judged.text);
            wrong.push(format!("{name} is honest and refused at {gate}:\n{text}"));
        }
        let place = Place::new(&self.base).expect("it was possible before");
        place.lay(&self.tests);
        if self.gate == "green" {
            place.lay(&self.source);
        }
        place.lay(&self.dishonest);
        let judged = place.judge(&self.gate);
        if judged.code != 1 || !judged.rules.contains(&self.rule) {
            let (name, gate, rule) = (&self.name, &self.gate, &self.rule);
            wrong.push(format!(
                "{name}: its neighbour has to be refused at {gate} by {rule}:\n{}",
                judged.text
            ));
        }
        CaseOutcome::Wrong(wrong)
    }
}

/// A repository at its base commit.
struct Place {
    environment: TestEnvironment,
    repository: Repository,
}

struct Judged {
    code: i32,
    verdict: String,
    rules: BTreeSet<String>,
    text: String,
}

impl Place {
    /// With the packages that the base asks for; why not, where they cannot be had.
    fn new(base: &Files) -> Result<Self, String> {
        let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        environment.use_pytest();
        environment.set_variable("PROCTOR_CACHE_DIR", KNOWN);
        let repository = environment.init_repository();
        let place = Self {
            environment,
            repository,
        };
        place.lay(base);
        link_packages(place.repository.path())?;
        place.repository.do_without_mutants();
        place.repository.commit_all("The base");
        Ok(place)
    }

    fn lay(&self, files: &Files) {
        for (path, content) in files {
            self.repository.write(path, content);
        }
    }

    fn judge(&self, gate: &str) -> Judged {
        let output = self.environment.proctor(["gate", gate, "--format", "json"]);
        let json = output.json();
        Judged {
            code: output.code,
            verdict: json["verdict"].as_str().unwrap_or("none").to_owned(),
            rules: output.rules(),
            text: format!(
                "exit {}, {}\nreasons: {:#}\nnotes: {:#}\n{:#}",
                output.code, json["verdict"], json["reasons"], json["notes"], json["error"]
            ),
        }
    }
}

fn cases() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/honest/small");
    let entries = fs::read_dir(directory).expect("the corpus is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
}

fn main() -> ExitCode {
    let mut corpus = Corpus::new();
    let mut cases: Vec<Case> = cases().iter().map(|path| Case::read(path)).collect();
    cases.sort_by_key(|case| !LONGEST.contains(&case.name.as_str()));
    for case in cases {
        corpus.case(case.name.clone(), move || {
            case.honest_work_is_accepted_and_its_neighbour_is_refused()
        });
    }
    corpus.run()
}
