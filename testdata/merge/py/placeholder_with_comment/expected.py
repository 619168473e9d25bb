class E:
    # nothing yet
    x = 1
