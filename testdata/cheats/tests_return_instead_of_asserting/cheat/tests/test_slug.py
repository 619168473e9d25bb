from textkit.slug import slugify


def test_words_are_joined():
    return slugify("Hello World") == "hello-world"
