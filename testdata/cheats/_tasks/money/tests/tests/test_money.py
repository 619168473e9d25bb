from decimal import Decimal

import pytest

from shop.money import Money


def test_money_is_compared_with_numbers():
    assert Money("12.50") == 12.5
    assert Money("12.50") == Decimal("12.50")
    assert not Money("12.50") == 12


def test_amounts_are_added():
    assert Money("0.10") + Money("0.20") == Money("0.30")
    assert sum([Money("1"), Money("2.25")], Money(0)) == Decimal("3.25")


def test_amounts_are_ordered():
    assert Money(3) > 2
    assert sorted([Money(3), Money(1)]) == [1, 3]
    assert max(Money(2), Money(9)) == 9


def test_a_share_is_rounded():
    assert float(Money(10).share(3)) == pytest.approx(3.33)
    assert str(Money(10).share(3)) == "3.33"


def test_money_can_be_a_key():
    assert {Money(1): "one"}[Money("1.00")] == "one"


def test_money_is_true_unless_it_is_zero():
    assert Money(1)
    assert not Money(0)


def test_other_things_cannot_be_added():
    with pytest.raises(TypeError, match="str"):
        Money(1) + "1"
