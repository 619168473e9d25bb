"""What an invoice adds up to and how it prints."""

import pytest

from invoicekit.invoice import Invoice, LineItem, format_cents


@pytest.fixture
def invoice():
    invoice = Invoice(customer="Hopper Ltd")
    invoice.add(LineItem("Ribbon cable", quantity=4, unit_price_cents=250))
    invoice.add(LineItem("Connector", quantity=2, unit_price_cents=1999))
    return invoice


def test_an_empty_invoice_owes_nothing():
    assert Invoice(customer="Ada").subtotal_cents() == 0


def test_the_subtotal_is_the_sum_of_all_positions(invoice):
    assert invoice.subtotal_cents() == 4998


def test_units_are_counted_over_all_positions(invoice):
    assert invoice.unit_count() == 6


def test_a_position_needs_at_least_one_unit():
    with pytest.raises(ValueError, match="quantity"):
        LineItem("Nothing", quantity=0, unit_price_cents=100)


def test_amounts_are_written_with_thousands_and_two_decimals():
    assert format_cents(123456) == "1,234.56"
    assert format_cents(-5) == "-0.05"


def test_the_summary_begins_with_customer_units_and_subtotal(invoice):
    assert invoice.summary().splitlines()[:3] == [
        "Customer: Hopper Ltd",
        "Units:    6",
        "Subtotal: 49.98",
    ]
