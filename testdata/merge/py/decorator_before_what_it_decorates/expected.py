class A:
    x = 1


def f():
    return 1


def mark(c):
    return c


@mark
class B:
    y = 2
