def title(text):
    return " ".join(word.capitalize() for word in text.split())


def initials(text):
    return "".join(word[0].upper() for word in text.split())
