//! Public projects on the built binary: their own suites as the baseline, an honest change of ours through both
//! gates, and a dishonest one in its place.
//!
//! The projects are listed in `testdata/honest/projects.toml` and `packages.toml` and come from the package registries when the
//! tests run; only our changes are in this repository. Without a registry the tests say that they were skipped.

mod javascript;
mod python;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proctor_testkit::{PublishedCheckout, RunOutput, lay};

fn honest() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/honest")
}

/// A checkout of a project, and where our changes to it are.
struct Checkout {
    published: PublishedCheckout,
    changes: PathBuf,
}

/// The table's expectations about a project.
struct Expected<'a> {
    /// About how many tests the suite has.
    tests: u64,
    /// The rules of which at least one refuses the dishonest change.
    refused_by: &'a BTreeSet<String>,
}

impl Checkout {
    /// Lays parts of the change over the base and judges them.
    fn judge(&self, colour: &str, parts: &[&str]) -> RunOutput {
        self.published.reset();
        for part in parts {
            lay(&self.changes.join(part), &self.published.repository);
        }
        self.published.judge(colour)
    }

    fn is_judged_rightly(&self, name: &str, expected: &Expected<'_>) {
        let expect = |colour: &str, parts: &[&str], wanted: &str| {
            let output = self.judge(colour, parts);
            let verdict = output.json();
            assert_eq!(
                verdict["verdict"], wanted,
                "{name} with {parts:?}: {:#}\n{:#}",
                verdict["reasons"], verdict["error"]
            );
            output
        };
        let red = expect("red", &["tests"], "valid_red");
        let baseline = red.json()["runs"][0]["tests"].as_u64().unwrap_or_default();
        assert!(
            baseline > expected.tests / 2,
            "{name}: {baseline} tests at the base"
        );
        expect("green", &["tests", "source"], "valid_green");
        let dishonest = expect("green", &["tests", "dishonest"], "invalid_green");
        assert!(
            !dishonest.rules().is_disjoint(expected.refused_by),
            "{name} has to be refused by one of {:?}: {:#}",
            expected.refused_by,
            dishonest.json()["reasons"]
        );
    }
}

#[test]
fn every_project_has_its_changes_and_its_place_on_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/public-projects.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let (projects, packages) = (python::table().project, javascript::table().package);
    let projects = projects
        .into_iter()
        .map(|one| (one.name.clone(), one.name, one.version));
    let packages = packages
        .into_iter()
        .map(|one| (one.folder(), one.name, one.version));
    let mut folders = BTreeSet::from(["small".to_owned()]);
    for (folder, name, version) in projects.chain(packages) {
        let line = format!("| {name} {version} |");
        assert!(page.contains(&line), "{line}");
        assert!(honest().join(&folder).join("tests").is_dir());
        assert!(folders.insert(folder), "{name} has another's folder");
    }
    for entry in fs::read_dir(honest()).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let known = !path.is_dir() || name.is_some_and(|name| folders.contains(name));
        assert!(known, "{} is not in a table", path.display());
    }
}
