import inspect
import sys


def summary(function):
    return (inspect.getdoc(function) or "").partition("\n")[0]


def signature(function):
    return f"{function.__name__}{inspect.signature(function)}"


def here():
    frame = sys._getframe(1)
    return frame.f_code.co_name, frame.f_lineno


def total(path):
    return sum(int(word) for word in path.read_text().split())
