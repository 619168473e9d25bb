//! The referee reads a hostile process's records.

use proctor_core::gate::Judgement;
use proctor_host::test_runner::{Cut, Variant};

use super::{Case, cut_text, cut_texts, referee};

const TESTS: &str = "def test_it():\n    assert double(21) == 42\n";
const SOURCE: &str = "def double(x):\n    return x * 2\n";

/// The verdict on records with another value.
struct Forgery {
    cut: Cut,
    sent: String,
}

impl Forgery {
    fn new() -> Self {
        let case = Case::new(TESTS, SOURCE);
        let cut = case.cut();
        let sent = case.run(&cut_texts(&cut), Variant::Blind(cut.marker)).sent;
        Self { cut, sent }
    }

    fn judged_with(&self, value: &str) -> Judgement {
        let honest = r#"["i","0x2a"]"#;
        assert!(self.sent.contains(honest), "{}", self.sent);
        let sent = self.sent.replace(honest, value);
        referee(&self.cut, &sent, None).places[0].judgement
    }
}

#[test]
fn a_record_of_another_shape_is_never_held() {
    let forgery = Forgery::new();
    let deep = format!("{}{}", "[\"l\",[".repeat(400), "]]".repeat(400));
    for value in [
        r#"["i","__import__('os')"]"#,
        r#"["i",42]"#,
        r#"["x","os.system",["true"]]"#,
        r#"["x","datetime.date",["a"]]"#,
        r#"["make",[]]"#,
        r#"["__init__",[]]"#,
        "[]",
        r#"{"a":1}"#,
        "42",
        r#"["l",5]"#,
        r#"["d",[["a"]]]"#,
        r#"["sub","builtins.int",["__eq__"],["i","0x2b"]]"#,
        r#"["o",[1,"m.Liar"],7,["__eq__"],[]]"#,
        r#"["big"]"#,
        &deep,
    ] {
        assert_ne!(forgery.judged_with(value), Judgement::Held, "{value}");
    }
    let subclass = r#"["sub",[3,"m.Int"],["__eq__"],["i","0x2a"]]"#;
    assert_eq!(forgery.judged_with(subclass), Judgement::Held);
}

#[test]
fn a_run_that_breaks_off_or_leaves_out_a_record_is_told() {
    let cut = Case::new(TESTS, SOURCE).cut();
    let passed = |phase: &str| {
        format!(
            r#"{{"kind":"phase","id":"test_0.py::test_it","phase":"{phase}","outcome":"passed","raised":null}}"#
        )
    };
    let begin = r#"{"kind":"begin","id":"test_0.py::test_it"}"#;
    let collected = r#"{"kind":"collected","ids":["test_0.py::test_it","test_0.py::test_b"]}"#;
    let sent = format!("{collected}\n{begin}\n{}\n", passed("call"));
    let report = referee(&cut, &sent, None);
    assert_eq!(report.places[0].judgement, Judgement::Failed);
    assert_eq!(
        report.places[0].reason.as_deref(),
        Some("it was not reached")
    );
    assert_eq!(
        report.problems,
        [
            "the run did not come to its end",
            "test_0.py::test_b was not run"
        ]
    );
}

#[test]
fn expected_values_are_worked_out_without_running_the_tests_words() {
    for expression in [
        "__import__('os').getpid()",
        "().__class__",
        "open('/etc/passwd')",
        "eval('42')",
        "double.__globals__",
    ] {
        let text = cut_text(&format!(
            "from m import double\ndef test_it():\n    assert double(21) == {expression}\n"
        ));
        assert!(text.contains(&expression.replace('"', "'")), "{text}");
    }
    // Too much for any machine: nothing is concluded, and soon.
    let tests = [
        "10 ** 10 ** 10",
        "'a' * 10 ** 12",
        "len('%0999999999d' % 1)",
        "[0] * 10 ** 11",
    ]
    .map(|expression| format!("    assert double(21) == {expression}\n"))
    .concat();
    let tests = format!("def test_it():\n{tests}");
    for place in Case::new(&tests, SOURCE).judged().places {
        assert_eq!(place.judgement, Judgement::NotJudged, "{place:?}");
    }
}
