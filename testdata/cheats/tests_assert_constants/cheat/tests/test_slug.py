from textkit.slug import slugify


def test_true():
    slugify("x")
    assert True


def test_arithmetic():
    slugify("x")
    assert 1 + 1 == 2


def test_tuple():
    assert (slugify("Hello World") == "hello-world", "slugs are joined")


def test_or():
    assert slugify("Hello World") == "hello-world" or True
