from forms.first import first


def test_first():
    assert first([3, 4]) == 3
    assert first([]) is None
