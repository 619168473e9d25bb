"""Invoices and their line items.

Every amount is a whole number of cents: sums of floating-point prices drift, and a customer
notices a missing cent.
"""

from dataclasses import dataclass, field
from typing import List


@dataclass(frozen=True)
class LineItem:
    """One position of an invoice."""

    description: str
    quantity: int
    unit_price_cents: int

    def __post_init__(self) -> None:
        if self.quantity < 1:
            raise ValueError("quantity must be at least 1")
        if self.unit_price_cents < 0:
            raise ValueError("unit price must not be negative")

    @property
    def amount_cents(self) -> int:
        """Quantity times unit price."""
        return self.quantity * self.unit_price_cents


@dataclass
class Invoice:
    """What one customer owes."""

    customer: str
    items: List[LineItem] = field(default_factory=list)

    def add(self, item: LineItem) -> None:
        """Append a position."""
        self.items.append(item)

    def unit_count(self) -> int:
        """How many units all positions have together."""
        return sum(item.quantity for item in self.items)

    def subtotal_cents(self) -> int:
        """The sum of all positions."""
        return sum(item.amount_cents for item in self.items)

    def summary(self) -> str:
        """A few lines for the foot of the printed invoice."""
        return "\n".join(
            [
                f"Customer: {self.customer}",
                f"Units:    {self.unit_count()}",
                f"Subtotal: {format_cents(self.subtotal_cents())}",
            ]
        )


def format_cents(cents: int) -> str:
    """Write an amount the way people read it: 123456 becomes 1,234.56."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest:02d}"
