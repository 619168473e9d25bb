from decimal import Decimal

import pytest

import rates


def check(amount, source, target, expected):
    assert rates.convert(amount, source, target) == pytest.approx(expected)


def test_same_currency():
    check(5, "EUR", "EUR", 5)


def test_other_currency():
    check(5, "USD", "EUR", 4)


def test_unknown_currencies_are_named():
    with pytest.raises(rates.UnknownCurrency, match="XYZ"):
        rates.convert(5, "XYZ", "EUR")


def test_unknown_currencies_are_key_errors():
    assert issubclass(rates.UnknownCurrency, KeyError)


def test_amounts_are_exact():
    assert rates.exact("0.10", "EUR", "USD") == Decimal("0.125")


def test_there_and_back():
    for amount in (1, 2.5, 1000):
        there = rates.convert(amount, "EUR", "USD")
        check(there, "USD", "EUR", amount)
    assert rates.currencies() == {"EUR", "USD"}


def test_the_old_name_warns():
    with pytest.warns(DeprecationWarning):
        rates.exchange(1, "EUR", "EUR")


@pytest.fixture
def pounds(monkeypatch):
    monkeypatch.setitem(rates.TABLE, "GBP", 0.8)


def test_rates_may_be_added(pounds):
    check(5, "USD", "GBP", 3.2)
    assert "GBP" in rates.currencies() and len(rates.currencies()) == 3
