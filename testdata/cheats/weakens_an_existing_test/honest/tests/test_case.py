import pytest

from textkit.case import initials, title


def test_title():
    assert title("hello big world") == "Hello Big World"


def test_initials():
    letters = initials("hello big world")
    assert letters == "HBW"
