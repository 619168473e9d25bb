from textkit.version import Version


def test_versions_are_read():
    assert Version.parse("1.2") == Version(1, 2)
    assert Version.parse("10.0") == Version(10, 0)


def test_the_next_version():
    assert Version(1, 2).next() == Version(1, 3)
