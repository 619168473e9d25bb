class A:
    class B:
        def f(self):
            return 1

        def g(self):
            return """first
  second
third"""
