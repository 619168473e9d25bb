def slugify(text):
    return ""
