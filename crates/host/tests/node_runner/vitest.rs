//! vitest, of all versions that are supported.

use proctor_core::dialect::Runner;
use proctor_core::test_outcome::TwinKind;
use proctor_core::test_outcome::{Exit, Observation};
use proctor_host::test_runner::{NodeRun, TestLimit, Variant};

use super::{FORGERY, World, assert_told, observe, outcome, report, told};

const BASIC: &str = "\
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { add } from '../src/add.js';
interface A { a: number }

describe('outer', () => {
  describe('inner', () => {
    test('passes', () => { expect(add(1, 2)).toBe(3); });
  });
  test('fails', () => {
    const x: A = { a: 1 };
    expect(add(x.a, 2)).toBe(4);
  });
});
test.each([
  [1, 2],
  [2, 3],
])('adds %i', (a, b) => {
  expect(a + 1).toBe(b);
});
test('same', () => {});
test('same', () => { throw new TypeError('second'); });
test.skip('skipped', () => {});
test.todo('later');
test.fails('as said', () => { expect(1).toBe(2); });
test.fails('not as said', () => { expect(1).toBe(1); });
test('string', () => { throw 'text'; });
test('undefined name', () => { nope(); });
test('slow', () => new Promise(() => {}), 50);
test('skips itself', (context) => { context.skip('because'); });
test('again', { retry: 2 }, () => { globalThis.n = (globalThis.n ?? 0) + 1; expect(globalThis.n).toBe(2); });
test('dynamic', async () => { await import('../src/gone.js'); });
describe('broken', () => {
  beforeAll(() => { throw new Error('no set-up'); });
  test('stopped', () => {});
});
describe('broken after', () => {
  afterAll(() => { throw new Error('no tear-down'); });
  test('fine', () => {});
});
test('new snapshot', () => { expect({ a: 1 }).toMatchSnapshot(); });
test('half a \\ud800 character', () => { throw new Error('\\ud800'); });
";

const TOLD: &str = "
test/basic.test.ts::outer > inner > passes @7: passed
test/basic.test.ts::outer > fails @9: Call Failed (assertion) expected 3 to be 4 // Object.is equality at test/basic.test.ts:11
test/basic.test.ts::adds 1 @17: passed
test/basic.test.ts::adds 2 @17: passed
test/basic.test.ts::same @20: passed
test/basic.test.ts::same #2 @21: Call Failed second at test/basic.test.ts:21
test/basic.test.ts::skipped @22: Setup Skipped skip
test/basic.test.ts::later @23: Setup Skipped todo
test/basic.test.ts::as said @24: Call Xfailed expected to fail
test/basic.test.ts::not as said @25: Call Xpassed Expect test to fail
test/basic.test.ts::string @26: Call Failed text
test/basic.test.ts::undefined name @27: Call Failed nope is not defined at test/basic.test.ts:27
test/basic.test.ts::slow @28: Call Failed Test timed out in 50ms. at test/basic.test.ts:28
test/basic.test.ts::skips itself @29: Setup Skipped because
test/basic.test.ts::again @30: Call Rerun (assertion) expected 1 to be 2 // Object.is equality at test/basic.test.ts:30
test/basic.test.ts::dynamic @31: Call Failed (missing module) DYNAMIC at test/basic.test.ts:31
test/basic.test.ts::broken > stopped @34: Setup Failed no set-up at test/basic.test.ts:33
test/basic.test.ts::broken after > fine @38: passed
test/basic.test.ts::new snapshot @40: Call Failed (assertion) Snapshot `new snapshot 1` mismatched at test/basic.test.ts:40
test/basic.test.ts::half a \u{fffd} character @41: Call Failed \u{fffd} at test/basic.test.ts:41
test/basic.test.ts cannot be collected: no tear-down at test/basic.test.ts:37
test/empty.test.js cannot be collected: No test suite found in file
test/exit.test.js::before @2: passed
test/exit.test.js::exits @3: Call Failed process.exit unexpectedly called with \"0\" at test/exit.test.js:3
test/export.test.js::a @3: Call Failed gone is not a function at test/export.test.js:3
test/forge.test.js::forges @3: passed
test/missing.test.js cannot be collected: (missing module) MISSING at test/missing.test.js:2
test/only.test.js::only @2: Call Failed [Vitest] Unexpected .only modifier. Remove it or pass --allowOnly argument to bypass this error
test/only.test.js::other @3: Setup Skipped skip
test/rejection.test.js::leaves @2: passed
test/source.test.js cannot be collected: SOURCE at src/broken.js:1
test/throws.test.js cannot be collected: at import at test/throws.test.js:1
unhandled: left alone at test/rejection.test.js:2
";

fn world(version: &str) -> Option<World> {
    let forge = format!(
        "import {{ test }} from 'vitest';\nimport fs from 'node:fs';\ntest('forges', () => {{{FORGERY}}});\n"
    );
    World::new(
        Runner::Vitest,
        &[version],
        &[
            ("package.json", "{\"type\": \"module\"}"),
            ("postcss.config.js", "process.exit(0);"),
            ("src/add.js", "export const add = (a, b) => a + b;\n"),
            ("src/broken.js", "export const = 1;\n"),
            ("src/page.css", "a { color: red }\n"),
            ("test/basic.test.ts", BASIC),
            ("test/empty.test.js", ""),
            (
                "test/exit.test.js",
                "import { test } from 'vitest';\ntest('before', () => {});\ntest('exits', () => { process.exit(0); });\n",
            ),
            (
                "test/export.test.js",
                "import { test } from 'vitest';\nimport { gone } from '../src/add.js';\ntest('a', () => { gone(); });\n",
            ),
            ("test/forge.test.js", &forge),
            (
                "test/missing.test.js",
                "import { test } from 'vitest';\nimport { gone } from '../src/gone.js';\ntest('a', () => gone());\n",
            ),
            (
                "test/only.test.js",
                "import { test } from 'vitest';\ntest.only('only', () => {});\ntest('other', () => { throw new Error('x'); });\n",
            ),
            (
                "test/rejection.test.js",
                "import { test } from 'vitest';\ntest('leaves', async () => { Promise.reject(new Error('left alone')); await new Promise((done) => setTimeout(done, 50)); });\n",
            ),
            ("test/source.test.js", "import '../src/broken.js';\n"),
            (
                "test/throws.test.js",
                "throw new RangeError('at import');\n",
            ),
        ],
    )
}

#[test]
fn every_kind_of_ending_is_told_by_vitest_4_and_5() {
    for (version, and_then) in [("vitest@^4", ""), ("vitest@^5", " (test file:")] {
        let Some(world) = world(version) else {
            return;
        };
        let exits = "called with \"0\"";
        let told = TOLD.replace(exits, &format!("{exits}{and_then}"));
        every_kind_of_ending_is_told(&world, &told);
    }
}

fn every_kind_of_ending_is_told(world: &World, told: &str) {
    let observation = observe(&world.run());
    assert_eq!(observation.exit, Exit::Code(1));
    let expected = told
        .replace(
            "MISSING",
            "Cannot find module '../src/gone.js' imported from",
        )
        .replace("DYNAMIC", "Cannot find module '/src/gone.js' imported from")
        .replace("SOURCE", "Parse failure: Parse failed with 1 error:");
    assert_told(report(&observation), &expected);
    let junit = observation.junit.expect("vitest gives its own account");
    assert_eq!((junit.passed, junit.failed > 0), (9, true));
    assert!(!world.tree.path().join("test/__snapshots__").exists());
}

#[test]
fn every_kind_of_ending_is_told_by_vitest_3() {
    let Some(world) = world("vitest@^3") else {
        return;
    };
    let observation = observe(&world.run());
    let missing = "Cannot find module '../src/gone.js' imported from '";
    let expected = TOLD
        .replace("MISSING", missing)
        .replace("DYNAMIC", missing)
        .replace("Failed gone is not", "Failed (0 , gone) is not")
        .replace(
            "SOURCE",
            "Parse failure: Unexpected token `=`. Expected yield, an identifier, [ or {",
        );
    assert_told(report(&observation), &expected);
    assert_eq!(report(&observation).finished_exit, Some(1));
}

const ORDER: &str = "\
import { describe, test } from 'vitest';
test('same', () => {});
test('same', () => { throw new Error('the second'); });
describe('group', () => {
  test('one', () => { globalThis.one = true; });
  test('needs one', () => { if (!globalThis.one) throw new Error('order'); });
});
";

fn small() -> Option<World> {
    small_with("vitest@^4")
}

fn small_with(version: &str) -> Option<World> {
    World::new(
        Runner::Vitest,
        &[version],
        &[
            ("package.json", "{\"type\": \"module\"}"),
            ("a.test.js", ORDER),
            (
                "b.test.js",
                "import { test } from 'vitest';\ntest('same', () => {});\ntest('ends', () => {});\n",
            ),
            (
                "hangs.test.js",
                "import { test } from 'vitest';\ntest('good', () => {});\ntest('hangs', () => { for (;;) {} });\n",
            ),
        ],
    )
}

#[test]
fn tests_run_in_the_opposite_order_keep_their_names() {
    let Some(world) = small() else { return };
    let mut run = world.selecting(&["a.test.js"]);
    assert_told(
        report(&observe(&run)),
        "a.test.js::same @2: passed
        a.test.js::same #2 @3: Call Failed the second at a.test.js:3
        a.test.js::group > one @5: passed
        a.test.js::group > needs one @6: passed",
    );
    run.variant = Variant::Reversed;
    assert_told(
        report(&observe(&run)),
        "a.test.js::same @2: passed
        a.test.js::same #2 @3: Call Failed the second at a.test.js:3
        a.test.js::group > one @5: passed
        a.test.js::group > needs one @6: Call Failed order at a.test.js:6",
    );
}

#[test]
fn tests_of_an_environment_like_a_browsers_are_told_in_every_order() {
    let environment =
        "export default { name: 'page', transformMode: 'web', viteEnvironment: 'client',
        setup(scope) { scope.page = true; return { teardown() {} }; } };\n";
    let configuration = "export default { test: { environment: './page.mjs' } };\n";
    let test =
        "import { expect, test } from 'vitest';\ntest('a', () => { expect(page).toBe(true); });\n";
    let files = [
        ("vitest.config.mjs", configuration),
        ("page.mjs", environment),
        ("a.test.js", test),
    ];
    for version in ["vitest@^3", "vitest@^4", "vitest@^5"] {
        let Some(world) = World::new(Runner::Vitest, &[version], &files) else {
            return;
        };
        let mut run = world.run();
        for variant in [Variant::Plain, Variant::Reversed] {
            run.variant = variant;
            assert_told(report(&observe(&run)), "a.test.js::a @2: passed");
        }
    }
}

#[test]
fn only_what_was_asked_for_is_told() {
    let asked = [
        "a.test.js::same #2",
        "a.test.js::group > one",
        "b.test.js::ends",
    ];
    for version in ["vitest@^3", "vitest@^4", "vitest@^5"] {
        let Some(world) = small_with(version) else {
            return;
        };
        let observation = observe(&world.selecting(&asked));
        let report = report(&observation);
        assert_told(
            report,
            "a.test.js::same #2 @3: Call Failed the second at a.test.js:3
            a.test.js::group > one @5: passed
            b.test.js::ends @3: passed",
        );
        assert_eq!(report.deselected.len(), 3, "{:?}", report.deselected);
        assert_eq!(observation.junit.expect("there").passed, 2);
    }
}

#[test]
fn a_run_until_the_first_failure_ends_there() {
    let Some(world) = small() else { return };
    let mut run = world.selecting(&["a.test.js"]);
    run.variant = Variant::FirstFailure;
    let told = told(report(&observe(&run)));
    assert!(told.contains("same #2 @3: Call Failed"), "{told}");
    assert!(told.contains("needs one @6: no result"), "{told}");
}

#[test]
fn a_test_that_never_ends_is_stopped_and_named() {
    let Some(world) = small() else { return };
    let run = world.selecting(&["hangs.test.js"]);
    let limit = TestLimit {
        seconds: 2,
        ..TestLimit::default()
    };
    let stopped = outcome(&run, Some(&limit));
    assert!(stopped.observation.report.is_err());
    assert_eq!(stopped.stopped.as_deref(), Some("hangs.test.js::hangs\n"));
    let without = TestLimit {
        without: vec!["hangs.test.js::hangs".to_owned()],
        ..limit
    };
    let rest = outcome(&run, Some(&without)).observation;
    assert_told(report(&rest), "hangs.test.js::good @2: passed");
}

/// Prints a test's view of its surroundings, except for names that change with every process.
const SHOWS: &str = "\
import { test } from 'vitest';
test('shows', () => {
  const variables = Object.entries(process.env).filter(([name]) => !/^(TMPDIR|VITEST_|TINYPOOL)/.test(name));
  console.log('SEEN ' + JSON.stringify([variables.sort(), process.argv.slice(2), process.execArgv.length]));
});
";

#[test]
fn what_tests_see_is_made_from_nothing_and_the_same_in_every_run() {
    let files = [("a.test.js", SHOWS)];
    let Some(world) = World::new(Runner::Vitest, &["vitest@^4"], &files) else {
        return;
    };
    let variants = [
        Variant::Plain,
        Variant::Turned(TwinKind::Negated),
        Variant::FirstFailure,
    ];
    let runs = variants.map(|variant| {
        observe(&NodeRun {
            root: String::new(),
            variant,
            ..world.run()
        })
    });
    let seen = |run: &Observation| {
        let line = run.output.lines().find(|line| line.contains("SEEN"));
        line.unwrap_or_else(|| panic!("{}", run.output)).to_owned()
    };
    let first = seen(&runs[0]);
    for run in &runs {
        assert_eq!(seen(run), first);
    }
    for name in ["nonsense", "PROCTOR", "FORCE_COLOR", "NO_COLOR", "CARGO"] {
        assert!(!first.contains(name), "{name}: {first}");
    }
    for entry in ["[\"CI\",\"1\"]", "[\"TZ\",\"UTC\"]"] {
        assert!(first.contains(entry), "{entry}: {first}");
    }
}

#[test]
fn a_configuration_that_fails_is_no_run_of_tests() {
    let files = [
        ("vitest.config.js", "throw new Error('no configuration');\n"),
        (
            "a.test.js",
            "import { test } from 'vitest';\ntest('a', () => {});\n",
        ),
    ];
    let Some(world) = World::new(Runner::Vitest, &["vitest@^4"], &files) else {
        return;
    };
    let observation = observe(&world.run());
    let report = report(&observation);
    assert!(report.collected.is_empty());
    assert_eq!(report.finished_exit, Some(1));
    assert!(report.errors[0].raised.message.contains("no configuration"));
}

#[test]
fn a_worker_that_dies_leaves_tests_without_a_result() {
    let files = [(
        "a.test.js",
        "import { test } from 'vitest';\ntest('before', () => {});\ntest('dies', () => { process.reallyExit(0); });\n",
    )];
    let Some(world) = World::new(Runner::Vitest, &["vitest@^4"], &files) else {
        return;
    };
    let observation = observe(&world.run());
    let report = report(&observation);
    assert_eq!(report.collected.len(), 2);
    assert!(
        told(report).contains("a.test.js::dies @3: no result"),
        "{}",
        told(report)
    );
    assert!(!report.unhandled.is_empty());
    assert_eq!(observation.exit, Exit::Code(1));
}

const POOLS: &str = "\
import { expect, test } from 'vitest';
import { isMainThread } from 'node:worker_threads';
test('has a process', () => { expect(isMainThread && typeof process.send).toBe('function'); });
test('is not run again', () => { globalThis.n = (globalThis.n ?? 0) + 1; expect(globalThis.n).toBe(2); });
";

#[test]
fn a_configuration_decides_neither_where_tests_run_nor_how_often() {
    let configuration = "export default { test: { retry: 3, projects: [
        { test: { name: 'a', include: ['a.test.js'], pool: 'threads', retry: 2 } },
        { extends: true, test: { name: 'b', include: ['b.test.js'], pool: 'vmThreads' } },
    ] } };\n";
    let files = [
        ("vitest.config.mjs", configuration),
        ("a.test.js", POOLS),
        ("b.test.js", POOLS),
    ];
    for version in ["vitest@^3", "vitest@^4", "vitest@^5"] {
        let Some(world) = World::new(Runner::Vitest, &[version], &files) else {
            return;
        };
        let failed = "Call Failed (assertion) expected 1 to be 2 // Object.is equality";
        let expected = ["a.test.js", "b.test.js"].map(|file| {
            format!("{file}::has a process @3: passed\n{file}::is not run again @4: {failed} at {file}:4\n")
        });
        assert_told(report(&observe(&world.run())), &expected.concat());
    }
}
