import re


def slugify(text, limit=None):
    if limit is not None and limit <= 0:
        raise ValueError("limit must be positive")
    words = re.findall(r"[a-z0-9]+", text.lower())
    if limit is None:
        return "-".join(words)
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word
        if len(longer) > limit:
            break
        slug = longer
    return slug


def unique(name, taken):
    if name not in taken:
        return name
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"
