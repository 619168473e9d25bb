"""Doc."""


def f():
    return 1
