class Empty:
    def g(self):
        return 1

    def h(self):
        return 2


class Other:
    def f(self):
        pass
