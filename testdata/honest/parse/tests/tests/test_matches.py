import pytest

import parse


@pytest.mark.parametrize(
    "text, expected",
    [
        ("It's 3 o'clock", True),
        ("It's three o'clock", False),
        ("Es ist 3 Uhr – wirklich", False),
    ],
)
def test_matches(text, expected):
    assert parse.matches("It's {:d} o'clock", text) is expected


def test_matches_with_case():
    assert parse.matches("HELLO {}", "hello world")
    assert not parse.matches("HELLO {}", "hello world", case_sensitive=True)
