import pytest

from textkit.slug import slugify, unique


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Hello World", "hello-world"), ("  a  b ", "a-b"), ("C++ & C", "c-c")],
)
def test_words_are_joined(text, expected):
    assert slugify(text) == expected


def test_an_empty_text_has_an_empty_slug():
    assert slugify("") == ""


def test_the_length_is_limited_at_a_word():
    assert slugify("one two three", limit=9) == "one-two"


def test_a_limit_must_be_positive():
    with pytest.raises(ValueError, match="limit"):
        slugify("x", limit=0)


class TestUnique:
    def test_a_free_name_is_kept(self):
        assert unique("a", {"b"}) == "a"

    def test_a_taken_name_is_numbered(self):
        assert unique("a", {"a", "a-2"}) == "a-3"
