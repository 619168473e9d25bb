use super::source_lines;
use crate::mutants::{LinesOf, SourceLines};

fn made(path: &str, text: &str) -> SourceLines {
    let lines = (1..=u32::try_from(text.lines().count()).expect("few")).collect();
    let file = LinesOf {
        path: path.to_owned(),
        text: text.to_owned(),
        lines,
    };
    source_lines(&[file], true).remove(0)
}

fn texts(text: &str) -> Vec<String> {
    let mut found: Vec<String> = made("a.ts", text)
        .mutants
        .iter()
        .map(|mutant| {
            let bytes = mutant
                .applied(text.as_bytes())
                .expect("it lies in the file");
            let changed = String::from_utf8(bytes).expect("text");
            assert_eq!(changed.matches('\n').count(), text.matches('\n').count());
            changed
        })
        .collect();
    found.sort();
    found
}

#[test]
fn mistakes_are_made_in_what_a_program_does() {
    let table: [(&str, &[&str]); 21] = [
        ("f(a === b);", &[";", "f(a !== b);"]),
        ("f(a in b);", &[";", "f(!(a in b));"]),
        ("f(a && b);", &[";", "f(a || b);"]),
        ("f(!a);", &[";", "f( a);"]),
        ("f(a * b);", &[";", "f(a / b);"]),
        ("f('a' + b);", &[";", "f('ax' + b);"]),
        ("const a = 1;", &["const a = 2;"]),
        ("const a = 1n;", &["const a = 2n;"]),
        ("const a = 1.5;", &["const a = 2.5;"]),
        ("const a = true;", &["const a = false;"]),
        ("const a = `b`;", &["const a = `bx`;"]),
        ("const a = `b${c}`;", &[]),
        (
            "function f() { return a; }",
            &["function f() { return undefined; }"],
        ),
        ("function f() { return; }", &["function f() { ; }"]),
        ("const f = (a) => a;", &["const f = (a) => undefined;"]),
        ("function f() { a = b; }", &["function f() { ; }"]),
        ("exports.a = b;", &[]),
        ("a += b;", &[";", "a -= b;"]),
        ("i++;", &[";", "i--;"]),
        (
            "if (a) throw new E('words', b + c);",
            &["if (a) ;", "if (a) throw new E('words', b - c);"],
        ),
        ("const a = { 'b': c };", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(texts(text), expected, "{text}");
    }
}

#[test]
fn types_imports_and_messages_are_left_alone() {
    for text in [
        "import a from 'a';",
        "export * from 'a';",
        "export { a } from 'b';",
        "type A = 'a' | 1;",
        "interface A { b: 'c'; d: 1 }",
        "let a: 'b' | 2;",
        "const a = b as 'c';",
        "const a = b satisfies 'c';",
        "declare function f(a: 1): 'x';",
        "enum E { A }",
        "const a = require('a');",
        "console.log('a', 1);",
        "this.logger.info(`a ${1}`);",
        "'use strict';",
        "if (require.main === module) { main(1); }",
        "const a = f<'x'>(b);",
        "@dec('x') class A {}",
    ] {
        assert_eq!(texts(text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn lines_keep_their_numbers_and_say_what_was_changed() {
    let text = "f(\n  a,\n  b,\n);\n";
    let found = made("a.js", text);
    assert_eq!(found.mutants.len(), 1);
    assert_eq!(found.mutants[0].what, "`f( a, b, );` was taken out");
    assert_eq!(found.mutants[0].replacement, ";\n\n\n");
    assert_eq!(found.needed.len(), 3);
}

#[test]
fn only_wanted_lines_have_mutants_and_what_cannot_be_read_says_so() {
    let file = |text: &str, lines: Vec<u32>| LinesOf {
        path: "a.js".to_owned(),
        text: text.to_owned(),
        lines,
    };
    let found = source_lines(&[file("f(1);\nf(2);\n", vec![2])], true);
    assert!(found[0].mutants.iter().all(|mutant| mutant.line == 2));
    assert_eq!(found[0].mutants.len(), 2);
    assert!(
        source_lines(&[file("f(1);", vec![1])], false)[0]
            .mutants
            .is_empty()
    );
    assert!(
        source_lines(&[file("const = ;", vec![1])], true)[0]
            .error
            .is_some()
    );
}

#[test]
fn many_mutants_are_taken_evenly() {
    let text = "f(1, 2, 3, 4, 5, 6);\n".repeat(100);
    let found = made("a.js", &text);
    assert_eq!(found.mutants.len(), 300);
    let last = found.mutants.iter().filter(|mutant| mutant.line == 100);
    assert_eq!(last.count(), 3);
}
