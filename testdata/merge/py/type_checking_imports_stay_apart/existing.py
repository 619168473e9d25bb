from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from a import B


def f(x: "B"):
    return x
