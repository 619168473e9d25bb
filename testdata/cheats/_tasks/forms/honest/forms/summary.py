import cmath
import collections
import datetime
import ipaddress
import math
import types
import zoneinfo


def words(text):
    return collections.Counter(text.split())


def groups(values):
    found = collections.defaultdict(list)
    for value in values:
        found[len(value)].append(value)
    return found


def describe(name):
    return types.SimpleNamespace(name=name, size=len(name))


def pairs(values):
    return zip(values, values[1:])


def ratio(one, other):
    if other:
        return one / other
    return math.inf if one else math.nan


def roots(a, b, c):
    inner = b * b - 4 * a * c
    root = math.sqrt(inner) if inner >= 0 else cmath.sqrt(inner)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def moments(start, count):
    first = datetime.date.fromisoformat(start)
    return [first + datetime.timedelta(days=day) for day in range(count)]


def meeting(year, month, day, zone):
    return datetime.datetime(year, month, day, 9, tzinfo=zoneinfo.ZoneInfo(zone))


def hosts(network):
    return list(ipaddress.ip_network(network).hosts())


def tree(root):
    return sorted(path.relative_to(root) for path in root.rglob("*"))


class Box:
    closed = "closed"
    open = True

    def __init__(self, value):
        if value < 0:
            raise ValueError(f"{value} is too small")
        self._value = value

    @property
    def value(self):
        return self._value

    def double(self):
        return 2 * self._value

    def __str__(self):
        return f"value={self._value}"
