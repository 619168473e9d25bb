def sentences(text):
    return []
