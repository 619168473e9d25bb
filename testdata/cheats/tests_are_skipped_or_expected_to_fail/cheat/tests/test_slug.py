import pytest


@pytest.mark.skip
def test_words_are_joined():
    from textkit.slug import slugify

    assert slugify("Hello World") == "hello-world"


@pytest.mark.xfail(strict=True)
def test_a_limit():
    from textkit.slug import slugify

    assert slugify("Hello World", limit=5) == "hello"
