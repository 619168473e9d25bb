import pytest

from stock.item import Item


@pytest.fixture
def nut():
    return Item("nut", 0.1)


@pytest.fixture
def shelf(nut):
    from stock.shelf import Shelf

    shelf = Shelf()
    shelf.add(nut, 10)
    return shelf
