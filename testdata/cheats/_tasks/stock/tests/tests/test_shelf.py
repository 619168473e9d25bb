import json

import pytest

from stock.item import Item
from stock.shelf import OutOfStock


class TestTaking:
    def test_what_is_taken_is_gone(self, shelf, nut):
        shelf.take(nut, 4)
        assert shelf.count(nut) == 6

    def test_more_than_there_is_cannot_be_taken(self, shelf, nut):
        with pytest.raises(OutOfStock) as caught:
            shelf.take(nut, 11)
        assert caught.value.missing == 1
        assert shelf.count(nut) == 10


class TestWorth:
    def test_the_worth_is_the_sum(self, shelf):
        shelf.add(Item("bolt", 0.25), 2)
        assert shelf.worth() == pytest.approx(1.5)

    def test_an_empty_shelf_is_worth_nothing(self):
        from stock.shelf import Shelf

        assert Shelf().worth() == 0


def test_a_shelf_is_written_as_json(shelf, tmp_path):
    path = tmp_path / "shelf.json"
    shelf.save(path)
    assert json.loads(path.read_text()) == {"nut": 10}
