def interest(amount, percent):
    return amount * percent / 100
