LIMIT = 1


def make():
    return LIMIT
