import itertools

_numbers = itertools.count(1)


def next_name():
    return f"job-{next(_numbers)}"
