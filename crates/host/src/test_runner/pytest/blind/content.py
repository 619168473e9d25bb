"""The values that the tests' process sent, decoded. Follows `known.py` in the referee's text.

The records come from a process that runs the judged code, so they are hostile input: they are parsed, never
evaluated, only known types are made of them, and a record that has another shape is an error.
"""


class Unreadable(Exception):
    """A record that nothing honest writes."""


class Undecided(Exception):
    """A fact that a value's content does not tell."""


class Opaque:
    """An object of a class that is not known here: its class, its number, its state."""

    def __init__(self, reference, serial, own, state):
        self.reference, self.serial, self.own, self.state = reference, serial, own, state

    def same(self, other):
        """Whether two of them have the same class and the same state."""
        if self.serial is not None and self.serial == other.serial:
            return True
        if self.reference != other.reference or len(self.state) != len(other.state) or not self.state:
            return False
        return all(key in other.state and alike(value, other.state[key]) for key, value in self.state.items())

    def __eq__(self, other):
        return isinstance(other, Opaque) and self.same(other)

    def __hash__(self):
        return hash(str(self.reference))


class States:
    """Which classes were seen with more than one state. One whose objects are all the same may have forgotten their
    ingredients: that two of them are alike means nothing."""

    def __init__(self):
        self.first, self.several = {}, set()

    def see(self, name, thing):
        if name not in self.several and not self.first.setdefault(name, thing).same(thing):
            self.several.add(name)


def name_of_class(kind):
    name = "%s.%s" % (kind.__module__, kind.__qualname__)
    return {"_decimal.Decimal": "decimal.Decimal"}.get(name, name).replace("pathlib._local.", "pathlib.")


CLASSES = {name_of_class(kind): kind for kind in list(PURE.values()) + list(PURE_BUILTINS.values())
           if isinstance(kind, type)}
CLASSES["builtins.NoneType"] = type(None)
DEEPEST = 200


def need(condition):
    if not condition:
        raise Unreadable("a record has another shape than the tests' process gives it")


class Content:
    """A value made of the sent data, and the facts about it."""

    STATES = States()

    def __init__(self, sent):
        # Special methods that its classes bring; whether something in it is not known; whether it was too large.
        self.own, self.opaque, self.large, self.nan = set(), False, False, False
        # Classes of objects in it that are not known.
        self.classes = set()
        self.sent = sent
        try:
            self.value = self.make(sent, 0)
        except (ValueError, TypeError, OverflowError, ArithmeticError, IndexError, KeyError) as error:
            raise Unreadable(str(error))

    def plain(self):
        return not (self.opaque or self.large)

    def make(self, sent, depth):
        need(depth < DEEPEST)
        if sent is None or isinstance(sent, (bool, str)):
            return sent
        need(isinstance(sent, list) and sent and isinstance(sent[0], str))
        maker = getattr(self, "make_" + sent[0], None) if sent[0].isalpha() else None
        need(maker is not None)
        return maker(sent, depth + 1)

    def make_i(self, sent, depth):
        return int(sent[1], 16)

    def make_f(self, sent, depth):
        value = float.fromhex(sent[1])
        self.nan = self.nan or value != value
        return value

    def make_u(self, sent, depth):
        return bytes.fromhex(sent[1]).decode("utf-8", "surrogatepass")

    def make_b(self, sent, depth):
        return bytes.fromhex(sent[1])

    def make_B(self, sent, depth):
        return bytearray.fromhex(sent[1])

    def _row(self, sent, depth):
        need(isinstance(sent[1], list))
        return [self.make(item, depth) for item in sent[1]]

    def make_l(self, sent, depth):
        return self._row(sent, depth)

    def make_t(self, sent, depth):
        return tuple(self._row(sent, depth))

    def _hashed(self, kind, values):
        try:
            return kind(values)
        except TypeError:
            # Members that are hashable there and not here.
            self.opaque = True
            return Opaque("unhashable", None, [], {})

    def make_S(self, sent, depth):
        return self._hashed(set, self._row(sent, depth))

    def make_F(self, sent, depth):
        return self._hashed(frozenset, self._row(sent, depth))

    def make_K(self, sent, depth):
        """Keys or items of a dictionary: like a set, and in order."""
        keys = self._hashed(dict.fromkeys, self._row(sent, depth))
        return keys.keys() if isinstance(keys, dict) else keys

    def make_q(self, sent, depth):
        return collections.deque(self._row(sent, depth))

    def make_d(self, sent, depth):
        need(isinstance(sent[1], list))
        pairs = [(self.make(key, depth), self.make(value, depth)) for key, value in sent[1]]
        return self._hashed(dict, pairs)

    def make_big(self, sent, depth):
        self.large = True
        return None

    def make_more(self, sent, depth):
        raise Undecided("this place has sent too much to send more")

    def make_cycle(self, sent, depth):
        self.opaque = True
        return Opaque("cycle", None, [], {})

    def make_c(self, sent, depth):
        if isinstance(sent[1], str) and sent[1] in CLASSES:
            return CLASSES[sent[1]]
        self.opaque = True
        return Opaque(["class", sent[1]], str(sent[1]), [], {})

    def make_e(self, sent, depth):
        need(isinstance(sent[1], list))
        self.opaque = True
        return Opaque(["error"] + sent[1], None, ["__eq__"], {"args": self.make(sent[2], depth)})

    def make_o(self, sent, depth):
        need(len(sent) == 5 and isinstance(sent[3], list) and isinstance(sent[4], (list, type(None))))
        self.opaque = True
        state = {}
        for name, value in sent[4] or ():
            state[str(name)] = self.make(value, depth)
        thing, name = Opaque(sent[1], sent[2], sent[3], state), str(sent[1])
        self.classes.add(name)
        self.STATES.see(name, thing)
        return thing

    def make_sub(self, sent, depth):
        need(len(sent) == 4 and isinstance(sent[2], list))
        self.own.update(str(name) for name in sent[2])
        value = self.make(sent[3], depth)
        if sent[1] == "collections.OrderedDict" and isinstance(value, dict):
            return collections.OrderedDict(value)
        if sent[1] == "collections.Counter" and isinstance(value, dict):
            return collections.Counter(value)
        return value

    def make_x(self, sent, depth):
        name, fields = sent[1], sent[2]
        if name in ("datetime.datetime", "datetime.time"):
            zone = sent[3]
            if isinstance(zone, str):
                self.opaque = True
                return Opaque(name, None, ["__eq__"], {"fields": str(fields), "zone": zone})
            if isinstance(zone, list):
                zone = datetime.timezone(datetime.timedelta(*zone))
            return CLASSES[name](*fields[:-1], tzinfo=zone, fold=fields[-1])
        if name in ("datetime.date", "datetime.timedelta"):
            return CLASSES[name](*fields)
        if name == "datetime.timezone":
            return datetime.timezone(datetime.timedelta(*fields))
        if name == "decimal.Decimal":
            value = decimal.Decimal(fields[0])
            self.nan = self.nan or value.is_nan()
            return value
        if name == "fractions.Fraction":
            return fractions.Fraction(int(fields[0], 16), int(fields[1], 16))
        if name == "uuid.UUID":
            return uuid.UUID(int=int(fields[0], 16))
        if name == "range":
            return range(*fields)
        if name == "complex":
            return complex(float.fromhex(fields[0]), float.fromhex(fields[1]))
        if name in ("pathlib.PosixPath", "pathlib.PurePosixPath"):
            return CLASSES[name](fields[0])
        need(name in ("Ellipsis", "NotImplemented"))
        return PURE_BUILTINS[name]


def alike(one, other):
    """Whether two rebuilt values are the same; equal is not enough where a type tells."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(value, other[key]) for key, value in one.items())
    if isinstance(one, float) and one != one:
        return other != other
    return one == other


