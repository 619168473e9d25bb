class Shop:
    # Prices are cents.
    @property
    def price(self):
        return 1
