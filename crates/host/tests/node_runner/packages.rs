//! The farm of packages: the running code is the tree's.

use std::fs;
use std::os::unix::fs::symlink;

use proctor_core::dialect::Runner;
use proctor_host::test_runner::{NodeRun, farm};

use super::{World, assert_told, observe, report};

#[test]
fn a_package_of_the_workspace_is_judged_as_the_tree_has_it() {
    let test = "import { test, expect } from 'vitest';\nimport { value } from '@w/a';\ntest('value', () => { expect(value).toBe('tree'); });\n";
    let manifest = "{\"name\": \"@w/a\", \"type\": \"module\", \"main\": \"index.js\"}";
    let files = [
        ("packages/a/package.json", manifest),
        ("packages/a/index.js", "export const value = 'tree';\n"),
        ("packages/b/b.test.js", test),
    ];
    let Some(world) = World::new(Runner::Vitest, &["vitest@^4"], &files) else {
        return;
    };
    let checkout = tempfile::tempdir().expect("a directory");
    let scope = checkout.path().join("node_modules/@w");
    fs::create_dir_all(&scope).expect("made");
    symlink("../../packages/a", scope.join("a")).expect("linked");
    farm(checkout.path(), world.tree.path()).expect("laid");
    assert_told(
        report(&observe(&world.run())),
        "packages/b/b.test.js::value @3: passed",
    );
}

#[test]
fn a_module_of_the_checkout_is_named() {
    let Some(world) = World::new(Runner::Vitest, &["vitest@^4"], &[]) else {
        return;
    };
    let checkout = world.tree.path().join("elsewhere");
    let test = format!(
        "import {{ test }} from 'vitest';\nimport '{}/own.js';\nimport './near.js';\ntest('a', () => {{}});\n",
        checkout.display()
    );
    world.add(&[
        ("elsewhere/own.js", "export const a = 1;\n"),
        ("tree/near.js", "export const b = 1;\n"),
        ("tree/package.json", "{}"),
        ("tree/a.test.js", &test),
    ]);
    let run = NodeRun {
        root: String::new(),
        tree: world.tree.path().join("tree"),
        checkout: Some(checkout),
        ..world.run()
    };
    let observation = observe(&run);
    let foreign = &report(&observation).foreign_modules;
    assert_eq!(foreign.keys().collect::<Vec<_>>(), ["own.js"]);
}
