class Shop:
    pass
