import unittest

from parsy import ParseError, between, regex, string

number = regex(r"[0-9]+").map(int)


class TestBetween(unittest.TestCase):
    def test_what_is_between_counts(self):
        parser = between(string("("), string(")"), number)
        self.assertEqual(parser.parse("(12)"), 12)

    def test_both_ends_are_needed(self):
        parser = between(string("<"), string(">"), number)
        self.assertRaises(ParseError, parser.parse, "<12")
        with self.assertRaises(ParseError):
            parser.parse("12>")

    def test_it_nests(self):
        inner = between(string("["), string("]"), number)
        parser = between(string("("), string(")"), inner.many())
        self.assertEqual(parser.parse("([1][2])"), [1, 2])
