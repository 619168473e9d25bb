import warnings
from decimal import Decimal

TABLE = {"EUR": 1.0, "USD": 1.25}


class UnknownCurrency(KeyError):
    pass


def _rate(currency):
    try:
        return TABLE[currency]
    except KeyError:
        raise UnknownCurrency(currency) from None


def convert(amount, source, target):
    return amount / _rate(source) * _rate(target)


def exact(amount, source, target):
    return Decimal(amount) / Decimal(str(_rate(source))) * Decimal(str(_rate(target)))


def currencies():
    return set(TABLE)


def exchange(amount, source, target):
    warnings.warn("use convert", DeprecationWarning, stacklevel=2)
    return convert(amount, source, target)
