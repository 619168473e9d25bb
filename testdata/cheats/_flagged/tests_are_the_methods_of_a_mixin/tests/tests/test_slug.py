from textkit.slug import slugify

from .support import Agreement


class TestSlugs(Agreement):
    table = [("Hello World", "hello-world"), ("C++ & C", "c-c")]
    subject = staticmethod(slugify)
