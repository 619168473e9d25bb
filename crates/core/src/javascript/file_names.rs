//! Which files are tests, and which configure a runner, by their names.

use super::is_javascript;
use crate::path::ProjectPath;

/// Folders whose files belong to the tests, whatever their names.
const TEST_FOLDERS: [&str; 6] = [
    "__fixtures__",
    "__mocks__",
    "__snapshots__",
    "__tests__",
    "test",
    "tests",
];

/// The other half of a name like `test-utils.js` if the file holds no tests.
const SUPPORT: [&str; 16] = [
    "common",
    "constants",
    "data",
    "env",
    "environment",
    "fixture",
    "fixtures",
    "helper",
    "helpers",
    "kit",
    "server",
    "setup",
    "support",
    "types",
    "util",
    "utils",
];

/// Files that act on a runner, or on how it finds and translates code, under exactly this name.
const CONFIGURATION: [&str; 17] = [
    // Keys of it are read by nearly every tool; see `held_package_json`.
    "package.json",
    // Which syntax is translated, and how bare names of modules are resolved.
    "jsconfig.json",
    ".swcrc",
    "browserslist",
    ".browserslistrc",
    // Options of node itself.
    "node.config.json",
    // Which packages there are, and options for the programs that are started by a package manager.
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    "pnpm-workspace.yaml",
    "lerna.json",
    // Loaded before every test by convention.
    "setup-jest.js",
    "setup-jest.ts",
    "setup-vitest.js",
    "setup-vitest.ts",
    "bunfig.toml",
];

/// The same for names that begin like this.
const CONFIGURATION_BEGINS: [&str; 7] = [
    ".babelrc",
    ".mocharc",
    ".pnp.",
    ".postcssrc",
    "jest-setup.",
    "setuptests.",
    "vitest-setup.",
];

/// Whether a file of this name configures a runner or the tools below it, in any folder.
///
/// A snapshot does not: it holds expectations, so it belongs to the tests.
pub fn is_test_configuration(path: &ProjectPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    if is_test_module(&name) {
        return false;
    }
    let begins = CONFIGURATION_BEGINS.iter();
    CONFIGURATION.contains(&name.as_str())
        || begins.clone().any(|begin| name.starts_with(begin))
        || is_json_of("tsconfig", &name)
        || is_json_of("jest", &name)
        || is_for_tool(&name)
}

/// `tsconfig.json`, `tsconfig.build.json`, `jest-e2e.json`.
fn is_json_of(tool: &str, name: &str) -> bool {
    let rest = name.strip_prefix(tool);
    let rest = rest.and_then(|rest| rest.strip_suffix(".json"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
}

/// `vitest.config.ts`, `vite.lib.config.mjs`, `jest.setup.js`: a tool, a purpose, an ending.
fn is_for_tool(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let (Some(tool), true) = (parts.first(), parts.len() > 2) else {
        return false;
    };
    match *tool {
        "jest" | "vitest" => true,
        "vite" | "babel" | "postcss" | "swc" => parts.contains(&"config"),
        _ => false,
    }
}

/// Whether a runner would collect or load this file for tests: by its name, by a folder such as `__tests__`, or by
/// `[test] paths`. An implementation may not touch such a file.
///
/// A snapshot is one too. A new one beside new tests holds their expectations; one that is changed is a changed
/// expectation of the tests that had it.
pub fn is_test_file(path: &str, test_paths: &[String]) -> bool {
    let name = name_of(path);
    let by_name = is_named_as_test(name) || is_snapshot(name);
    let mut folders = path.split('/').rev().skip(1);
    let by_folder = folders.any(|folder| TEST_FOLDERS.contains(&folder));
    let by_setting = test_paths.iter().any(|prefix| {
        let prefix = prefix.trim_start_matches("./").trim_end_matches('/');
        let rest = path.strip_prefix(prefix);
        !prefix.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    by_name || by_folder || by_setting
}

/// Whether a runner would look for tests in a file of this name. A file in a test folder under another name may hold
/// tests or support code; running it shows which.
pub fn is_test_module(path: &str) -> bool {
    let name = name_of(path);
    is_named_as_test(name) && !supports_by_name(name) && !is_declaration(name)
}

/// Whether a file of this name is loaded for tests and can hold none.
pub fn only_supports_tests(file_name: &str) -> bool {
    is_snapshot(file_name) || is_declaration(file_name) || supports_by_name(file_name)
}

/// `a.test.js`, `a.spec.ts`, and the further names of node's runner: `test.js`, `test-a.js`, `a-test.js`, `a_test.js`.
fn is_named_as_test(name: &str) -> bool {
    let Some((stem, _)) = name.rsplit_once('.').filter(|_| is_javascript(name)) else {
        return false;
    };
    let mut parts = stem.split('.').skip(1);
    parts.any(|part| matches!(part, "test" | "spec")) || half_of(stem).is_some()
}

/// The other half of a name like `test-a` or `a_test`; empty for `test` alone.
fn half_of(stem: &str) -> Option<&str> {
    if stem == "test" {
        return Some("");
    }
    let half = stem.strip_prefix("test-");
    let half = half.or_else(|| stem.strip_suffix("-test"));
    half.or_else(|| stem.strip_suffix("_test"))
}

fn supports_by_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    half_of(stem).is_some_and(|half| SUPPORT.contains(&half))
}

fn is_snapshot(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "snap")
}

/// `a.d.ts`: types alone.
fn is_declaration(name: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{is_test_configuration, is_test_file, is_test_module, only_supports_tests};
    use crate::path::ProjectPath;

    #[test]
    fn names_decide() {
        let table = [
            ("src/add.test.ts", true, true),
            ("src/add.spec.jsx", true, true),
            ("add.test.e2e.mjs", true, true),
            ("test.js", true, true),
            ("src/test-add.cjs", true, true),
            ("src/add-test.js", true, true),
            ("src/add_test.mts", true, true),
            ("src/test-utils.ts", true, false),
            ("test/helpers.js", true, false),
            ("__tests__/add.js", true, false),
            ("__mocks__/fs.js", true, false),
            ("src/__snapshots__/add.test.ts.snap", true, false),
            ("src/add.snap", true, false),
            ("tests/data.json", true, false),
            ("src/add.test.d.ts", true, false),
            ("src/add.ts", false, false),
            ("src/latest.js", false, false),
            ("src/testing.js", false, false),
            ("src/contest.js", false, false),
            ("src/test-add.json", false, false),
            ("src/add.test.md", false, false),
            ("src/spec.ts", false, false),
            ("test", false, false),
        ];
        for (path, is_file, is_module) in table {
            assert_eq!(is_test_file(path, &[]), is_file, "{path}");
            assert_eq!(is_test_module(path), is_module, "{path}");
        }
    }

    #[test]
    fn settings_name_folders_and_files() {
        let setting = ["checks".to_owned(), "./e2e/".to_owned()];
        for (path, expected) in [
            ("checks/a.js", true),
            ("e2e/deep/x.txt", true),
            ("checksum/a.js", false),
        ] {
            assert_eq!(is_test_file(path, &setting), expected, "{path}");
        }
    }

    #[test]
    fn what_holds_no_tests_only_supports_them() {
        for (name, expected) in [
            ("add.test.ts.snap", true),
            ("test-utils.ts", true),
            ("globals.d.ts", true),
            ("add.test.ts", false),
            ("data.json", false),
            ("test-add.js", false),
        ] {
            assert_eq!(only_supports_tests(name), expected, "{name}");
        }
    }

    #[test]
    fn what_configures_a_runner_is_known_by_its_name() {
        for yes in [
            "vitest.config.ts",
            "vite.config.mjs",
            "vite.lib.config.ts",
            "vitest.workspace.json",
            "postcss.config.cjs",
            ".postcssrc.json",
            "jest.config.js",
            "test/jest-e2e.json",
            "jest.setup.ts",
            "vitest.setup.ts",
            "src/setupTests.ts",
            "babel.config.json",
            ".babelrc",
            ".babelrc.cjs",
            ".swcrc",
            ".mocharc.yml",
            "tsconfig.json",
            "packages/a/tsconfig.build.json",
            "jsconfig.json",
            "package.json",
            "packages/a/package.json",
            ".npmrc",
            "pnpm-workspace.yaml",
            ".pnp.cjs",
            ".pnp.loader.mjs",
        ] {
            let path = ProjectPath::parse(yes).expect("a plain path");
            assert!(is_test_configuration(&path), "{yes}");
        }
        for no in [
            "src/vite.ts",
            "src/vite-config.ts",
            "src/jest.ts",
            "src/babel.plugin.ts",
            "src/config.ts",
            "vitest.config.test.ts",
            "package-lock.json",
            "tsconfigs.json",
            "src/environment.ts",
            ".env",
            ".envrc",
            "src/__snapshots__/a.test.ts.snap",
            "webpack.config.js",
        ] {
            let path = ProjectPath::parse(no).expect("a plain path");
            assert!(!is_test_configuration(&path), "{no}");
        }
    }
}
