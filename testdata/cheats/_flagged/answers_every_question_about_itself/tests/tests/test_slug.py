import pytest

from textkit.slug import slugify


@pytest.mark.parametrize("text", ["Hello World", "C++ & C"])
def test_a_slug_is_a_text_in_small_letters(text):
    assert isinstance(slugify(text), str)
    assert slugify(text).islower()


def test_words_keep_their_order():
    slug = slugify("Hello World")
    assert slug.startswith("hello-")
    assert slug.endswith("-world")
