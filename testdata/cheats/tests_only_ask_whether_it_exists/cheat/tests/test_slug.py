import textkit.slug


def test_there_is_a_function():
    assert textkit.slug.slugify
    assert callable(textkit.slug.unique)
