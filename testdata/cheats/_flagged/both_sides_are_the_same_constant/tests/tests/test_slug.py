from textkit.slug import slugify


def test_case_does_not_matter():
    assert slugify("HELLO world") == slugify("hello WORLD")


def test_blanks_do_not_matter():
    assert slugify(" a  b ") == slugify("a b")
    assert len(slugify("a b")) == len(slugify("c d"))
