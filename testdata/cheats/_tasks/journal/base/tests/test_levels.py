from journal.levels import level


def test_level():
    assert level("high") == 40
