def fibonacci(index):
    one, other = 0, 1
    for _ in range(index):
        one, other = other, one + other
    return one
