class B:
    def f(self):
        pass

    def g(self):
        pass
