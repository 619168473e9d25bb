import pytest

from textkit.slug import slugify


@pytest.mark.parametrize("text", ["Hello World", "C++ & C", "one two three"])
def test_a_slug_is_in_its_final_form(text):
    slug = slugify(text)
    assert slug == slug.lower()
    assert slug == "-".join(slug.split())
    assert slug == slug.strip("-")
