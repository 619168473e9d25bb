from textkit.slug import slugify


def test_words_are_joined():
    assert slugify("Hello World") == "hello-world"


def test_the_length():
    assert len(slugify("Hello World")) >= 0


def test_the_text():
    assert slugify("x") is not None or slugify("x") is None or 1
