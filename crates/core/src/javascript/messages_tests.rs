use super::{Asked, meaning, plain};
use crate::test_outcome::FailureKind as Kind;

#[test]
fn kinds_follow_from_classes_codes_and_words() {
    let table = [
        (
            "AssertionError",
            "",
            "expected 1 to be 2 // Object.is equality",
            Kind::Assertion,
        ),
        (
            "JestAssertionError",
            "",
            "expect(received).toBe(expected)",
            Kind::Assertion,
        ),
        (
            "Error",
            "",
            "expect(received).rejects.toThrow()\n\nReceived",
            Kind::Assertion,
        ),
        ("AssertionError", "ERR_ASSERTION", "1 == 2", Kind::Assertion),
        ("Error", "", "Snapshot `snap 1` mismatched", Kind::Assertion),
        (
            "Error",
            "",
            "expected number of assertions to be 2, but got 0",
            Kind::Assertion,
        ),
        (
            "AssertionError",
            "ERR_ASSERTION",
            "Failed",
            Kind::ExplicitFailure,
        ),
        ("AssertionError", "", "expect.fail()", Kind::ExplicitFailure),
        ("AssertionError", "", "by decree", Kind::Assertion),
        (
            "ReferenceError",
            "",
            "nope is not defined",
            Kind::UndefinedName,
        ),
        ("TypeError", "", "add is not a function", Kind::WrongCall),
        (
            "TypeError",
            "",
            "(0 , _have.lacks) is not a function",
            Kind::WrongCall,
        ),
        (
            "TypeError",
            "",
            "Cannot read properties of undefined (reading 'x')",
            Kind::WrongCall,
        ),
        (
            "TypeError",
            "",
            "jest.fm is not a function",
            Kind::MissingAttribute,
        ),
        ("TypeError", "", "jester is not a function", Kind::WrongCall),
        (
            "Error",
            "",
            "Invalid Chai property: toBeFoo. Did you mean \"toBe\"?",
            Kind::MissingAttribute,
        ),
        ("SyntaxError", "", "Unexpected token '='", Kind::Syntax),
        (
            "SyntaxError",
            "",
            "\"undefined\" is not valid JSON",
            Kind::Other,
        ),
        (
            "SyntaxError",
            "BABEL_PARSE_ERROR",
            "/t/a.js: Unexpected token (2:21)",
            Kind::Syntax,
        ),
        (
            "RollupError",
            "",
            "Parse failure: Unexpected token",
            Kind::Syntax,
        ),
        ("Error", "", "Transform failed with 1 error:", Kind::Syntax),
        ("Error", "", "not implemented", Kind::NotImplemented),
        ("Error", "", "Test timed out in 100ms.", Kind::Other),
        ("Error", "", "boom", Kind::Other),
        ("", "", "text", Kind::Other),
    ];
    for (class, code, message, kind) in table {
        assert_eq!(
            meaning(class, code, message).kind,
            kind,
            "{class} {message}"
        );
    }
}

#[test]
fn missing_modules_are_named_by_every_runner() {
    let table = [
        (
            "Cannot find module '../src/a.js' imported from /t/test/b.js",
            "../src/a.js",
            Some("/t/test/b.js"),
        ),
        (
            "Cannot find module '../src/a.js' imported from '/t/test/b.js'",
            "../src/a.js",
            Some("/t/test/b.js"),
        ),
        (
            "Cannot find package 'pkg' imported from /t/test/b.js",
            "pkg",
            Some("/t/test/b.js"),
        ),
        (
            "Cannot find module '../src/a' from 'test/b.js'\n\nRequire stack:\n  test/b.js",
            "../src/a",
            Some("test/b.js"),
        ),
        (
            "Cannot find module '../src/a'\nRequire stack:\n- /t/test/b.cjs",
            "../src/a",
            Some("/t/test/b.cjs"),
        ),
        (
            "Cannot find module '../src/a'\nRequire stack:\n- /t/b.cjs\n- /t/c.cjs",
            "../src/a",
            Some("/t/b.cjs"),
        ),
        (
            "Failed to resolve import \"./a\" from \"test/b.ts\". Does the file exist?",
            "./a",
            Some("test/b.ts"),
        ),
        (
            "Failed to load url ./a (resolved id: ./a) in /t/b.ts. Does the file exist?",
            "./a",
            Some("/t/b.ts"),
        ),
        (
            "Could not locate module @/a mapped as:\n/t/src/$1.",
            "@/a",
            None,
        ),
        (
            "test/b.ts:1:17 - error TS2307: Cannot find module '../a' or its corresponding type declarations.",
            "../a",
            Some("test/b.ts"),
        ),
    ];
    for (message, specifier, importer) in table {
        let found = meaning("Error", "", message);
        let asked = Asked {
            specifier: specifier.to_owned(),
            importer: importer.map(str::to_owned),
        };
        assert_eq!(
            (found.kind, found.module),
            (Kind::MissingModule, Some(asked)),
            "{message}"
        );
    }
}

#[test]
fn modules_that_lack_a_name_are_named() {
    let table = [
        (
            "SyntaxError",
            "The requested module '../a.js' does not provide an export named 'b'",
            "../a.js",
        ),
        (
            "TSError",
            "t.ts:1:9 - error TS2305: Module '\"../a\"' has no exported member 'b'.",
            "../a",
        ),
        (
            "TSError",
            "t.ts:1:9 - error TS2724: '\"../a\"' has no exported member named 'b'. Did you mean 'c'?",
            "../a",
        ),
        (
            "TSError",
            "t.ts:1:8 - error TS1192: Module '\"/t/a\"' has no default export.",
            "/t/a",
        ),
        (
            "TSError",
            "t.ts:1:8 - error TS2339: Property 'b' does not exist on type 'typeof import(\"/t/a\")'.",
            "/t/a",
        ),
    ];
    for (class, message, specifier) in table {
        let found = meaning(class, "", message);
        let module = found.module.expect("a module");
        assert_eq!(
            (found.kind, module.specifier.as_str()),
            (Kind::MissingName, specifier),
            "{message}"
        );
    }
    let wrong = "t.ts:1:9 - error TS2554: Expected 1 arguments, but got 2.";
    assert_eq!(meaning("TSError", "", wrong).kind, Kind::WrongCall);
    let both = format!("{wrong}\nt.ts:2:1 - error TS1134: Variable declaration expected.");
    assert_eq!(meaning("TSError", "", &both).kind, Kind::Syntax);
}

#[test]
fn the_place_of_a_syntax_error_is_found() {
    let table = [
        (
            "Parse failure: x\n1: const = 3;\nAt file: /src/bad.js:1:6",
            Some(("/src/bad.js", 1)),
        ),
        (
            "Transform failed with 1 error:\n/t/a.ts:3:38: ERROR: Unexpected",
            Some(("/t/a.ts", 3)),
        ),
        (
            "Transform failed with 1 error:\n\n[PARSE_ERROR] x\n   ╭─[ test/l.test.ts:4:39 ]\n",
            Some(("test/l.test.ts", 4)),
        ),
        (
            "/t/src/bad.js: Unexpected token (5:6)\n\n",
            Some(("/t/src/bad.js", 5)),
        ),
        ("Unexpected token '='", None),
    ];
    for (message, expected) in table {
        let place = meaning("SyntaxError", "", message).place;
        let place = place.as_ref().map(|(path, line)| (path.as_str(), *line));
        assert_eq!(place, expected, "{message}");
    }
}

#[test]
fn colours_are_taken_out() {
    assert_eq!(plain("\u{1b}[96mtest/g.ts\u{1b}[0m:1"), "test/g.ts:1");
    assert_eq!(plain("plain [x]"), "plain [x]");
}
