def assert_same(one, other):
    if one is other is None:
        raise AssertionError("nothing is the same as nothing")
