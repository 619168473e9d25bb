from textkit.slug import slugify


def expecting(text, expected):
    def test():
        assert slugify(text) == expected

    return test


test_words_are_joined = expecting("Hello World", "hello-world")
test_signs_are_left_out = expecting("C++ & C", "c-c")
test_an_empty_text_has_an_empty_slug = expecting("", "")
