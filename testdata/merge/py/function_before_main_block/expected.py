def a():
    return 1


def b():
    return 2


if __name__ == "__main__":
    a()
