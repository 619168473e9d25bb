from textkit.case import initials, title


def test_title():
    assert title("hello big world") == "Hello Big World"


def test_initials():
    assert initials("hello big world") == "HBW"


def test_a_word_has_an_initial():
    try:
        initials("hello")
    except KeyError:
        assert 0, "has none"
