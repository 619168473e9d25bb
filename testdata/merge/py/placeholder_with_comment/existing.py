class E:
    pass  # nothing yet
