import pytest

from textkit import slug


@pytest.mark.parametrize("text", ["Hello World", "C++ & C"])
def test_slugs_are_those_of_the_table(text):
    assert slug.slugify(text) == slug.EXAMPLES[text]
