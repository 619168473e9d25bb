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


def close():
    """Closes.

    Once.
    """
    return """c
d"""
