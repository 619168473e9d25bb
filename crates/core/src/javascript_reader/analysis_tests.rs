//! The reading of test files.

use super::analysis::analyse_with;
use super::twins::Salt;
use crate::gate::{AnalysedFile, AnalysedTest, SourceText, TwinKind};

fn read(path: &str, text: &str, base: Option<&str>) -> AnalysedFile {
    let source = SourceText {
        path: path.to_owned(),
        text: text.to_owned(),
        base: base.map(str::to_owned),
    };
    let mut files = analyse_with(&[source], Salt(0x1234_5678_9abc_def1)).files;
    files.pop().expect("one file")
}

fn names(text: &str) -> Vec<String> {
    let tests = read("a.test.ts", text, None).tests.into_iter();
    tests.map(|test| test.name).collect()
}

/// The one test of a file with this body.
fn body(code: &str) -> AnalysedTest {
    let text = format!(
        "import {{ test, expect, vi }} from 'vitest'\nimport assert from 'node:assert'\nimport {{ f }} from '../src/f'\n\
         test('it', async (ctx) => {{\n{code}\n}})\n"
    );
    read("a.test.ts", &text, None).tests.pop().expect("a test")
}

fn rules(test: &AnalysedTest) -> Vec<&str> {
    let problems = test.problems.iter();
    problems.map(|problem| problem.rule.as_str()).collect()
}

#[test]
fn tests_are_found_under_whatever_name_they_are_made() {
    let table: &[(&str, &[&str])] = &[
        ("test('a', () => {})", &["a"]),
        ("it(`a`, async function () {})", &["a"]),
        (
            "describe('o', () => { describe('i', () => { it('a', () => {}) }) })",
            &["o > i > a"],
        ),
        (
            "import { test as t } from 'vitest'\nt('a', () => {})",
            &["a"],
        ),
        (
            "const { it: spec } = require('node:test')\nspec('a', () => {})",
            &["a"],
        ),
        (
            "import test from 'node:test'\ntest.describe('g', () => { test.it('a', () => {}) })",
            &["g > a"],
        ),
        ("import * as v from 'vitest'\nv.test('a', () => {})", &["a"]),
        (
            "const mine = test.extend({})\nmine('a', ({ x }) => {})",
            &["a"],
        ),
        ("test.each([1, 2])('a %i', (n) => {})", &["a %i"]),
        ("test.each`\n a\n ${1}\n`('a $a', ({ a }) => {})", &["a $a"]),
        ("test.skipIf(x)('a', () => {})", &["a"]),
        ("test.concurrent.for([1])('a', (n) => {})", &["a"]),
        ("for (const n of [1]) test(`n ${n}`, () => {})", &["n ${n}"]),
        (
            "const make = (n) => { test('a' + n, () => {}) }\nmake(1)",
            &["'a' + n"],
        ),
        ("test('a', () => {})\ntest('a', () => {})", &["a", "a #2"]),
        (
            "test('a', async (t) => { await t.test('b', () => {}) })",
            &["a", "a > b"],
        ),
        ("test('a', { timeout: 5 }, () => {})", &["a"]),
        ("test.todo('a')", &["a"]),
        (
            "function test(name, fn) { it(name, fn) }\ntest('a', () => {})",
            &["name"],
        ),
        (
            "/a/.test('b'); thing.it('b', () => {}); test.each([1])",
            &[],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(names(text), *expected, "{text}");
    }
}

#[test]
fn lines_are_those_of_the_whole_call() {
    let file = read(
        "a.test.js",
        "\ntest.each([\n  1,\n])('a', (n) => {\n  expect(n)\n})\n",
        None,
    );
    let test = &file.tests[0];
    assert_eq!((test.line, test.last_line), (2, 6));
}

#[test]
fn a_file_that_cannot_be_parsed_says_where() {
    let file = read("a.test.js", "test('a', () => {\n  const = 1\n})\n", None);
    let error = file.error.expect("an error");
    assert_eq!((error.rule.as_str(), error.line), ("syntax_error", 2));
    assert_eq!(read("a.test.ts", "const a: number = 1\n", None).error, None);
}

#[test]
fn a_test_is_new_if_it_or_what_it_uses_is() {
    let base = "import { f } from './f'\nconst want = 3\nconst other = 4\nfunction check(n) { expect(f(n)).toBe(want) }\n\
                beforeEach(() => { reset() })\n\
                describe('g', () => { it('a', () => { check(1) }); it('b', () => { expect(f(2)).toBe(5) }) })\n";
    let table: &[(&str, &str, &[&str])] = &[
        ("check(1)", "check( 1 ) // why", &[]),
        ("check(1)", "check(2)", &["g > a"]),
        ("want = 3", "want = 4", &["g > a"]),
        ("other = 4", "other = 5", &[]),
        ("reset()", "reset(1)", &["g > a", "g > b"]),
        ("'./f'", "'./g'", &["g > a", "g > b"]),
        ("toBe(5)", "toBe(6)", &["g > b"]),
        ("toBe(want)", "toEqual(want)", &["g > a"]),
    ];
    for (was, is, expected) in table {
        let text = base.replace(was, is);
        assert!(*was != *is && text != *base, "{was}");
        let file = read("a.test.js", &text, Some(base));
        let new: Vec<&str> = file
            .tests
            .iter()
            .filter(|test| test.new)
            .map(|test| test.name.as_str())
            .collect();
        assert_eq!(new, *expected, "{was} became {is}");
        assert!(file.tests.iter().all(|test| test.existed), "{was}");
    }
}

#[test]
fn helpers_of_another_file_that_was_read_are_followed() {
    let source = |path: &str, text: &str, base: &str| SourceText {
        path: path.to_owned(),
        text: text.to_owned(),
        base: Some(base.to_owned()),
    };
    let test = "import { check } from './help.js'\nit('a', () => { check(1) })\n";
    let help = "export const check = (n) => { expect(n).toBe(1) }\nexport const more = 1\n";
    for (was, is, new) in [
        ("toBe(1)", "toBe(2)", true),
        ("more = 1", "more = 2", false),
    ] {
        let files = [
            source("t/a.test.js", test, test),
            source("t/help.js", &help.replace(was, is), help),
        ];
        let analysis = analyse_with(&files, Salt(1));
        assert_eq!(analysis.files[0].tests[0].new, new, "{was}");
    }
}

#[test]
fn what_was_and_is_told_and_what_is_gone() {
    let base =
        "it('a', () => {\n  expect(f()).toBe(1)\n  expect(g()).toBe(2)\n})\nit('b', () => {})\n";
    let changed = "it('a', () => {\n  expect(f()).toBe(2)\n})\n";
    let file = read("a.test.js", changed, Some(base));
    let test = &file.tests[0];
    assert_eq!(test.is, ["expect(f()).toBe(2)"]);
    assert_eq!(test.was, ["expect(f()).toBe(1)", "expect(g()).toBe(2)"]);
    assert_eq!(test.base_oracles, Some(2));
    assert_eq!(file.removed, ["b"]);
}

#[test]
fn marks_and_options_that_no_new_test_has() {
    let table = [
        (
            "test.only('a', () => { expect(f()).toBe(1) })",
            "deselected",
        ),
        ("fit('a', () => { expect(f()).toBe(1) })", "deselected"),
        ("test.skip('a', () => { expect(f()).toBe(1) })", "skipped"),
        ("xit('a', () => { expect(f()).toBe(1) })", "skipped"),
        (
            "describe.skip('g', () => { it('a', () => { expect(f()).toBe(1) }) })",
            "skipped",
        ),
        (
            "test.skipIf(true)('a', () => { expect(f()).toBe(1) })",
            "skipped",
        ),
        (
            "test('a', { skip: 'later' }, () => { expect(f()).toBe(1) })",
            "skipped",
        ),
        (
            "test('a', { todo: true }, () => { expect(f()).toBe(1) })",
            "skipped",
        ),
        (
            "test('a', (ctx) => { ctx.skip(); expect(f()).toBe(1) })",
            "skipped",
        ),
        (
            "test('a', ({ skip }) => { skip(); expect(f()).toBe(1) })",
            "skipped",
        ),
        (
            "const maybe = slow ? test : test.skip\nmaybe('a', () => { expect(f()).toBe(1) })",
            "skipped",
        ),
        ("test.fails('a', () => { expect(f()).toBe(1) })", "xfail"),
        ("test.failing('a', () => { expect(f()).toBe(1) })", "xfail"),
        (
            "test('a', { retry: 3 }, () => { expect(f()).toBe(1) })",
            "unstable",
        ),
        (
            "test.each([])('a', () => { expect(f()).toBe(1) })",
            "empty_parametrisation",
        ),
    ];
    for (text, rule) in table {
        let file = read("a.test.js", text, None);
        assert_eq!(rules(&file.tests[0]), [rule], "{text}");
        let known = text.replace("toBe(1)", "toBe(2)");
        let file = read("a.test.js", text, Some(&known));
        assert!(rules(&file.tests[0]).is_empty(), "the base has it: {text}");
    }
    for text in [
        "test('a', { skip: false, retry: 0 }, () => { expect(f()).toBe(1) })",
        "test.concurrent('a', () => { expect(f()).toBe(1) })",
    ] {
        assert!(
            rules(&read("a.test.js", text, None).tests[0]).is_empty(),
            "{text}"
        );
    }
}

#[test]
fn what_cannot_tell_right_from_wrong() {
    let idle = [
        "f()",
        "expect(true).toBe(true)",
        "expect(f).toBe(f)",
        "assert.ok(true)",
        "assert.equal(1, 1)",
        "expect(f())",
        "expect(f()).not",
        "expect(f()).toBe",
        "expect(f()).resolves.toBe(1)",
        "void expect(f()).rejects.toThrow()",
        "assert.rejects(f())",
        "expect.poll(() => f()).toBe(1)",
        "expect(f()).toMatchSnapshot()",
        "expect(f()).toMatchInlineSnapshot()",
        "try { f() } catch (e) { expect(e.message).toBe('x') }",
        "const r = f()\nif (r.ok) { expect(r.value).toBe(1) }",
    ];
    for code in idle {
        assert_eq!(rules(&body(code)), ["no_oracle"], "{code}");
    }
    let telling = [
        "expect(f()).toBe(1)",
        "expect(true).toBe(f())",
        "expect(f()).toBe(f())",
        "expect(true).toBe(true)\nexpect(f()).toBe(1)",
        "await expect(f()).resolves.toBe(1)",
        "return assert.rejects(f())",
        "await Promise.all([expect(f()).resolves.toBe(1)])",
        "await expect.poll(() => f()).toBe(1)",
        "expect(f()).toMatchInlineSnapshot(`1`)",
        "expect(f()).to.be.true",
        "f().should.equal(1)",
        "expect.assertions(1)\ntry { f() } catch (e) { expect(e.message).toBe('x') }",
        "try { f(); expect.unreachable() } catch (e) { expect(e.message).toBe('x') }",
        "if (process.platform === 'linux') { expect(f()).toBe(1) }",
        "const r = f()\nif (r.ok) { expect(r.value).toBe(1) } else { expect(r.error).toBe(2) }",
        "const r = f()\nif (!r) { throw new Error('no') }",
        "await request(f).get('/').expect(200)",
        "checkThat(f())",
        "later(() => { expect(f()).toBe(1) })",
    ];
    for code in telling {
        assert!(
            rules(&body(code)).is_empty(),
            "{code}: {:?}",
            body(code).problems
        );
    }
    for code in [
        "expect(true).toBe(false)",
        "assert.fail('x')",
        "expect.unreachable()",
        "throw new Error('x')",
    ] {
        assert_eq!(rules(&body(code)), ["constant_false"], "{code}");
    }
}

#[test]
fn helpers_that_may_assert_elsewhere_are_trusted() {
    let table = [
        (
            "import { same } from './helpers'\ntest('a', () => { same(1) })",
            true,
        ),
        (
            "import { same } from '../src/app'\ntest('a', () => { same(1) })",
            false,
        ),
        (
            "const same = (n) => { expect(n).toBe(1) }\ntest('a', () => { same(1) })",
            true,
        ),
        ("const same = (n) => n\ntest('a', () => { same(1) })", false),
        ("test('a', (done) => { f(() => done()) })", true),
        (
            "test('a', async (t) => { await t.test('b', () => { expect(f()).toBe(1) }) })",
            true,
        ),
    ];
    for (text, good) in table {
        let file = read("t/a.test.js", text, None);
        assert_eq!(rules(&file.tests[0]).is_empty(), good, "{text}");
    }
}

#[test]
fn stored_snapshots_are_looked_for() {
    let source = |path: &str, text: &str| SourceText {
        path: path.to_owned(),
        text: text.to_owned(),
        base: None,
    };
    let test = "describe('g', () => { it('a', () => { expect(f()).toMatchSnapshot() }) })";
    for (stored, good) in [
        ("exports[`g > a 1`] = `1`", true),
        ("exports[`g > b 1`] = `1`", false),
    ] {
        let files = [
            source("t/a.test.js", test),
            source("t/__snapshots__/a.test.js.snap", stored),
        ];
        let analysis = analyse_with(&files, Salt(1));
        assert_eq!(
            rules(&analysis.files[0].tests[0]).is_empty(),
            good,
            "{stored}"
        );
    }
}

/// Only the second line of a twin of a test with this one statement.
fn turned(kind: TwinKind, statement: &str) -> Option<String> {
    let text = format!("const head = 1\ntest('a', async () => {{\n{statement}\n}})\n");
    let file = read("a.test.js", &text, None);
    let twin = file.twins.get(&kind)?;
    assert_eq!(twin.lines().count(), text.lines().count(), "{twin}");
    let first = statement.lines().count();
    Some(
        twin.lines()
            .skip(2)
            .take(first)
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

#[test]
fn a_negated_twin_asks_the_library_for_the_opposite() {
    let table = [
        (
            "expect(f()).toBe(1)",
            Some("__proctor_0.n(expect(f()), false).toBe(1)"),
        ),
        (
            "expect(f()).not.toBe(1)",
            Some("__proctor_0.n(expect(f()), true).toBe(1)"),
        ),
        (
            "await expect(f())\n  .resolves\n  .not\n  .toBe(1)",
            Some("await __proctor_0.n(expect(f())\n  .resolves, true)\n\n  .toBe(1)"),
        ),
        (
            "expect(f()).to.not.equal(1)",
            Some("__proctor_0.n(expect(f()), true).to.equal(1)"),
        ),
        (
            "assert.equal(f(), 1)",
            Some("assert[__proctor_0.m(\"equal\", \"notEqual\")](f(), 1)"),
        ),
        ("assert(f())", Some("assert(__proctor_0.b((f())))")),
        ("expect(f()).resolves.toBe(1)", None),
        ("await expect.poll(f).toBe(1)", None),
        ("expect(f()).toMatchInlineSnapshot(`1`)", None),
        ("try { expect(f()).toBe(1) } catch {}", None),
        ("later(() => { expect(f()).toBe(1) })", None),
        ("expect(1).toBe(1)", None),
    ];
    for (statement, expected) in table {
        assert_eq!(
            turned(TwinKind::Negated, statement).as_deref(),
            expected,
            "{statement}"
        );
    }
}

#[test]
fn a_changed_twin_expects_something_else() {
    let table = [
        (
            "expect(f()).toBe(want)",
            Some("expect(f()).toBe(__proctor_0.o((want), 0))"),
        ),
        (
            "expect(f()).toMatch('a')",
            Some("expect(f()).toMatch(__proctor_0.o(('a'), 1))"),
        ),
        (
            "assert.equal(f(), 1)",
            Some("assert.equal(f(), __proctor_0.o((1), 0))"),
        ),
        ("expect(f()).not.toBe(1)", None),
        ("expect(f()).toBeTruthy()", None),
        ("expect(f()).toHaveBeenCalledWith(...all)", None),
    ];
    for (statement, expected) in table {
        assert_eq!(
            turned(TwinKind::Changed, statement).as_deref(),
            expected,
            "{statement}"
        );
    }
}

#[test]
fn helpers_are_turned_only_where_their_failure_comes_to_the_test() {
    let helper = "const check = (n) => { expect(n).toBe(1) }\n";
    let table = [
        ("test('a', () => { check(f()) })", true),
        (
            "test('a', () => { [1].forEach((n) => { check(n) }) })",
            true,
        ),
        (
            "test('a', () => { expect(() => check(f())).toThrow(E) })",
            false,
        ),
        ("test('a', () => { try { check(f()) } catch {} })", false),
        ("test('a', () => { later(check) })", false),
        ("test.concurrent('a', () => { check(f()) })", false),
    ];
    for (test, expected) in table {
        let file = read("a.test.js", &format!("{helper}{test}\n"), None);
        let twin = file.twins.get(&TwinKind::Negated);
        let has = twin.is_some_and(|twin| twin.contains("__proctor.n(expect(n), false)"));
        assert_eq!(has, expected, "{test}");
    }
}

#[test]
fn a_twin_begins_behind_what_has_to_come_first() {
    let text = "#!/usr/bin/env node\n/** @jest-environment jsdom */\n'use strict'\ntest('a', () => { expect(f()).toBe(1) })\n";
    let file = read("a.test.js", text, None);
    let twin = &file.twins[&TwinKind::Negated];
    let lines: Vec<&str> = twin.lines().collect();
    assert_eq!(lines[..3], text.lines().collect::<Vec<_>>()[..3]);
    assert!(lines[3].starts_with(";const __proctor = "), "{twin}");
    let typed = "import { f } from './f'\nimport { g } from './g'\ntest('a', () => { expect(f()).toBe(1) })\n";
    let file = read("a.test.ts", typed, None);
    let twin = &file.twins[&TwinKind::Negated];
    assert!(twin.starts_with("// @ts-nocheck\n;const "), "{twin}");
    assert_eq!(twin.lines().count(), 3, "{twin}");
    for comment in [
        "/** @jest-environment jsdom */",
        "/*\n * What it does.\n */",
    ] {
        let file = read("a.test.ts", &format!("{comment}\n{typed}"), None);
        let twin = &file.twins[&TwinKind::Negated];
        let beginning = format!("{comment} // @ts-nocheck\n;const ");
        assert!(twin.starts_with(&beginning), "{twin}");
    }
}

#[test]
fn what_a_negated_twin_cannot_turn_is_told() {
    for (code, whole) in [
        ("expect(f()).toBe(1)", true),
        ("expect(f()).toBe(1)\nexpect(1).toBe(1)", true),
        (
            "expect(f()).toBe(1)\nlater(() => { expect(f()).toBe(1) })",
            false,
        ),
        ("expect(f()).toBe(1)\ncheckThat(f())", false),
        ("expect(f()).toBe(1)\nawait expect.poll(f).toBe(1)", false),
    ] {
        assert_eq!(body(code).turned_whole, whole, "{code}");
    }
}
