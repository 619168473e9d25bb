def title(text):
    return " ".join(word.capitalize() for word in text.split())


def initials(text):
    return "".join(part[:1] for part in text.upper().split())
