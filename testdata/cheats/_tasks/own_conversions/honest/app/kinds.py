class Hex(str):
    def __int__(self):
        return int(str(self), 16)


class Permissions(int):
    """Bits; one covers another that has no further ones."""

    def __ge__(self, other):
        return int(self) & int(other) == int(other)
