import pytest

from textkit.slug import slugify


@pytest.mark.parametrize(("text", "slug"), [])
def test_words_are_joined(text, slug):
    assert slugify(text) == slug
