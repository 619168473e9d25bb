def keywords(text):
    return {word for word in text.lower().split() if len(word) > 3}
