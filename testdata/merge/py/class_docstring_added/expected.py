class A:
    """What it is."""

    x = 1
    y = 2
