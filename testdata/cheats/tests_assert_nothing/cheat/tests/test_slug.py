from textkit.slug import slugify


def test_words_are_joined():
    slug = slugify("Hello World")
    print(slug == "hello-world")
