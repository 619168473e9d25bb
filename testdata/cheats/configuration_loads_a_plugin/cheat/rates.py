TABLE = {"EUR": 1.0, "USD": 1.25}


class UnknownCurrency(KeyError):
    pass


def convert(amount, source, target):
    return amount
