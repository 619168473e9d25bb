//! The packages say about Proctor what `Cargo.toml` says, because they do not say it again.

use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(relative: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(relative);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

fn toml(relative: &str) -> toml::Table {
    read(relative).parse().expect("it is TOML")
}

/// The workspace's, which this crate inherits.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn version_description_and_licence_stand_in_the_manifest_alone() {
    let npm: Value = serde_json::from_str(&read("packaging/npm/package.json")).expect("JSON");
    for taken in ["version", "description", "license", "man", "os", "cpu"] {
        assert!(
            npm.get(taken).is_none(),
            "scripts/package fills in {taken:?}"
        );
    }
    let wheel = &toml("packaging/python/pyproject.toml")["project"];
    for taken in ["version", "description", "license"] {
        assert!(wheel.get(taken).is_none(), "maturin fills in {taken:?}");
        let dynamic = wheel["dynamic"].as_array().expect("a list");
        assert!(dynamic.iter().any(|field| field.as_str() == Some(taken)));
    }
    assert_eq!(npm["name"].as_str(), wheel["name"].as_str());
    assert!(npm["bin"].get("proctor").is_some());
}

#[test]
fn every_lock_file_and_the_changelog_know_the_version() {
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let packages = &toml(lock)["package"];
        let ours = packages.as_array().expect("a list").iter().filter(|entry| {
            let name = entry["name"].as_str().expect("a name");
            name.starts_with("proctor-") && name != "proctor-fuzz"
        });
        let versions: Vec<_> = ours.map(|entry| entry["version"].as_str()).collect();
        assert!(!versions.is_empty(), "{lock}");
        assert!(
            versions.iter().all(|version| *version == Some(VERSION)),
            "{lock}: {versions:?}"
        );
    }
    let changelog = read("CHANGELOG.md");
    assert!(
        changelog
            .lines()
            .any(|line| line.starts_with(&format!("## [{VERSION}] - "))),
        "CHANGELOG.md has no section for {VERSION}"
    );
    // What the draft release says.
    read(&format!("docs/releases/{VERSION}.md"));
}

#[test]
fn the_release_builds_with_the_script_and_publishes_nothing() {
    let workflow = read(".github/workflows/release.yml");
    assert!(workflow.contains("scripts/package --try"));
    assert!(workflow.contains("--draft"));
    for publishing in [
        "publish ",
        "publish@",
        "twine",
        "id-token",
        "NODE_AUTH_TOKEN",
    ] {
        assert!(!workflow.contains(publishing), "{publishing}");
    }
    for used in workflow
        .lines()
        .filter_map(|line| line.split_once("uses: "))
    {
        let (_, version) = used.1.split_once('@').expect("an action has a version");
        let major = version.strip_prefix('v').expect("a tag of its own");
        assert!(
            major.bytes().all(|digit| digit.is_ascii_digit()),
            "{version}"
        );
    }
}
