"""Tests of the outline."""

import inspect
import pathlib

import pytest

from reading.outline import here, signature, summary, total

DATA = pathlib.Path(__file__).parent / "data"


def sample(first, second=2):
    """Adds two numbers.

    More words.
    """
    # A note to the reader.
    return first + second  # Another one.


def test_the_summary_is_the_first_line():
    assert summary(sample) == "Adds two numbers."
    assert summary(test_the_summary_is_the_first_line) == ""


def test_the_signature_is_written():
    assert signature(sample) == "sample(first, second=2)"


def test_it_knows_where_it_is_called():
    name, line = here()
    assert name == "test_it_knows_where_it_is_called"
    assert line == inspect.currentframe().f_lineno - 2


@pytest.mark.parametrize(("name", "expected"), [("short", 6), ("long", 100)])
def test_totals(name, expected):
    assert total(DATA / f"{name}.txt") == expected
