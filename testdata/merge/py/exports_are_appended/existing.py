__all__ = ["a", "b"]


def a():
    return 1


def b():
    return 2
