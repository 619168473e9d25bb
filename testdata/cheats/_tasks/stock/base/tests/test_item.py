from stock.item import Item


def test_items_are_compared_by_value():
    assert Item("nut", 0.1) == Item("nut", 0.1)
    assert Item("nut", 0.1) != Item("bolt", 0.1)
