from app.first import first


def test_first():
    assert first([3]) == 3
