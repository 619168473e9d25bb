from bus.topics import topic


def test_topic():
    assert topic("a b") == "a.b"
