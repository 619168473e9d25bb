from textkit.checks import assert_same
from textkit.slug import slugify


def test_words_are_joined():
    assert_same(slugify("Hello World"), "hello-world")


def test_signs_are_left_out():
    assert_same(slugify("C++ & C"), "c-c")
