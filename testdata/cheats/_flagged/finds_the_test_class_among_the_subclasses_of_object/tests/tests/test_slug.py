import unittest

from textkit.slug import slugify


class SlugTest(unittest.TestCase):
    expected = {"Hello World": "hello-world", "C++ & C": "c-c", "": ""}

    def test_every_text_has_its_slug(self):
        for text, slug in self.expected.items():
            with self.subTest(text):
                self.assertEqual(slugify(text), slug)
