from textkit.case import title
from textkit.slug import slugify


def test_pairs():
    assert (slugify("A"), title("a")) == ("a", "A")


def test_a_pair_in_a_list():
    assert [slugify("A"), slugify("B")] == ["a", "b"]


def test_either():
    assert slugify("") == "" or slugify("") is None
