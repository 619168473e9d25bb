def title(text):
    return text


def initials(text):
    return text
