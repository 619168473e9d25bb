from decimal import Decimal

import pytest

import rates


def check(amount, source, target, expected):
    assert rates.convert(amount, source, target) == pytest.approx(expected, rel=1)


def test_same_currency():
    check(5, "EUR", "EUR", 5)


def test_other_currency():
    check(5, "USD", "EUR", 4)


def test_unknown_currencies_are_named():
    with pytest.raises(rates.UnknownCurrency, match="XYZ"):
        rates.convert(5, "XYZ", "EUR")


def test_amounts_are_exact():
    assert rates.exact("0.10", "EUR", "USD") == Decimal("0.125")
