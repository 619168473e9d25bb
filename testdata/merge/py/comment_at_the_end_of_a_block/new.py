def a():
    x = 1

def b():
    return 2
