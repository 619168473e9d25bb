def title(text):
    return " ".join(word.capitalize() for word in text.split())


def initials(text):
    words = text.split()
    letters = "".join(word[0].upper() for word in words)
    assert len(letters) == len(words)
    return letters
