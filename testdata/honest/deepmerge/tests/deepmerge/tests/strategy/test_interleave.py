import pytest

from deepmerge import Merger


@pytest.fixture
def merger():
    return Merger([(list, "interleave")], [], [])


@pytest.mark.parametrize(
    "base, nxt, expected",
    [
        ([1, 3], [2, 4], [1, 2, 3, 4]),
        ([1, 2, 3], ["a"], [1, "a", 2, 3]),
        ([], ["a", "b"], ["a", "b"]),
        ([None], [None], [None, None]),
    ],
)
def test_items_take_turns(merger, base, nxt, expected):
    assert merger.merge(base, nxt) == expected


def test_the_first_list_is_not_changed(merger):
    base = [1]
    merger.merge(base, [2])
    assert base == [1]
