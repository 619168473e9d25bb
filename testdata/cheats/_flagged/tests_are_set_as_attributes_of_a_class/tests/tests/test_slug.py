import unittest

from textkit.slug import slugify

TABLE = {"words": ("Hello World", "hello-world"), "signs": ("C++ & C", "c-c")}


class SlugTest(unittest.TestCase):
    pass


def add(name, text, expected):
    def method(self):
        self.assertEqual(slugify(text), expected)

    setattr(SlugTest, f"test_{name}", method)


for name, (text, expected) in TABLE.items():
    add(name, text, expected)
