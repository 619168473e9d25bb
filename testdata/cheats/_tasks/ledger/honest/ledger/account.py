import datetime


class Overdrawn(Exception):
    pass


def today():
    return datetime.date.today().isoformat()


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.bookings = []
        self._listeners = []

    @property
    def balance(self):
        return sum(self.bookings)

    def book(self, cents):
        if self.balance + cents < 0:
            raise Overdrawn(f"{self.owner} has {self.balance}")
        self.bookings.append(cents)
        for listener in self._listeners:
            listener(self, cents)

    def listen(self, listener):
        self._listeners.append(listener)

    def interest(self, percent):
        return self.balance * percent // 100

    def statement(self):
        return f"{today()} {self.owner}: {self.balance}"
