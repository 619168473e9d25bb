from paint.hexes import to_hex


def test_to_hex():
    assert to_hex(255) == "0000ff"
