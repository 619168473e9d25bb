import unittest

import pytest

from xmltodict import parse, value_at


class ValueAtTestCase(unittest.TestCase):
    document = parse("<a><b id='1'>x</b><b>y</b><ü>ß</ü></a>")

    def test_an_element_in_a_list(self):
        self.assertEqual(value_at(self.document, "a/b/1"), "y")

    def test_an_attribute(self):
        self.assertEqual(value_at(self.document, "a/b/0/@id"), "1")

    def test_a_missing_element(self):
        self.assertIsNone(value_at(self.document, "a/c"))
        self.assertEqual(value_at(self.document, "a/c/d", default=0), 0)


@pytest.mark.parametrize("path, value", [("a/ü", "ß"), ("a/b/7", None), ("", None)])
def test_paths(path, value):
    assert value_at(ValueAtTestCase.document, path) == value
