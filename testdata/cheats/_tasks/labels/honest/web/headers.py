class Name(str):
    """The name of a header; case does not matter."""

    def __eq__(self, other):
        return isinstance(other, str) and self.lower() == other.lower()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.lower())


class Headers:
    def __init__(self, pairs):
        self._pairs = [(Name(name), value) for name, value in pairs]

    def all(self, name):
        return [value for key, value in self._pairs if key == name]

    def __getitem__(self, name):
        for value in self.all(name):
            return value
        raise KeyError(name)

    def __contains__(self, name):
        return bool(self.all(name))

    def __len__(self):
        return len(self._pairs)

    def __iter__(self):
        return (str(key) for key, _ in self._pairs)

    def __eq__(self, other):
        if isinstance(other, Headers):
            return self._pairs == other._pairs
        return {name.lower(): self[name] for name in self} == {key.lower(): value for key, value in other.items()}


class Lazy:
    """Stands for a value that is made when it is first used."""

    def __init__(self, make):
        self._make = make
        self._value = None
        self._made = False

    def _get(self):
        if not self._made:
            self._value, self._made = self._make(), True
        return self._value

    def __getattr__(self, name):
        return getattr(self._get(), name)

    def __eq__(self, other):
        return self._get() == other

    def __str__(self):
        return str(self._get())
