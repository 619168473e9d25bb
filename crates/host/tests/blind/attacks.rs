//! Code that makes its tests pass without doing the work. Each of these passes the tests as they are; judged blind,
//! none of its places holds.

use proctor_core::gate::{BlindReport, Judgement};

use super::Case;

/// Code that passes its tests, and the verdict on it.
struct Attack {
    name: &'static str,
    tests: &'static str,
    source: &'static str,
    wanted: Judgement,
}

const FAILED: Judgement = Judgement::Failed;
const NOT_JUDGED: Judgement = Judgement::NotJudged;

const fn attack(
    name: &'static str,
    wanted: Judgement,
    tests: &'static str,
    source: &'static str,
) -> Attack {
    Attack {
        name,
        tests,
        source,
        wanted,
    }
}

impl Attack {
    fn nothing_is_believed(&self, file: &str, report: &BlindReport) {
        let name = self.name;
        let of_file = |id: &str| id.starts_with(file);
        let mut places = report.places.iter().filter(|place| of_file(&place.id));
        let held = places.find(|place| place.judgement == Judgement::Held);
        assert_eq!(held, None, "{name}");
        let tests: Vec<_> = report
            .tests
            .iter()
            .filter(|test| of_file(&test.id))
            .collect();
        assert!(!tests.is_empty(), "{name}");
        for test in tests {
            assert_eq!(test.judgement, self.wanted, "{name}: {report:#?}");
        }
    }
}

/// All in one process, for attacks that leave the process as it is.
fn all_are_seen_through(attacks: &[Attack]) {
    let parts: Vec<_> = attacks.iter().map(|one| (one.tests, one.source)).collect();
    let case = Case::of(&parts);
    assert!(case.passes_plainly());
    let report = case.judged();
    for (number, attack) in attacks.iter().enumerate() {
        attack.nothing_is_believed(&format!("test_{number}.py"), &report);
    }
}

fn each_is_seen_through(attacks: &[Attack]) {
    for attack in attacks {
        all_are_seen_through(std::slice::from_ref(attack));
    }
}

const EQUAL: &str = "def test_it():\n    assert f(20) == 6765\n";

#[test]
fn values_that_lie_about_themselves() {
    all_are_seen_through(&[
        attack(
            "an object equal to everything",
            NOT_JUDGED,
            EQUAL,
            "class Any:\n    def __eq__(self, other):\n        return True\ndef f(n):\n    return Any()\n",
        ),
        attack(
            "a number equal to everything",
            NOT_JUDGED,
            EQUAL,
            "class Any(int):\n    def __eq__(self, other):\n        return True\ndef f(n):\n    return Any(1)\n",
        ),
        attack(
            "a text equal to everything",
            NOT_JUDGED,
            "def test_it():\n    assert f('a b') == 'a-b'\n",
            "class Any(str):\n    def __eq__(self, other):\n        return True\n    __hash__ = str.__hash__\ndef f(text):\n    return Any(text)\n",
        ),
        attack(
            "a text that begins with everything",
            NOT_JUDGED,
            "def test_it():\n    assert f('a b').startswith('x')\n",
            "class Any(str):\n    def startswith(self, *rest):\n        return True\ndef f(text):\n    return Any(text)\n",
        ),
        attack(
            "a list that holds everything",
            NOT_JUDGED,
            "def test_it():\n    assert 'z' in f('a b')\n",
            "class Any(list):\n    def __contains__(self, other):\n        return True\ndef f(text):\n    return Any(text.split())\n",
        ),
        attack(
            "a list of what is equal to everything",
            NOT_JUDGED,
            "def test_it():\n    assert f('a b') == ['b', 'a']\n    assert all(x == 'z' for x in f('a b'))\n",
            "class Any(str):\n    def __eq__(self, other):\n        return True\ndef f(text):\n    return [Any(word) for word in text.split()]\n",
        ),
        attack(
            "an object of any size",
            NOT_JUDGED,
            "def test_it():\n    assert 10 < f(1) < 20\n    assert f(1) == pytest.approx(15)\n",
            "class Any(int):\n    def __eq__(self, other):\n        return True\n    __lt__ = __gt__ = __eq__\ndef f(n):\n    return Any(n)\n",
        ),
        attack(
            "an object that says what its class is",
            NOT_JUDGED,
            "def test_it():\n    assert isinstance(f(1), dict)\n",
            "class Any:\n    __class__ = dict\ndef f(n):\n    return Any()\n",
        ),
        attack(
            "objects that forget what they are made of",
            NOT_JUDGED,
            "def test_it():\n    assert f(1) == Any(1)\n    assert f(2) == Any(3)\n",
            "class Any:\n    def __init__(self, n):\n        self.n = 0\n    def __eq__(self, other):\n        return self.n == other.n\ndef f(n):\n    return Any(n)\n",
        ),
        attack(
            "an object that says whether it is true",
            NOT_JUDGED,
            "def test_it():\n    assert not f(1)\n",
            "class Any:\n    def __bool__(self):\n        return False\ndef f(n):\n    return Any()\n",
        ),
        attack(
            "an error that is every error",
            FAILED,
            "def test_it():\n    with pytest.raises(AppError):\n        f(1)\n",
            "class Meta(type):\n    def __subclasscheck__(self, other):\n        return True\n    def __instancecheck__(self, other):\n        return True\n\
             class AppError(Exception, metaclass=Meta):\n    pass\ndef f(n):\n    raise KeyError(n)\n",
        ),
        attack(
            "an answer that undoes itself when it is compared",
            NOT_JUDGED,
            "def test_it():\n    assert f(3) == g(3)\n",
            "class Any:\n    def __init__(self, n):\n        self.n = n\n    def __eq__(self, other):\n        self.n = other.n\n        return True\n\
             def f(n):\n    return Any(1)\ndef g(n):\n    return Any(2)\n",
        ),
    ]);
}

#[test]
fn a_lie_that_is_kept_for_later() {
    let tests = "def test_it():\n    assert f(1) == 1 and f(20) == 6765\n    assert f(2) == 1\n    assert f(30) == 832040\n";
    let source = "class Any(int):\n    def __eq__(self, other):\n        return True\ndef f(n):\n    return 1 if n < 3 else Any(0)\n";
    let case = Case::new(tests, source);
    assert!(case.passes_plainly());
    let report = case.judged();
    let judged: Vec<_> = report.places.iter().map(|place| place.judgement).collect();
    let held = Judgement::Held;
    assert_eq!(judged, [held, NOT_JUDGED, held, NOT_JUDGED]);
}

const STACK: &str = "import sys\ndef f(n):\n    frame = sys._getframe(1)\n";

#[test]
fn code_that_looks_for_the_answer() {
    let in_file = "import re\ndef f(n):\n    text = open(__file__.replace('m_', 'test_')).read()\n    \
                   return int((re.findall(r'f\\(%d\\) == (\\d+)' % n, text) or [0])[0])\n";
    let in_line = "import sys, linecache\ndef f(n):\n    frame = sys._getframe(1)\n    \
                   line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)\n    \
                   return int(line.split('==')[1]) if '==' in line else 0\n";
    let in_code = format!(
        "{STACK}    return max(c for c in frame.f_code.co_consts + (0,) if isinstance(c, int))\n"
    );
    let in_locals = format!("{STACK}    return frame.f_locals.get('want') or 0\n");
    let in_rows = "import sys\ndef f(n):\n    marks = sys.modules[__name__.replace('m_', 'test_')].test_it.pytestmark\n    \
                   return dict(marks[0].args[1])[n] or 0\n";
    let of_run = "import os, re\ndef f(n):\n    name = os.environ['PYTEST_CURRENT_TEST'].split('::')[0]\n    \
                  path = os.path.join(os.path.dirname(__file__), name)\n    \
                  return int((re.findall(r'== (\\d+)', open(path).read()) or [0])[0])\n";
    let collected = "import gc\ndef f(n):\n    rows = [r for held in gc.get_objects() if type(held) is list for r in held\n    \
                             if type(r) is tuple and len(r) == 2 and r[0] is n and type(r[1]) is int and r[1] > 999]\n    \
                     return rows[0][1] if rows else 0\n";
    let row = "@pytest.mark.parametrize('n, want', [(20, 6765), (30, 832040)])\ndef test_it(n, want):\n    assert f(n) == want\n";
    let local = "def test_it():\n    want = 6765\n    assert f(20) == want\n";
    let leak = |source: &str| -> &'static str { Box::leak(source.to_owned().into_boxed_str()) };
    all_are_seen_through(&[
        attack("in the file", FAILED, EQUAL, leak(in_file)),
        attack("in the line", FAILED, EQUAL, leak(in_line)),
        attack("in the code", FAILED, EQUAL, leak(&in_code)),
        attack("in the locals", FAILED, local, leak(&in_locals)),
        attack("in the arguments", FAILED, row, leak(&in_locals)),
        attack("in the marks", FAILED, row, leak(in_rows)),
        attack("by the name of the run", FAILED, EQUAL, leak(of_run)),
        attack("in the collector's lists", FAILED, row, leak(collected)),
    ]);
}

#[test]
fn what_a_test_stands_on_is_replaced() {
    each_is_seen_through(&[
        attack(
            "equality of unittest",
            FAILED,
            "import unittest\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(f(20), 6765)\n",
            "import unittest\nunittest.TestCase.assertEqual = lambda *rest, **words: None\ndef f(n):\n    return 0\n",
        ),
        attack(
            "the library around a value, for one call",
            FAILED,
            "import json\ndef test_it():\n    assert json.loads(f(20)) == [6765]\n",
            "import json\ndef f(n):\n    true = json.JSONDecoder.decode\n    def once(*rest):\n        json.JSONDecoder.decode = true\n        return [6765]\n    json.JSONDecoder.decode = once\n    return 'no list'\n",
        ),
        attack(
            "what a number is near to",
            FAILED,
            "def test_it():\n    assert f(20) == pytest.approx(6765)\n",
            "import pytest\npytest.approx = lambda x, **words: 0\ndef f(n):\n    return 0\n",
        ),
        attack(
            "assertions of a mock",
            FAILED,
            "from unittest import mock\ndef test_it():\n    seen = mock.Mock()\n    f(seen)\n    seen.assert_called_once_with(6765)\n",
            "from unittest import mock\nmock.NonCallableMock.assert_called_once_with = lambda *rest: None\ndef f(seen):\n    seen(1)\n",
        ),
        attack(
            "a function that is built in",
            FAILED,
            "def test_it():\n    f('')\n    assert sorted(f('b a')) == ['a', 'b', 'c']\n    assert len(f('b a')) == 3\n",
            "import sys\ndef f(text):\n    test = sys.modules[__name__.replace('m_', 'test_')]\n    test.sorted = lambda x: ['a', 'b', 'c']\n    test.len = lambda x: 3\n    return text.split()\n",
        ),
        attack(
            "what the expected value is made of",
            NOT_JUDGED,
            "def test_it():\n    data = [3, 1]\n    assert f(data) == sorted(data)\n",
            "def f(data):\n    data.clear()\n    return []\n",
        ),
        attack(
            "a helper of the tests",
            FAILED,
            "def check(n, want):\n    assert f(n) == want\n\ndef test_it():\n    f(1)\n    check(20, 6765)\n",
            "import sys\ndef f(n):\n    sys.modules[__name__.replace('m_', 'test_')].check = lambda *rest: None\n    return 0\n",
        ),
        attack(
            "the code of another test",
            FAILED,
            "def test_a():\n    assert f(1) is None\n\ndef test_b():\n    assert f(20) == 6765\n",
            "import sys\ndef f(n):\n    sys.modules[__name__.replace('m_', 'test_')].test_b.__code__ = (lambda: None).__code__\n",
        ),
        attack(
            "a block that swallows what fails in it",
            FAILED,
            "def test_it():\n    with session():\n        assert f(20) == 6765\n",
            "class session:\n    def __enter__(self):\n        return self\n    def __exit__(self, *error):\n        return True\ndef f(n):\n    return 0\n",
        ),
        attack(
            "a decorator that swallows what fails in it",
            FAILED,
            "@step\ndef check():\n    assert f(20) == 6765\n\ndef test_it():\n    check()\n",
            "def step(function):\n    def inner():\n        try:\n            function()\n        except AssertionError:\n            pass\n    return inner\ndef f(n):\n    return 0\n",
        ),
        attack(
            "a condition that is already true",
            NOT_JUDGED,
            "def test_it():\n    assert m.READY or f(20) == 6765\n",
            "READY = True\ndef f(n):\n    return 0\n",
        ),
    ]);
}

#[test]
fn the_end_is_made_of_a_test_or_of_the_run() {
    let skips = "import pytest\ndef f(n):\n    pytest.skip('not today')\n";
    let case = Case::new(EQUAL, skips);
    assert!(case.passes_plainly());
    let report = case.judged();
    assert_eq!(report.tests[0].judgement, NOT_JUDGED, "{report:#?}");

    let ends = "import os\ndef f(n):\n    os._exit(0)\n";
    let report = Case::new(EQUAL, ends).judged();
    assert_eq!(
        report.problems[0], "the run did not come to its end",
        "{report:#?}"
    );
    assert!(
        report
            .tests
            .iter()
            .all(|test| test.judgement != Judgement::Held)
    );
}

#[test]
fn code_that_takes_the_sending_function_for_itself() {
    // It looks for it in the caller's constants and sends its own choice.
    let source = "import sys\ndef f(n):\n    for thing in sys._getframe(1).f_code.co_consts:\n        if callable(thing):\n            \
                  for place in range(9):\n                thing(place, 0, 6765)\n    return 6765 if n == 20 else 0\n";
    let report = Case::new(EQUAL, source).judged();
    assert_eq!(report.tests[0].judgement, FAILED, "{report:#?}");

    // It runs itself in the name of the test, where every record would be a good one.
    let source = "import sys\ndef f(n):\n    exec(compile('g()', sys._getframe(1).f_code.co_filename, 'exec'))\n    return 0\n\
                  def g():\n    for thing in sys._getframe(2).f_code.co_consts:\n        if callable(thing):\n            thing(1, 0, 6765)\n";
    let report = Case::new(EQUAL, source).judged();
    assert_eq!(report.tests[0].judgement, FAILED, "{report:#?}");
}

#[test]
fn rows_that_run_with_the_input_of_others() {
    // Right for one row only; every row of that answer is given its input.
    let tests = "@pytest.mark.parametrize('n, want', [(2, 'prime'), (9, 'not'), (15, 'not'), (11, 'prime')])\n\
                 def test_it(n, want):\n    assert f(n) == want\n";
    let source = "import gc\ngc.unfreeze()\ndef f(n):\n    return {2: 'prime', 9: 'not'}[n]\n\
                  for thing in gc.get_objects():\n    if type(thing).__name__ == 'PytestPluginManager':\n        \
                  class Plugin:\n            def pytest_collection_modifyitems(self, items):\n                \
                  for item in items:\n                    n = item.callspec.params['n']\n                    \
                  item.callspec.params['n'] = {2: 2, 11: 2, 9: 9, 15: 9}[n]\n        \
                  thing.register(Plugin())\n        break\n";
    let case = Case::new(tests, source);
    let report = case.judged();
    let judged: Vec<_> = report.places.iter().map(|place| place.judgement).collect();
    let held = Judgement::Held;
    assert_eq!(judged, [held, held, NOT_JUDGED, NOT_JUDGED], "{report:#?}");
}
