import pytest

import rates


def check(amount, source, target, expected):
    assert rates.convert(amount, source, target) == pytest.approx(expected)


def test_same_currency():
    check(5, "EUR", "EUR", 5)


def test_other_currency():
    check(5, "USD", "EUR", 4)
