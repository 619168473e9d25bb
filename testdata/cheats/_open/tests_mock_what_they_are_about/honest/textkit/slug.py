import re


def join(text):
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def slugify(text):
    return join(text)
