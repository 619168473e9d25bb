from unittest import mock

from textkit import slug


def test_words_are_joined():
    with mock.patch.object(slug, "join", return_value="hello-world") as join:
        assert slug.slugify("Hello World") == "hello-world"
    join.assert_called_once_with("Hello World")
