class E:
    x = 1
