//! jest, with babel and with ts-jest.

use proctor_core::dialect::Runner;
use proctor_core::test_outcome::Exit;
use proctor_host::test_runner::{NodeRun, TestLimit, Variant};

use super::{FORGERY, World, assert_told, observe, outcome, report, told};

const PACKAGES: [&str; 5] = [
    "jest@^30",
    "ts-jest@^29",
    "typescript@^5",
    "babel-jest@^30",
    "@babel/preset-env@^7",
];

const BASIC: &str = "\
import { add } from '../src/add.js';

describe('outer', () => {
  describe('inner', () => {
    test('passes', () => { expect(add(1, 2)).toBe(3); });
  });
  test('fails', () => {
    expect(add(1, 2)).toBe(4);
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
test.failing('as said', () => { expect(1).toBe(2); });
test.failing('not as said', () => { expect(1).toBe(1); });
test('string', () => { throw 'text'; });
test('undefined name', () => { nope(); });
test('slow', () => new Promise(() => {}), 50);
test('dynamic', async () => { await import('../src/gone.js'); });
test('of node', () => { require('node:assert').equal(1, 2); });
describe('broken', () => {
  beforeAll(() => { throw new Error('no set-up'); });
  test('stopped', () => {});
});
describe('broken after', () => {
  afterAll(() => { throw new Error('no tear-down'); });
  test('fine', () => {});
});
test('new snapshot', () => { expect({ a: 1 }).toMatchSnapshot(); });
";

const TOLD: &str = "
test/basic.test.js::outer > inner > passes @5: passed
test/basic.test.js::outer > fails @7: Call Failed (assertion) expect(received).toBe(expected) // Object.is equality at test/basic.test.js:8
test/basic.test.js::adds 1 @14: passed
test/basic.test.js::adds 2 @14: passed
test/basic.test.js::same @17: passed
test/basic.test.js::same #2 @18: Call Failed second at test/basic.test.js:18
test/basic.test.js::skipped @19: Setup Skipped skip
test/basic.test.js::later @20: Setup Skipped todo
test/basic.test.js::as said @21: Call Xfailed expected to fail
test/basic.test.js::not as said @22: Call Xpassed Failing test passed even though it was supposed to fail. Remove `.failing` to remove error. at test/basic.test.js:22
test/basic.test.js::string @23: Call Failed thrown: \"text\" at test/basic.test.js:23
test/basic.test.js::undefined name @24: Call Failed nope is not defined at test/basic.test.js:24
test/basic.test.js::slow @25: Call Failed thrown: \"Exceeded timeout of 50 ms for a test. at test/basic.test.js:25
test/basic.test.js::dynamic @26: Call Failed (missing module) Cannot find module '../src/gone.js' from 'test/basic.test.js' at test/basic.test.js:26
test/basic.test.js::of node @27: Call Failed (assertion) assert.equal(received, expected) at test/basic.test.js:27
test/basic.test.js::broken > stopped @30: Call Failed no set-up at test/basic.test.js:29
test/basic.test.js::broken after > fine @34: passed
test/basic.test.js::new snapshot @36: Call Failed (assertion) expect(received).toMatchSnapshot() at test/basic.test.js:36
test/basic.test.js cannot be collected: no tear-down at test/basic.test.js:33
test/empty.test.js cannot be collected: Your test suite must contain at least one test.
test/exit.test.js::before @1: passed
test/exit.test.js::exits @0: no result
test/exit.test.js cannot be collected: EXIT
test/export.test.js::a @2: Call Failed (0 , _add.gone) is not a function at test/export.test.js:2
test/forge.test.js::forges @2: passed
test/missing.test.js cannot be collected: (missing module) Cannot find module '../src/gone.js' from 'test/missing.test.js' at test/missing.test.js:1
test/only.test.js::only @1: passed
test/only.test.js::other @2: Setup Skipped skip
test/rejection.test.js::leaves @1: Call Failed left alone at test/rejection.test.js:1
test/retry.test.js::again @3: Call Rerun failed, and was run again
test/source.test.js cannot be collected: SOURCE at src/broken.js:1
test/throws.test.js cannot be collected: at import at test/throws.test.js:1
test/typed.test.ts::typed @6: Call Failed (assertion) expect(received).toBe(expected) // Object.is equality at test/typed.test.ts:6
test/typed.test.ts::table 1 @10: passed
test/types.test.ts cannot be collected: test/types.test.ts:2:7 - error TS2322: Type 'string' is not assignable to type 'number'. at test/types.test.ts:2
test/unwritten.test.ts cannot be collected: (missing module) test/unwritten.test.ts:2:22 - error TS2307: Cannot find module '../src/nope' or its corresponding type declarations. at test/unwritten.test.ts:2
";

const TYPED: &str = "\
import { expect, test } from '@jest/globals';

interface A { a: number }
const x: A = { a: 1 };

test('typed', () => { expect(x.a).toBe(2); });
test.each`
  a    | b
  ${1} | ${2}
`('table $a', ({ a, b }: any) => { expect(a + 1).toBe(b); });
";

const CONFIGURATION: [(&str, &str); 4] = [
    (
        "package.json",
        r#"{"jest": {"transform": {"\\.ts$": "ts-jest", "\\.js$": "babel-jest"}}}"#,
    ),
    (
        "babel.config.js",
        "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };\n",
    ),
    (
        "tsconfig.json",
        r#"{"compilerOptions": {"strict": true, "esModuleInterop": true, "module": "commonjs"}}"#,
    ),
    ("src/add.js", "export const add = (a, b) => a + b;\n"),
];

fn world(files: &[(&str, &str)]) -> Option<World> {
    let all: Vec<_> = CONFIGURATION.iter().chain(files).copied().collect();
    World::new(Runner::Jest, &PACKAGES, &all)
}

#[test]
fn every_kind_of_ending_is_told_by_jest() {
    let forge = format!("const fs = require('node:fs');\ntest('forges', () => {{{FORGERY}}});\n");
    let Some(world) = world(&[
        ("src/broken.js", "export const = 1;\n"),
        ("test/basic.test.js", BASIC),
        ("test/empty.test.js", ""),
        (
            "test/exit.test.js",
            "test('before', () => {});\ntest('exits', () => { process.exit(0); });\n",
        ),
        (
            "test/export.test.js",
            "import { gone } from '../src/add.js';\ntest('a', () => { gone(); });\n",
        ),
        ("test/forge.test.js", &forge),
        (
            "test/missing.test.js",
            "import { gone } from '../src/gone.js';\ntest('a', () => gone());\n",
        ),
        (
            "test/only.test.js",
            "test.only('only', () => {});\ntest('other', () => { throw new Error('x'); });\n",
        ),
        (
            "test/rejection.test.js",
            "test('leaves', async () => { Promise.reject(new Error('left alone')); await new Promise((done) => setTimeout(done, 50)); });\n",
        ),
        (
            "test/retry.test.js",
            "jest.retryTimes(2);\nlet n = 0;\ntest('again', () => { n += 1; expect(n).toBe(2); });\n",
        ),
        ("test/source.test.js", "import '../src/broken.js';\n"),
        (
            "test/throws.test.js",
            "throw new RangeError('at import');\n",
        ),
        ("test/typed.test.ts", TYPED),
        (
            "test/types.test.ts",
            "import { expect, test } from '@jest/globals';\nconst x: number = 'a';\ntest('t', () => { expect(x).toBe('a'); });\n",
        ),
        (
            "test/unwritten.test.ts",
            "import { test } from '@jest/globals';\nimport { nope } from '../src/nope';\ntest('t', () => { nope(); });\n",
        ),
    ]) else {
        return;
    };
    let observation = observe(&world.run());
    assert_eq!(observation.exit, Exit::Code(1));
    let mut report = report(&observation).clone();
    // Jest names the process, and babel the whole path.
    for error in &mut report.errors {
        if error.raised.message.contains("worker process") {
            error.raised.message = "EXIT".to_owned();
        }
        if error.file == "test/source.test.js" {
            error.raised.message = "SOURCE".to_owned();
        }
    }
    assert_told(&report, TOLD);
    let junit = observation.junit.expect("jest gives its own account");
    assert!(junit.passed >= 9 && junit.failed > 0, "{junit:?}");
    assert!(!world.tree.path().join("test/__snapshots__").exists());
}

#[test]
fn one_file_runs_in_a_process_of_its_own_too() {
    let Some(world) = world(&[(
        "a.test.js",
        "test('a', () => { expect(process.argv.join(' ')).toContain('processChild'); });\n",
    )]) else {
        return;
    };
    let observation = observe(&world.run());
    assert_told(report(&observation), "a.test.js::a @1: passed");
    assert_eq!(observation.exit, Exit::Code(0));
    assert_eq!(observation.junit.expect("there").passed, 1);
}

const ORDER: &str = "\
test('same', () => {});
test('same', () => { throw new Error('the second'); });
describe('group', () => {
  test('one', () => { global.one = true; });
  test('needs one', () => { if (!global.one) throw new Error('order'); });
});
";

#[test]
fn tests_run_in_the_opposite_order_keep_their_names() {
    let Some(world) = world(&[("a.test.js", ORDER)]) else {
        return;
    };
    let reversed = NodeRun {
        root: String::new(),
        variant: Variant::Reversed,
        ..world.run()
    };
    assert_told(
        report(&observe(&reversed)),
        "a.test.js::same @1: passed
        a.test.js::same #2 @2: Call Failed the second at a.test.js:2
        a.test.js::group > one @4: passed
        a.test.js::group > needs one @5: Call Failed order at a.test.js:5",
    );
}

#[test]
fn only_what_was_asked_for_is_told() {
    let Some(world) = world(&[
        ("a.test.js", ORDER),
        (
            "b.test.js",
            "test('same', () => {});\ntest('ends', () => {});\n",
        ),
    ]) else {
        return;
    };
    let observation = observe(&world.selecting(&["a.test.js::same #2", "b.test.js::ends"]));
    let report = report(&observation);
    assert_told(
        report,
        "a.test.js::same #2 @2: Call Failed the second at a.test.js:2
        b.test.js::ends @2: passed",
    );
    assert_eq!(report.deselected.len(), 4, "{:?}", report.deselected);
}

#[test]
fn types_of_altered_files_are_not_checked() {
    let wrong = "import { expect, test } from '@jest/globals';\nconst x: number = 'a';\ntest('t', () => { expect(x).toBe('a'); });\n";
    let Some(world) = world(&[("a.test.ts", wrong), ("b.test.ts", wrong)]) else {
        return;
    };
    let run = NodeRun {
        root: String::new(),
        unchecked: vec!["a.test.ts".to_owned()],
        ..world.run()
    };
    let told = told(report(&observe(&run)));
    assert!(told.contains("a.test.ts::t @3: passed"), "{told}");
    assert!(told.contains("b.test.ts cannot be collected"), "{told}");
}

#[test]
fn a_test_that_never_ends_is_stopped_and_named() {
    let Some(world) = world(&[(
        "a.test.js",
        "test('good', () => {});\ntest('hangs', () => { for (;;) {} });\n",
    )]) else {
        return;
    };
    let limit = TestLimit {
        seconds: 3,
        ..TestLimit::default()
    };
    let stopped = outcome(&world.run(), Some(&limit));
    assert!(stopped.observation.report.is_err());
    assert_eq!(stopped.stopped.as_deref(), Some("a.test.js::hangs\n"));
}

#[test]
fn a_runner_of_the_projects_own_is_refused_before_it_runs() {
    let Some(world) = World::new(
        Runner::Jest,
        &PACKAGES,
        &[
            (
                "package.json",
                r#"{"jest": {"runner": "<rootDir>/runner.js"}}"#,
            ),
            (
                "runner.js",
                "module.exports = class { runTests() { process.exit(0); } };\n",
            ),
            ("a.test.js", "test('a', () => {});\n"),
        ],
    ) else {
        return;
    };
    let observation = observe(&world.run());
    let report = report(&observation);
    assert_eq!(observation.exit, Exit::Code(1));
    assert!(report.collected.is_empty());
    assert!(report.errors[0].raised.message.contains("runner.js"));
}
