class Empty:
    pass


class Other:
    def f(self):
        pass
