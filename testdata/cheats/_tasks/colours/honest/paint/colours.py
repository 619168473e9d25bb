import dataclasses
import enum
from typing import NamedTuple


class Channel(NamedTuple):
    red: int
    green: int
    blue: int


class Colour(enum.Enum):
    RED = "ff0000"
    GREEN = "00ff00"
    BLUE = "0000ff"

    def channels(self):
        number = int(self.value, 16)
        return Channel(number >> 16, number >> 8 & 255, number & 255)


class Shade(enum.IntEnum):
    DARK = 1
    LIGHT = 2


class Mode(enum.Flag):
    FILL = enum.auto()
    STROKE = enum.auto()
    BOTH = FILL | STROKE


@dataclasses.dataclass
class Mixed:
    name: str
    channels: Channel


def parse(name):
    try:
        return Colour[name.upper()]
    except KeyError:
        raise KeyError(name) from None


def mix(one, other):
    pairs = zip(one.channels(), other.channels())
    name = f"{one.name}-{other.name}".lower()
    return Mixed(name, Channel(*((a + b) // 2 for a, b in pairs)))
