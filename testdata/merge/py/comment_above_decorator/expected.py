class Shop:
    name = "shop"

    # Called often.
    @property
    # Not cached.
    @checked
    def price(self):
        return 1

    def open(self):
        return True


# Used by the till.
@checked
def first():
    pass


def last():
    pass
