def join(text):
    return None


def slugify(text):
    return join(text)
