def first(values, default=None):
    return next(iter(values), default)
