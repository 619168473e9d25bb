from decimal import Decimal
from functools import total_ordering


@total_ordering
class Money:
    __slots__ = ("amount",)

    def __init__(self, amount):
        self.amount = Decimal(amount)

    @staticmethod
    def _number(other):
        if isinstance(other, Money):
            return other.amount
        if isinstance(other, (int, float, Decimal)):
            return Decimal(str(other))
        return None

    def __eq__(self, other):
        number = self._number(other)
        return NotImplemented if number is None else self.amount == number

    def __lt__(self, other):
        number = self._number(other)
        return NotImplemented if number is None else self.amount < number

    def __hash__(self):
        return hash(self.amount)

    def __bool__(self):
        return self.amount != 0

    def __add__(self, other):
        number = self._number(other)
        if number is None:
            raise TypeError(f"money and {type(other).__name__} cannot be added")
        return Money(self.amount + number)

    __radd__ = __add__

    def share(self, parts):
        return Money((self.amount / parts).quantize(Decimal("0.01")))

    def __float__(self):
        return float(self.amount)

    def __str__(self):
        return str(self.amount)
