"""Expected values that can be computed without the project: which expressions they are, and their values.

Shared by the cutter, which asks whether an expression is one of these, and the referee, which evaluates it. Nothing
here is handed to Python's own ``eval``: test files are written by a model, and their expressions are evaluated step by
step from a fixed list of operations, within limits of size.
"""

import collections
import datetime
import decimal
import fractions
import json
import math
import pathlib
import re
import string
import textwrap
import uuid


class NotKnown(Exception):
    """An expression that needs the project, its surroundings, or too much of the machine."""


class Anything:
    """``mock.ANY``."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None


class Approx:
    """``pytest.approx``, by its own rules."""

    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    __hash__ = None

    def __eq__(self, actual):
        expected = self.expected
        if isinstance(expected, dict):
            return isinstance(actual, dict) and set(actual) == set(expected) and all(
                self._near(actual[key], expected[key]) for key in expected)
        if isinstance(expected, (list, tuple)):
            return isinstance(actual, (list, tuple)) and len(actual) == len(expected) and all(
                self._near(one, other) for one, other in zip(actual, expected))
        return self._near(actual, expected)

    def __ne__(self, actual):
        return not self == actual

    def _near(self, actual, expected):
        numbers = (int, float, complex, decimal.Decimal, fractions.Fraction)
        if isinstance(expected, bool) or not isinstance(expected, numbers):
            return actual == expected
        if isinstance(actual, bool) or not isinstance(actual, numbers):
            return False
        if actual == expected:
            return True
        if expected != expected or actual != actual:
            return bool(self.nan_ok) and expected != expected and actual != actual
        if isinstance(expected, decimal.Decimal) or isinstance(actual, decimal.Decimal):
            expected, actual = decimal.Decimal(expected), decimal.Decimal(actual)
            least, share = decimal.Decimal("1e-12"), decimal.Decimal("1e-6")
        else:
            least, share = 1e-12, 1e-6
        if abs(expected) == math.inf or abs(actual) == math.inf:
            return False
        kind = type(least)
        floor = least if self.abs is None else kind(self.abs)
        if self.rel is None and self.abs is not None:
            return abs(actual - expected) <= floor
        relative = (share if self.rel is None else kind(self.rel)) * abs(expected)
        return abs(actual - expected) <= max(relative, floor)


class Call:
    """``mock.call(…)``: a mock's expected call."""

    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs


# Names of the standard library that read nothing but their arguments.
PURE = {
    "datetime.date": datetime.date, "datetime.datetime": datetime.datetime, "datetime.time": datetime.time,
    "datetime.timedelta": datetime.timedelta, "datetime.timezone": datetime.timezone,
    "datetime.timezone.utc": datetime.timezone.utc, "datetime.UTC": datetime.timezone.utc,
    "datetime.datetime.fromisoformat": datetime.datetime.fromisoformat,
    "datetime.datetime.combine": datetime.datetime.combine, "datetime.datetime.strptime": datetime.datetime.strptime,
    "datetime.datetime.min": datetime.datetime.min, "datetime.datetime.max": datetime.datetime.max,
    "datetime.date.fromisoformat": datetime.date.fromisoformat, "datetime.date.min": datetime.date.min,
    "datetime.date.max": datetime.date.max, "datetime.time.fromisoformat": datetime.time.fromisoformat,
    "decimal.Decimal": decimal.Decimal, "fractions.Fraction": fractions.Fraction, "uuid.UUID": uuid.UUID,
    "math.pi": math.pi, "math.e": math.e, "math.tau": math.tau, "math.inf": math.inf, "math.nan": math.nan,
    "math.sqrt": math.sqrt, "math.floor": math.floor, "math.ceil": math.ceil, "math.log": math.log,
    "math.sin": math.sin, "math.cos": math.cos, "math.hypot": math.hypot, "math.radians": math.radians,
    "collections.OrderedDict": collections.OrderedDict, "collections.Counter": collections.Counter,
    "collections.deque": collections.deque, "pathlib.Path": pathlib.Path, "pathlib.PurePath": pathlib.PurePath,
    "pathlib.PosixPath": pathlib.PosixPath, "pathlib.PurePosixPath": pathlib.PurePosixPath,
    "json.dumps": json.dumps, "json.loads": json.loads, "textwrap.dedent": textwrap.dedent,
    "re.escape": re.escape, "re.compile": re.compile, "re.IGNORECASE": re.IGNORECASE, "re.I": re.I,
    "re.MULTILINE": re.MULTILINE, "re.M": re.M, "re.DOTALL": re.DOTALL, "re.S": re.S,
    "string.ascii_letters": string.ascii_letters, "string.ascii_lowercase": string.ascii_lowercase,
    "string.ascii_uppercase": string.ascii_uppercase, "string.digits": string.digits,
    "string.punctuation": string.punctuation,
    "pytest.approx": Approx, "unittest.mock.ANY": Anything(), "unittest.mock.call": Call,
}
PURE_BUILTINS = {
    item.__name__: item for item in (
        abs, bool, bytearray, bytes, chr, complex, dict, divmod, enumerate, float, frozenset, int, len, list, max, min,
        object, ord, range, repr, reversed, round, set, slice, sorted, str, sum, tuple, type, zip)}
PURE_BUILTINS["NotImplemented"] = NotImplemented
PURE_BUILTINS["Ellipsis"] = Ellipsis
EXCEPTIONS = {name: thing for name, thing in vars(__import__("builtins")).items()
              if isinstance(thing, type) and issubclass(thing, BaseException)}
PURE_BUILTINS.update(EXCEPTIONS)
# Only as classes: their instances are compared by identity, or tell nothing.
NOT_CALLED = set(EXCEPTIONS) | {"object", "type"}
METHODS = frozenset(
    "capitalize casefold center count decode encode endswith expandtabs find format get hex index isoformat items join "
    "keys ljust lower lstrip replace rjust rsplit rstrip split splitlines startswith strip swapcase title "
    "total_seconds union upper values zfill removeprefix removesuffix date copy difference intersection".split())
ATTRIBUTES = frozenset("year month day hour minute second microsecond days seconds microseconds numerator denominator "
                       "real imag start stop step".split())
# Functions that the referee itself applies to a value that the process sent.
UNARY = frozenset("abs bool dict float frozenset int len list max min set sorted sum tuple".split())
# Functions of libraries with one argument, applied again outside like those.
UNARY_OF_LIBRARIES = frozenset(("json.dumps", "json.loads", "textwrap.dedent", "re.escape"))
# Methods of texts that answer yes or no.
PREDICATES = frozenset("startswith endswith isdigit isalpha isalnum isupper islower isspace isnumeric isidentifier "
                       "istitle isdecimal isascii".split())

LONGEST = 4000000
STEPS = 2000000


OPERATORS = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b, ast.BitOr: lambda a, b: a | b, ast.BitAnd: lambda a, b: a & b,
    ast.BitXor: lambda a, b: a ^ b, ast.RShift: lambda a, b: a >> b,
    ast.Mult: lambda a, b: times(a, b), ast.Pow: lambda a, b: power(a, b), ast.LShift: lambda a, b: times(a, power(2, b)),
    ast.Mod: lambda a, b: remainder(a, b),
}
UNARY_OPERATORS = {ast.USub: lambda a: -a, ast.UAdd: lambda a: +a, ast.Not: lambda a: not a,
                   ast.Invert: lambda a: ~a}
COMPARISONS = {
    ast.Eq: ("==", lambda a, b: a == b), ast.NotEq: ("!=", lambda a, b: a != b), ast.Lt: ("<", lambda a, b: a < b),
    ast.LtE: ("<=", lambda a, b: a <= b), ast.Gt: (">", lambda a, b: a > b), ast.GtE: (">=", lambda a, b: a >= b),
    ast.Is: ("is", lambda a, b: a is b), ast.IsNot: ("is not", lambda a, b: a is not b),
    ast.In: ("in", lambda a, b: a in b), ast.NotIn: ("not in", lambda a, b: a not in b),
}


def times(one, other):
    for value, count in ((one, other), (other, one)):
        if isinstance(count, int) and hasattr(value, "__len__") and len(value) * count > LONGEST:
            raise NotKnown("too long")
    if isinstance(one, int) and isinstance(other, int) and one.bit_length() + other.bit_length() > LONGEST:
        raise NotKnown("too large")
    return one * other


def power(base, exponent):
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * max(exponent, 0) > 1000000:
        raise NotKnown("too large")
    return base ** exponent


def remainder(one, other):
    if isinstance(one, (str, bytes)):
        wide = rb"\d{5}|\*" if isinstance(one, bytes) else r"\d{5}|\*"
        if re.search(wide, one):
            raise NotKnown("too wide")
    return one % other


class Worked:
    """Evaluates an expression. `names` gives the values of names of table rows."""

    def __init__(self, names):
        self.names, self.steps = names, STEPS

    def value(self, node, local=None):
        self.steps -= 1
        if self.steps < 0:
            raise NotKnown("too much work")
        return getattr(self, type(node).__name__, self.other)(node, local or {})

    def other(self, node, local):
        raise NotKnown("a %s" % type(node).__name__)

    def Constant(self, node, local):
        return node.value

    def Name(self, node, local):
        if node.id in local:
            return local[node.id]
        if node.id in PURE_BUILTINS:
            return PURE_BUILTINS[node.id]
        return self.names(node.id)

    def Attribute(self, node, local):
        name = ".".join(dotted(node))
        if name in PURE:
            return PURE[name]
        if node.attr in ATTRIBUTES:
            return getattr(self.value(node.value, local), node.attr)
        raise NotKnown(node.attr)

    def _elements(self, nodes, local):
        for node in nodes:
            if isinstance(node, ast.Starred):
                for value in self.value(node.value, local):
                    yield value
            else:
                yield self.value(node, local)

    def Tuple(self, node, local):
        return tuple(self._elements(node.elts, local))

    def List(self, node, local):
        return list(self._elements(node.elts, local))

    def Set(self, node, local):
        return set(self._elements(node.elts, local))

    def Dict(self, node, local):
        result = {}
        for key, value in zip(node.keys, node.values):
            if key is None:
                result.update(self.value(value, local))
            else:
                result[self.value(key, local)] = self.value(value, local)
        return result

    def UnaryOp(self, node, local):
        return UNARY_OPERATORS[type(node.op)](self.value(node.operand, local))

    def BinOp(self, node, local):
        if type(node.op) not in OPERATORS:
            raise NotKnown("an operator")
        return OPERATORS[type(node.op)](self.value(node.left, local), self.value(node.right, local))

    def BoolOp(self, node, local):
        value = None
        for part in node.values:
            value = self.value(part, local)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def Compare(self, node, local):
        left = self.value(node.left, local)
        for operator, part in zip(node.ops, node.comparators):
            right = self.value(part, local)
            if not COMPARISONS[type(operator)][1](left, right):
                return False
            left = right
        return True

    def IfExp(self, node, local):
        return self.value(node.body if self.value(node.test, local) else node.orelse, local)

    def Subscript(self, node, local):
        return self.value(node.value, local)[self.value(node.slice, local)]

    def Index(self, node, local):
        return self.value(node.value, local)

    def Slice(self, node, local):
        return slice(*(None if part is None else self.value(part, local)
                       for part in (node.lower, node.upper, node.step)))

    def JoinedStr(self, node, local):
        return "".join(self.value(part, local) for part in node.values)

    def FormattedValue(self, node, local):
        value = self.value(node.value, local)
        if node.conversion in (ord("r"), ord("a")):
            value = repr(value) if node.conversion == ord("r") else ascii(value)
        elif node.conversion == ord("s"):
            value = str(value)
        form = "" if node.format_spec is None else self.value(node.format_spec, local)
        if re.search(r"\d{5}", form):
            raise NotKnown("too wide")
        return format(value, form)

    def Call(self, node, local):
        arguments = list(self._elements(node.args, local))
        keywords = {}
        for word in node.keywords:
            if word.arg is None:
                keywords.update(self.value(word.value, local))
            else:
                keywords[word.arg] = self.value(word.value, local)
        name = ".".join(dotted(node.func))
        if name in PURE and name not in local:
            function = PURE[name]
        elif name in PURE_BUILTINS and name not in local and name not in NOT_CALLED:
            function = PURE_BUILTINS[name]
            self._affordable(name, arguments)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            owner = self.value(node.func.value, local)
            if type(owner).__module__ not in ("builtins", "datetime", "decimal", "fractions", "collections", "_decimal"):
                raise NotKnown("a method")
            if any(isinstance(argument, int) and argument > LONGEST for argument in arguments):
                raise NotKnown("too long")
            if node.func.attr == "format" and (not isinstance(owner, str) or re.search(r"\d{5}|\{[^}]*[.\[]", owner)):
                raise NotKnown("a format")
            function = getattr(owner, node.func.attr)
        else:
            raise NotKnown("a call")
        return function(*arguments, **keywords)

    @staticmethod
    def _affordable(name, arguments):
        if name in ("bytes", "bytearray") and arguments and isinstance(arguments[0], int) and arguments[0] > LONGEST:
            raise NotKnown("too long")
        if any(isinstance(argument, range) and len(argument) > LONGEST for argument in arguments):
            raise NotKnown("too long")

    def _rows(self, generators, local):
        if not generators:
            yield local
            return
        first, rest = generators[0], generators[1:]
        if first.is_async:
            raise NotKnown("an async loop")
        for value in self.value(first.iter, local):
            inner = dict(local)
            self._bind(first.target, value, inner)
            if all(self.value(condition, inner) for condition in first.ifs):
                for row in self._rows(rest, inner):
                    yield row

    def _bind(self, target, value, local):
        self.steps -= 1
        if isinstance(target, ast.Name):
            local[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            values = list(value)
            if len(values) != len(target.elts):
                raise NotKnown("a row of another length")
            for part, one in zip(target.elts, values):
                self._bind(part, one, local)
        else:
            raise NotKnown("a target")

    def ListComp(self, node, local):
        return [self.value(node.elt, row) for row in self._rows(node.generators, local)]

    GeneratorExp = ListComp

    def SetComp(self, node, local):
        return {self.value(node.elt, row) for row in self._rows(node.generators, local)}

    def DictComp(self, node, local):
        return {self.value(node.key, row): self.value(node.value, row) for row in self._rows(node.generators, local)}


def telling_parts(value):
    """The parts of a value that hardly occur in two places by chance."""
    if isinstance(value, (str, bytes)):
        return [repr(value)] if len(value) > 3 else []
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [repr(value)] if abs(value) > 999 or isinstance(value, float) and len(repr(value)) > 3 else []
    if isinstance(value, (list, tuple, set, frozenset)):
        return [part for one in value for part in telling_parts(one)]
    if isinstance(value, dict):
        return [part for pair in value.items() for one in pair for part in telling_parts(one)]
    return []


