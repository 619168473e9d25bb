//! Projects of JavaScript and TypeScript, as npm has them.
//!
//! The quick ones are judged always, the others with `PROCTOR_PROJECTS=all`, or with a part of their name in its place.

#![expect(
    clippy::disallowed_methods,
    reason = "the variable is for the person who runs the tests"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proctor_testkit::{NodePackage, NodePublication, say_skipped};
use serde::Deserialize;

use super::{Checkout, Expected, honest};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// Sets of packages, by name.
    environments: BTreeMap<String, Vec<String>>,
    pub(super) package: Vec<Package>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    sha256: String,
    /// The requirements of its tests besides node, if any.
    environment: Option<String>,
    /// Whether it is judged whenever the tests are run.
    #[serde(default)]
    quick: bool,
    /// About how many tests the suite has.
    tests: u64,
    /// The rules of which at least one refuses the dishonest change.
    refused_by: BTreeSet<String>,
}

impl Package {
    /// Where our changes are; the names of npm have signs in them.
    pub(super) fn folder(&self) -> String {
        self.name.trim_start_matches('@').replace('/', "-")
    }

    fn is_wanted(&self) -> bool {
        let wanted = std::env::var("PROCTOR_PROJECTS").unwrap_or_default();
        match wanted.as_str() {
            "" => self.quick,
            "all" => true,
            part => self.name.contains(part),
        }
    }

    fn checkout(&self, environments: &BTreeMap<String, Vec<String>>) -> Result<Checkout, String> {
        let release = NodePackage {
            name: self.name.clone(),
            version: self.version.clone(),
            sha256: self.sha256.clone(),
        };
        let changes = honest().join(self.folder());
        let requirements = self.environment.as_ref().map(|name| &environments[name]);
        let publication = NodePublication {
            binary: env!("CARGO_BIN_EXE_proctor"),
            release: &release,
            requirements: requirements.map_or(&[], Vec::as_slice),
            additions: &changes.join("base"),
        };
        Ok(Checkout {
            published: publication.checkout()?,
            changes,
        })
    }
}

pub(super) fn table() -> Table {
    let text = fs::read_to_string(honest().join("packages.toml")).expect("the table is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn is_judged_rightly(name: &str) {
    let table = table();
    let mut packages = table.package.iter();
    let package = packages
        .find(|package| package.name == name)
        .expect("it is in the table");
    if !package.is_wanted() {
        return;
    }
    match package.checkout(&table.environments) {
        Ok(checkout) => {
            let expected = Expected {
                tests: package.tests,
                refused_by: &package.refused_by,
            };
            checkout.is_judged_rightly(name, &expected);
        }
        Err(reason) => say_skipped(name, &reason),
    }
}

#[test]
fn css_what_tests_made_in_loops_by_vitest_4() {
    is_judged_rightly("css-what");
}

#[test]
fn fast_content_type_parse_subtests_with_plans_by_node() {
    is_judged_rightly("fast-content-type-parse");
}

#[test]
fn fastify_error_assertions_of_the_context_by_node() {
    is_judged_rightly("@fastify/error");
}

#[test]
fn fastify_forwarded_one_test_file_that_is_extended_by_node() {
    is_judged_rightly("@fastify/forwarded");
}

#[test]
fn fastify_merge_json_schemas_many_small_files_by_node() {
    is_judged_rightly("@fastify/merge-json-schemas");
}

#[test]
fn headers_polyfill_in_jsdom_by_vitest_4() {
    is_judged_rightly("headers-polyfill");
}

#[test]
fn json_schema_ref_resolver_plain_assertions_by_node() {
    is_judged_rightly("json-schema-ref-resolver");
}

#[test]
fn lossless_json_tests_of_what_is_compiled_by_vitest_5() {
    is_judged_rightly("lossless-json");
}

#[test]
fn minisearch_typescript_and_properties_by_jest_29() {
    is_judged_rightly("minisearch");
}

#[test]
fn object_deep_compare_with_checked_types_by_jest_29() {
    is_judged_rightly("object-deep-compare");
}

#[test]
fn pin_github_action_modules_of_the_language_by_jest_29() {
    is_judged_rightly("pin-github-action");
}

#[test]
fn simple_update_notifier_mocked_modules_by_jest_29() {
    is_judged_rightly("simple-update-notifier");
}

#[test]
fn ts_dedent_with_checked_types_by_jest_30() {
    is_judged_rightly("ts-dedent");
}

#[test]
fn until_async_globals_and_promises_by_vitest_3() {
    is_judged_rightly("until-async");
}

#[test]
fn wordpress_wordcount_a_part_of_a_monorepo_by_vitest_5() {
    is_judged_rightly("@wordpress/wordcount");
}
