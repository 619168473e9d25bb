//! node's own runner.

use proctor_core::dialect::Runner;
use proctor_core::test_outcome::Exit;
use proctor_host::test_runner::TestLimit;

use super::{FORGERY, World, assert_told, observe, outcome, report};

const BASIC: &str = "\
import { after, before, beforeEach, describe, it, test } from 'node:test';
import assert from 'node:assert';
import { add } from '../src/add.js';

describe('outer', () => {
  describe('inner', () => {
    it('passes', () => { assert.equal(add(1, 2), 3); });
  });
  it('fails', () => {
    assert.strictEqual(add(1, 2), 4);
  });
});
for (const n of [1, 2]) {
  test(`adds ${n}`, () => { assert.equal(n + 1, n + 1); });
}
test('same', () => {});
test('same', () => { throw new TypeError('second'); });
test.skip('skipped', () => {});
test('why', { skip: 'because' }, () => {});
test.todo('later');
test.todo('fails later', () => { throw new Error('x'); });
test('string', () => { throw 'text'; });
test('undefined name', () => { nope(); });
test('slow', { timeout: 50 }, () => new Promise((done) => setTimeout(done, 5000)));
test('dynamic', async () => { await import('../src/gone.js'); });
test('container', async (t) => {
  await t.test('good', () => {});
  await t.test('bad', () => { assert.ok(false); });
});
test('good container', async (t) => {
  await t.test('part', () => {});
});
describe('broken', () => {
  before(() => { throw new Error('no set-up'); });
  it('stopped', () => {});
});
describe('broken each', () => {
  beforeEach(() => { throw new Error('no set-up of each'); });
  it('stopped', () => {});
});
describe('broken after', () => {
  after(() => { throw new Error('no tear-down'); });
  it('fine', () => {});
});
";

const TOLD: &str = "
test/basic.test.js::outer > inner > passes @7: passed
test/basic.test.js::outer > fails @9: Call Failed (assertion) Expected values to be strictly equal: at test/basic.test.js:10
test/basic.test.js::adds 1 @14: passed
test/basic.test.js::adds 2 @14: passed
test/basic.test.js::same @16: passed
test/basic.test.js::same #2 @17: Call Failed second at test/basic.test.js:17
test/basic.test.js::skipped @18: Setup Skipped skip
test/basic.test.js::why @19: Setup Skipped because
test/basic.test.js::later @20: Setup Skipped todo
test/basic.test.js::fails later @21: Setup Skipped todo
test/basic.test.js::string @22: Call Failed text
test/basic.test.js::undefined name @23: Call Failed nope is not defined at test/basic.test.js:23
test/basic.test.js::slow @24: Call Failed test timed out after 50ms
test/basic.test.js::dynamic @25: Call Failed (missing module) Cannot find module '
test/basic.test.js::container > good @27: passed
test/basic.test.js::container > bad @28: Call Failed (assertion) The expression evaluated to a falsy value: at test/basic.test.js:28
test/basic.test.js::container @26: Call Failed (assertion) The expression evaluated to a falsy value: at test/basic.test.js:28
test/basic.test.js::good container > part @31: passed
test/basic.test.js::good container @30: passed
test/basic.test.js::broken > stopped @35: Setup Failed no set-up at test/basic.test.js:34
test/basic.test.js::broken each > stopped @39: Setup Failed no set-up of each at test/basic.test.js:38
test/basic.test.js::broken after > fine @43: passed
test/basic.test.js cannot be collected: no tear-down at test/basic.test.js:42
test/export.test.js cannot be collected: The requested module '../src/add.js' does not provide an export named 'gone' at test/export.test.js:2
test/forge.test.js::forges @3: passed
test/missing.test.js cannot be collected: (missing module) Cannot find module '
test/never.test.js::never @2: Call Failed Promise resolution is still pending but the event loop has already resolved
test/only.test.js::only @2: passed
test/only.test.js::other @3: Call Failed x at test/only.test.js:3
test/rejection.test.js::leaves @2: Call Failed left alone at test/rejection.test.js:2
test/required.test.cjs cannot be collected: (missing module) Cannot find module '../src/gone.cjs' at test/required.test.cjs:2
test/source.test.js cannot be collected: Unexpected token '=' at src/broken.js:1
test/throws.test.js cannot be collected: at import at test/throws.test.js:1
";

#[test]
fn every_kind_of_ending_is_told_by_node() {
    let forge = format!(
        "import {{ test }} from 'node:test';\nimport fs from 'node:fs';\ntest('forges', () => {{{FORGERY}}});\n"
    );
    let Some(world) = World::new(
        Runner::Node,
        &[],
        &[
            ("package.json", "{\"type\": \"module\"}"),
            ("src/add.js", "export const add = (a, b) => a + b;\n"),
            ("src/broken.js", "export const = 1;\n"),
            ("test/basic.test.js", BASIC),
            ("test/empty.test.js", ""),
            (
                "test/exit.test.js",
                "import { test } from 'node:test';\ntest('exits', () => { process.exit(0); });\n",
            ),
            (
                "test/export.test.js",
                "import { test } from 'node:test';\nimport { gone } from '../src/add.js';\ntest('a', () => { gone(); });\n",
            ),
            ("test/forge.test.js", &forge),
            (
                "test/missing.test.js",
                "import { test } from 'node:test';\nimport { gone } from '../src/gone.js';\ntest('a', () => gone());\n",
            ),
            (
                "test/never.test.js",
                "import { test } from 'node:test';\ntest('never', () => new Promise(() => {}));\n",
            ),
            (
                "test/only.test.js",
                "import { test } from 'node:test';\ntest.only('only', () => {});\ntest('other', () => { throw new Error('x'); });\n",
            ),
            (
                "test/rejection.test.js",
                "import { test } from 'node:test';\ntest('leaves', async () => { Promise.reject(new Error('left alone')); await new Promise((done) => setTimeout(done, 50)); });\n",
            ),
            (
                "test/required.test.cjs",
                "const { test } = require('node:test');\nrequire('../src/gone.cjs');\ntest('a', () => {});\n",
            ),
            ("test/source.test.js", "import '../src/broken.js';\n"),
            (
                "test/throws.test.js",
                "import 'node:test'; throw new RangeError('at import');\n",
            ),
        ],
    ) else {
        return;
    };
    let observation = observe(&world.run());
    assert_eq!(observation.exit, Exit::Code(1));
    assert_told(report(&observation), TOLD);
    let junit = observation.junit.expect("node counts");
    assert_eq!((junit.passed, junit.skipped), (10, 4));
    assert!(junit.failed > 0);
}

#[test]
fn tests_of_a_file_that_prints_much_are_all_told() {
    let Some(world) = World::new(
        Runner::Node,
        &[],
        &[(
            "test/a.test.js",
            "const { test } = require('node:test');\ntest('prints', () => { process.stdout.write('x\\n'.repeat(200000)); });\ntest('comes after', () => {});\n",
        )],
    ) else {
        return;
    };
    let told = "\ntest/a.test.js::prints @2: passed\ntest/a.test.js::comes after @3: passed\n";
    assert_told(report(&observe(&world.run())), told);
}

#[test]
fn only_what_was_asked_for_is_told() {
    let Some(world) = World::new(
        Runner::Node,
        &[],
        &[
            ("package.json", "{\"type\": \"module\"}"),
            (
                "test/a.test.js",
                "import { describe, test } from 'node:test';\ntest('same', () => {});\ndescribe('group', () => { test('same', () => {}); test('other', () => { throw new Error('x'); }); });\n",
            ),
            (
                "test/b.test.js",
                "import { test } from 'node:test';\ntest('b', () => {});\n",
            ),
        ],
    ) else {
        return;
    };
    let one = observe(&world.selecting(&["test/a.test.js::group > same"]));
    assert_told(report(&one), "test/a.test.js::group > same @3: passed");
    assert_eq!(one.exit, Exit::Code(0));
    let file = observe(&world.selecting(&["test/b.test.js"]));
    assert_told(report(&file), "test/b.test.js::b @2: passed");
}

#[test]
fn what_is_loaded_before_the_tests_is_not_loaded_by_the_runner() {
    let Some(mut world) = World::new(
        Runner::Node,
        &[],
        &[
            ("package.json", "{\"type\": \"module\"}"),
            (
                "setup.js",
                "globalThis.ready = process.ppid; if (process.argv[1]?.endsWith('run.mjs')) process.exit(0);\n",
            ),
            (
                "checks/a.js",
                "import { test } from 'node:test';\ntest('ready', () => { if (!globalThis.ready) throw new Error('not ready'); });\n",
            ),
            ("checks/b.txt", ""),
        ],
    ) else {
        return;
    };
    world.command.loaded = vec!["--import=./setup.js".to_owned()];
    world.command.patterns = vec!["checks/*.js".to_owned()];
    let observation = observe(&world.run());
    assert_told(report(&observation), "checks/a.js::ready @2: passed");
    assert_eq!(observation.exit, Exit::Code(0));
}

#[test]
fn a_test_that_never_ends_is_stopped_and_named() {
    let Some(world) = World::new(
        Runner::Node,
        &[],
        &[(
            "a.test.mjs",
            "import { test } from 'node:test';\ntest('good', () => {});\ntest('hangs', async () => { await new Promise((done) => setTimeout(done, 60000)); });\n",
        )],
    ) else {
        return;
    };
    let limit = TestLimit {
        seconds: 2,
        ..TestLimit::default()
    };
    let stopped = outcome(&world.run(), Some(&limit));
    assert!(stopped.observation.report.is_err());
    assert_eq!(stopped.stopped.as_deref(), Some("a.test.mjs::hangs\n"));
}

#[test]
fn lines_are_those_that_are_written_where_a_loader_translates() {
    let text = "import { test } from 'node:test';\n\ninterface A {\n  a: number;\n}\n\ntest('typed', () => {\n  const x: A = { a: 1 };\n  if (x.a !== 2) throw new Error('no');\n});\n";
    let Some(mut world) = World::new(Runner::Node, &["tsx@^4"], &[("a.test.mts", text)]) else {
        return;
    };
    world.command.loaded = vec!["--import=tsx".to_owned()];
    world.command.patterns = vec!["*.mts".to_owned()];
    assert_told(
        report(&observe(&world.run())),
        "a.test.mts::typed @7: Call Failed no at a.test.mts:9",
    );
}
