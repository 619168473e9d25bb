//! Changes that third parties made to their own projects, on the built binary: one release as the base, the next one as
//! the change, through both gates. Where existing tests get other expectations on purpose, a design says so, and the
//! release is judged as a run that has one.
//!
//! The releases are listed in `testdata/honest/replays.toml` and come from the package registry when the tests run;
//! nothing of them is in this repository. The quick ones are judged always, all of them with `PROCTOR_REPLAYS=all`, and those
//! with a part of their name as a filter. Without the registry the tests say that they were skipped.

#![expect(
    clippy::disallowed_methods,
    reason = "throw-away checkouts of other people's projects"
)]

#[path = "replays/as_run.rs"]
mod as_run;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use proctor_testkit::{
    CaseOutcome, Corpus, Publication, PublishedCheckout, SourceDistribution, files_in,
};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Sets of packages, by name.
    environments: BTreeMap<String, Vec<String>>,
    replay: Vec<Replay>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replay {
    name: String,
    before: Release,
    after: Release,
    environment: String,
    /// Whether the project itself is installed in its environment, to be loaded from the checkout.
    #[serde(default)]
    editable: bool,
    /// Whether it is judged as a run, with a design that lists its files.
    #[serde(default)]
    as_run: bool,
    /// Whether it is judged whenever the tests are run.
    #[serde(default)]
    quick: bool,
    /// The rules that refuse it, if it is refused; `docs/public-projects.md` says why.
    #[serde(default)]
    refused_by: BTreeSet<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Release {
    version: String,
    sha256: String,
}

impl Replay {
    fn title(&self) -> String {
        let (before, after) = (&self.before.version, &self.after.version);
        format!("{} {before} → {after}", self.name)
    }

    fn distribution(&self, release: &Release) -> SourceDistribution {
        SourceDistribution {
            name: self.name.clone(),
            version: release.version.clone(),
            sha256: release.sha256.clone(),
        }
    }

    /// The differences between the expected and the actual verdicts; the error says why the registry does not provide
    /// it.
    fn check(&self, requirements: &[String]) -> Result<Option<String>, String> {
        let (before, after) = (
            self.distribution(&self.before),
            self.distribution(&self.after),
        );
        let publication = Publication {
            binary: env!("CARGO_BIN_EXE_proctor"),
            release: &before,
            requirements,
            editable: self.editable,
            additions: None,
        };
        let checkout = publication.checkout()?;
        // Leftovers of its installation.
        checkout.reset();
        let (before, after) = (before.unpacked()?, after.unpacked()?);
        if self.as_run {
            let output = as_run::run(&self.title(), &before, &after, &checkout);
            let run = output.json();
            let verdicts = [&run["red"]["verdict"], &run["green"]["verdict"]];
            let accepted = run["stage"] == "review" && verdicts == ["valid_red", "valid_green"];
            return Ok((!accepted).then(|| format!("is refused: {verdicts:?}\n{}", output.stderr)));
        }
        lay_difference(&before, &after, &checkout);
        for colour in ["red", "green"] {
            let output = checkout.judge(colour);
            let verdict = output.json();
            if verdict["verdict"] == format!("valid_{colour}") {
                continue;
            }
            // An invalid red is not a green either.
            if !self.refused_by.is_empty() && output.rules() == self.refused_by {
                return Ok(None);
            }
            let (reasons, error) = (&verdict["reasons"], &verdict["error"]);
            return Ok(Some(format!(
                "is refused at {colour}: {reasons:#}\n{error:#}"
            )));
        }
        let refused = !self.refused_by.is_empty();
        Ok(refused.then(|| "is accepted now; the table says otherwise".to_owned()))
    }
}

/// Turns a checkout of one release into the next one.
fn lay_difference(before: &Path, after: &Path, checkout: &PublishedCheckout) {
    let (old, new) = (files_in(before), files_in(after));
    for file in &new {
        let content = fs::read(after.join(file)).expect("readable");
        if fs::read(before.join(file)).ok().as_ref() != Some(&content) {
            checkout.repository.write(file, content);
        }
    }
    for file in old.iter().filter(|file| !new.contains(file)) {
        fs::remove_file(checkout.repository.path().join(file)).expect("it is in the checkout");
    }
}

fn table() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/honest/replays.toml");
    let text = fs::read_to_string(path).expect("the table is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn main() -> ExitCode {
    let mut corpus = Corpus::new();
    let everything = corpus.is_chosen_by_name()
        || std::env::var("PROCTOR_REPLAYS").is_ok_and(|wanted| wanted == "all");
    corpus.case(
        "every_replay_has_its_place_on_the_page_with_the_share_that_is_accepted",
        every_replay_has_its_place_on_the_page_with_the_share_that_is_accepted,
    );
    let table = table();
    for replay in table.replay {
        if everything || replay.quick {
            let requirements = table.environments[&replay.environment].clone();
            corpus.case(replay.name.clone(), move || {
                match replay.check(&requirements) {
                    Ok(found) => {
                        let found = found.map(|found| format!("{} {found}", replay.title()));
                        CaseOutcome::Wrong(found.into_iter().collect())
                    }
                    Err(reason) => CaseOutcome::Skipped(reason),
                }
            });
        }
    }
    corpus.run()
}

fn every_replay_has_its_place_on_the_page_with_the_share_that_is_accepted() -> CaseOutcome {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/public-projects.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let table = table();
    for replay in &table.replay {
        let line = format!("| {} |", replay.title());
        assert!(page.contains(&line), "{line}");
        for rule in &replay.refused_by {
            assert!(page.contains(&format!("`{rule}`")), "{line}: {rule}");
        }
    }
    let all = table.replay.len();
    let accepted = table.replay.iter().filter(|one| one.refused_by.is_empty());
    let accepted = accepted.count();
    let share = format!("{accepted} of {all}");
    assert!(page.contains(&share), "the page has to say {share}");
    CaseOutcome::Wrong(Vec::new())
}
