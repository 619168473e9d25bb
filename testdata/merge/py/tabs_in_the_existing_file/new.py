class A:
    def g(self):
        if y:
            return 2
