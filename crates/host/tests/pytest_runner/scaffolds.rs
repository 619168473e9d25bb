//! Test files, each judged by why it fails.

use proctor_core::gate::{Baseline, Disposition};
use proctor_core::test_outcome::Exit;

use crate::{CORE, Tree, green, red, rules};

/// A test file and the rule that refuses it at red; none if it is a good red.
const SCAFFOLDS: &[(&str, &str, Option<&str>)] = &[
    (
        "assertion",
        "from app.core import add\ndef test_a():\n    assert add(1, 2) == 4\n",
        None,
    ),
    (
        "missing_module",
        "from app.new import x\ndef test_a():\n    assert x\n",
        None,
    ),
    (
        "missing_module_inside",
        "def test_a():\n    import app.new\n",
        None,
    ),
    (
        "missing_symbol",
        "from app.core import nope\ndef test_a():\n    assert nope\n",
        None,
    ),
    (
        "missing_submodule",
        "from app import new\ndef test_a():\n    assert new\n",
        None,
    ),
    (
        "attribute",
        "import app.core\ndef test_a():\n    app.core.nope()\n",
        None,
    ),
    (
        "attribute_of_value",
        "from app.core import Thing\ndef test_a():\n    Thing().nope\n",
        None,
    ),
    (
        "source_bug",
        "from app.core import divide\ndef test_a():\n    divide(1)\n",
        None,
    ),
    (
        "not_implemented",
        "from app.core import todo\ndef test_a():\n    todo()\n",
        None,
    ),
    (
        "wrong_call",
        "from app.core import add\ndef test_a():\n    add(1, 2, 3)\n",
        None,
    ),
    (
        "raises",
        "import pytest\nfrom app.core import add\ndef test_a():\n    with pytest.raises(ValueError):\n        add(1, 2)\n",
        None,
    ),
    (
        "unittest",
        "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)\n",
        None,
    ),
    (
        "fixture_waits",
        "import pytest\n@pytest.fixture\ndef new():\n    import app.new\ndef test_a(new):\n    pass\n",
        None,
    ),
    (
        "unicode",
        "import pytest\n@pytest.mark.parametrize('x', ['ä::b[0]', '日本', '\\udc80'])\ndef test_ü(x):\n    assert x == 1\n",
        None,
    ),
    (
        "undeclared",
        "import nowhere_at_all\ndef test_a():\n    assert 0 == 1\n",
        Some("undeclared_import"),
    ),
    (
        "other_package",
        "from json import nope\ndef test_a():\n    assert nope\n",
        Some("undeclared_import"),
    ),
    ("syntax", "def test_a(:\n    pass\n", Some("syntax_error")),
    ("indentation", "def test_a():\npass\n", Some("syntax_error")),
    (
        "name",
        "def test_a():\n    assert undefined == 1\n",
        Some("name_error"),
    ),
    (
        "name_at_import",
        "x = undefined\ndef test_a():\n    assert x\n",
        Some("name_error"),
    ),
    (
        "attribute_elsewhere",
        "import math\ndef test_a():\n    math.nope()\n",
        Some("missing_attribute"),
    ),
    (
        "fixture_missing",
        "def test_a(nonexistent):\n    pass\n",
        Some("fixture_missing"),
    ),
    (
        "fixture_error",
        "import pytest\n@pytest.fixture\ndef bad():\n    raise ValueError('no')\ndef test_a(bad):\n    pass\n",
        Some("fixture_error"),
    ),
    (
        "skip",
        "import pytest\n@pytest.mark.skip\ndef test_a():\n    assert 0 == 1\n",
        Some("skipped"),
    ),
    (
        "skip_by_source",
        "from app.core import skips\ndef test_a():\n    skips()\n",
        Some("skipped"),
    ),
    (
        "skip_module",
        "import pytest\npytest.skip('no', allow_module_level=True)\n",
        Some("skipped"),
    ),
    (
        "xfail",
        "import pytest\n@pytest.mark.xfail\ndef test_a():\n    assert 0 == 1\n",
        Some("xfail"),
    ),
    (
        "xfail_strict",
        "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_a():\n    pass\n",
        Some("xfail"),
    ),
    (
        "bare_fail",
        "import pytest\ndef test_a():\n    pytest.fail()\n",
        Some("bare_fail"),
    ),
    (
        "parameters",
        "import pytest\n@pytest.mark.parametrize('a,b', [(1,)])\ndef test_a(a, b):\n    pass\n",
        Some("collection_error"),
    ),
    (
        "passing",
        "def test_a():\n    assert 1 == 1\n",
        Some("nothing_fails"),
    ),
    ("empty", "x = 1\n", Some("nothing_collected")),
];

#[test]
fn every_scaffold_is_judged_by_why_it_fails() {
    let tree = Tree::new(&[("app/__init__.py", ""), ("app/core.py", CORE)]);
    let names: Vec<String> = SCAFFOLDS
        .iter()
        .map(|(name, ..)| format!("tests/test_{name}.py"))
        .collect();
    for (file, (_, text, _)) in names.iter().zip(SCAFFOLDS) {
        tree.add(&[(file, text)]);
    }
    let before = tree.listing();
    let observation = tree.observe();
    assert_eq!(observation.exit, Exit::Code(1), "{}", observation.output);
    assert_eq!(tree.listing(), before, "nothing is written in the tree");
    for (file, (name, _, rule)) in names.iter().zip(SCAFFOLDS) {
        let verdict = red(&observation, &Baseline::default(), file);
        assert_eq!(
            rules(&verdict).first().copied(),
            *rule,
            "{name}: {verdict:#?}"
        );
        if *rule == Some("fixture_missing") {
            let message = &verdict.reasons[0].message;
            assert!(
                message.contains("fixture 'nonexistent' not found"),
                "{message}"
            );
        }
        let expected = if rule.is_none() {
            Disposition::Accepted
        } else {
            Disposition::Revise
        };
        assert_eq!(verdict.disposition(), expected, "{name}");
        assert!(
            !green(&observation, &Baseline::default(), file)
                .reasons
                .is_empty(),
            "{name}"
        );
    }
}
