from textkit.case import title


def test_title():
    assert title("hello big world") == "Hello Big World"
