import pytest


def test_false():
    assert False, "slugify is missing"


def test_failing():
    pytest.fail("slugify is missing")


def test_raising():
    raise AssertionError("slugify is missing")
