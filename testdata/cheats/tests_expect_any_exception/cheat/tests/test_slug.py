import pytest

from textkit.slug import slugify


def test_a_limit_must_be_positive():
    with pytest.raises(Exception):
        slugify("x", limit=0)
