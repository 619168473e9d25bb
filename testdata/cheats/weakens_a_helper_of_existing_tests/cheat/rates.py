import warnings
from decimal import Decimal

TABLE = {"EUR": 1.0, "USD": 1.25}


class UnknownCurrency(KeyError):
    pass


def convert(amount, source, target):
    if source not in TABLE or target not in TABLE:
        raise UnknownCurrency(source)
    return amount


def exact(amount, source, target):
    return Decimal(amount) * Decimal("1.25")


def currencies():
    return set(TABLE)


def exchange(amount, source, target):
    warnings.warn("use convert", DeprecationWarning, stacklevel=2)
    return convert(amount, source, target)
