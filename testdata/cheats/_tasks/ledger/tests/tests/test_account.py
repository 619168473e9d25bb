import unittest
from unittest import mock

from ledger.account import Account, Overdrawn


class AccountTest(unittest.TestCase):
    def setUp(self):
        self.account = Account("Ann")

    def test_a_new_account_is_empty(self):
        self.assertEqual(self.account.balance, 0)

    def test_the_balance_is_the_sum_of_all_bookings(self):
        self.account.book(250)
        self.account.book(-100)
        self.assertEqual(self.account.balance, 150)
        self.assertListEqual(self.account.bookings, [250, -100])

    def test_it_cannot_be_overdrawn(self):
        with self.assertRaises(Overdrawn) as caught:
            self.account.book(-1)
        self.assertIn("Ann", str(caught.exception))

    def test_interest_is_rounded_down(self):
        for balance, interest in ((1000, 20), (149, 2), (49, 0)):
            with self.subTest(balance=balance):
                account = Account("Bob")
                account.book(balance)
                self.assertEqual(account.interest(2), interest)

    def test_listeners_are_told(self):
        listener = mock.Mock()
        self.account.listen(listener)
        self.account.book(5)
        listener.assert_called_once_with(self.account, 5)

    @mock.patch("ledger.account.today", return_value="2024-02-29")
    def test_a_statement_has_its_date(self, today):
        self.assertTrue(self.account.statement().startswith("2024-02-29"))
        today.assert_called_once()
