class Shop:
    name = "shop"

    def open(self):
        return True


def last():
    pass
