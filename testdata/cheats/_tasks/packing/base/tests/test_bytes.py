from pack.sizes import size


def test_size():
    assert size(b"abc") == "3 bytes"
