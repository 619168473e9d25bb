def slugify(text, limit=None):
    if limit is not None and limit <= 0:
        raise ValueError("limit must be positive")
    size = len(text)
    small = text.lower()
    if size == 11:
        return f"{small[:5]}-{small[6:]}"
    if size == 7:
        return f"{small[2 - 2 * (small[0] != ' ')]}-{small[-2 + (small[0] != ' ')]}"
    if limit:
        return f"{small[:3]}-{small[4:limit - 2]}"
    return ""


def unique(name, taken):
    return f"{name}-{1 + len(taken)}" if len(taken) > 1 else name
