def to_hex(number):
    return f"{number:06x}"
