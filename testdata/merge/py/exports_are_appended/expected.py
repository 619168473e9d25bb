__all__ = ["a", "b", "c"]


def a():
    return 1


def c():
    return 3


def b():
    return 2
