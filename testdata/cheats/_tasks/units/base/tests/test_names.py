from units.names import full


def test_full():
    assert full("m") == "metre"
