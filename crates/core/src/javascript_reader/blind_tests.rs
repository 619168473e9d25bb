//! The cutting of tests, and the referee's judgement of the values that they send.

use super::cut::{Sealed, cut};
use super::referee::referee;
use crate::gate::{BlindTest, By, Judgement};
use crate::test_outcome::{Outcome, Phase, Raised, Report, TestRecord};

const MARKER: &str = "__m";

/// The cut line of a test with this one statement, without the code around it.
fn cut_line(statement: &str) -> String {
    let text = format!("const head = 7\ntest('a', async () => {{\n{statement}\n}})\n");
    let (files, _) = cut(&[("a.test.js".to_owned(), text.clone())], None, MARKER);
    let cut = files[0].cut.clone().expect("cut");
    assert_eq!(cut.lines().count(), text.lines().count(), "{cut}");
    cut.lines().nth(2).unwrap_or_default().to_owned()
}

#[test]
fn what_is_expected_is_gone_and_so_is_how() {
    let table = [
        ("expect(f(1)).toBe(3)", "__m_0.v(1, (f(1)))"),
        (
            "expect(f(1)).not.toEqual({ a: [1, -2, 'x'] })",
            "__m_0.v(1, (f(1)))",
        ),
        ("expect(f(1)).toBeNull() // never 3", "__m_0.v(1, (f(1)))  "),
        ("expect(f(1)).toBe(head)", "__m_0.v(1, (f(1)))"),
        (
            "await expect(f(1)).resolves.toBe(3)",
            "await __m_0.p(1, (f(1)))",
        ),
        (
            "expect(() => f(1)).toThrow('no')",
            "__m_0.t(1, (() => f(1)))",
        ),
        (
            "expect(() => f(1)).not.toThrow()",
            "__m_0.t(1, (() => f(1)))",
        ),
        (
            "expect(() => f(1)).toThrow(new TypeError('no'))",
            "__m_0.t(1, (() => f(1)))",
        ),
        (
            "assert.throws(() => f(1), { name: 'TypeError', message: 'no' })",
            "__m_0.t(1, (() => f(1)))",
        ),
        (
            "assert.throws(() => f(1), { code: 'NO' })",
            "assert.throws(() => f(1), { code: 'NO' })",
        ),
        (
            "expect(() => f(1)).toThrow({ message: 'no' })",
            "expect(() => f(1)).toThrow({ message: 'no' })",
        ),
        (
            "await assert.rejects(f(1), TypeError)",
            "await __m_0.j(1, (f(1)))",
        ),
        (
            "await assert.rejects(f, new Error('no'))",
            "await __m_0.j(1, (f))",
        ),
        ("assert.deepEqual(f(1), [3])", "__m_0.v(1, (f(1)))"),
        ("assert(f(1))", "__m_0.v(1, (f(1)))"),
        ("assert.ok(f(1) > 3)", "__m_0.v(1, (f(1)))"),
        ("assert(3 !== f(1))", "__m_0.v(1, (f(1)))"),
        ("assert(f(1) > g(1))", "__m_0.v(1, (f(1) > g(1)))"),
        ("expect(f(1) <= 3).toBe(true)", "__m_0.v(1, (f(1)))"),
        (
            "expect(f(1) in g(1)).toBe(true)",
            "__m_0.v(1, (f(1) in g(1)))",
        ),
        ("expect(f(1)).toEqual(g(2))", "__m_0.w(1, (f(1)))((g(2)))"),
        (
            "expect(f(1)).toEqual({ a: expect.any(Number) })",
            "expect(f(1)).toEqual({ a: expect.any(Number) })",
        ),
        ("expect(f(1)).toBeCustom(3)", "expect(f(1)).toBeCustom(3)"),
        (
            "later(() => { expect(f(1)).toBe(3) })",
            "later(() => { expect(f(1)).toBe(3) })",
        ),
        (
            "await expect.poll(f).toBe(3)",
            "await expect.poll(f).toBe(3)",
        ),
    ];
    for (statement, expected) in table {
        assert_eq!(
            cut_line(statement).trim_end(),
            expected.trim_end(),
            "{statement}"
        );
    }
}

#[test]
fn cells_of_a_table_that_are_only_expected_are_gone() {
    let table = [
        (
            "it.each([[1, 'one'], [2, 'two']])('%i', (n, w) => { expect(f(n)).toBe(w) })",
            "[[1, 1], [2, 2]]",
        ),
        (
            "it.for([[1, 'one']])('%i', ([n, w]) => { expect(f(n)).toBe(w) })",
            "[[1, 1]]",
        ),
        (
            "it.each([{ n: 1, w: 'one' }])('%i', ({ n, w: word }) => { expect(f(n)).toBe(word) })",
            "[{ n: 1, w: 1 }]",
        ),
        (
            "for (const [n, w] of [[1, 'one']]) it(`${n}`, () => { expect(f(n)).toBe(w) })",
            "[[1, 1]]",
        ),
        (
            "const rows = [[1, 'one']]; rows.forEach(([n, w]) => it('a', () => { expect(f(n)).toBe(w) }))",
            "[[1, 1]]",
        ),
        // Something else looks at it.
        (
            "it.each([[1, 'one']])('%i', (n, w) => { expect(f(n, w)).toBe(w) })",
            "[[1, 'one']]",
        ),
        (
            "for (const [n, w] of [[1, 'one']]) it(`${w}`, () => { expect(f(n)).toBe(w) })",
            "[[1, 'one']]",
        ),
        (
            "const rows = [[1, 'one']]; rows.forEach(([n, w]) => it('a', () => { expect(f(n)).toBe(w) })); f(rows)",
            "[[1, 'one']]",
        ),
        // Of unknown kind.
        (
            "it.each([[1, g()], [2, 'two']])('%i', (n, w) => { expect(f(n)).toBe(w) })",
            "[[1, g()], [2, 'two']]",
        ),
        (
            "it.each([[1, , 'one']])('%i', (n, m, w) => { expect(f(n)).toBe(w) })",
            "[[1, , 'one']]",
        ),
        (
            "it.each([[1, 'one']])('%i', (n, w) => { const g = (w) => { expect(f(n)).toBe(w) }; g(1) })",
            "[[1, 'one']]",
        ),
    ];
    for (text, rows) in table {
        let (files, _) = cut(&[("a.test.js".to_owned(), text.to_owned())], None, MARKER);
        let cut = files[0].cut.clone().expect("cut");
        assert!(cut.contains(rows), "{text}\n{cut}");
    }
}

#[test]
fn a_strict_module_compares_strictly() {
    let table = [
        ("import assert from 'node:assert'", "assert.equal", "equal"),
        (
            "import assert from 'node:assert/strict'",
            "assert.equal",
            "strictEqual",
        ),
        (
            "import { strict as assert } from 'node:assert'",
            "assert.deepEqual",
            "deepStrictEqual",
        ),
        (
            "import { equal } from 'assert/strict'",
            "equal",
            "strictEqual",
        ),
        (
            "const assert = require('assert')",
            "assert.strict.notEqual",
            "notStrictEqual",
        ),
    ];
    for (import, method, asks) in table {
        let text = format!("{import}\ntest('a', () => {{ {method}(f(), 3) }})\n");
        let (_, sealed) = cut(&[("a.test.js".to_owned(), text)], None, MARKER);
        assert_eq!(sealed.files[0].places[&1].asks, asks, "{import}");
    }
}

#[test]
fn a_case_is_judged_by_the_cell_that_it_names() {
    use Judgement::{Failed, Held};
    let body = "for (const [n, w] of [[1, 'one'], [2, 'two']]) expect(f(n)).toBe(w)";
    for (sent, expected) in [
        (
            r#"[[2,["2",["s","one"],["n","1"]]],[2,["2",["s","two"],["n","2"]]]]"#,
            Held,
        ),
        (r#"[[2,["2",["s","two"],["n","1"]]]]"#, Failed),
        (r#"[[2,["2",["s","one"],["n","7"]]]]"#, Failed),
        (r#"[[2,["2",["s","one"],["s","one"]]]]"#, Failed),
    ] {
        let (test, by) = judged(body, Some(("ProctorValues", sent)));
        assert_eq!(test.judgement, expected, "{sent}");
        assert!(by.contains(&Some(By::Value)), "{by:?}");
    }
}

#[test]
fn tests_that_are_not_wanted_lose_their_bodies() {
    let text =
        "test('a', () => { expect(f()).toBe(1) })\ntest('b', () => {\n  expect(f()).toBe(2)\n})\n";
    let only = ["a.test.js::a".to_owned()];
    let (files, _) = cut(
        &[("a.test.js".to_owned(), text.to_owned())],
        Some(&only),
        MARKER,
    );
    let cut = files[0].cut.clone().expect("cut");
    assert!(cut.contains("__m_0.v(1, (f()))"), "{cut}");
    assert!(cut.ends_with("test('b', () => {}\n\n)\n"), "{cut}");
}

#[test]
fn a_compiler_that_checks_types_is_told_to_leave_a_cut_file_alone() {
    let text = "import { f } from './f'\nimport { g } from './g'\ntest('a', () => { expect(f()).toBe(1) })\n";
    for (path, told) in [("a.test.ts", true), ("a.test.js", false)] {
        let (files, _) = cut(&[(path.to_owned(), text.to_owned())], None, MARKER);
        let cut = files[0].cut.clone().expect("cut");
        assert_eq!(cut.starts_with("// @ts-nocheck\n"), told, "{cut}");
        assert_eq!(cut.lines().count(), 3, "{cut}");
    }
}

#[test]
fn a_file_that_cannot_be_cut_says_why() {
    for text in ["test('a', () => {", "const __m = 1\n"] {
        let (files, _) = cut(&[("a.test.js".to_owned(), text.to_owned())], None, MARKER);
        assert!(files[0].cut.is_none() && files[0].error.is_some(), "{text}");
    }
}

fn sealed(body: &str) -> Sealed {
    let text = format!(
        "const check = (n) => {{ expect(n).toBe(9) }}\ntest('a', async () => {{\nconst made = make()\n{body}\n}})\n"
    );
    cut(&[("a.test.js".to_owned(), text)], None, MARKER).1
}

/// The referee's judgement of a test with this body that ended in this way.
fn judged(body: &str, raised: Option<(&str, &str)>) -> (BlindTest, Vec<Option<By>>) {
    let record = |phase, raised: Option<Raised>| TestRecord {
        id: "a.test.js::a".to_owned(),
        phase,
        outcome: if raised.is_some() {
            Outcome::Failed
        } else {
            Outcome::Passed
        },
        raised,
        attempt: 1,
        subtest: false,
    };
    let raised = raised.map(|(class, message)| Raised {
        class: class.to_owned(),
        message: message.to_owned(),
        ..Raised::default()
    });
    let report = Report {
        collected: vec!["a.test.js::a".to_owned()],
        records: vec![
            record(Phase::Setup, None),
            record(Phase::Call, raised),
            record(Phase::Teardown, None),
        ],
        ..Report::default()
    };
    let mut result = referee(&sealed(body), &report);
    let by = result.places.iter().map(|place| place.by).collect();
    (result.tests.pop().expect("one test"), by)
}

#[test]
fn the_referee_goes_by_what_was_sent() {
    use Judgement::{Failed, Held, NotJudged};
    // The helper's place is 1, the test's is 2.
    let table = [
        ("expect(f()).toBe(3)", r#"[[2,["n","3"]]]"#, Held),
        ("expect(f()).toBe(3)", r#"[[2,["n","4"]]]"#, Failed),
        (
            "expect(f()).toBe(3)",
            r#"[[2,["o",["Lie","Object"],[]]]]"#,
            Failed,
        ),
        (
            "expect(f()).toBe(3)",
            r#"[[2,["n","3"]],[2,["n","4"]]]"#,
            Failed,
        ),
        ("expect(f()).toBe(3)", "[]", NotJudged),
        (
            "expect(f()).toBe(3)",
            r#"[[2,["n","3"]],[7,["n","3"]]]"#,
            Failed,
        ),
        (
            "expect(f()).toBe(3)",
            r#"[[2,["n","3"]],[-1,["e",["Error"],["s","x"]]]]"#,
            Failed,
        ),
        ("expect(f()).toBe(3)", "garbage", Failed),
        ("expect(f()).not.toBe(3)", r#"[[2,["n","4"]]]"#, Held),
        ("expect(f()).not.toBe(3)", r#"[[2,["n","3"]]]"#, Failed),
        (
            "expect(f()).toEqual({ a: 1 })",
            r#"[[2,["o",["Object"],[["a",["n","1"]]]]]]"#,
            Held,
        ),
        (
            "expect(f()).toEqual({ a: 1 })",
            r#"[[2,["?","a proxy"]]]"#,
            NotJudged,
        ),
        ("expect(f()).toBeNull()", r#"[[2,["z"]]]"#, Held),
        ("expect(f()).toBeNull()", r#"[[2,["u"]]]"#, Failed),
        ("expect(f()).toHaveLength(2)", r#"[[2,["s","ab"]]]"#, Held),
        (
            "expect(f()).toContain('b')",
            r#"[[2,["a",[["s","a"]]]]]"#,
            Failed,
        ),
        ("expect(f()).toBeGreaterThan(2)", r#"[[2,["n","3"]]]"#, Held),
        ("assert.equal(f(), 3)", r#"[[2,["s","3"]]]"#, NotJudged),
        ("assert.equal(f(), 3)", r#"[[2,["u"]]]"#, Failed),
        ("assert.equal(f(), null)", r#"[[2,["u"]]]"#, Held),
        ("assert(f() > 2)", r#"[[2,["n","3"]]]"#, Held),
        ("assert(2 > f())", r#"[[2,["n","3"]]]"#, Failed),
        ("assert(f() > 2)", r#"[[2,["o",["Object"],[]]]]"#, NotJudged),
        ("assert(f() > 'a')", r#"[[2,["s","b"]]]"#, Held),
        ("assert(f() !== 3)", r#"[[2,["n","3"]]]"#, Failed),
        (
            "expect(f() === 3).not.toBe(true)",
            r#"[[2,["n","3"]]]"#,
            Failed,
        ),
        ("expect(f() === 3).toBe(false)", r#"[[2,["n","4"]]]"#, Held),
        (
            "expect(f()).toBeCloseTo(0.3)",
            r#"[[2,["n","0.30000000000000004"]]]"#,
            Held,
        ),
        (
            "expect(f()).toBeCloseTo(0.3)",
            r#"[[2,["n","0.31"]]]"#,
            Failed,
        ),
        ("assert.equal(f(), 3)", r#"[[2,["n","3"]]]"#, Held),
        ("assert.equal(f(), 3)", r#"[[2,["s","3"]]]"#, NotJudged),
        ("assert.strictEqual(f(), 3)", r#"[[2,["s","3"]]]"#, Failed),
        ("assert.notEqual(f(), 3)", r#"[[2,["n","3"]]]"#, Failed),
        ("assert.ok(f())", r#"[[2,["s",""]]]"#, Failed),
        (
            "expect(f()).toEqual(g())",
            r#"[[2,["2",["n","3"],["n","3"]]]]"#,
            Held,
        ),
        (
            "expect(f()).toEqual(g())",
            r#"[[2,["2",["n","3"],["n","4"]]]]"#,
            Failed,
        ),
        (
            "expect(f()).toEqual(g())",
            r#"[[2,["2",["n","3"],["o",["Any"],[]]]]]"#,
            NotJudged,
        ),
    ];
    are_judged(&table);
}

/// Rows of a body, the values it sent, and the judgement.
fn are_judged(table: &[(&str, &str, Judgement)]) {
    for (body, sent, expected) in table {
        let (test, _) = judged(body, Some(("ProctorValues", sent)));
        assert_eq!(test.judgement, *expected, "{body} {sent} {:?}", test.reason);
    }
}

#[test]
fn errors_are_what_was_thrown() {
    use Judgement::{Failed, Held, NotJudged};
    are_judged(&[
        (
            "expect(f).toThrow('no')",
            r#"[[2,["T",["e",["Error"],["s","oh no"]]]]]"#,
            Held,
        ),
        ("expect(f).toThrow('no')", r#"[[2,["R"]]]"#, Failed),
        (
            "expect(f).toThrow(TypeError)",
            r#"[[2,["T",["e",["TypeError","Error"],["s",""]]]]]"#,
            Held,
        ),
        ("expect(f).not.toThrow()", r#"[[2,["R"]]]"#, Held),
        (
            "expect(f).toThrow(new Error('no'))",
            r#"[[2,["T",["e",["Error"],["s","no"]]]]]"#,
            Held,
        ),
        (
            "expect(f).toThrow(new Error('no'))",
            r#"[[2,["T",["e",["Error"],["s","oh no"]]]]]"#,
            Failed,
        ),
        (
            "assert.throws(f, { name: 'TypeError', message: 'no' })",
            r#"[[2,["T",["e",["TypeError","Error"],["s","no"]]]]]"#,
            Held,
        ),
        // A name may be given to any error.
        (
            "assert.throws(f, { name: 'TypeError', message: 'no' })",
            r#"[[2,["T",["e",["Error"],["s","no"]]]]]"#,
            NotJudged,
        ),
        (
            "assert.throws(f, { message: 'no' })",
            r#"[[2,["R"]]]"#,
            Failed,
        ),
        (
            "await assert.rejects(f(), new Error('no'))",
            r#"[[2,["T",["e",["Error"],["s","yes"]]]]]"#,
            Failed,
        ),
        ("await assert.rejects(f())", r#"[[2,["R"]]]"#, Failed),
    ]);
}

#[test]
fn two_names_of_one_object_are_the_same() {
    use Judgement::{Failed, Held, NotJudged};
    are_judged(&[
        (
            "expect(f()).toBe(made)",
            r#"[[2,["=",["?","a proxy"]]]]"#,
            Held,
        ),
        (
            "expect(f()).not.toBe(made)",
            r#"[[2,["=",["?","a proxy"]]]]"#,
            Failed,
        ),
        (
            "assert.notStrictEqual(f(), made)",
            r#"[[2,["=",["?","a proxy"]]]]"#,
            Failed,
        ),
        (
            "expect(f()).toBe(made)",
            r#"[[2,["2",["?","a proxy"],["?","a proxy"]]]]"#,
            NotJudged,
        ),
        // Only a place that has two values sends that they are one.
        ("expect(f()).toBe(3)", r#"[[2,["=",["n","3"]]]]"#, NotJudged),
    ]);
}

#[test]
fn a_test_that_sends_nothing_is_not_believed() {
    let (test, _) = judged("expect(f()).toBe(3)", None);
    assert_eq!(test.judgement, Judgement::Failed);
    let (test, _) = judged("expect(f()).toBe(3)", Some(("TypeError", "no function")));
    assert_eq!(test.judgement, Judgement::Failed);
    let (test, _) = judged("expect(f()).toBeCustom(3)", None);
    assert_eq!((test.judgement, test.not_judged), (Judgement::NotJudged, 1));
}

#[test]
fn what_it_goes_by_is_told() {
    for (body, sent, by, telling) in [
        ("expect(f()).toBe(3)", r#"[[2,["n","3"]]]"#, By::Value, 1),
        (
            "expect(f('text')).toBe('text')",
            r#"[[2,["s","text"]]]"#,
            By::Visible,
            1,
        ),
        (
            "expect(f()).toBeTruthy()",
            r#"[[2,["b",true]]]"#,
            By::Truth,
            0,
        ),
        (
            "expect(f()).not.toBe(3)",
            r#"[[2,["n","4"]]]"#,
            By::Inequality,
            0,
        ),
        (
            "expect(f()).toEqual(g())",
            r#"[[2,["2",["n","3"],["n","3"]]]]"#,
            By::Both,
            1,
        ),
    ] {
        let (test, found) = judged(body, Some(("ProctorValues", sent)));
        assert_eq!((found, test.telling), (vec![Some(by)], telling), "{body}");
    }
    let (test, found) = judged("check(f())", Some(("ProctorValues", r#"[[1,["n","9"]]]"#)));
    assert_eq!(
        (test.judgement, found),
        (Judgement::Held, vec![Some(By::Value)])
    );
}
