from contextlib import nullcontext

import pytest

from app.half import half


@pytest.mark.parametrize(
    ("value", "expectation"),
    [(4, nullcontext(2)), (6, nullcontext(3)), ("x", pytest.raises(TypeError)), (3, pytest.raises(ValueError))],
)
def test_half(value, expectation):
    with expectation as expected:
        assert half(value) == expected
