class Empty:
    def g(self):
        return 1

    def h(self):
        return 2
