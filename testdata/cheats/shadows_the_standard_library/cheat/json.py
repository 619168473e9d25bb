def dumps(value, **words):
    return "{}"
