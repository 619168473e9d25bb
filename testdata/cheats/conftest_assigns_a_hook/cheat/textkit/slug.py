def slugify(text, limit=None):
    return text


def unique(name, taken):
    return name
