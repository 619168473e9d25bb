class A:
    def g(self):
        x = """a
        b
    c"""
        return x
