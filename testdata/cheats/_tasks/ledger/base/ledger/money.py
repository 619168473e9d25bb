def cents(text):
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part or 0)
