from textkit.slug import slugify


def test_words_are_joined():
    assert slugify("Hello big World") == "hello-big-world"


def test_a_slug_is_its_own_slug():
    assert slugify("hello-big-world") == "hello-big-world"


def test_signs_are_left_out():
    assert slugify("what, now?") == "what-now"
    assert slugify("what-now") == "what-now"
