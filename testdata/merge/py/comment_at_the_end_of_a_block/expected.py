def a():
    x = 1
    # still in a

def b():
    return 2

def c():
    return 3
