class OutOfStock(Exception):
    pass


class Shelf:
    def add(self, item, count):
        pass

    def take(self, item, count):
        pass
