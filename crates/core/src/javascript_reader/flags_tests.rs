use super::flags;
use crate::gate::{FlagKind, SourceText};

fn source(path: &str, text: &str, base: Option<&str>) -> SourceText {
    SourceText {
        path: path.to_owned(),
        text: text.to_owned(),
        base: base.map(str::to_owned),
    }
}

fn kinds(text: &str) -> Vec<FlagKind> {
    let tests = [source(
        "test/add.test.ts",
        "test('adds', () => { expect(f(4711)).toBe('output') })",
        None,
    )];
    let found = flags(&tests, &[source("src/add.ts", text, None)]);
    found.into_iter().map(|flag| flag.flag).collect()
}

#[test]
fn what_knows_the_runner_is_flagged() {
    for text in [
        "import { vi } from 'vitest';",
        "import x from '@vitest/runner';",
        "import x from '@jest/globals';",
        "const c = require('chai');",
        "import test from 'node:test';",
        "const v = await import('vitest/suite');",
        "globalThis.__vitest_worker__;",
        "globalThis['__vitest' + '_worker__'];",
        "if (import.meta.vitest) f();",
        "expect.extend({});",
        "if (process.env.VITEST) f();",
        "if (process.env['VITEST_POOL_ID']) f();",
        "const { JEST_WORKER_ID } = process.env;",
        "if ('NODE_TEST_CONTEXT' in process.env) f();",
        "if (process.argv.length) f();",
        "if (process['execArgv']) f();",
        "const p = process; p.argv;",
        "if (process.env.NODE_ENV === 'test') f();",
        "globalThis[Symbol.for('$$jest-matchers-object')];",
    ] {
        assert_eq!(kinds(text).first(), Some(&FlagKind::KnowsRunner), "{text}");
    }
}

#[test]
fn what_reaches_into_the_process_is_flagged() {
    for text in [
        "Object.is = () => true;",
        "Object['is'] = f;",
        "globalThis.Object.is = f;",
        "Array.prototype.includes = f;",
        "const A = Array.prototype; A.includes = f;",
        "Object.defineProperty(Object, 'is', {});",
        "Object.defineProperty(Function.prototype, 'call', {});",
        "Reflect.set(JSON, 'stringify', f);",
        "Object.assign(Math, {});",
        "Object.assign(globalThis, {});",
        "delete Array.prototype.map;",
        "process.exit(0);",
        "process['exi' + 't'](0);",
        "const { reallyExit } = process;",
        "process.kill(1);",
        "process.binding('fs');",
        "process.on('exit', f);",
        "import v8 from 'node:v8';",
        "import vm from 'vm';",
        "require('inspector');",
        "import { Worker } from 'worker_threads';",
        "import { spawn } from 'node:child_process';",
        "import { register } from 'node:module';",
        "import assert from 'node:assert'; assert.equal = f;",
        "import fs from 'fs'; fs.readFileSync = f;",
        "process.stdout.write = f;",
        "require.cache;",
        "eval('1');",
        "new Function('1');",
    ] {
        assert_eq!(kinds(text), [FlagKind::ReachesIntoProcess], "{text}");
    }
}

#[test]
fn other_tricks_have_their_flags() {
    let table = [
        ("// eslint-disable-next-line\nf();", FlagKind::Silences),
        ("// @ts-ignore\nf();", FlagKind::Silences),
        ("/* v8 ignore next */", FlagKind::Silences),
        ("f(new Error().stack);", FlagKind::LooksAtCaller),
        ("f((new Error('x')).stack);", FlagKind::LooksAtCaller),
        ("Error.prepareStackTrace;", FlagKind::LooksAtCaller),
        ("arguments.callee;", FlagKind::LooksAtCaller),
        ("read('test/add.test.ts');", FlagKind::NamesTests),
        ("read('./other.spec.js');", FlagKind::NamesTests),
        ("read('src/__snapshots__/x');", FlagKind::NamesTests),
        ("export * from '../test/support.js';", FlagKind::NamesTests),
        ("require('../tests/support');", FlagKind::NamesTests),
        (
            "const a = { asymmetricMatch() { return x; } };",
            FlagKind::AlwaysEqual,
        ),
        (
            "class A { [Symbol.toPrimitive]() {} }",
            FlagKind::AlwaysEqual,
        ),
        (
            "class A { static [Symbol.hasInstance]() {} }",
            FlagKind::AlwaysEqual,
        ),
        (
            "class A { equals() { return true; } }",
            FlagKind::AlwaysEqual,
        ),
        ("const a = { equals: () => true };", FlagKind::AlwaysEqual),
        ("const = ;", FlagKind::NotRead),
    ];
    for (text, flag) in table {
        assert_eq!(kinds(text), [flag], "{text}");
    }
}

#[test]
fn values_of_the_tests_that_decide_are_flagged_together() {
    let both = "const t = { 'output': 1 }; if (a === 4711) f();";
    assert_eq!(kinds(both), [FlagKind::CopiesLiterals; 2]);
    assert_eq!(kinds("if (a === 4711) f();"), []);
}

#[test]
fn honest_code_is_not_flagged() {
    for text in [
        "import fs from 'node:fs'; fs.readFileSync('a.json');",
        "import assert from 'node:assert'; assert(a);",
        "import { test } from './testing';",
        "import x from 'test';",
        "export class A extends Error { constructor() { super('x'); Error.captureStackTrace(this, A); } }",
        "const o = {}; o.is = f; Object.assign(o, {}); Object.defineProperty(o, 'a', {});",
        "function f(process) { process.exit(); }",
        "process.env.HOME; process.cwd(); process.exitCode = 1; process.env.X = '1';",
        "function expect(a) { return a; } expect(1).b;",
        "const expect = useExpect(); expect.foo();",
        "class A { equals(b) { return this.a === b.a; } }",
        "if (process.env.NODE_ENV === 'production') f();",
        "logger.error(error.stack);",
        "const date = new Date(); date.exit = 1;",
        "// an ordinary comment\nconst words = 'the latest contest';",
        "module.exports = { a: 1 };",
        "type A = 'VITEST';",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}

#[test]
fn only_what_the_change_brings_is_flagged() {
    let base = "process.exit(1);\n";
    let flagged = |text: &str| flags(&[], &[source("a.js", text, Some(base))]).len();
    assert_eq!(flagged("f();\n  process.exit(1);\n"), 0);
    assert_eq!(flagged("process.exit(1);\nprocess.exit(0);\n"), 1);
    assert_eq!(flagged("process.exit(1);\nprocess.kill(0);\n"), 1);
}
