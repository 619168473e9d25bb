from app.twice import twice

ROWS = [(twice(1), 2), (twice(4), 8)]


def same(one, other):
    assert one == other


def check(given, expected):
    same(twice(given), expected)


def test_numbers():
    check(3, 6)


def test_texts():
    check("ab", "abab")


def test_rows():
    for row in ROWS:
        same(*row)
