import re

EXAMPLES = {"Hello World": "hello-world", "C++ & C": "c-c"}


def slugify(text):
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))
