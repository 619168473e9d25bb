def count(text):
    return len(text.splitlines())
