class A(C):
    def f(self):
        pass
