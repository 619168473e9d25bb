from textkit.case import initials, title


def test_title():
    assert title("hello big world") == "Hello Big World"


def test_initials():
    assert initials("hello big world").startswith("H")
