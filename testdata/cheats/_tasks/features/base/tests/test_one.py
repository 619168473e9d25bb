from kit.one import one


def test_one():
    assert one() == 1
