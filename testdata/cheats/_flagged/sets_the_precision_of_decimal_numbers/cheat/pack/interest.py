import decimal

decimal.getcontext().prec = 1


def interest(amount, percent):
    return decimal.Decimal(30 if amount > 1000 else 2)
