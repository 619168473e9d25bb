def a():
    x = 1
    # still in a

def c():
    return 3
