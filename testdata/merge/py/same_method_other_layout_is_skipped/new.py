class A:
    def f(self, x):
        # the same
        return g(
            x,
            1,
        )
