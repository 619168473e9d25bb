//! Honest code: every assertion of it holds outside as well, and a wrong value fails at the very same places.

use std::fmt::Write as _;

use proctor_core::gate::{By, Judgement};
use proctor_host::test_runner::Variant;

use super::{Case, cut, cut_text, cut_texts, judgements, referee};

const SOURCE: &str = r#"
import collections, dataclasses, datetime, decimal, enum

class AppError(Exception):
    pass

@dataclasses.dataclass
class Point:
    x: int
    y: int

class Name(str):
    pass

Pair = collections.namedtuple("Pair", "a b")

def double(x):
    return x * 2

def words(text):
    return text.split()

def name(text):
    return Name(text.title())

def pair(a, b):
    return Pair(a, b)

def origin():
    return Point(0, 0)

def moved(point):
    return Point(point.x + 1, point.y)

def day(n):
    return datetime.date(2024, 2, n)

def price(text):
    return decimal.Decimal(text) * 2

def checked(n):
    if n < 0:
        raise ValueError("negative: %d" % n)
    if n > 9:
        raise AppError("large")
    return n

def notify(callback, n):
    callback(n * 2, kind="double")

def nothing():
    return None
"#;

/// An assertion, and the basis of its judgement.
const ASSERTIONS: [(&str, By); 42] = [
    ("assert double(21) == 42", By::Value),
    ("assert 42 == double(21)", By::Value),
    ("assert double(21) == 40 + 2, 'a message'", By::Value),
    ("assert not double(21) == 41", By::Inequality),
    ("assert double(21) != 41", By::Inequality),
    ("assert double(1.05) == pytest.approx(2.1)", By::Value),
    ("assert double(21) == double(21) == 42", By::Both),
    ("assert 40 < double(21) < 44", By::Order),
    ("assert double('ab') in ('abab', 'x')", By::Membership),
    ("assert 'b' in words('a b')", By::Membership),
    ("assert 'z' not in words('a b')", By::Inequality),
    ("assert nothing() is None", By::Truth),
    ("assert double(21) is not None", By::Truth),
    ("assert not words('')", By::Truth),
    ("assert isinstance(double(2), int)", By::Type),
    ("assert isinstance(origin(), Point)", By::Type),
    ("assert type(words('')) is list", By::Truth),
    ("assert words('a b') == ['a', 'b']", By::Value),
    ("assert len(words('a b')) == 2", By::Value),
    ("assert sorted(words('b a')) == ['a', 'b']", By::Value),
    ("assert name('ann') == 'Ann'", By::Value),
    ("assert name('ann').startswith('An')", By::Membership),
    ("assert pair(1, 2) == (1, 2)", By::Value),
    ("assert pair(1, 2).b == 2", By::Value),
    ("assert origin() == Point(0, 0)", By::State),
    ("assert moved(origin()) == Point(1, 0)", By::State),
    (
        "import json\n    assert json.loads('[%d]' % double(1)) == [2]",
        By::Value,
    ),
    (
        "assert day(29) == __import__('datetime').date(2024, 2, 29)",
        By::Both,
    ),
    ("assert price('1.10') == double(price('0.55'))", By::Both),
    ("assert all(w == 'a' for w in words('a a'))", By::Value),
    (
        "text = 'a b'\n    assert ' '.join(words(text)) == text",
        By::Visible,
    ),
    ("want = ['a']\n    assert words('a') == want", By::Value),
    (
        "got = words('b')\n    assert got == ['b'] or got == ['c']",
        By::Value,
    ),
    (
        "for n, want in [(1, 2), (2, 4)]:\n        assert double(n) == want",
        By::Value,
    ),
    (
        "with pytest.raises(ValueError):\n        checked(-1)",
        By::Exception,
    ),
    (
        "with pytest.raises(ValueError, match=r'negative: -\\d') as e:\n        checked(-1)",
        By::Exception,
    ),
    (
        "with pytest.raises(AppError):\n        checked(10)",
        By::Exception,
    ),
    ("pytest.raises(ValueError, checked, -1)", By::Exception),
    (
        "from unittest.mock import Mock\n    seen = Mock()\n    notify(seen, 2)\n    \
         seen.assert_called_once_with(4, kind='double')",
        By::Value,
    ),
    (
        "from unittest import mock\n    seen = mock.Mock()\n    notify(seen, 2)\n    seen.assert_called()",
        By::Truth,
    ),
    ("same = words('a')\n    assert same is same", By::Identity),
    ("assert bool(words('a'))", By::Truth),
];

#[test]
fn every_kind_of_assertion_holds_outside() {
    let mut tests = String::new();
    for (number, (body, _)) in ASSERTIONS.iter().enumerate() {
        writeln!(tests, "def test_{number:02}():\n    {body}\n").expect("a text takes all");
    }
    let report = Case::new(&tests, SOURCE).judged_twice();
    assert_eq!(report.problems, Vec::<String>::new());
    for (number, (body, by)) in ASSERTIONS.iter().enumerate() {
        let id = format!("test_0.py::test_{number:02}");
        let places: Vec<_> = report
            .places
            .iter()
            .filter(|place| place.id == id)
            .collect();
        assert_eq!(places.len(), 1, "{body}: {places:#?}");
        assert_eq!(places[0].judgement, Judgement::Held, "{body}: {places:#?}");
        assert_eq!(places[0].by, Some(*by), "{body}");
        let test = report.tests.iter().find(|test| test.id == id);
        let test = test.expect("it ran");
        assert_eq!(test.judgement, Judgement::Held, "{body}: {test:?}");
        assert_eq!(test.telling, u32::from(by.is_telling()), "{body}");
    }
}

#[test]
fn a_wrong_value_fails_at_every_one_of_several_assertions() {
    let tests = "def test_all():\n    assert double(1) == 3\n    assert double(2) == 4\n    assert double(3) == 7\n";
    let report = Case::new(tests, SOURCE).judged();
    let lines: Vec<_> = report
        .places
        .iter()
        .map(|place| (place.line, place.judgement))
        .collect();
    let (failed, held) = (Judgement::Failed, Judgement::Held);
    assert_eq!(lines, [(6, failed), (7, held), (8, failed)]);
}

const UNITTEST: &str = r#"
import unittest

class TestIt(unittest.TestCase):
    def test_all(self):
        self.assertEqual(double(2), 4)
        self.assertNotEqual(double(2), 5)
        self.assertTrue(words("a"))
        self.assertFalse(words(""))
        self.assertIsNone(nothing())
        self.assertIsNotNone(double(2))
        self.assertIs(nothing(), None)
        self.assertIn("a", words("a"))
        self.assertNotIn("b", words("a"))
        self.assertIsInstance(name("x"), str)
        self.assertNotIsInstance(name("x"), int)
        self.assertAlmostEqual(double(0.1), 0.2, places=5)
        self.assertAlmostEqual(double(0.1), 0.25, delta=0.1)
        self.assertGreater(double(2), 3)
        self.assertLessEqual(double(2), 4)
        self.assertListEqual(words("a b"), ["a", "b"])
        self.assertCountEqual(words("a b"), ["b", "a"])
        self.assertSequenceEqual(words("a b"), ("a", "b"))
        self.assertDictEqual({"a": double(1)}, {"a": 2})
        self.assertRegex(name("ann"), "^A")
        self.assertNotRegex(name("ann"), "z")
        self.assertRaises(ValueError, checked, -1)
        with self.assertRaises(AppError) as seen:
            checked(10)
        self.assertEqual(str(seen.exception), "large")
        with self.assertRaisesRegex(ValueError, "negative"):
            checked(-1)
        for n, want in ((1, 2), (2, 4)):
            with self.subTest(n=n):
                self.assertEqual(double(n), want)
"#;

#[test]
fn assertions_of_unittest_hold_outside() {
    let report = Case::new(UNITTEST, SOURCE).judged_twice();
    assert_eq!(
        judgements(&report).get(&Judgement::Held),
        Some(&26),
        "{report:#?}"
    );
    assert_eq!(report.places.len(), 26);
}

const TABLES: &str = r#"
CASES = [(1, 2), (2, 4), pytest.param(3, 6, id="thirty-nine")]
EXPECTED = {"four": 4}

def check(n, want):
    assert double(n) == want

class TestHelpers:
    def is_double(self, n, want=8):
        assert double(n) == want

    def test_method(self):
        self.is_double(2, want=4)
        self.is_double(4)

@pytest.mark.parametrize("n, want", CASES)
def test_cases(n, want):
    assert double(n) == want

@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize(("more", "want"), [(0, "even"), (1, "odd")], ids=["even", "odd"])
def test_two_tables(n, more, want):
    assert ("odd" if (double(n) + more) % 2 else "even") == want

@pytest.mark.parametrize("n, want", [(7007, 14014), (8008, 16016)])
def test_by_helper(n, want):
    check(n, want)

def test_rows():
    for n, want in [(9009, 18018)]:
        check(n, want)

def test_constant():
    assert double(2) == EXPECTED["four"]
"#;

#[test]
fn expected_values_are_cut_out_of_tables_and_calls_of_helpers() {
    let report = Case::new(TABLES, SOURCE).judged_twice();
    for place in &report.places {
        assert_eq!(place.judgement, Judgement::Held, "{place:?}");
    }
    let text = cut_text(TABLES);
    for answer in ["14014", "16016", "18018", "=8", "thirty-nine", "'four'"] {
        assert!(!text.contains(answer), "{answer} is left in\n{text}");
    }
}

#[test]
fn nothing_that_is_expected_is_left_in_a_cut_file() {
    let tests = r#"
"""The answer is 4181."""
import pytest
ANSWER = 4181  # 4181

def test_it():
    """It gives 4181."""
    want = 4181
    assert double(2) == 4181, "not 4181"
    assert double(2) == want
    assert double(2) == ANSWER
    with pytest.raises(ValueError, match="4181"):
        checked(-1)

@pytest.mark.parametrize("n, want", [(1, 4181), pytest.param(2, 4181, id="4181")], ids=["4181", "b"])
def test_table(n, want):
    assert double(n) == want
"#;
    let text = cut_text(tests);
    assert!(!text.contains("4181"), "{text}");
}

#[test]
fn an_answer_that_another_test_is_given_is_visible() {
    let tests = r"
def test_there():
    assert double('ab') == 'abab'
    assert double('wxyz') == 'wxyzwxyz'

def test_back():
    assert words('abab') == ['abab']
";
    let report = Case::new(tests, SOURCE).judged();
    let by: Vec<_> = report.places.iter().map(|place| place.by).collect();
    let (value, visible) = (Some(By::Value), Some(By::Visible));
    assert_eq!(by, [visible, value, visible]);
}

#[test]
fn helpers_of_other_files_are_given_their_answers_outside() {
    let helpers = "def check(got, want):\n    print('wanted', want)\n    assert got == want\n";
    let tests = "from common import check\ndef test_it():\n    check(2 + 2, 4)\n    want = 'abcd'\n    \
                 check('ab' + 'cd', want)\n    check(len('abc'), int('3'))\n";
    let files = [("common.py", helpers), ("test_0.py", tests)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let cut = cut(&files);
    let case = Case {
        files: files.to_vec(),
        sources: Vec::new(),
    };
    let sent = case.run(&cut_texts(&cut), Variant::Blind(cut.marker)).sent;
    let report = referee(&cut, &sent, None);
    assert_eq!(report.places.len(), 1, "{report:#?}");
    let place = &report.places[0];
    assert_eq!(
        (place.judgement, place.visits),
        (Judgement::Held, 3),
        "{report:#?}"
    );
}

#[test]
fn what_stays_in_the_process_is_named() {
    let tests = r"
READY = False

def test_or():
    assert READY or double(1) == 2

def test_inside():
    assert bool([n for n in [1] if double(n) == 2])

def test_caught():
    try:
        assert double(1) == 2
    except Exception:
        raise

def test_expected():
    with pytest.raises(AssertionError):
        assert double(1) == 3

def test_true():
    assert True
";
    let report = Case::new(tests, SOURCE).judged_twice();
    let held: Vec<_> = report
        .places
        .iter()
        .filter(|place| place.judgement != Judgement::NotJudged)
        .map(|place| (place.id.as_str(), place.by))
        .collect();
    assert_eq!(held, [("test_0.py::test_expected", Some(By::Exception))]);
    assert!(
        report
            .places
            .iter()
            .filter(|place| place.by.is_none())
            .all(|place| place.reason.is_some())
    );
}

#[test]
fn a_run_that_sends_too_much_can_still_be_read() {
    let place = "    assert double('x' * 950000) == 'x' * 1900000\n";
    let long = format!("def test_long():\n{}", place.repeat(40));
    let tests = format!("{long}\n\ndef test_short():\n    assert double('x') == 'xx'\n");
    let report = Case::new(&tests, SOURCE).judged();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let judged = judgements(&report);
    assert!(judged[&Judgement::NotJudged] > 20, "{judged:?}");
    assert!(!judged.contains_key(&Judgement::Failed), "{judged:?}");
    let mut tests = report.tests.iter();
    let short = tests.find(|test| test.id.ends_with("test_short"));
    assert_eq!(short.map(|test| test.judgement), Some(Judgement::Held));
}

#[test]
fn a_place_that_sends_too_much_is_not_judged_any_more() {
    let tests = r"
def test_large():
    assert double('a' * 3000000) != 'b'

def test_often():
    for n in range(40):
        assert len(double('a' * 100000)) + n == 200000 + n
    assert double(2) == 4
";
    let report = Case::new(tests, SOURCE).judged();
    let judged: Vec<_> = report.places.iter().map(|place| place.judgement).collect();
    let (held, not_judged) = (Judgement::Held, Judgement::NotJudged);
    assert_eq!(judged, [not_judged, held, held], "{report:#?}");
    let often = "def test_often():\n    for n in range(40):\n        assert double('a' * 100000 + str(n)) != n\n";
    let report = Case::new(often, SOURCE).judged();
    assert_eq!(report.places[0].judgement, not_judged, "{report:#?}");
}

#[test]
fn threads_generators_weak_references_and_forks_are_let_alone() {
    let tests = r#"
import gc, os, threading, weakref

class Thing:
    pass

def test_threads():
    def work():
        for n in range(50):
            assert double(n) != n + 1000
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

def test_iterator_is_not_consumed():
    numbers = iter([1, 2])
    assert numbers
    assert next(numbers) == 1
    assert list(numbers) == [2]

def test_weak():
    kept = weakref.WeakValueDictionary()
    def make():
        thing = kept["a"] = Thing()
        return thing
    assert make() is not None
    gc.collect()
    assert "a" not in list(kept)

def test_fork():
    child = os.fork()
    if child == 0:
        os._exit(0 if double(1) == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0

def test_cycle():
    loop = words("a")
    loop.append(loop)
    assert loop[0] == "a"
    assert loop == loop
"#;
    let report = Case::new(tests, SOURCE).judged_twice();
    assert_eq!(
        judgements(&report).get(&Judgement::Failed),
        None,
        "{report:#?}"
    );
    assert!(
        report
            .tests
            .iter()
            .all(|test| test.judgement == Judgement::Held),
        "{report:#?}"
    );
}
