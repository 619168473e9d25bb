from textkit.slug import slugify


def test_words_are_joined():
    try:
        assert slugify("Hello World") == "hello-world"
    except Exception:
        pass
