def a():
    return 1


if __name__ == "__main__":
    a()
