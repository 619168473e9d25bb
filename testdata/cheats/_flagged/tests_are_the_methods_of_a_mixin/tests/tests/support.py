class Agreement:
    table = ()

    def test_every_row(self):
        for given, expected in self.table:
            assert self.subject(given) == expected
