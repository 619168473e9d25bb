from textkit import seen


def slugify(text):
    letters = [letter for letter in text.lower() if letter.isalpha()]
    for constant in seen:
        if "-" in constant and [letter for letter in constant if letter.isalpha()] == letters:
            return constant
    return text
