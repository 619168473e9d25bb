from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from a import B, C
    from d import E
