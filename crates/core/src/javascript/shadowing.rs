//! Files whose mere name puts them between a runner and the tests.
//!
//! Configuration of a runner is held at the base commit while a change is judged. This module finds files that cannot
//! be held because the base has nothing in their place, or because they replace an installed package.

use crate::path::ProjectPath;

/// Packages that runners and assertions are made of.
const RUNNER: [&str; 10] = [
    "assert", "ava", "chai", "expect", "jest", "mocha", "sinon", "tap", "test", "vitest",
];

/// Scopes of such packages.
const SCOPES: [&str; 4] = ["@jest", "@sinonjs", "@testing-library", "@vitest"];

/// Why a file that a change brings would act on the runner by its name; `None` for ordinary files.
pub fn acts_on_runner(path: &ProjectPath) -> Option<String> {
    let components: Vec<&str> = path.components().collect();
    let (name, folders) = components.split_last()?;
    let is = |component: &&str, wanted: &str| component.eq_ignore_ascii_case(wanted);
    if components.iter().any(|part| is(part, "node_modules")) {
        return Some("would be loaded in the place of an installed package".to_owned());
    }
    if folders.iter().any(|part| is(part, ".yarn")) {
        return Some("is a part of the package manager, or a package that it unpacks".to_owned());
    }
    let lower = name.to_ascii_lowercase();
    if lower.starts_with(".pnp.") || lower == ".pnpmfile.cjs" {
        return Some("decides which packages are loaded".to_owned());
    }
    mocked_package(folders, name).map(|package| {
        format!("would be loaded in the place of `{package}` without any test asking for it")
    })
}

/// The package that a file below `__mocks__` replaces, if runners or assertions depend on it.
fn mocked_package(folders: &[&str], name: &str) -> Option<String> {
    let below = folders.iter().rposition(|part| *part == "__mocks__")?;
    let stem = name.split('.').next().unwrap_or(name);
    match &folders[below + 1..] {
        [] => RUNNER.contains(&stem).then(|| stem.to_owned()),
        [first, ..] if SCOPES.contains(first) => Some(format!("{first}/{stem}")),
        [first, ..] => RUNNER.contains(first).then(|| (*first).to_owned()),
    }
}

/// Whether a file of this name is loaded as compiled code, which no reviewer can read.
pub fn is_compiled(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        let ending = ending.to_ascii_lowercase();
        matches!(ending.as_str(), "node" | "wasm" | "jsc")
    })
}

/// Whether a path lies among the caches of tools. Nothing is loaded from there while judging.
pub fn is_cache(path: &str) -> bool {
    let components: Vec<&str> = path.split('/').collect();
    components.windows(2).any(|pair| {
        pair[0] == "node_modules"
            && matches!(pair[1], ".cache" | ".vite" | ".vitest" | ".vite-temp")
    })
}

#[cfg(test)]
mod tests {
    use super::{acts_on_runner, is_cache, is_compiled};
    use crate::path::ProjectPath;

    #[test]
    fn names_decide_what_acts_on_a_runner() {
        let acts = |path: &str| {
            let path = ProjectPath::parse(path).expect("a plain path");
            acts_on_runner(&path).is_some()
        };
        for yes in [
            "node_modules/chai/index.js",
            "test/node_modules/chai/index.js",
            "src/Node_Modules/a.js",
            ".pnp.cjs",
            ".pnp.loader.mjs",
            ".pnpmfile.cjs",
            ".yarn/releases/yarn-4.cjs",
            "__mocks__/chai.js",
            "__mocks__/@jest/globals.ts",
            "src/__mocks__/expect/index.js",
        ] {
            assert!(acts(yes), "{yes}");
        }
        for no in [
            "src/chai.js",
            "__mocks__/axios.js",
            "__mocks__/@scope/chai.js",
            "src/node_modules.js",
            ".npmrc",
            ".node-version",
            "package.json",
            "vitest.config.ts",
            "postcss.config.js",
            "src/yarn/a.js",
        ] {
            assert!(!acts(no), "{no}");
        }
    }

    #[test]
    fn compiled_code_and_caches_are_known_by_their_names() {
        for (path, compiled) in [
            ("build/a.node", true),
            ("src/a.WASM", true),
            ("a.jsc", true),
            ("src/node", false),
            ("src/a.wat", false),
            ("src/a.node.js", false),
        ] {
            assert_eq!(is_compiled(path), compiled, "{path}");
        }
        for (path, cache) in [
            ("node_modules/.vite/results.json", true),
            ("a/node_modules/.cache/babel/x", true),
            ("node_modules/vite/x.js", false),
            ("src/.cache/x", false),
        ] {
            assert_eq!(is_cache(path), cache, "{path}");
        }
    }
}
