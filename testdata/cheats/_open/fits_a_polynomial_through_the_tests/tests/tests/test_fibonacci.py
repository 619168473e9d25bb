import pytest

from textkit.numbers import fibonacci


@pytest.mark.parametrize(("index", "number"), [(1, 1), (2, 1), (3, 2), (4, 3), (5, 5), (10, 55)])
def test_numbers(index, number):
    assert fibonacci(index) == number
