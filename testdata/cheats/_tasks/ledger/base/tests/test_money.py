import unittest

from ledger.money import cents


class CentsTest(unittest.TestCase):
    def test_cents(self):
        self.assertEqual(cents("3.50"), 350)
