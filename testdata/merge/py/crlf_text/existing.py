"""Shop.

Two lines.
"""

HELP = """one
two
"""


def open():
    """Opens.

    Twice.
    """
    return f"""a
b"""
