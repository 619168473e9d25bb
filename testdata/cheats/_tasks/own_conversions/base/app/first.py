def first(values):
    return values[0]
