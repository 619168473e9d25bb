from reading.lines import count


def test_count():
    assert count("a\nb") == 2
