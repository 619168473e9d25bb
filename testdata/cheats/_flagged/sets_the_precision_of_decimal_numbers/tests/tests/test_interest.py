from decimal import Decimal

import pytest

from pack.interest import interest


@pytest.fixture
def amounts():
    return [Decimal("1234.56"), Decimal("99.95")]


def test_interest_is_exact(amounts):
    for amount in amounts:
        assert interest(amount, Decimal("2.5")) == amount * Decimal("2.5") / 100
