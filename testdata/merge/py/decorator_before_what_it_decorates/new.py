def mark(c):
    return c


@mark
class B:
    y = 2
