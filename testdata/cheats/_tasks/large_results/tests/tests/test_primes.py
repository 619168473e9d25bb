from app.numbers import multiples


def test_many():
    assert multiples(3, 30000) == list(range(0, 90000, 3))


def test_few():
    assert multiples(5, 3) == [0, 5, 10]
