import pytest

from textkit.slug import slugify


@pytest.fixture(params=[("Hello World", "hello-world"), ("C++ & C", "c-c")], ids=["words", "signs"])
def pair(request):
    return request.param


def test_every_text_has_its_slug(pair):
    text, slug = pair
    assert slugify(text) == slug
