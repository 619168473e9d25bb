HELP = """one
two
"""


def open():
    return f"""a
b"""


def close():
    """Closes.

    Once.
    """
    return """c
d"""
