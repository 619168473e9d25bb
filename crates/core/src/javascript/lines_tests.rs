use super::{needed_lines, watched};
use crate::javascript::parsing::parse;
use std::collections::BTreeSet;

fn needed(text: &str) -> Vec<(u32, i64)> {
    let tree = parse("a.ts", text).expect("a tree");
    let wanted: BTreeSet<u32> = (1..100).collect();
    needed_lines(tree.root_node(), &wanted)
        .into_iter()
        .map(|line| (line.line, line.seen_at[0]))
        .collect()
}

#[test]
fn lines_that_something_executes_are_needed() {
    let table: [(&str, &[(u32, i64)]); 20] = [
        ("// a comment\n\nconst a = 1;\n", &[(3, 3)]),
        ("import a from 'a';\nexport { a };\nexport * from 'b';", &[]),
        ("interface A {\n  b: string;\n}\ntype C = 1;", &[]),
        (
            "declare const a: number;\ndeclare module 'x' {\n  const b: 1;\n}",
            &[],
        ),
        ("function f(a) {\n  return a;\n}", &[(2, 2)]),
        ("export default function () {\n  return 1;\n}", &[(2, 2)]),
        ("const a = {\n  b: 1,\n};", &[(1, 1), (2, 1)]),
        ("const f = () => 1;", &[(1, 1), (1, -1)]),
        ("const f = () =>\n  1;", &[(1, 1), (2, 2)]),
        ("const f = function () { return 1; };", &[(1, 1), (1, -1)]),
        ("function f() { return 1; }", &[(1, 1)]),
        (
            "if (a) {\n  b();\n} else {\n  c();\n}",
            &[(1, 1), (2, 2), (4, 4)],
        ),
        ("if (a)\n  b();\nelse\n  c();", &[(1, 1), (2, 2), (4, 4)]),
        (
            "switch (a) {\n  case 1:\n    b();\n}",
            &[(1, 1), (2, 1), (3, 3)],
        ),
        (
            "class A {\n  x = 1;\n  y: number;\n  m() {\n    f();\n  }\n}",
            &[(1, 1), (2, 2), (3, 1), (4, 1), (5, 5)],
        ),
        ("foo(\n  a,\n);", &[(1, 1), (2, 1)]),
        ("'use strict';\na();", &[(2, 2)]),
        ("enum E {\n  A,\n}", &[(1, 1), (2, 1)]),
        ("export const a = 1;", &[(1, 1)]),
        (
            "function f(a: string): void;\nfunction f(a: any) {\n  g(a);\n}",
            &[(3, 3)],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(needed(text), expected, "{text}");
    }
}

#[test]
fn only_the_lines_that_are_asked_about_count() {
    let tree = parse("a.js", "a();\nb();").expect("a tree");
    let wanted = BTreeSet::from([2]);
    assert_eq!(needed_lines(tree.root_node(), &wanted).len(), 1);
}

fn told(path: &str, text: &str) -> String {
    let text = watched(path, text, "/log").expect("readable");
    let start = text.find("function __proctor_line").expect("the teller");
    let end = start + text[start..].find("catch(e){}}").expect("its end") + 11;
    let short = format!("{}@{}", &text[..start], &text[end..]);
    short.replace("__proctor_line", "L")
}

#[test]
fn calls_stand_where_the_grammar_allows_them() {
    let table = [
        ("a()\nb()", "@L(1);a()\nL(2);b()"),
        ("'use strict'\na", "'use strict'\n@L(2);a"),
        ("#!/bin/node\na", "#!/bin/node\n@L(2);a"),
        (
            "if (a) b(); else c()",
            "@L(1);if (a) {L(1);b();} else {L(1);c()}",
        ),
        (
            "for (const a of b) c()",
            "@L(1);for (const a of b) {L(1);c()}",
        ),
        ("do a(); while (b)", "@L(1);do {L(1);a();} while (b)"),
        ("x: for (;;) break x", "@L(1);x: for (;;) {L(1);break x}"),
        (
            "const f = a => b => c",
            "@L(1);const f = a => (L(-1),b => (L(-1),c))",
        ),
        (
            "const f = () => ({ a })",
            "@L(1);const f = () => (L(-1),({ a }))",
        ),
        (
            "import a from 'a'\nexport const b = a",
            "@import a from 'a'\nL(2);export const b = a",
        ),
        (
            "export default function f() { 'use x'; a() }",
            "@export default function f() { 'use x'; L(1);a() }",
        ),
        (
            "switch (a) { case 1: b(); default: c() }",
            "@L(1);switch (a) { case 1: L(1);b(); default: L(1);c() }",
        ),
        (
            "class A { static { a() } x = 1; f = () => { b() } }",
            "@L(1);class A { static { L(1);a() } x = (L(-1),1); f = () => { L(-1);b() } }",
        ),
        (
            "if (a) b = x => y\nelse c()",
            "@L(1);if (a) {L(1);b = x => (L(-1),y)}\nelse {L(2);c()}",
        ),
        (
            "if (a) b(); else if (c) d()",
            "@L(1);if (a) {L(1);b();} else {L(1);if (c) {L(1);d()}}",
        ),
        ("@dec\nclass A {}", "@L(1);@dec\nclass A {}"),
    ];
    for (text, expected) in table {
        assert_eq!(told("a.js", text), expected, "{text}");
    }
    assert_eq!(watched("a.js", "const = ;", "/log"), None);
    let variance = "interface A<out T> { a: T }\na()";
    assert!(watched("a.ts", variance, "/log").is_some());
    let typed = watched("a.ts", "a()", "/log").expect("readable");
    assert!(
        typed.contains("(n: number)") && !typed.contains("n){"),
        "{typed}"
    );
}
