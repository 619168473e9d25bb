class A:
    """What it is."""

    y = 2
