import difflib


def similarity(one, other):
    return difflib.SequenceMatcher(None, one, other).ratio()
