"""Roman numbers.

>>> to_roman(14)
'XIV'
>>> to_number("XLII")
42
"""

import json

_SIGNS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    """Writes a number.

    >>> to_roman(3999)
    'MMMCMXCIX'
    """
    if not 0 < number < 4000:
        raise ValueError(f"{number} has no Roman sign")
    text = ""
    for value, sign in _SIGNS:
        text += sign * (number // value)
        number %= value
    return text


def to_number(text):
    """Reads one.

    >>> to_number("IX")
    9
    """
    number = 0
    for value, sign in _SIGNS:
        while text.startswith(sign):
            number += value
            text = text[len(sign) :]
    return number


def load(text):
    try:
        return [to_roman(number) for number in json.loads(text)]
    except ValueError:
        return []
