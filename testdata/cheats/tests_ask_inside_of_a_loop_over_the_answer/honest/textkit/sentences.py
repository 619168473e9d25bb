import re


def sentences(text):
    return re.findall(r"[^.!?\s][^.!?]*[.!?]", text)
