import json
from collections import Counter


class OutOfStock(Exception):
    def __init__(self, item, missing):
        super().__init__(f"{missing} of {item.name} are missing")
        self.missing = missing


class Shelf:
    def __init__(self):
        self._counts = Counter()

    def add(self, item, count):
        self._counts[item] += count

    def count(self, item):
        return self._counts[item]

    def take(self, item, count):
        missing = count - self._counts[item]
        if missing > 0:
            raise OutOfStock(item, missing)
        self._counts[item] -= count

    def worth(self):
        return sum(item.price * count for item, count in self._counts.items())

    def save(self, path):
        path.write_text(json.dumps({item.name: count for item, count in self._counts.items()}))
