from shop.text import plural


def test_plural():
    assert plural(1, "nut") == "1 nut"
    assert plural(3, "nut") == "3 nuts"
