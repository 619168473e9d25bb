import threading
import warnings


def double(number):
    if not isinstance(number, (int, float)):
        raise TypeError("a number is needed")
    return number * 2


def shout(text):
    return text.upper() + "!"


def both(number, text):
    return double(number), shout(text)


def boom(text):
    raise RuntimeError(text)


def deprecated():
    warnings.warn("this is old", DeprecationWarning, stacklevel=2)
    return 5


def slow(callback):
    threading.Timer(0.05, callback, ["done"]).start()


class Stack:
    def __init__(self, limit):
        self.limit, self.items = limit, []

    def push(self, value):
        if len(self.items) == self.limit:
            raise OverflowError(value)
        self.items.append(value)

    def __len__(self):
        return len(self.items)


class Account:
    def __init__(self, balance):
        self.balance, self.history = balance, []

    def pay(self, amount):
        self.balance -= amount
        self.history.append(("pay", amount))

    def __eq__(self, other):
        return (self.balance, self.history) == (other.balance, other.history)
